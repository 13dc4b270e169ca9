#pragma once

/*
 * kpack - what a split library refers to, and what an archive of kernels holds
 *
 * Section .rocm_kpack_ref: {"kernel_name": "lib/librocblas.so.5",
 * "kpack_search_paths": ["../.kpack/blas_lib_@GFXARCH@.kpack"]}.
 *
 * Archive: "KPAK", u32 version 1, u64 offset of the table of contents; blobs;
 * from that offset to the end one MessagePack map: gfx_arches ["gfx942"],
 * compression_scheme "zstd-per-kernel" or "none", toc {"lib/librocblas.so.5#0":
 * {"gfx942": {type, ordinal, original_size}}}. #0 counts the code objects of
 * a library. Source: ROCm/rocm-systems shared/kpack/runtime/src.
 */

#include "base/source.h"

#define KPACK_PATHS_MAX 64
#define KPACK_REF_MAX   (64 * 1024) /* the runtime reads no more of it */
#define KPACK_VERSION   1

struct kpack_ref {
	struct span kernel_name; /* spans of the section */
	struct span paths[KPACK_PATHS_MAX];
	size_t path_count;
	bool more_paths; /* than KPACK_PATHS_MAX */
};

/* 0, or -EBADMSG for what the runtime refuses, too: no name, no path, no MessagePack. */
int kpack_ref_parse(struct span section, struct kpack_ref *ret);

/* The two halves of a path around @GFXARCH@; false if it has none. Only the first is replaced. */
bool kpack_split_path(struct span path, struct span *ret_before, struct span *ret_behind);

/* Could this stand for @GFXARCH@: gfx942, gfx90a:xnack+, gfx11-generic? */
bool kpack_is_target(struct span text);

struct kpack_visitor {
	/* One of gfx_arches. The runtime asks an archive only for what is listed. */
	void (*listed)(void *of, struct span target);
	/* A code object of "lib/librocblas.so.5#12": the name, 12, its target. */
	void (*kernel)(void *of, struct span library, uint64_t index, struct span target);
	void *of;
};

struct kpack {
	uint32_t version;
	uint64_t toc;          /* where it begins */
	unsigned int entries;  /* keys of toc: code objects, each for some targets */
	unsigned int kernels;  /* for one target each */
	uint64_t last_ordinal; /* the highest that the table names */
	uint64_t blobs;        /* code objects that are really stored */
};

/*
 * The spans of a visit are good for the call. 0, or -errno and a sentence
 * (static) in *ret_why; what was visited before is then worth nothing, because
 * the runtime refuses the whole archive. *ret holds what was learned anyhow.
 */
int kpack_read(struct source *s, const struct kpack_visitor *v, struct kpack *ret,
	       const char **ret_why);
