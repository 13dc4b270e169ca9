#pragma once

/*
 * page - words on a terminal, wrapped and marked
 *
 * Whoever prints decides once whether there are colours and symbols; without,
 * marks are ASCII. Text given here is clean already (base/text.h).
 */

#include "base/buf.h"

/* Of a report that is handed on. What nobody knows as a name is not found: hence its end. */
#define PAGE_SCRUBBED                                                                             \
	"Known names, serial numbers and secrets are replaced by pseudonyms: read it before you " \
	"send it."

enum page_mark {
	PAGE_GOOD,
	PAGE_PROBLEM,
	PAGE_WARNING,
	PAGE_UNDECIDED,
	PAGE_NOTE,
};

struct page {
	struct buf *out;
	size_t width;
	bool colour;
	bool symbols; /* beyond ASCII */
};

/* Columns to write for, of a terminal that has so many; 0: it is none. */
size_t page_width(size_t terminal);

/* A mark in its colour, padded, with a blank behind it: 3 columns. */
void page_mark(struct page *p, enum page_mark mark);

/* A text over as many lines as it needs; the first begins at column `at`. */
void page_wrap(struct page *p, size_t at, size_t indent, const char *text);

/* Indent and a text over as many lines as it needs. */
void page_line(struct page *p, size_t indent, const char *text);

/* Indent, text, end of line; dim. Not wrapped: a path or a command must stay one word. */
void page_dim(struct page *p, size_t indent, const char *text);

/* "·" or "-" and "×" or "x", by what the terminal can show. */
const char *page_dot(const struct page *p);
const char *page_times(const struct page *p);

/* What was written already, without these two, where the terminal cannot show them. */
void page_plain(struct page *p);

/*
 * "MARK left ... right": right ends at the last column, or stands below if the
 * line is too short for both.
 */
void page_heading(struct page *p, enum page_mark mark, const char *left, const char *right);

/* The same for evidence: text at `indent`, a short right part on its first line. */
void page_pair(struct page *p, size_t indent, const char *left, const char *right);

/* A row of two columns and a short right part: name, and text that starts at `column`. */
void page_row(struct page *p, size_t indent, size_t column, const char *name, const char *text,
	      const char *right);
