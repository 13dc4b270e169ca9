#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define FIRST_SIZE ((size_t)4 * 1024) /* many arenas hold the answer to one question */
#define BLOCK_SIZE ((size_t)64 * 1024)
#define GROW_FIRST ((size_t)8) /* items of an array that grows; a power of two */

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t size;
	_Alignas(max_align_t) char bytes[];
};

void *arena_alloc(struct arena *a, size_t size)
{
	size_t need = (size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	struct arena_block *block = a->blocks;
	size_t least = a->blocks ? BLOCK_SIZE : FIRST_SIZE;
	void *ret;

	/* A size that overflowed comes from data: it is refused in a release build, too. */
	if (size >= SIZE_MAX / 2 || !block || block->size - block->used < need) {
		size_t room = need > least ? need : least;

		block = size < SIZE_MAX / 2 ? calloc(1, sizeof(*block) + room) : NULL;
		if (!block)
			memory_out();
		block->size = room;
		block->next = a->blocks;
		a->blocks = block;
	}
	ret = block->bytes + block->used;
	block->used += need;
	return ret;
}

void *arena_grow(struct arena *a, const void *items, size_t count, size_t size)
{
	size_t room = count < GROW_FIRST ? GROW_FIRST : 2 * count;
	void *moved;

	assert(count < SIZE_MAX / 4 / size);
	if (count > 0 && (count < GROW_FIRST || (count & (count - 1)) != 0))
		return (void *)items;
	moved = arena_alloc(a, room * size);
	if (count > 0)
		memcpy(moved, items, count * size);
	return moved;
}

char *arena_text(struct arena *a, struct span s)
{
	char *copy = arena_alloc(a, s.len + 1);

	if (s.len > 0)
		memcpy(copy, s.data, s.len);
	return copy;
}

struct span arena_span(struct arena *a, struct span s)
{
	return (struct span){ arena_text(a, s), s.len };
}

char *arena_format(struct arena *a, const char *format, ...)
{
	char small[256]; /* a path of sysfs fits */
	char *text;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(small, sizeof(small), format, args);
	va_end(args);
	if (n < 0)
		memory_out();
	if ((size_t)n < sizeof(small))
		return arena_text(a, (struct span){ small, (size_t)n });
	text = arena_alloc(a, (size_t)n + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)n + 1, format, args);
	va_end(args);
	return text;
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){ a->blocks, a->blocks ? a->blocks->used : 0 };
}

void arena_back(struct arena *a, struct arena_mark mark)
{
	while (a->blocks != mark.block) {
		struct arena_block *next = a->blocks->next;

		free(a->blocks);
		a->blocks = next;
	}
	if (!mark.block)
		return;
	memset(mark.block->bytes + mark.used, 0, mark.block->used - mark.used);
	mark.block->used = mark.used;
}

void arena_reset(struct arena *a)
{
	struct arena_block *kept = a->blocks;

	if (!kept)
		return;
	a->blocks = kept->next;
	arena_done(a);
	memset(kept->bytes, 0, kept->used);
	kept->used = 0;
	kept->next = NULL;
	a->blocks = kept;
}

void arena_done(struct arena *a)
{
	arena_back(a, (struct arena_mark){ 0 });
}
