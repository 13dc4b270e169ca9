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
#include "parse/ccob.h"
#include "parse/zstd-prefix.h"

#define UNPACK_MAX (1u << 20) /* bytes of one stream; a bundle's table has at most as many */

struct unpack {
	struct source *source;
	uint64_t at, end; /* what is not read yet */
	struct span near; /* bytes that the caller has read already, or none, */
	uint64_t near_at; /* and their place */
	enum ccob_method method;
	bool ended;
	bool whole_blocks; /* of zstd: by its library */
	zstd_goal *goal;   /* of whoever began; NULL: as much as is asked for */
	struct buf out;    /* the unpacked bytes so far */

	/* kept from one stream to the next */
	struct buf in;
	struct ZSTD_DCtx_s *zstd;
	struct z_stream_s *zlib;
	size_t hint; /* how many bytes zstd wants next */
};

/*
 * Begin with zeroes. What is compressed lies from `at` to `end`. 0, or -errno.
 * Before that `near` and `near_at` may be set, and a goal: with one, unpack_more
 * may stop before `want`, with -ENODATA. They hold for the next stream, too.
 */
int unpack_begin(struct unpack *u, struct source *s, uint64_t at, uint64_t end,
		 enum ccob_method method);

/*
 * Have at least `want` bytes in u->out. 0; -ENODATA if the stream ends before,
 * well or badly; -EBADMSG if it is no such stream; what the source answered.
 */
int unpack_more(struct unpack *u, size_t want);

void unpack_done(struct unpack *u);
