#pragma once

/*
 * needle - many literals in one pass over bytes
 *
 * The prefilter of signatures: it only nominates places. Wu and Manber's
 * shift table over hashed blocks of four bytes, four cursors side by side so
 * that one waits for memory while the others work. No literal is shorter than
 * NEEDLE_MIN, which is what the cursors may leap by.
 */

#include "base/span.h"

#define NEEDLE_MIN 10

struct needle;

/* `literals` are borrowed. NULL if one is shorter than NEEDLE_MIN. */
struct needle *needle_new(const struct span *literals, size_t count);
struct needle *needle_free(struct needle *n); /* accepts NULL, returns NULL */

struct needle_hit {
	size_t at;            /* where the literal begins */
	unsigned int literal; /* its number */
};

/*
 * All places in `text`, in any order, up to `max`; the number found. If it is
 * `max` there may be more: scan smaller pieces.
 */
size_t needle_find(const struct needle *n, struct span text, struct needle_hit *ret, size_t max);
