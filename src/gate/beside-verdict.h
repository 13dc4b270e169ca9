#pragma once

/*
 * beside-verdict - small files next to the verdict, to which many hooks add at once
 *
 * Nobody waits for another: each adds a few bytes at the end. A link or a pipe
 * under the name is not followed, and a directory of others not written to.
 */

#include "base/buf.h"

/* The path of a neighbour of the verdict. */
void beside_verdict(const char *verdict, const char *name, struct buf *ret);

/*
 * Adds these bytes; 0, or -errno with the reason. A file that has `most` bytes is full (-EFBIG);
 * with `keep_one` it becomes `name.1` first, in place of what that was.
 */
struct beside_order {
	const char *name;
	size_t most;
	bool keep_one;
};
int beside_add(const char *verdict, const struct beside_order *o, struct span bytes,
	       struct buf *why);

/* What is in it, added to `ret`; nothing, if it is not ours to believe. */
void beside_read(const char *verdict, const char *name, size_t most, struct buf *ret);
