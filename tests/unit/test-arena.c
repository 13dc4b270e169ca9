#include "base/arena.h"

#include <stdalign.h>

#include "check-span.h"

static bool is_zero(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

/* Odd sizes around and above the size of a block. */
static const size_t sizes[] = { 1, 7, 33, 4096, 65535, 65536, 65537, 1000000, 3 };

static void test_alloc(void)
{
	struct arena a = { 0 };
	char *pieces[COUNT_OF(sizes)];

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		pieces[i] = arena_alloc(&a, sizes[i]);
		CHECK((uintptr_t)pieces[i] % alignof(max_align_t) == 0);
		CHECK(is_zero(pieces[i], sizes[i]));
		memset(pieces[i], (int)('a' + i), sizes[i]);
	}
	for (size_t i = 0; i < COUNT_OF(sizes); i++) /* no piece lies in another */
		CHECK(pieces[i][0] == (char)('a' + i) &&
		      pieces[i][sizes[i] - 1] == (char)('a' + i));
	arena_done(&a);
	CHECK(!a.blocks);
	arena_done(&a);
}

static void test_many(void)
{
	struct arena a = { 0 };
	uint64_t **all = arena_alloc(&a, 20000 * sizeof(*all));
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 20000; i++) {
		all[i] = arena_alloc(&a, sizeof(**all));
		*all[i] = i;
	}
	for (size_t i = 0; i < 20000; i++)
		sum += *all[i];
	CHECK(sum == 20000ull * 19999 / 2);
	arena_done(&a);
}

static void test_text(void)
{
	struct arena a = { 0 };
	char source[] = "gfx1100";
	struct span kept = arena_span(&a, span_of(source));
	char *text = arena_text(&a, span_of(source));
	char *made = arena_format(&a, "%s:%d", "node", 3);

	source[0] = 'X';
	CHECK_SPAN(kept, "gfx1100"); /* a copy */
	CHECK_TEXT(text, "gfx1100");
	CHECK_TEXT(made, "node:3");
	CHECK_TEXT(arena_text(&a, (struct span){ NULL, 0 }), "");
	arena_done(&a);
}

/* The room is guessed from the count: it must be there at every number, whatever else is taken. */
static void test_grow(void)
{
	struct arena a = { 0 };
	struct three {
		char bytes[3];
	} *items = NULL;
	bool good = true;

	for (size_t i = 0; i < 5000; i++) {
		items = arena_grow(&a, items, i, sizeof(*items));
		good &= is_zero(items[i].bytes, 3);
		memset(items[i].bytes, (int)(i % 251 + 1), 3);
		if (i % 7 == 0)
			memset(arena_alloc(&a, 5), 0xff, 5);
	}
	for (size_t i = 0; i < 5000; i++)
		good &= items[i].bytes[0] == (char)(i % 251 + 1) &&
			items[i].bytes[2] == (char)(i % 251 + 1);
	CHECK(good);
	arena_done(&a);
}

/* Within a block, over several, and to an arena that had none. */
static void test_back(void)
{
	struct arena a = { 0 };
	struct arena_mark birth = arena_mark(&a);
	char *kept = arena_text(&a, span_of("gfx90a"));
	struct arena_mark mark = arena_mark(&a);
	char *gone = arena_text(&a, span_of("gfx906"));
	char *again;

	arena_back(&a, mark);
	again = arena_alloc(&a, 7);
	CHECK(again == gone);
	CHECK(is_zero(again, 7));
	for (size_t i = 0; i < COUNT_OF(sizes); i++)
		memset(arena_alloc(&a, sizes[i]), 'x', sizes[i]);
	arena_back(&a, mark);
	CHECK_TEXT(kept, "gfx90a");
	CHECK(arena_alloc(&a, 7) == gone);
	arena_back(&a, birth);
	CHECK(!a.blocks);
}

int main(void)
{
	test_alloc();
	test_many();
	test_text();
	test_grow();
	test_back();
	return check_end();
}
