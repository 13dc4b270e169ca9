#pragma once

/*
 * column - the text of one column in the current row of a statement
 *
 * A column that is NULL is read in two ways, and the name says which: as "",
 * where a printer or a comparison goes on with it, or as NULL, where unknown
 * and empty mean different things. What is not copied lives until the next
 * step, reset or end of the statement.
 */

#include <assert.h>
#include <sqlite3.h>

#include "base/arena.h"
#include "base/span.h"
#include "facts/select.h"

/* A number is converted, for which there may be no memory. */
static inline const char *column_text_or_null(sqlite3_stmt *stmt, int column)
{
	const char *text;

	assert(column < sqlite3_data_count(stmt)); /* there is a row, and it has the column */
	text = (const char *)sqlite3_column_text(stmt, column);
	if (!text && sqlite3_errcode(sqlite3_db_handle(stmt)) == SQLITE_NOMEM)
		select_note(NULL, SQLITE_NOMEM);
	return text;
}

static inline const char *column_text(sqlite3_stmt *stmt, int column)
{
	const char *text = column_text_or_null(stmt, column);

	return text ? text : "";
}

/* With its length, for bytes that may hold a NUL: a query can make them. NULL is as span_of(NULL). */
static inline struct span column_span(sqlite3_stmt *stmt, int column)
{
	const char *text = column_text_or_null(stmt, column); /* first: it may convert */

	return (struct span){ text, (size_t)sqlite3_column_bytes(stmt, column) };
}

static inline char *column_copy(sqlite3_stmt *stmt, int column, struct arena *a)
{
	return arena_text(a, span_of(column_text(stmt, column)));
}

static inline char *column_copy_or_null(sqlite3_stmt *stmt, int column, struct arena *a)
{
	const char *text = column_text_or_null(stmt, column);

	return text ? arena_text(a, span_of(text)) : NULL;
}
