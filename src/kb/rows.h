#pragma once

/*
 * rows - what every run reads of the knowledge, row by row
 *
 * Of a kb.db that came as a file, or with files of a site, the rows are asked for and their
 * texts copied. Those of the knowledge that the program carries were written down when it was
 * built (carry.h), and are used where they lie: asking for them was a third of what a small
 * log costs.
 */

#include <sqlite3.h>

#include "base/arena.h"

enum kb_rows_of {
	KB_ROWS_CAUSES, /* by slug */
	KB_ROWS_EVIDENCE,
	KB_ROWS_EXPLAINED_BY, /* by cause */
	KB_ROWS_REMEDIES,
	KB_ROWS_CAUSE_REMEDIES, /* by cause and position */
	KB_ROWS_SIGNATURES,
	KB_ROWS_LITERALS, /* signature by signature, in their order */
	KB_ROWS_STATES,   /* likewise */
	KB_ROWS_KINDS,
};

struct kb_rows {
	struct arena *keep;
	sqlite3_stmt *stmt; /* NULL: they are carried */
	size_t left;        /* of those, and where they lie */
	size_t width;
	const unsigned char *next;
	const char *texts;
};

/* Over knowledge that is attached as "kb"; what has to be copied is kept in the arena. */
struct kb_rows kb_rows_of(sqlite3 *db, enum kb_rows_of which, struct arena *keep);
bool kb_rows_next(struct kb_rows *r);
int kb_rows_done(struct kb_rows *r); /* 0 or -EIO */
size_t kb_rows_count(sqlite3 *db, enum kb_rows_of which);

/* NULL is NULL. A text stays; one that is only looked at goes with its row. */
const char *kb_rows_text(const struct kb_rows *r, int column);
const char *kb_rows_look(const struct kb_rows *r, int column);
int kb_rows_int(const struct kb_rows *r, int column);

/* What parse/needle.h makes of the literals, or NULL: whoever looks for them has it made. */
struct needle_tables;
const struct needle_tables *kb_rows_needle(sqlite3 *db);

/* ---- how they are carried ---- */

/*
 * Little-endian numbers of four bytes. First the head: of each kind how many rows and columns
 * it has and where its cells begin, then where the texts begin, then where the tables of the
 * needle do. A cell is a number, or the place of a text plus one, or 0 for NULL; which of them
 * is known to whoever reads the column.
 */
#define KB_ROWS_HEAD (3 * KB_ROWS_KINDS + 2)

extern const char *const kb_rows_sql[KB_ROWS_KINDS];

/* Those of the compiled-in knowledge. */
extern const unsigned char kb_carried[];
