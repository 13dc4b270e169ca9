#pragma once

/*
 * kernels-count - what the parts of kernels.c share while a directory is counted
 *
 * Limits keep the answer small whatever the directory holds; a limit that was
 * met is told as a problem.
 */

#include "base/map.h"
#include "code/kernels.h"

#define KERNELS_ARCHS_MAX    256
#define KERNELS_PROBLEMS_MAX 32
#define KERNELS_OPENED_MAX   4096 /* files that are looked into */

struct kernels_count {
	struct arena *arena;
	const struct kernels_file *files;
	size_t file_count;
	int (*open)(void *of, const char *name, struct source *ret);
	void (*close)(void *of, struct source *s);
	void *of;
	struct kernels_arch *archs;
	size_t arch_count;
	const char **problems;
	size_t problem_count, problems_left;
	unsigned int opened;
	bool indexed;
	bool archs_cut;
};

/* A sentence without a full stop; foreign text in it must be a name that was given. */
void kernels_problem(struct kernels_count *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The counts of a target, made if it is new; NULL if there are too many or it is no target. */
struct kernels_arch *kernels_arch_of(struct kernels_count *c, struct span id);
struct kernels_arch *kernels_arch_find(struct kernels_count *c, struct span id);

/* 0 and an open source, to be closed with c->close; -ENOTSUP if only names are at hand. */
int kernels_open(struct kernels_count *c, const struct kernels_file *file, struct source *ret);

struct span kernels_base(const char *name); /* after the last slash */

/*
 * Targets in names. Each writes an id, or answers false.
 *   Tensile  Kernels.so-000-gfx90a-xnack+.hsaco      gfx90a:xnack+
 *   MIOpen   gfx90a68.HIP.fdb.txt                    gfx90a (0x68 compute units)
 *   AOTriton amd-gfx11xx/flash/attn_fwd/x.aks2       gfx11xx
 *   AITER    gfx942/fmha_v3_fwd/fwd_hd128_bf16.co    gfx942
 */
bool kernels_name_tensile(const char *name, char ret[static 64]);
bool kernels_name_miopen(const char *name, char ret[static 64]);
bool kernels_name_aotriton(const char *name, char ret[static 64]);
bool kernels_name_aiter(const char *name, char ret[static 64]);

/* Steps after the names were counted, and the files that are opened for them. */
void kernels_tensile_indexes(struct kernels_count *c, bool merged_holds_fallback);
bool kernels_tensile_opens(const char *name);
void kernels_aotriton_heads(struct kernels_count *c);
void kernels_triton_metadata(struct kernels_count *c);
bool kernels_triton_opens(const char *name);
