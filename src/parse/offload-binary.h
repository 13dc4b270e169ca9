#pragma once

/*
 * offload-binary - LLVM's own container of device code
 *
 * OpenMP and clang's new driver put it into a section .llvm.offloading, several
 * one after the other. HIP's runtime cannot load it. What it holds is said by
 * a map of strings, "arch" and "triple" among them.
 */

#include "base/span.h"

#define OFFLOAD_BINARY_HEAD        (64u << 10) /* tables stand before the images: these bytes hold them */
#define OFFLOAD_BINARY_ENTRIES_MAX 1024
#define OFFLOAD_BINARY_STRINGS_MAX 64

struct offload_binary {
	unsigned int version; /* 1: one entry; 2: many; 3: perhaps compressed */
	uint64_t size;        /* of the whole */
	uint64_t entries_at, count;
	bool compressed; /* nothing else can be read */
};

struct offload_entry {
	unsigned int image;    /* 1 object, 2 bitcode, 6 SPIR-V, ... */
	unsigned int producer; /* 1 OpenMP, 2 CUDA, 4 HIP, 8 SYCL */
	uint64_t image_at, image_size;
	struct span arch, triple;
};

bool offload_binary_is(struct span bytes);

/* `bytes` begins with it. 0, -ENOEXEC, -ENODATA if more bytes are needed, -EBADMSG. */
int offload_binary_parse(struct span bytes, struct offload_binary *ret);

/* Entry `number` of the same bytes: 0, -ENOENT, -ENODATA, -EBADMSG. */
int offload_binary_entry(struct span bytes, const struct offload_binary *binary, uint64_t number,
			 struct offload_entry *ret);
