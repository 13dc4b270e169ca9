#include "code/unpack.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"

#define BLOCK_MAX  ((size_t)128 << 10) /* RFC 8878: of a zstd block */
#define IN_BYTES   (CCOB_ZSTD_BLOCK_HEAD + BLOCK_MAX)
#define ZLIB_CHUNK ((size_t)4 << 10)
#define SLACK      ((size_t)64 << 10)

/*
 * A frame without content size or checksum and with a window of UNPACK_MAX.
 * Real frames ask for a window of up to 2 GiB (long-distance matching), which
 * zstd would allocate. Nothing among the first n bytes can refer to anything
 * farther back than n, so their blocks may be read after this header.
 */
static const unsigned char small_window[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, (20 - 10) << 3 };

_Static_assert(UNPACK_MAX == 1u << 20, "the window descriptor says 2^20");

/* Up to n bytes. Where a source has holes, as many pages as were kept. */
static int64_t read_some(struct unpack *u, uint64_t at, char *ret, size_t n)
{
	int64_t got;

	if (at >= u->end)
		return 0;
	if (n > u->end - at)
		n = (size_t)(u->end - at);
	got = source_some(u->source, at, ret, n);
	while (got == -ENODATA && u->source->kept && n > 0) {
		size_t beyond = (size_t)((at + n) % 4096);

		beyond = beyond ? beyond : 4096;
		n = n > beyond ? n - beyond : 0;
		got = n ? source_some(u->source, at, ret, n) : -ENODATA;
	}
	return got;
}

static int begin_zstd(struct unpack *u)
{
	ZSTD_inBuffer header = { small_window, sizeof(small_window), 0 };
	ZSTD_outBuffer none = { NULL, 0, 0 };
	int r = frame_begin(&u->frame, u->source, u->at, u->end);

	if (r < 0)
		return r;
	if (!u->zstd)
		u->zstd = ZSTD_createDCtx();
	if (!u->zstd)
		memory_out();
	ZSTD_DCtx_reset(u->zstd, ZSTD_reset_session_only);
	return ZSTD_isError(ZSTD_decompressStream(u->zstd, &none, &header)) ? -EBADMSG : 0;
}

int unpack_begin(struct unpack *u, struct source *s, uint64_t at, uint64_t end,
		 enum ccob_method method)
{
	u->source = s;
	u->at = u->from = at;
	u->end = end < s->size ? end : s->size;
	u->method = method;
	u->ended = u->cut = u->holds_more = false;
	u->given = u->taken = 0;
	u->out.len = 0;
	if (at >= u->end)
		return -ENODATA;
	if (!u->in.data)
		buf_room(&u->in, IN_BYTES);
	if (method == CCOB_ZSTD)
		return begin_zstd(u);
	if (u->zlib)
		return inflateReset(u->zlib) == Z_OK ? 0 : -EBADMSG;
	u->zlib = memory_new(1, sizeof(*u->zlib));
	if (inflateInit(u->zlib) != Z_OK)
		memory_out();
	return 0;
}

/* Have the next block in u->in, as far as it is there. */
static int read_block(struct unpack *u)
{
	char *content = u->in.data + CCOB_ZSTD_BLOCK_HEAD;
	struct ccob_zstd_block block;
	int r = frame_next(&u->frame, (unsigned char *)u->in.data, &block);
	int64_t got;

	if (r < 0)
		return r;
	if (block.bytes > BLOCK_MAX)
		return -EBADMSG;
	got = block.bytes;
	if (frame_read(&u->frame, u->frame.block, content, block.bytes) < 0)
		got = read_some(u, u->frame.block, content, block.bytes);
	if (got < 0)
		return (int)got;
	u->at = u->frame.block + (uint64_t)got;
	u->cut = got < block.bytes;
	u->given = CCOB_ZSTD_BLOCK_HEAD + (size_t)got;
	u->taken = 0;
	u->block_out = u->out.len;
	return 0;
}

/* One block, or what of the last one did not fit: zstd keeps that itself. */
static int step_zstd(struct unpack *u, size_t want)
{
	ZSTD_outBuffer out = { u->out.data, want, u->out.len };
	ZSTD_inBuffer in;
	size_t left;
	int r = 0;

	if (u->taken == u->given && !u->holds_more)
		r = u->cut ? -ENODATA : read_block(u);
	if (r < 0)
		return r;
	in = (ZSTD_inBuffer){ u->in.data, u->given, u->taken };
	left = ZSTD_decompressStream(u->zstd, &out, &in);
	if (ZSTD_isError(left))
		return -EBADMSG;
	u->taken = in.pos;
	u->out.len = out.pos;
	u->ended = left == 0;
	u->holds_more = out.pos == out.size;
	return u->holds_more ? 0 : frame_yielded(&u->frame, u->out.len > u->block_out);
}

static int step_zlib(struct unpack *u, size_t want)
{
	int r;

	if (u->taken == u->given && !u->holds_more) {
		int64_t got = read_some(u, u->at, u->in.data, ZLIB_CHUNK);

		if (got <= 0)
			return got < 0 ? (int)got : -ENODATA;
		u->at += (uint64_t)got;
		u->given = (size_t)got;
		u->taken = 0;
	}
	u->zlib->next_in = (unsigned char *)u->in.data + u->taken;
	u->zlib->avail_in = (unsigned int)(u->given - u->taken);
	u->zlib->next_out = (unsigned char *)u->out.data + u->out.len;
	u->zlib->avail_out = (unsigned int)(want - u->out.len);
	r = inflate(u->zlib, Z_NO_FLUSH);
	if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
		return -EBADMSG;
	u->taken = u->given - u->zlib->avail_in;
	u->out.len = want - u->zlib->avail_out;
	u->ended = r == Z_STREAM_END;
	u->holds_more = u->out.len == want;
	return 0;
}

int unpack_more(struct unpack *u, size_t want)
{
	int r = 0;

	assert(u->source); /* unpack_begin() came before */
	if (u->method == CCOB_ZSTD && want > UNPACK_MAX)
		return -ENODATA;
	if (want > u->out.len)
		buf_room(&u->out, want - u->out.len);
	while (r == 0 && u->out.len < want && !u->ended) {
		r = u->method == CCOB_ZSTD ? step_zstd(u, want) : step_zlib(u, want);
		/*
		 * Packed bytes that are many more than they unpack to: zlib, too, has blocks
		 * that hold nothing, and takes half a second for four megabytes of them.
		 */
		if (r == 0 && !u->holds_more && u->at - u->from > 4 * u->out.len + SLACK)
			r = -EBADMSG;
	}
	return r == 0 && u->out.len < want ? -ENODATA : r;
}

void unpack_done(struct unpack *u)
{
	ZSTD_freeDCtx(u->zstd);
	if (u->zlib)
		inflateEnd(u->zlib);
	free(u->zlib);
	buf_done(&u->in);
	buf_done(&u->out);
	*u = (struct unpack){ 0 };
}
