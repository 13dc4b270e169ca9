#pragma once

/*
 * html - a page for a browser, from front to back
 *
 * One file without a script and without an outside reference. html() is a
 * printf whose texts are escaped: what stands in the format is ours, what is
 * handed in may be anybody's. The same for SVG and for attributes, which stand
 * in double quotes.
 */

#include "base/buf.h"
#include "report/page.h"

/*
 * %s and %.*s are escaped; numbers are as in printf (d, u, f, x with hh to z).
 * A text of NULL is empty.
 */
void html(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Document, title, stylesheet, and <body>; the caller adds <header>, <main>, <footer>. */
void html_begin(struct buf *out, const char *title);
void html_end(struct buf *out);

/* What the stylesheet calls a mark. */
const char *html_kind(enum page_mark mark);

/* A mark for eyes and for screen readers: the word is read, the symbol is not. */
void html_mark(struct buf *out, const char *kind, const char *word);
