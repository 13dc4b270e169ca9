#include "base/map.h"

#include "check-span.h"

static void test_few(void)
{
	struct map m = { 0 };
	int one = 1, two = 2;

	CHECK(!map_find(&m, SPAN_LITERAL("a"))); /* before anything was put */
	map_put(&m, SPAN_LITERAL("a"), &one);
	map_put(&m, SPAN_LITERAL(""), &two); /* the empty key is a key */
	CHECK(map_find(&m, SPAN_LITERAL("a")) == &one);
	CHECK(map_find(&m, SPAN_LITERAL("")) == &two);
	CHECK(!map_find(&m, SPAN_LITERAL("b")));
	CHECK(!map_find(&m, SPAN_LITERAL("ab")));
	CHECK_INT(m.count, 2);
	map_put(&m, SPAN_LITERAL("a"), &two);
	CHECK(map_find(&m, SPAN_LITERAL("a")) == &two);
	CHECK_INT(m.count, 2); /* replaced, not added */
	map_done(&m);
	CHECK(!m.slots && m.count == 0 && m.cap == 0);
	map_done(&m);
}

static void test_zero_bytes(void)
{
	struct map m = { 0 };
	int one = 1;

	map_put(&m, (struct span){ "a\0b", 3 }, &one);
	CHECK(map_find(&m, (struct span){ "a\0b", 3 }) == &one);
	CHECK(!map_find(&m, (struct span){ "a\0c", 3 }));
	CHECK(!map_find(&m, (struct span){ "a", 1 }));
	map_done(&m);
}

#define MANY 5000

static void test_many(void)
{
	static char keys[MANY][16];
	static int values[MANY];
	struct map m = { 0 };
	int wrong = 0;

	for (int i = 0; i < MANY; i++) {
		snprintf(keys[i], sizeof(keys[i]), "k%d", i);
		map_put(&m, span_of(keys[i]), &values[i]);
	}
	CHECK_INT(m.count, MANY);
	CHECK((m.cap & (m.cap - 1)) == 0 && m.cap > m.count);
	for (int i = 0; i < MANY; i++)
		wrong += map_find(&m, span_of(keys[i])) != &values[i];
	CHECK_INT(wrong, 0);
	CHECK(!map_find(&m, SPAN_LITERAL("k5000")));
	map_done(&m);
}

int main(void)
{
	test_few();
	test_zero_bytes();
	test_many();
	return check_end();
}
