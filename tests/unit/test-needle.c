#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "parse/needle.h"

static int by_place(const void *a, const void *b)
{
	const struct needle_hit *x = a;
	const struct needle_hit *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->literal > y->literal) - (x->literal < y->literal);
}

static size_t naive(const struct span *literals, size_t count, struct span text,
		    struct needle_hit *ret)
{
	size_t n = 0;

	for (size_t at = 0; at < text.len; at++)
		for (size_t i = 0; i < count; i++)
			if (literals[i].len <= text.len - at &&
			    memcmp(text.data + at, literals[i].data, literals[i].len) == 0)
				ret[n++] = (struct needle_hit){ at, (unsigned int)i };
	return n;
}

static bool same(const struct span *literals, size_t count, struct span text)
{
	static struct needle_hit found[65536], wanted[65536];
	struct needle *n = needle_new(literals, count);
	size_t have = needle_find(n, text, found, 65536);
	size_t want = naive(literals, count, text, wanted);

	qsort(found, have, sizeof(found[0]), by_place);
	needle_free(n);
	return have == want && memcmp(found, wanted, have * sizeof(found[0])) == 0;
}

/* Two letters only: literals overlap, share beginnings and stand everywhere. */
static void test_against_naive(void)
{
	static char text[3000], words[40][24];
	struct span literals[40];
	unsigned int seed = 1;

	for (int round = 0; round < 200; round++) {
		size_t len = (size_t)(rand_r(&seed) % (int)sizeof(text));
		size_t count = (size_t)(1 + rand_r(&seed) % 40);

		for (size_t i = 0; i < len; i++)
			text[i] = (char)('a' + rand_r(&seed) % 2);
		for (size_t i = 0; i < count; i++) {
			literals[i] =
				(struct span){ words[i], NEEDLE_MIN + (size_t)(rand_r(&seed) % 6) };
			for (size_t k = 0; k < literals[i].len; k++)
				words[i][k] = (char)('a' + rand_r(&seed) % 2);
		}
		CHECK(same(literals, count, (struct span){ text, len }));
	}
}

int main(void)
{
	struct span literals[] = { SPAN_LITERAL("hipErrorNoBinaryForGpu"),
				   SPAN_LITERAL("out of memory"),
				   SPAN_LITERAL("out of memory. Tried") };
	struct span brief = SPAN_LITERAL("too short");
	struct needle_hit hits[4];
	struct needle *n = needle_new(literals, 3);

	/* at the very end, where a cursor has no room to leap */
	CHECK_INT((long)needle_find(n, SPAN_LITERAL("HIP out of memory"), hits, 4), 1);
	CHECK_INT((long)hits[0].at, 4);
	/* one literal begins another */
	CHECK_INT((long)needle_find(n, SPAN_LITERAL("out of memory. Tried"), hits, 4), 2);
	/* shorter than any literal */
	CHECK_INT((long)needle_find(n, SPAN_LITERAL("out of"), hits, 4), 0);
	/* no room for more hits is not an overflow */
	CHECK_INT((long)needle_find(n, SPAN_LITERAL("out of memory out of memory"), hits, 1), 1);
	needle_free(n);
	CHECK(needle_new(&brief, 1) == NULL);
	CHECK(needle_free(NULL) == NULL);
	n = needle_new(NULL, 0);
	CHECK_INT((long)needle_find(n, SPAN_LITERAL("nothing to look for"), hits, 4), 0);
	needle_free(n);
	test_against_naive();
	return check_end();
}
