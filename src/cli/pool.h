#pragma once

/*
 * pool - the same work on many items, in processes of their own
 *
 * Each item is worked on in a child that has all that its parent had: what it
 * changes is gone with it, and one that dies takes nobody along.
 */

#include "base/buf.h"

struct pool {
	size_t count;
	unsigned int at_once; /* 0: as many as there are processors */
	void *ctx;
	/* In the child: what it adds to `ret` is given to done(). */
	void (*work)(void *ctx, size_t item, struct buf *ret);
	/* In the parent; `whole` is false if the child died. */
	void (*done)(void *ctx, size_t item, struct span answer, bool whole);
	bool in_order; /* done() is called for one item after the other, not as they end */
};

/* Whether there are such processes; where there are none (Windows), work() must leave no trace. */
extern const bool pool_separates;

/* 0, or -errno if no child could be made. */
int pool_run(const struct pool *p);
