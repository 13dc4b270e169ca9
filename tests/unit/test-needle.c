#include <stdio.h>
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

/* In small helpings, each as many as may stand at one place. */
static size_t find_all(const struct needle *n, struct span text, struct needle_hit *ret, size_t max)
{
	size_t from = 0, count = 0, got;

	while (count + NEEDLE_MAX_HERE <= max &&
	       (got = needle_find(n, text, &from, ret + count, NEEDLE_MAX_HERE)) > 0)
		count += got;
	return count;
}

static bool same(const struct span *literals, size_t count, struct span text)
{
	static struct needle_hit found[65536], wanted[65536];
	size_t size;
	struct needle_tables *made = needle_make(literals, count, &size);
	struct needle *n = needle_new(literals, count, count % 2 == 0 ? made : NULL);
	size_t have = find_all(n, text, found, 65536);
	size_t want = naive(literals, count, text, wanted);

	qsort(found, have, sizeof(found[0]), by_place);
	needle_free(n);
	free(made);
	for (size_t i = 0; i < have && i < want; i++)
		if (found[i].at != wanted[i].at || found[i].literal != wanted[i].literal)
			return false; /* not by memcmp: a hit has padding */
	return have == want;
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

/* Words of logs: long literals that share their beginnings and ends. */
static void test_words(void)
{
	static const char *const words[] = {
		"HIP error: ",    "out of memory", "invalid device",
		"hipError",       "OutOfMemory",   ". Tried to allocate ",
		"RuntimeError: ", "[rank0]: ",     "amdgpu: ring gfx_0.0.0"
	};
	static char texts[60][128], text[20000];
	struct span literals[60];
	unsigned int seed = 7;
	size_t count = 0, len = 0;

	while (count < 60) {
		size_t n = 0;

		for (int k = 0; k < 3; k++)
			n += (size_t)snprintf(texts[count] + n, sizeof(texts[0]) - n, "%s",
					      words[rand_r(&seed) % 9]);
		literals[count] = (struct span){ texts[count] + rand_r(&seed) % 4, 0 };
		literals[count].len = NEEDLE_MIN + (size_t)rand_r(&seed) % (n - 14);
		count++;
	}
	while (len + 30 < sizeof(text))
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s",
					words[rand_r(&seed) % 9]);
	for (size_t cut = 0; cut < 40; cut++)
		CHECK(same(literals, count, (struct span){ text + cut, len - 3 * cut }));
}

int main(void)
{
	struct span literals[] = { SPAN_LITERAL("hipErrorNoBinaryForGpu"),
				   SPAN_LITERAL("out of memory"),
				   SPAN_LITERAL("out of memory. Tried") };
	struct span brief = SPAN_LITERAL("too short");
	struct needle_hit hits[NEEDLE_MAX_HERE];
	struct needle *n = needle_new(literals, 3, NULL);

	/* at the very end, where there is no room to leap */
	CHECK_INT((long)find_all(n, SPAN_LITERAL("HIP out of memory"), hits, NEEDLE_MAX_HERE), 1);
	CHECK_INT((long)hits[0].at, 4);
	/* one literal begins another */
	CHECK_INT((long)find_all(n, SPAN_LITERAL("out of memory. Tried"), hits, NEEDLE_MAX_HERE),
		  2);
	/* shorter than any literal */
	CHECK_INT((long)find_all(n, SPAN_LITERAL("out of"), hits, NEEDLE_MAX_HERE), 0);
	needle_free(n);
	CHECK(needle_new(&brief, 1, NULL) == NULL);
	CHECK(needle_free(NULL) == NULL);
	n = needle_new(NULL, 0, NULL);
	CHECK_INT((long)find_all(n, SPAN_LITERAL("nothing to look for"), hits, NEEDLE_MAX_HERE), 0);
	needle_free(n);
	test_against_naive();
	test_words();
	return check_end();
}
