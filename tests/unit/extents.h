#pragma once

/*
 * extents - a sparse file in memory
 *
 * A journal of 60 entries is 8 MB, nearly all of it the zeros of an empty hash
 * table. Kept files hold only the rest: a 64-bit offset, a 32-bit length and
 * that many bytes, again and again, little-endian. Holes read as zeros; past
 * the end of the last extent nothing can be read.
 */

#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/span.h"

struct extents {
	struct span bytes;
};

static inline bool extents_next(struct span *rest, uint64_t *ret_offset, struct span *ret)
{
	uint64_t offset;
	uint32_t len;

	if (rest->len < 12)
		return false;
	memcpy(&offset, rest->data, 8);
	memcpy(&len, rest->data + 8, 4);
	len = le32toh(len);
	if (len > rest->len - 12)
		len = (uint32_t)(rest->len - 12);
	*ret_offset = le64toh(offset);
	*ret = (struct span){ rest->data + 12, len };
	*rest = (struct span){ rest->data + 12 + len, rest->len - 12 - len };
	return true;
}

static inline int extents_read_at(void *ctx, uint64_t offset, void *into, size_t n)
{
	struct extents *x = ctx;
	struct span rest = x->bytes, extent;
	uint64_t start, from, to, end = 0;

	memset(into, 0, n);
	if (offset > INT64_MAX)
		return -ENODATA;
	while (extents_next(&rest, &start, &extent)) {
		if (start > INT64_MAX)
			continue;
		if (start + extent.len > end)
			end = start + extent.len;
		from = start > offset ? start : offset;
		to = start + extent.len < offset + n ? start + extent.len : offset + n;
		if (from < to)
			memcpy((char *)into + (from - offset), extent.data + (from - start),
			       (size_t)(to - from));
	}
	return offset + n <= end ? 0 : -ENODATA;
}
