#pragma once

/*
 * endian - numbers in bytes, wherever they stand
 *
 * Binary formats that we read are little-endian but for MessagePack and the head
 * of an SQLite file, and none aligns its numbers to where a buffer happens to
 * begin. The caller has made sure that the bytes are there.
 */

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t endian_u16(const void *at)
{
	uint16_t raw;

	memcpy(&raw, at, sizeof(raw));
	return le16toh(raw);
}

static inline uint32_t endian_u32(const void *at)
{
	uint32_t raw;

	memcpy(&raw, at, sizeof(raw));
	return le32toh(raw);
}

static inline uint64_t endian_u64(const void *at)
{
	uint64_t raw;

	memcpy(&raw, at, sizeof(raw));
	return le64toh(raw);
}

static inline void endian_put_u64(void *at, uint64_t value)
{
	uint64_t raw = htole64(value);

	memcpy(at, &raw, sizeof(raw));
}

/* Big-endian, of 1 to 8 bytes. */
static inline uint64_t endian_big(const void *at, size_t n)
{
	const unsigned char *bytes = at;
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | bytes[i];
	return value;
}
