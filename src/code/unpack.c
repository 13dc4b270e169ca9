#include "code/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define IN_BYTES   ((size_t)128 << 10)
#define ZLIB_CHUNK ((size_t)4 << 10)
#define PREFIX_MAX ((size_t)64 << 10) /* more than that is the library's work */

/*
 * A frame without content size or checksum and with a window of UNPACK_MAX.
 * Real frames ask for a window of up to 2 GiB (long-distance matching), which
 * zstd would allocate. Nothing among the first n bytes can refer to anything
 * farther back than n, so their blocks may be read behind this header.
 */
static const unsigned char small_window[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, (20 - 10) << 3 };

_Static_assert(UNPACK_MAX == 1u << 20, "the window descriptor says 2^20");

/* Up to n bytes. Where a source has holes, as many pages as were kept. */
static int64_t read_some(struct unpack *u, size_t n)
{
	int64_t got;

	if (n > u->end - u->at)
		n = (size_t)(u->end - u->at);
	got = source_some(u->source, u->at, u->in.data, n);
	while (got == -ENODATA && u->source->kept && n > 0) {
		size_t beyond = (size_t)((u->at + n) % 4096);

		beyond = beyond ? beyond : 4096;
		n = n > beyond ? n - beyond : 0;
		got = n ? source_some(u->source, u->at, u->in.data, n) : -ENODATA;
	}
	if (got > 0)
		u->at += (uint64_t)got;
	return got;
}

static int read_near(const struct source *s, uint64_t at, void *ret, size_t n)
{
	const struct unpack *u = s->of;

	if (at >= u->near_at && at - u->near_at <= u->near.len &&
	    n <= u->near.len - (at - u->near_at)) {
		memcpy(ret, u->near.data + (at - u->near_at), n);
		return 0;
	}
	return source_read(u->source, at, ret, n);
}

static struct source near_source(const struct unpack *u)
{
	return (struct source){ .size = u->source->size, .read = read_near, .of = u, .fd = -1 };
}

static int skip_header(struct unpack *u)
{
	unsigned char first[18];
	size_t bytes;
	bool checksum;
	struct source s = near_source(u);
	int64_t got = source_some(&s, u->at, first, sizeof(first));
	int r;

	if (got < 0)
		return (int)got;
	r = ccob_zstd_header((struct span){ (const char *)first, (size_t)got }, &bytes, &checksum);
	if (r < 0)
		return r;
	if (bytes > u->end - u->at)
		return -ENODATA;
	u->at += bytes;
	return 0;
}

static int begin_library(struct unpack *u)
{
	ZSTD_inBuffer header = { small_window, sizeof(small_window), 0 };
	ZSTD_outBuffer none = { u->out.data, 0, 0 };

	if (!u->in.data)
		buf_room(&u->in, IN_BYTES);
	if (!u->zstd)
		u->zstd = ZSTD_createDCtx();
	if (!u->zstd)
		return -ENOMEM;
	ZSTD_DCtx_reset(u->zstd, ZSTD_reset_session_only);
	u->whole_blocks = true;
	u->out.len = 0;
	u->hint = ZSTD_decompressStream(u->zstd, &none, &header);
	return ZSTD_isError(u->hint) ? -EBADMSG : 0;
}

static int begin_zlib(struct unpack *u)
{
	if (!u->in.data)
		buf_room(&u->in, IN_BYTES);
	if (u->zlib)
		return inflateReset(u->zlib) == Z_OK ? 0 : -EBADMSG;
	u->zlib = calloc(1, sizeof(*u->zlib));
	return u->zlib && inflateInit(u->zlib) == Z_OK ? 0 : -ENOMEM;
}

int unpack_begin(struct unpack *u, struct source *s, uint64_t at, uint64_t end,
		 enum ccob_method method)
{
	u->source = s;
	u->at = at;
	u->end = end < s->size ? end : s->size;
	u->method = method;
	u->ended = false;
	u->whole_blocks = false;
	u->out.len = 0;
	if (at >= u->end)
		return -ENODATA;
	return method == CCOB_ZSTD ? skip_header(u) : begin_zlib(u);
}

/* Unpack u->in into the room of u->out. */
static int feed_zstd(struct unpack *u, size_t got, size_t want)
{
	ZSTD_inBuffer in = { u->in.data, got, 0 };
	ZSTD_outBuffer out = { u->out.data, want, u->out.len };

	do {
		u->hint = ZSTD_decompressStream(u->zstd, &out, &in);
		if (ZSTD_isError(u->hint))
			return -EBADMSG;
		u->out.len = out.pos;
		u->ended = u->hint == 0;
	} while (!u->ended && in.pos < in.size && out.pos < out.size);
	/* What zstd did not take is read again. */
	u->at -= in.size - in.pos;
	return 0;
}

static int feed_zlib(struct unpack *u, size_t got, size_t want)
{
	int r;

	u->zlib->next_in = (unsigned char *)u->in.data;
	u->zlib->avail_in = (unsigned int)got;
	u->zlib->next_out = (unsigned char *)u->out.data + u->out.len;
	u->zlib->avail_out = (unsigned int)(want - u->out.len);
	r = inflate(u->zlib, Z_NO_FLUSH);
	if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
		return -EBADMSG;
	u->out.len = want - u->zlib->avail_out;
	u->ended = r == Z_STREAM_END;
	u->at -= u->zlib->avail_in;
	return 0;
}

static int feed(struct unpack *u, size_t got, size_t want)
{
	return u->method == CCOB_ZSTD ? feed_zstd(u, got, want) : feed_zlib(u, got, want);
}

/*
 * The first bytes of zstd by our own decoder, from the begin each time: most
 * bundles need no second time. Where it fails the library judges.
 */
static bool unpack_prefix(struct unpack *u, size_t want)
{
	struct source s = near_source(u);
	int64_t got = zstd_prefix(&s, u->at, u->end, (unsigned char *)u->out.data, want, u->goal,
				  &u->ended);

	if (got >= 0)
		u->out.len = (size_t)got;
	return got >= 0;
}

int unpack_more(struct unpack *u, size_t want)
{
	int r = 0;

	if (want > UNPACK_MAX)
		return -ENODATA;
	if (want > u->out.len)
		buf_room(&u->out, want - u->out.len);
	if (u->method == CCOB_ZSTD && !u->whole_blocks && !u->ended && u->out.len < want) {
		if (want <= PREFIX_MAX && unpack_prefix(u, want))
			return u->out.len < want ? -ENODATA : 0;
		r = begin_library(u);
	}
	/* What did not fit the last time stands in the decoder. */
	if (r == 0 && u->out.len > 0 && u->out.len < want && !u->ended)
		r = feed(u, 0, want);
	while (r == 0 && u->out.len < want && !u->ended) {
		size_t n = u->method == CCOB_ZSTD ? u->hint : ZLIB_CHUNK;
		int64_t got = read_some(u, n < IN_BYTES ? n : IN_BYTES);

		if (got <= 0)
			return got < 0 ? (int)got : -ENODATA;
		r = feed(u, (size_t)got, want);
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
