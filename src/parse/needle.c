#include "parse/needle.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 4
#define SLOTS ((size_t)1 << 15) /* a shift table that stays in the first-level cache */
#define LEAP  (NEEDLE_MIN - BLOCK + 1)
#define LANES 4

struct needle {
	unsigned char shift[SLOTS];
	unsigned int first[SLOTS]; /* of the literals whose block ends a window here, + 1 */
	unsigned int *next;
	const struct span *literals;
	size_t count;
};

static unsigned int slot_of(const char *block)
{
	uint32_t word;

	memcpy(&word, block, sizeof(word));
	return (word * 2654435761u) >> 17;
}

/* A window is the first NEEDLE_MIN bytes of a literal; each of its blocks says how far its end is. */
static void enter(struct needle *n, unsigned int literal)
{
	const char *window = n->literals[literal].data;
	unsigned int slot = 0;

	for (size_t i = 0; i + BLOCK <= NEEDLE_MIN; i++) {
		unsigned char left = (unsigned char)(NEEDLE_MIN - BLOCK - i);

		slot = slot_of(window + i);
		if (n->shift[slot] > left)
			n->shift[slot] = left;
	}
	n->next[literal] = n->first[slot];
	n->first[slot] = literal + 1;
}

struct needle *needle_new(const struct span *literals, size_t count)
{
	struct needle *n;

	for (size_t i = 0; i < count; i++)
		if (literals[i].len < NEEDLE_MIN)
			return NULL;
	n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	n->next = calloc(count + 1, sizeof(*n->next));
	n->literals = literals;
	n->count = count;
	memset(n->shift, LEAP, sizeof(n->shift));
	for (size_t i = 0; n->next && i < count; i++)
		enter(n, (unsigned int)i);
	return n->next ? n : needle_free(n);
}

struct needle *needle_free(struct needle *n)
{
	if (n)
		free(n->next);
	free(n);
	return NULL;
}

struct finder {
	const struct needle *n;
	struct span text;
	struct needle_hit *hits;
	size_t count, max;
};

/* The block that ends a window has been met: `at` is where the window begins. */
static void compare(struct finder *f, unsigned int slot, size_t at)
{
	for (unsigned int i = f->n->first[slot]; i; i = f->n->next[i - 1]) {
		struct span literal = f->n->literals[i - 1];

		if (literal.len <= f->text.len - at && f->count < f->max &&
		    memcmp(f->text.data + at, literal.data, literal.len) == 0)
			f->hits[f->count++] = (struct needle_hit){ at, i - 1 };
	}
}

/* One step of a cursor, which stands on the last block of a window. */
static size_t step(struct finder *f, size_t cursor)
{
	unsigned int slot = slot_of(f->text.data + cursor);
	unsigned int shift = f->n->shift[slot];

	if (shift == 0) {
		compare(f, slot, cursor - (NEEDLE_MIN - BLOCK));
		shift = 1;
	}
	return cursor + shift;
}

static void walk(struct finder *f, size_t cursor, size_t end)
{
	while (cursor < end && f->count < f->max)
		cursor = step(f, cursor);
}

/*
 * Windows that begin in a lane belong to it, so that none is met twice; a lane
 * that runs ahead of the others waits at its end.
 */
static void walk_lanes(struct finder *f, size_t first, size_t end)
{
	size_t width = (end - first) / LANES;
	size_t stop[LANES], at[LANES];

	for (size_t i = 0; i < LANES; i++) {
		at[i] = first + i * width;
		stop[i] = i + 1 < LANES ? at[i] + width : end;
	}
	while (at[0] < stop[0] && at[1] < stop[1] && at[2] < stop[2] && at[3] < stop[3] &&
	       f->count < f->max)
		for (size_t i = 0; i < LANES; i++)
			at[i] = step(f, at[i]);
	for (size_t i = 0; i < LANES; i++)
		walk(f, at[i], stop[i]);
}

size_t needle_find(const struct needle *n, struct span text, struct needle_hit *ret, size_t max)
{
	struct finder f = { n, text, ret, 0, max };
	size_t first = NEEDLE_MIN - BLOCK;

	if (n->count == 0 || text.len < NEEDLE_MIN)
		return 0;
	walk_lanes(&f, first, text.len - BLOCK + 1);
	return f.count;
}
