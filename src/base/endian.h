#pragma once

/*
 * endian - little-endian numbers in bytes, wherever they stand
 *
 * Every binary format that we read is little-endian, and none aligns its
 * numbers to where a buffer happens to begin. The caller has made sure that
 * the bytes are there.
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
