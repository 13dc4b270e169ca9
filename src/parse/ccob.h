#pragma once

/*
 * ccob - the header of a compressed bundle
 *
 * After it stands one zlib stream or one zstd frame; unpacked it is a bundle.
 * Versions 2 and 3 say where they end. The next "CCOB" is no end: a payload
 * may hold these bytes (LLVM had that bug, and lost gfx942 of hipBLASLt).
 */

#include "base/span.h"

#define CCOB_HEADER_MAX 32

enum ccob_method {
	CCOB_ZLIB,
	CCOB_ZSTD,
};

struct ccob {
	unsigned int version; /* 1, 2, 3 */
	enum ccob_method method;
	size_t header;  /* bytes before the payload */
	uint64_t total; /* header and payload; 0: version 1 does not say */
	uint64_t unpacked;
};

/* Does it begin like one: magic, a known version and method? Eight bytes decide. */
bool ccob_is(struct span bytes);

/*
 * 0; -ENODATA for fewer bytes than the header has; -ENOEXEC for what ccob_is
 * refuses; -EBADMSG for a total that does not even hold the header.
 */
int ccob_parse(struct span bytes, struct ccob *ret);

/*
 * The header of a zstd frame: its size, and so where the first block stands.
 * 0, -ENODATA, or -EBADMSG for what is no frame.
 */
int ccob_zstd_header(struct span bytes, size_t *ret_bytes, bool *ret_checksum);

#define CCOB_ZSTD_BLOCK_HEAD 3

struct ccob_zstd_block {
	uint32_t bytes; /* after its header */
	bool last;
	bool empty; /* unpacks to nothing by its header alone; a compressed one may do so, too */
};

/* The header of a zstd block; false for the type that does not exist. */
bool ccob_zstd_block(const unsigned char head[static CCOB_ZSTD_BLOCK_HEAD],
		     struct ccob_zstd_block *ret);
