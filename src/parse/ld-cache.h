#pragma once

/*
 * ld-cache - /etc/ld.so.cache, glibc's list of libraries by name
 *
 * The format "glibc-ld.so.cache1.1", alone or after the older "ld.so-1.7.0":
 * entries of 24 bytes, sorted downwards by name with numbers as numbers, each
 * with the offsets of two strings, "librocblas.so.5" and its path. An entry
 * says for which kind of processor it is (0x0303: x86-64).
 *
 * Entries of glibc-hwcaps directories are passed over: the plain one stands
 * beside them, and it is the same library.
 */

#include "base/span.h"

struct ld_cache {
	struct span bytes; /* of the newer format; offsets count from its start */
	uint32_t count;
};

struct ld_cache_entry {
	uint32_t flags;
	uint64_t hwcap;
	struct span name;
	struct span path;
};

/* False if it is neither format, or the list is longer than the file. */
bool ld_cache_open(struct span file, struct ld_cache *ret);

/* False for a number out of range, or strings that lie elsewhere. */
bool ld_cache_entry(const struct ld_cache *c, uint32_t number, struct ld_cache_entry *ret);

/* The path under a name, for one kind of processor. */
bool ld_cache_find(const struct ld_cache *c, struct span name, uint32_t flags,
		   struct span *ret_path);

/* The flags of a kind of processor by its number in ELF headers; 0: not known. */
uint32_t ld_cache_flags(unsigned int elf_machine);

/* The order of the list: below 0, 0 or above 0. */
int ld_cache_compare(struct span a, struct span b);
