#pragma once

/*
 * buf - a growing run of bytes
 *
 * Always NUL-terminated after its length, so that text can be handed to libc.
 * Running out of memory ends the program: there is nobody to report it to.
 */

#include <stdarg.h>

#include "base/span.h"

struct buf {
	char *data;
	size_t len;
	size_t cap;
};

void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_span(struct buf *b, struct span s);
void buf_text(struct buf *b, const char *text);
void buf_char(struct buf *b, char c);
void buf_addf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_addv(struct buf *b, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
void buf_room(struct buf *b, size_t n); /* at least n further bytes fit */
void buf_clear(struct buf *b);          /* empty, memory kept */
void buf_done(struct buf *b);           /* accepts a zeroed buf */

struct span buf_get(const struct buf *b);

/* `struct buf b BUF_SCOPED = { 0 };` is released at the end of its block. */
#define BUF_SCOPED __attribute__((cleanup(buf_done)))
