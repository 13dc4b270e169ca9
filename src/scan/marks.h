#pragma once

/*
 * marks - kinds of lines, by a table
 *
 * A row is kind, literals, pattern, example and near miss, parted by tabs;
 * literals are parted by a bar, and a hyphen stands for no pattern and for no
 * near miss. Lines that begin with # are comments. The first row that has a
 * literal in a line, and whose pattern holds for it, gives the line its kind:
 *
 *	death	Bus error|Segmentation fault	-	Bus error (core dumped)	-
 *
 * Unlike those of signatures (scan.h) literals may be short, so every place of
 * a line is looked at: this is for the end of a log, not for all of it.
 */

#include "base/arena.h"
#include "base/span.h"

#define MARKS_LITERAL_MIN  4
#define MARKS_ROWS_MAX     512
#define MARKS_LITERALS_MAX 1024

struct marks_row {
	struct span kind, literals;
	const char *pattern;       /* NULL: the literal is enough */
	struct span example, near; /* of none the span is empty */
	unsigned int line;         /* of the table */
};

struct marks_flaw {
	unsigned int line;
	const char *why;
};

struct marks;

/* The table is borrowed. NULL if a row is wrong, with the flaw, or if memory is out. */
struct marks *marks_new(struct span table, struct marks_flaw *ret_flaw);
struct marks *marks_free(struct marks *m); /* accepts NULL, returns NULL */

/* The row that a line falls under, or NULL. */
const struct marks_row *marks_find(struct marks *m, struct span line);

/* The first row of one kind that fits, whatever the line falls under. */
const struct marks_row *marks_find_kind(struct marks *m, struct span line, const char *kind);

/* The same among the kinds that begin with start, or among all others. */
const struct marks_row *marks_find_part(struct marks *m, struct span line, const char *start,
					bool inside);

/* A named group of the pattern that held last; false without one. */
bool marks_value(struct marks *m, struct span line, const char *name, struct span *ret);

const struct marks_row *marks_rows(const struct marks *m, size_t *ret_count);

/* Whether PCRE2 takes the row's pattern; for whoever lints. */
bool marks_compiles(struct marks *m, size_t row);
