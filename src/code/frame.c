#include "code/frame.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define HEADER_MAX 18

/*
 * Bytes close after the last read are read with all that follows them; bytes far
 * away (blocks have up to 128 KiB) are read alone, since reads are counted and the
 * rest would not be used. In a source with holes the page after it may be missing.
 */
int frame_read(struct frame *f, uint64_t at, void *ret, size_t n)
{
	bool close_by = at >= f->window_at && at - f->window_at <= FRAME_WINDOW;
	int64_t got = 0;

	if (n > FRAME_WINDOW || at > f->end || n > f->end - at)
		return -ENODATA;
	if (at < f->window_at || at - f->window_at > f->window_len ||
	    n > f->window_len - (at - f->window_at)) {
		got = source_some(f->source, at, f->window, close_by ? FRAME_WINDOW : n);
		if (got == -ENODATA && close_by)
			got = source_some(f->source, at, f->window, n);
		f->window_at = at;
		f->window_len = got < 0 ? 0 : (size_t)got;
	}
	if (got < 0)
		return (int)got;
	if (n > f->window_len - (at - f->window_at))
		return -ENODATA;
	if (n > 0)
		memcpy(ret, f->window + (at - f->window_at), n);
	return 0;
}

int frame_begin(struct frame *f, struct source *s, uint64_t at, uint64_t end)
{
	size_t bytes;
	int64_t got;
	int r;

	f->source = s;
	f->end = end < s->size ? end : s->size;
	f->barren = 0;
	f->window_at = at;
	f->window_len = 0;
	if (at >= f->end)
		return -ENODATA;
	got = source_some(s, at, f->window, HEADER_MAX);
	if (got < 0)
		return (int)got;
	f->window_len = (size_t)got;
	r = ccob_zstd_header((struct span){ (const char *)f->window, f->window_len }, &bytes,
			     &f->checksum);
	if (r < 0)
		return r;
	if (bytes > f->end - at)
		return -ENODATA;
	f->at = f->block = at + bytes;
	return 0;
}

int frame_next(struct frame *f, unsigned char ret_head[static CCOB_ZSTD_BLOCK_HEAD],
	       struct ccob_zstd_block *ret)
{
	int r;

	assert(f->source); /* frame_begin() came before */
	r = frame_read(f, f->at, ret_head, CCOB_ZSTD_BLOCK_HEAD);
	if (r < 0)
		return r;
	if (!ccob_zstd_block(ret_head, ret))
		return -EBADMSG;
	f->block = f->at + CCOB_ZSTD_BLOCK_HEAD;
	f->at = f->block + ret->bytes;
	return 0;
}

int frame_yielded(struct frame *f, bool something)
{
	f->barren = something ? 0 : f->barren + 1;
	return f->barren > FRAME_BARREN_MAX ? -EBADMSG : 0;
}
