#pragma once

/*
 * needle - many literals in one pass over bytes
 *
 * The prefilter of signatures: it only nominates places. Of each literal a
 * window is known by every block of four bytes in it, so that it is enough to
 * look at the text in leaps of NEEDLE_MIN - 3 bytes. No look depends on the
 * one before it, which is what a processor is fast at; what a block lets pass
 * is looked at by eight bytes, and then literal by literal.
 */

#include "base/span.h"

#define NEEDLE_MIN 10

struct needle;

/*
 * The tables that are made of the literals: bytes of one block, to be freed. Whoever has the
 * same literals at every start carries them. NULL if one is shorter than NEEDLE_MIN.
 */
struct needle_tables;
struct needle_tables *needle_make(const struct span *literals, size_t count, size_t *ret_size);

/* `literals` are borrowed, and so are tables that were made of them; NULL: they are made here. */
struct needle *needle_new(const struct span *literals, size_t count,
			  const struct needle_tables *made);
struct needle *needle_free(struct needle *n); /* accepts NULL, returns NULL */

struct needle_hit {
	size_t at;            /* where the literal begins */
	unsigned int literal; /* its number */
};

/*
 * The next places in `text`, 0 when there are no more; *from is 0 at first and
 * kept by the caller. They come in the order of their windows: one that ends
 * before another begins comes before it. `max` is at least NEEDLE_MAX_HERE.
 */
#define NEEDLE_MAX_HERE 256 /* literals at one place; any more are not told */
size_t needle_find(const struct needle *n, struct span text, size_t *from, struct needle_hit *ret,
		   size_t max);
