#include "scan/window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scan/newline.h"

void window_done(struct window *w)
{
	buf_done(&w->decoded);
	free(w->room);
	w->room = w->data = NULL;
}

/* The room stays. */
void window_again(struct window *w)
{
	struct window fresh = {
		.room = w->room, .data = w->room, .cap = w->cap, .decoded = w->decoded
	};

	*w = fresh;
	buf_clear(&w->decoded);
}

static struct span line_head(struct span text)
{
	if (text.len > SCAN_TEXT_MAX)
		text.len = SCAN_TEXT_MAX;
	return (struct span){ text.data, newline_end(text) };
}

/* The first n bytes of the room go. */
static void keep_head(struct window *w, size_t n)
{
	size_t begin = newline_begin((struct span){ w->room, n });
	size_t all = (size_t)(w->data - w->room) + w->len;
	struct span head = { 0 };

	if (begin == 0 && w->head_len > 0)
		return; /* that line goes on */
	if (begin < n)
		head = line_head((struct span){ w->room + begin, all - begin });
	w->head_len = head.len;
	if (head.len > 0)
		memcpy(w->head, head.data, head.len);
}

/* Drops the text that is done with, but for its tail; then grows the buffer if it must. */
static void grow(struct window *w, size_t n)
{
	size_t before = (size_t)(w->data - w->room);
	size_t kept = before < SCAN_TAIL ? before : SCAN_TAIL;

	if (w->cap - before - w->len >= n)
		return;
	if (kept < before) {
		keep_head(w, before - kept);
		memmove(w->room, w->data - kept, kept + w->len);
	}
	if (w->cap < kept + w->len + n) {
		/* twice as much, so that the tail is moved at every second reading only */
		w->cap = SCAN_TAIL + w->len + 2 * n;
		w->room = realloc(w->room, w->cap);
		if (!w->room)
			memory_out();
	}
	w->data = w->room + kept;
}

char *window_room(struct window *w)
{
	grow(w, WINDOW_ROOM);
	return w->data + w->len;
}

/* PowerShell writes UTF-16: decode it; other text stays. The last `n` bytes are the new ones. */
static void decode(struct window *w, size_t n)
{
	buf_clear(&w->decoded);
	utf16_decode(&w->utf16, (struct span){ w->data + w->len, n }, &w->decoded);
	grow(w, w->decoded.len);
	if (w->decoded.len > 0)
		memcpy(w->data + w->len, w->decoded.data, w->decoded.len);
	w->len += w->decoded.len;
}

static void tell_encoding(struct window *w)
{
	size_t n = w->len;

	w->told = true;
	utf16_begin(&w->utf16, (struct span){ w->data, n });
	if (w->utf16.order) {
		w->len = 0;
		decode(w, n);
	}
}

void window_added(struct window *w, size_t n)
{
	assert(n <= w->cap - w->len); /* no more than window_room() gave */
	if (w->utf16.order)
		decode(w, n);
	else
		w->len += n;
	if (!w->told && w->len >= UTF16_TELLING)
		tell_encoding(w);
}

void window_end(struct window *w)
{
	if (!w->told && w->len > 0)
		tell_encoding(w);
}

void window_drop(struct window *w, size_t n)
{
	w->data += n;
	w->len -= n;
}

/* The line that is cut where the last bytes of the room begin. */
static struct span cut_head(const struct window *w, struct span tail)
{
	struct span before = { w->room, (size_t)(tail.data - w->room) };
	size_t begin = newline_begin(before);

	if (begin == 0 && w->head_len > 0)
		return (struct span){ w->head, w->head_len };
	if (begin == before.len)
		return (struct span){ 0 };
	return line_head((struct span){ before.data + begin, before.len + tail.len - begin });
}

void window_tail(const struct window *w, uint64_t last_line, struct scan_tail *ret)
{
	size_t before = (size_t)(w->data - w->room);
	size_t len = before < SCAN_TAIL ? before : SCAN_TAIL;
	struct span text = { len > 0 ? w->data - len : "", len };
	struct span head = len > 0 ? cut_head(w, text) : (struct span){ 0 };
	size_t rest = head.len > 0 ? newline_end(text) + 1 : 0;

	if (rest >= len)
		rest = 0; /* there is nothing else */
	*ret = (struct scan_tail){ .head = head, .text = { text.data + rest, len - rest } };
	ret->line = last_line - newline_count(ret->text) + 1;
	ret->head_line = ret->line - newline_count((struct span){ text.data, rest });
}
