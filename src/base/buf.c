#include "base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void buf_room(struct buf *b, size_t n)
{
	size_t want;
	size_t cap = b->cap ? b->cap : 64;

	if (n > SIZE_MAX / 8 || b->len > SIZE_MAX / 8)
		memory_out();
	want = b->len + n + 1;
	if (want <= b->cap)
		return;
	while (cap < want)
		cap *= 2;
	b->data = realloc(b->data, cap);
	if (!b->data)
		memory_out();
	b->cap = cap;
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
	assert(bytes || n == 0);
	buf_room(b, n);
	if (n > 0)
		memcpy(b->data + b->len, bytes, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_span(struct buf *b, struct span s)
{
	buf_add(b, s.data, s.len);
}

void buf_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_char(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_addv(struct buf *b, const char *format, va_list args)
{
	va_list again;
	int n;

	buf_room(b, 64); /* most are shorter */
	va_copy(again, args);
	n = vsnprintf(b->data + b->len, b->cap - b->len, format, again);
	va_end(again);
	if (n < 0)
		memory_out();
	if ((size_t)n >= b->cap - b->len) {
		buf_room(b, (size_t)n);
		vsnprintf(b->data + b->len, (size_t)n + 1, format, args);
	}
	b->len += (size_t)n;
	b->data[b->len] = '\0';
}

void buf_addf(struct buf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_addv(b, format, args);
	va_end(args);
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_done(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

struct span buf_get(const struct buf *b)
{
	return (struct span){ b->data ? b->data : "", b->len };
}
