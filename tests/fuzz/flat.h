#pragma once

/*
 * flat - a sparse input made into a whole file
 *
 * Bundles stand on page boundaries, so real files are mostly zeroes, and a
 * fuzzer would spend its time on those. Inputs are extents (extents.h); they
 * are laid out in memory of exactly the file's size, and the pages that an
 * extent touches are those that a sieve would have kept.
 */

#include <stdlib.h>

#include "../unit/extents.h"
#include "base/source.h"

#define FLAT_MAX  ((size_t)128 << 10)
#define FLAT_PAGE 4096

struct flat {
	char *data;
	size_t size;
	bool kept[FLAT_MAX / FLAT_PAGE + 1];
};

static inline struct flat flat_make(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data, size }, extent;
	struct flat flat = { 0 };
	uint64_t at;

	while (extents_next(&rest, &at, &extent)) {
		at %= FLAT_MAX;
		if (extent.len > FLAT_MAX - at)
			extent.len = FLAT_MAX - at;
		if (at + extent.len > flat.size)
			flat.size = at + extent.len;
	}
	flat.data = calloc(1, flat.size ? flat.size : 1);
	rest = (struct span){ (const char *)data, size };
	while (extents_next(&rest, &at, &extent)) {
		at %= FLAT_MAX;
		if (extent.len > FLAT_MAX - at)
			extent.len = FLAT_MAX - at;
		memcpy(flat.data + at, extent.data, extent.len);
		for (size_t page = at / FLAT_PAGE; page * FLAT_PAGE < at + extent.len; page++)
			flat.kept[page] = true;
	}
	return flat;
}

static inline int flat_read(const struct source *s, uint64_t at, void *ret, size_t n)
{
	const struct flat *flat = s->of;

	if (n == 0)
		return 0;
	for (uint64_t page = at / FLAT_PAGE; page <= (at + n - 1) / FLAT_PAGE; page++)
		if (!flat->kept[page])
			return -ENODATA;
	memcpy(ret, flat->data + at, n);
	return 0;
}

static inline bool flat_kept(const struct source *s, uint64_t from, uint64_t *ret)
{
	const struct flat *flat = s->of;

	for (; from < s->size; from = (from / FLAT_PAGE + 1) * FLAT_PAGE) {
		if (!flat->kept[from / FLAT_PAGE])
			continue;
		*ret = from;
		return true;
	}
	return false;
}

static inline struct source flat_whole(const struct flat *flat)
{
	return source_memory((struct span){ flat->data, flat->size });
}

static inline struct source flat_sieved(const struct flat *flat)
{
	return (struct source){
		.size = flat->size, .read = flat_read, .kept = flat_kept, .of = flat
	};
}
