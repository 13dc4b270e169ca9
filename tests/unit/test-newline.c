#include "scan/newline.h"

#include <stdlib.h>

#include "check.h"

static uint64_t naive_count(struct span s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.data[i] == '\n';
	return n;
}

static size_t naive_end(struct span s)
{
	size_t i = 0;

	while (i < s.len && s.data[i] != '\n' && s.data[i] != '\r')
		i++;
	return i;
}

static size_t naive_begin(struct span s)
{
	size_t i = s.len;

	while (i > 0 && s.data[i - 1] != '\n' && s.data[i - 1] != '\r')
		i--;
	return i;
}

/* Bytes that differ from an end by one bit, and lengths around those of a vector. */
static void test_against_naive(void)
{
	static const char bytes[] = { '\n', '\r', 0x0b, 0x0e, 'x', (char)0x8a, (char)0xff, 0 };
	static char text[9000];
	unsigned int seed = 3;

	for (int round = 0; round < 400; round++) {
		int rare = 1 + round % 60;
		size_t len = (size_t)rand_r(&seed) % (round % 8 ? 80 : sizeof(text));
		struct span s = { text + round % 16, len > 16 ? len - 16 : len };

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = bytes[rand_r(&seed) % rare ? 2 + rand_r(&seed) % 6
							     : rand_r(&seed) % 2];
		CHECK_INT((long)newline_count(s), (long)naive_count(s));
		CHECK_INT((long)newline_end(s), (long)naive_end(s));
		CHECK_INT((long)newline_begin(s), (long)naive_begin(s));
	}
}

/* More newlines than a byte of the sum can hold. */
static void test_all(void)
{
	static char text[100000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = '\n';
	CHECK_INT((long)newline_count((struct span){ text, sizeof(text) }), (long)sizeof(text));
}

int main(void)
{
	test_against_naive();
	test_all();
	return check_end();
}
