#pragma once

/*
 * kernels - directories of device code
 *
 * rocBLAS, hipBLASLt, hipSPARSELt, MIOpen, AOTriton and Triton's cache keep
 * code and tuning data in directories whose file names and index files say for
 * which GPUs. Which directories these are is data (code/kernel-directories.h);
 * what a kind of them looks like is a table in kernels.c. The names come from a
 * file system or from an archive's list, all the same.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "base/source.h"

struct kernels_file {
	const char *name; /* relative to the directory, with subdirectories */
	uint64_t size;
};

struct kernels_arch {
	char id[64];           /* gfx1151; gfx11xx for AOTriton's families; gfx90a:xnack+ */
	unsigned int index;    /* 1 if an index is there for it: without one rocBLAS aborts */
	unsigned int tuned;    /* files of tuned code */
	unsigned int fallback; /* files of code that runs anywhere and slowly */
	unsigned int helper;   /* Kernels.so, extop, databases */
	unsigned int missing;  /* parts that its index names, without data or code */
	bool unread;           /* its index could not be read: `index` says nothing */
};

struct kernels {
	/* rocblas, hipblaslt, hipsparselt, miopen, aotriton, aiter, triton-cache; NULL: none of them */
	const char *kind;
	unsigned int files;
	bool indexed;                     /* an index was read; otherwise names were counted */
	const struct kernels_arch *archs; /* sorted by id */
	size_t arch_count;
	const char *const *problems;
	size_t problem_count;
};

/* Is this a directory of kernels, by its path? The kind, or NULL: "…/rocblas/library". */
const char *kernels_kind(struct span directory);

/*
 * Does an index lead to its code? Files that none names are never opened then:
 * rocBLAS aborts, others do without.
 */
bool kernels_has_index(const char *kind);

/* Would kernels_read() open this file of such a directory? What a stream has to keep. */
bool kernels_opens(const char *kind, const char *name);

/*
 * `open` gives a file by its name in `files`; NULL: names alone. -ENOTSUP from
 * it: that file is not at hand, its name has to do. Any other error is a problem.
 */
void kernels_read(const char *kind, const struct kernels_file *files, size_t count,
		  int (*open)(void *of, const char *name, struct source *ret),
		  void (*close)(void *of, struct source *s), void *of, struct arena *arena,
		  struct kernels *ret);

void kernels_write(const struct kernels *k, struct buf *ret);
bool kernels_parse(struct span text, struct arena *arena, struct kernels *ret);
