#pragma once

/*
 * zstd-bits - a stream of zstd, read backwards
 *
 * All streams of RFC 8878 are written to be read from their end: the highest
 * bit of the last byte marks it. Only a small window of a stream is held.
 */

#include "base/endian.h"
#include "base/source.h"

#define BITS_BYTES 256 /* of a stream, held at a time */

/* A stream, read from its end; `left` may become negative, which is an error for the caller. */
struct bits {
	struct source *source;
	uint64_t start;
	int64_t left; /* bits */
	uint64_t held_at;
	size_t held;
	int error;
	unsigned char bytes[BITS_BYTES + sizeof(uint64_t)]; /* zeroes behind what is held */
};

static inline unsigned int bits_highest(uint32_t value)
{
	return 31 - (unsigned int)__builtin_clz(value);
}

/* 0, -EBADMSG, or what the source answered. */
int bits_open(struct bits *b, struct source *s, uint64_t at, uint64_t bytes);

/* As bits_before(), for what is not held. */
uint32_t bits_slowly(struct bits *b, int64_t to, unsigned int n);

/* The n bits before place `to`, n at most 32; before the begin there are zeroes. */
static inline uint32_t bits_before(struct bits *b, int64_t to, unsigned int n)
{
	uint64_t from = (uint64_t)to - n, place = b->start + from / 8 - b->held_at;

	if (to < n || place >= b->held)
		return bits_slowly(b, to, n);
	return (uint32_t)(endian_u64(b->bytes + place) >> from % 8 & ((UINT64_C(1) << n) - 1));
}

static inline uint32_t bits_read(struct bits *b, unsigned int n)
{
	uint32_t value = bits_before(b, b->left, n);

	b->left -= n;
	return value;
}
