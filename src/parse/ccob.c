#include "parse/ccob.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"

/*
 *          version 1        version 2        version 3
 * 0        "CCOB"
 * 4        version, 2 bytes
 * 6        method, 2 bytes: 0 zlib, 1 zstd
 * 8        unpacked, 4      total, 4         total, 8
 * 12       hash, 8          unpacked, 4
 * 16                        hash, 8          unpacked, 8
 * 24                                         hash, 8
 * payload  20               24               32
 *
 * Source: clang/lib/Driver/OffloadBundler.cpp, CompressedOffloadBundle.
 */

static const size_t headers[] = { 0, 20, 24, 32 };

bool ccob_is(struct span bytes)
{
	uint64_t version, method;

	if (bytes.len < 8 || memcmp(bytes.data, "CCOB", 4) != 0)
		return false;
	version = endian_u16(bytes.data + 4);
	method = endian_u16(bytes.data + 6);
	return version >= 1 && version <= 3 && method <= CCOB_ZSTD;
}

int ccob_parse(struct span bytes, struct ccob *ret)
{
	struct ccob c;

	if (!ccob_is(bytes))
		return bytes.len < 8 ? -ENODATA : -ENOEXEC;
	c = (struct ccob){ .version = (unsigned int)endian_u16(bytes.data + 4),
			   .method = (enum ccob_method)endian_u16(bytes.data + 6) };
	c.header = headers[c.version];
	if (bytes.len < c.header)
		return -ENODATA;
	switch (c.version) {
	case 1:
		c.unpacked = endian_u32(bytes.data + 8);
		break;
	case 2:
		c.total = endian_u32(bytes.data + 8);
		c.unpacked = endian_u32(bytes.data + 12);
		break;
	default:
		c.total = endian_u64(bytes.data + 8);
		c.unpacked = endian_u64(bytes.data + 16);
		break;
	}
	if (c.version > 1 && c.total <= c.header)
		return -EBADMSG;
	*ret = c;
	return 0;
}

/*
 * RFC 8878, 3.1.1.1: magic, a descriptor (bits 6-7 size of the content size,
 * 5 single segment, 2 checksum, 0-1 size of the dictionary id), then window,
 * dictionary id and content size as far as the descriptor wants them.
 */
int ccob_zstd_header(struct span bytes, size_t *ret_bytes, bool *ret_checksum)
{
	static const size_t dictionary[] = { 0, 1, 2, 4 }, content[] = { 0, 2, 4, 8 };
	unsigned int descriptor;
	bool single;

	if (bytes.len < 5)
		return -ENODATA;
	if (endian_u32(bytes.data) != 0xfd2fb528)
		return -EBADMSG;
	descriptor = (unsigned char)bytes.data[4];
	single = descriptor & 0x20;
	*ret_bytes = 5 + !single + dictionary[descriptor & 3] + content[descriptor >> 6] +
		     (single && descriptor >> 6 == 0);
	*ret_checksum = descriptor & 4;
	return 0;
}

/* 3.1.1.2: bit 0 last, 1-2 type (0 raw, 1 one byte repeated, 2 compressed), 3-23 size. */
bool ccob_zstd_block(const unsigned char head[static CCOB_ZSTD_BLOCK_HEAD],
		     struct ccob_zstd_block *ret)
{
	uint32_t value = head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16;
	uint32_t size = value >> 3;
	unsigned int type = value >> 1 & 3;

	if (type == 3)
		return false;
	*ret = (struct ccob_zstd_block){ .bytes = type == 1 ? 1 : size,
					 .last = value & 1,
					 .empty = size == 0 };
	return true;
}
