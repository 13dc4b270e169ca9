#pragma once

/*
 * frame - the blocks of a zstd frame, one by one, without unpacking them
 *
 * The header of each block says how long it is, so the end of a frame can be
 * found without its content. A block may be empty, and 64 MiB of zeroes are 22
 * million empty ones: small blocks that follow each other come from one read,
 * and a long row that yields nothing is damage, since no packer writes one.
 */

#include "base/source.h"
#include "parse/ccob.h"

#define FRAME_BARREN_MAX 64 /* blocks in a row that yield nothing */
#define FRAME_WINDOW     4096

struct frame {
	struct source *source;
	uint64_t at, end; /* of the next block; it and all others end before `end` */
	uint64_t block;   /* where the content of the last one begins */
	bool checksum;    /* four bytes after the last block */
	unsigned int barren;
	uint64_t window_at;
	size_t window_len;
	unsigned char window[FRAME_WINDOW];
};

/* The frame begins at `at`. 0; -ENODATA; -EBADMSG if it is none; what the source answered. */
int frame_begin(struct frame *f, struct source *s, uint64_t at, uint64_t end);

/* The next block's header, as its bytes too. 0; -ENODATA if it is cut; -EBADMSG; as above. */
int frame_next(struct frame *f, unsigned char ret_head[static CCOB_ZSTD_BLOCK_HEAD],
	       struct ccob_zstd_block *ret);

/* After each block the caller says whether it yielded anything. 0; -EBADMSG at the limit. */
int frame_yielded(struct frame *f, bool something);

/* Exactly n bytes, at most FRAME_WINDOW. 0, or -errno as of source_read. */
int frame_read(struct frame *f, uint64_t at, void *ret, size_t n);
