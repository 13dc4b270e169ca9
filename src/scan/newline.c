#include "scan/newline.h"

#include <string.h>

#define WIDTH 16

typedef uint8_t bytes_of __attribute__((vector_size(WIDTH)));
typedef uint64_t words_of __attribute__((vector_size(WIDTH)));

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest");

static bytes_of load(const char *p)
{
	bytes_of bytes;

	memcpy(&bytes, p, WIDTH);
	return bytes;
}

static uint64_t sum_bytes(uint64_t word)
{
	const uint64_t pairs = 0x00ff00ff00ff00ffu;

	return ((word & pairs) + (word >> 8 & pairs)) * 0x0001000100010001u >> 48;
}

/* In each byte of the sum no more than 255 newlines. */
static uint64_t count_some(const char *data, size_t vectors)
{
	bytes_of sum = { 0 };
	words_of words;

	for (size_t i = 0; i < vectors; i++)
		sum -= (bytes_of)(load(data + i * WIDTH) == '\n');
	words = (words_of)sum;
	return sum_bytes(words[0]) + sum_bytes(words[1]);
}

uint64_t newline_count(struct span s)
{
	uint64_t count = 0;

	while (s.len >= WIDTH) {
		size_t vectors = s.len / WIDTH < 255 ? s.len / WIDTH : 255;

		count += count_some(s.data, vectors);
		s = (struct span){ s.data + vectors * WIDTH, s.len - vectors * WIDTH };
	}
	for (size_t i = 0; i < s.len; i++)
		count += s.data[i] == '\n';
	return count;
}

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

static words_of ends_in(const char *data)
{
	bytes_of bytes = load(data);

	return (words_of)((bytes == '\n') | (bytes == '\r'));
}

size_t newline_end(struct span s)
{
	size_t i = 0;

	for (; i + WIDTH <= s.len; i += WIDTH) {
		words_of ends = ends_in(s.data + i);

		if (ends[0])
			return i + (size_t)__builtin_ctzll(ends[0]) / 8;
		if (ends[1])
			return i + 8 + (size_t)__builtin_ctzll(ends[1]) / 8;
	}
	while (i < s.len && !ends_line(s.data[i]))
		i++;
	return i;
}

size_t newline_begin(struct span s)
{
	size_t i = s.len;

	for (; i >= WIDTH; i -= WIDTH) {
		words_of ends = ends_in(s.data + i - WIDTH);

		if (ends[1])
			return i - (size_t)__builtin_clzll(ends[1]) / 8;
		if (ends[0])
			return i - 8 - (size_t)__builtin_clzll(ends[0]) / 8;
	}
	while (i > 0 && !ends_line(s.data[i - 1]))
		i--;
	return i;
}
