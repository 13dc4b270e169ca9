#pragma once

/*
 * check-pack - MessagePack for tests, one value a call
 *
 * Written apart from the reader, and always in the longest form that the
 * writers of ROCm use, so that both forms are read somewhere.
 */

#include <string.h>

#include "base/buf.h"

static inline void pack_number(struct buf *b, unsigned int first, uint64_t n, int width)
{
	buf_char(b, (char)first);
	while (width-- > 0)
		buf_char(b, (char)(n >> (8 * width)));
}

static inline void pack_map(struct buf *b, unsigned int pairs)
{
	if (pairs < 16)
		buf_char(b, (char)(0x80 | pairs));
	else
		pack_number(b, 0xde, pairs, 2);
}

static inline void pack_array(struct buf *b, unsigned int members)
{
	if (members < 16)
		buf_char(b, (char)(0x90 | members));
	else
		pack_number(b, 0xdc, members, 2);
}

static inline void pack_text(struct buf *b, const char *text)
{
	size_t n = strlen(text);

	if (n < 32)
		buf_char(b, (char)(0xa0 | n));
	else if (n < 256)
		pack_number(b, 0xd9, n, 1);
	else
		pack_number(b, 0xda, n, 2);
	buf_text(b, text);
}

static inline void pack_uint(struct buf *b, uint64_t n)
{
	pack_number(b, 0xcf, n, 8);
}

static inline void pack_pair(struct buf *b, const char *key, const char *value)
{
	pack_text(b, key);
	pack_text(b, value);
}
