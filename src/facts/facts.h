#pragma once

/*
 * facts - the database of one machine
 *
 * Typed tables in an SQLite of its own, as schema.sql declares them. Collectors
 * add rows and gaps; rules, reports and `query` only read. A NULL database is
 * fine everywhere: the recording child collects for the questions alone.
 *
 * Text is cleaned on its way in (base/text.h), so no reader has to.
 */

#include <sqlite3.h>

#include "base/span.h"

struct facts;

struct facts *facts_new(void);             /* NULL only if SQLite cannot start */
struct facts *facts_free(struct facts *f); /* accepts NULL, returns NULL */
sqlite3 *facts_db(struct facts *f);

/* No row is left, as after facts_new(): for the next machine. What is attached stays. */
void facts_next(struct facts *f);

/*
 * From here on what is absent or was never asked is told once for a column, and not of each GPU
 * and file: that is most of what a brief snapshot gives, and of a fleet nobody asks for it.
 */
void facts_quiet_once(struct facts *f);

/* The text of schema.sql, as compiled in. */
extern const char facts_schema[];

/*
 * Longer text is cut off, with a gap on its column: a rule may not handle more
 * than 16 KiB (kb/guard.c), and no machine has a text that long.
 */
#define FACTS_TEXT_MAX ((size_t)8192)

#define ROW_CELLS_MAX 64 /* as many as a table may have columns */

/* One row in the making; columns that get no value are NULL. */
struct row {
	const char *table;
	size_t count;
	struct row_cell {
		const char *column;
		enum { ROW_TEXT, ROW_INT, ROW_REAL, ROW_UNFIT } type;
		struct span text;
		int64_t number;
		double real;
	} cells[ROW_CELLS_MAX];
};

struct row row_of(const char *table);
void row_text(struct row *r, const char *column, struct span value);   /* borrowed until added */
void row_string(struct row *r, const char *column, const char *value); /* NULL: no value */
void row_int(struct row *r, const char *column, int64_t value);
void row_u64(struct row *r, const char *column, uint64_t value); /* above INT64_MAX: a gap */
void row_real(struct row *r, const char *column, double value);

/*
 * A row that the schema refuses is a gap on its table: values come from outside.
 * An unknown table or column is our own mistake and ends the program.
 */
void facts_add(struct facts *f, const struct row *r);

/*
 * Something was not learned. `topic` is "table" or "table.column", `error` a
 * negative errno or a number of standing.h, `source` the path or question.
 */
void facts_gap(struct facts *f, const char *topic, const char *subject, int error,
	       const char *source);
void facts_gap_said(struct facts *f, const char *topic, const char *subject, const char *standing,
		    const char *detail, const char *source);

/* A table starts as unasked. Its collector calls this when it has asked. */
void facts_asked(struct facts *f, const char *table);

/* After the last collector: a gap for each table that nobody asked. */
void facts_end(struct facts *f);

/*
 * Tables for one text after the other: facts_clear() takes away every row that
 * was added since facts_keep(), so that nothing of one text is there for the next.
 */
void facts_keep(struct facts *f);
void facts_clear(struct facts *f);
