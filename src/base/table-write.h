#pragma once

/*
 * table-write - columns for people
 *
 * Cells are collected, widths measured in code points, and the whole written
 * left-aligned with two blanks between; numbers can be right-aligned. Too wide
 * for the terminal, each row becomes a paragraph of "name value" lines.
 */

#include "base/arena.h"
#include "base/buf.h"

#define TABLE_COLUMNS_MAX 2000 /* as many as SQLite gives a result */

struct table_text {
	struct arena arena;
	bool drop_empty; /* leave out columns without a single value */
	size_t columns;
	const char *names[TABLE_COLUMNS_MAX];
	bool right[TABLE_COLUMNS_MAX];
	struct span *cells; /* row after row */
	size_t rows;
	size_t cap;
};

void table_column(struct table_text *t, const char *name, bool right);
void table_cell(struct table_text *t, size_t row, size_t column, struct span text);
size_t table_row(struct table_text *t); /* a new row of empty cells: its number */

/* width 0: no limit. */
void table_write(struct table_text *t, struct buf *out, size_t width);
void table_done(struct table_text *t);
