#include "parse/zstd-bits.h"

#include <errno.h>
#include <string.h>

static int load(struct bits *b, uint64_t from, size_t n)
{
	int r = source_read(b->source, from, b->bytes, n);

	b->held_at = from;
	b->held = r < 0 ? 0 : n;
	memset(b->bytes + b->held, 0, sizeof(uint64_t));
	return r;
}

int bits_open(struct bits *b, struct source *s, uint64_t at, uint64_t bytes)
{
	size_t n = bytes < BITS_BYTES ? (size_t)bytes : BITS_BYTES;
	unsigned char last;
	int r;

	b->source = s;
	b->start = at;
	b->error = 0;
	b->left = 0;
	if (bytes == 0)
		return -EBADMSG;
	r = load(b, at + bytes - n, n);
	if (r < 0)
		return r;
	last = b->bytes[b->held - 1];
	if (last == 0)
		return -EBADMSG;
	b->left = (int64_t)(bytes - 1) * 8 + bits_highest(last);
	return 0;
}

/* Have the byte with this number in the window. */
static void move(struct bits *b, uint64_t at)
{
	uint64_t end = at + 9, from = end - b->start > BITS_BYTES ? end - BITS_BYTES : b->start;

	if (end > b->held_at + b->held)
		end = b->held_at + b->held;
	b->error = load(b, from, (size_t)(end - from));
}

/* Near the begin of the window: byte by byte. */
static uint64_t gather_bytes(const struct bits *b, int64_t first, int64_t last)
{
	uint64_t value = 0;

	for (int64_t i = last; i >= first; i--) {
		uint64_t place = b->start + (uint64_t)i - b->held_at;

		value = value << 8 | (place < b->held ? b->bytes[place] : 0);
	}
	return value;
}

uint32_t bits_slowly(struct bits *b, int64_t to, unsigned int n)
{
	int64_t from = to - n, first = from < 0 ? 0 : from / 8;
	uint64_t value;

	if (to <= 0 || n == 0)
		return 0;
	if (b->start + (uint64_t)first < b->held_at)
		move(b, b->start + (uint64_t)first);
	value = gather_bytes(b, first, (to - 1) / 8);
	value = from < 0 ? value << -from : value >> (from - first * 8);
	return (uint32_t)(value & ((UINT64_C(1) << n) - 1));
}
