#pragma once

/*
 * arena - memory that lives and dies together
 *
 * Everything learned about one machine is freed in one call. There is no free
 * of a single piece. Running out of memory ends the program.
 */

#include "base/span.h"

struct arena {
	struct arena_block *blocks;
};

/* A moment in the life of an arena; zeroes are its birth. */
struct arena_mark {
	struct arena_block *block;
	size_t used;
};

void *arena_alloc(struct arena *a, size_t size);  /* zeroed, aligned for any type */
char *arena_text(struct arena *a, struct span s); /* a NUL-terminated copy */
struct span arena_span(struct arena *a, struct span s);
/*
 * An array of `count` items with room for one more, zeroed. It doubles, and moves, whenever
 * the count is a power of two, so that nobody has to keep how much room there is. NULL and 0
 * begin it.
 */
void *arena_grow(struct arena *a, const void *items, size_t count, size_t size);

char *arena_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* arena_back() frees what was taken since the mark: for work that led to nothing. */
struct arena_mark arena_mark(const struct arena *a);
void arena_back(struct arena *a, struct arena_mark mark);

/* For work of the same size: empties it, and keeps its newest block. */
void arena_reset(struct arena *a);

void arena_done(struct arena *a); /* accepts a zeroed arena */
