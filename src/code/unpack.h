#pragma once

/*
 * unpack - the first bytes of something compressed
 *
 * A bundle of a gigabyte says in its first kilobytes what is in it. This
 * unpacks as much as is asked for and reads no more than that needs. Memory
 * does not depend on the input: see unpack.c for zstd's window.
 */

#include "base/buf.h"
#include "base/source.h"
#include "code/frame.h"

#define UNPACK_MAX (1u << 20) /* bytes of a zstd frame; a bundle's table has at most as many */

struct unpack {
	struct source *source;
	uint64_t at, end; /* what is not read yet */
	enum ccob_method method;
	bool ended;
	struct buf out; /* the unpacked bytes so far */

	/* kept from one stream to the next */
	struct buf in;
	struct ZSTD_DCtx_s *zstd;
	struct z_stream_s *zlib;

	/* of the stream that is being unpacked */
	uint64_t from;       /* its first byte */
	struct frame frame;  /* of zstd */
	size_t given, taken; /* bytes in `in`, and how many of them are unpacked */
	size_t block_out;    /* bytes of `out` before this block */
	bool cut;            /* this block is not whole: nothing can follow it */
	bool holds_more;     /* the room was too small for all that could be unpacked */
};

/* Begin with zeroes. What is compressed lies from `at` to `end`. 0, or -errno. */
int unpack_begin(struct unpack *u, struct source *s, uint64_t at, uint64_t end,
		 enum ccob_method method);

/*
 * Have at least `want` bytes in u->out. 0; -ENODATA if the stream ends before,
 * well or badly; -EBADMSG if it is no such stream; what the source answered.
 */
int unpack_more(struct unpack *u, size_t want);

void unpack_done(struct unpack *u);
