#include "archive/packed-internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/text.h"

#define READ_BLOCK ((size_t)128 << 10)

/* ---- what goes in ---- */

void packed_fail(struct packed *p, int error, const char *what)
{
	if (p->error)
		return;
	text_clean(&p->problem, span_of(what), false);
	p->error = error;
}

bool packed_fill(struct packed *p)
{
	ssize_t n;

	if (p->rest.len > 0)
		return true;
	do
		n = read(p->fd, p->block.data, READ_BLOCK);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		packed_fail(p, -EBADMSG, strerror(errno));
	p->ended = n == 0;
	if (n <= 0)
		return false;
	p->in += (uint64_t)n;
	p->rest = (struct span){ p->block.data, (size_t)n };
	return true;
}

static void take(struct packed *p, size_t n)
{
	p->rest = (struct span){ p->rest.data + n, p->rest.len - n };
}

/* ---- gzip ---- */

struct gzip {
	z_stream z;
	bool between; /* a member has ended, and another may begin */
};

static void *gzip_begin(struct packed *p)
{
	struct gzip *g = arena_alloc(&p->arena, sizeof(*g));

	if (inflateInit2(&g->z, 16 + MAX_WBITS) != Z_OK)
		packed_fail(p, -ENOMEM, "no memory");
	return g;
}

/* Bytes after the last member are padding, or another program's: the stream ends there. */
static bool goes_on(struct packed *p, struct gzip *g)
{
	if (!packed_fill(p)) {
		if (!g->between)
			packed_fail(p, -EBADMSG, PACKED_CUT);
		return false;
	}
	if (!g->between)
		return true;
	g->between = false;
	if (p->rest.data[0] == '\x1f' && inflateReset(&g->z) == Z_OK)
		return true;
	g->between = true;
	return false;
}

static size_t gzip_step(struct packed *p, void *state, char *to, size_t room)
{
	struct gzip *g = state;

	g->z.next_out = (unsigned char *)to;
	g->z.avail_out = (unsigned int)room;
	while (!p->error && g->z.avail_out > 0 && goes_on(p, g)) {
		int r;

		g->z.next_in = (unsigned char *)(uintptr_t)p->rest.data;
		g->z.avail_in = (unsigned int)p->rest.len;
		r = inflate(&g->z, Z_NO_FLUSH);
		take(p, p->rest.len - g->z.avail_in);
		g->between = r == Z_STREAM_END;
		if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
			packed_fail(p, -EBADMSG, g->z.msg ? g->z.msg : "it is damaged");
	}
	return room - g->z.avail_out;
}

static void gzip_end(void *state)
{
	inflateEnd(&((struct gzip *)state)->z);
}

/* ---- zstd ---- */

struct zstd {
	ZSTD_DCtx *d;
	bool within; /* a frame */
};

static void *zstd_begin(struct packed *p)
{
	struct zstd *z = arena_alloc(&p->arena, sizeof(*z));

	z->d = ZSTD_createDCtx();
	if (!z->d)
		packed_fail(p, -ENOMEM, "no memory");
	return z;
}

/* A stranger's file does not choose how much memory we take: 128 MiB of window are the most. */
static void zstd_fail(struct packed *p, size_t error)
{
	if (ZSTD_getErrorCode(error) == ZSTD_error_frameParameter_windowTooLarge)
		packed_fail(p, -ENOBUFS,
			    "it was packed with zstd --long, in a window over 128 MiB");
	else
		packed_fail(p, -EBADMSG, ZSTD_getErrorName(error));
}

static size_t zstd_step(struct packed *p, void *state, char *to, size_t room)
{
	struct zstd *z = state;
	ZSTD_outBuffer out = { to, room, 0 };

	while (!p->error && out.pos < room) {
		ZSTD_inBuffer in = { 0 };
		size_t before = out.pos, r;

		packed_fill(p);
		in = (ZSTD_inBuffer){ p->rest.data, p->rest.len, 0 };
		if (in.size == 0 && !z->within)
			break;
		r = ZSTD_decompressStream(z->d, &out, &in);
		take(p, in.pos);
		z->within = r != 0;
		if (ZSTD_isError(r))
			zstd_fail(p, r);
		else if (in.size == 0 && out.pos == before)
			packed_fail(p, -EBADMSG, PACKED_CUT);
	}
	return out.pos;
}

static void zstd_end(void *state)
{
	ZSTD_freeDCtx(((struct zstd *)state)->d);
}

/* ---- all of them ---- */

static const struct packed_format formats[] = {
	{ "gzip", "\x1f\x8b", gzip_begin, gzip_step, gzip_end },
	{ "zstd", "\x28\xb5\x2f\xfd", zstd_begin, zstd_step, zstd_end },
	{ "xz",
	  "\xfd"
	  "7zXZ",
	  packed_filter_begin, packed_filter_step, packed_filter_end },
	{ "bzip2", "BZh", packed_filter_begin, packed_filter_step, packed_filter_end },
};

static const struct packed_format *format_of(struct span first)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (span_starts(first, formats[i].magic))
			return &formats[i];
	return NULL;
}

const char *packed_name(struct span first)
{
	const struct packed_format *format = format_of(first);

	return format ? format->name : NULL;
}

struct packed *packed_open(int fd, struct span first)
{
	struct arena arena = { 0 };
	struct packed *p = arena_alloc(&arena, sizeof(*p));

	*p = (struct packed){
		.arena = arena, .format = format_of(first), .fd = fd, .rest = first, .in = first.len
	};
	buf_room(&p->block, READ_BLOCK);
	if (p->format)
		p->state = p->format->begin(p);
	else
		packed_fail(p, -EBADMSG, "it is not packed in a way that is known");
	return p;
}

struct packed *packed_close(struct packed *p)
{
	struct arena arena;

	if (!p)
		return NULL;
	if (p->state)
		p->format->end(p->state);
	buf_done(&p->problem);
	buf_done(&p->block);
	arena = p->arena;
	arena_done(&arena);
	return NULL;
}

ssize_t packed_read(struct packed *p, char *to, size_t room)
{
	size_t n;

	if (p->error)
		return p->error;
	n = p->format->step(p, p->state, to, room < INT32_MAX ? room : INT32_MAX);
	p->out += n;
	if (p->out > PACKED_SMALL_MAX + PACKED_TIMES_MAX * p->in)
		packed_fail(p, -EFBIG, "more comes out of it than 200 times its size and 1 GiB");
	return n > 0 ? (ssize_t)n : p->error;
}

const char *packed_problem(const struct packed *p)
{
	return p->error ? p->problem.data : NULL;
}
