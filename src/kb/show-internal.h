#pragma once

/*
 * show-internal - what the files that show knowledge share
 */

#include "kb/show.h"

/* A statement about a name. */
sqlite3_stmt *show_ask(sqlite3 *db, const char *sql, const char *name);

/* A paragraph, each line behind the indent. */
void show_wrap(struct buf *ret, const char *indent, const char *text);

/* The same behind what stands in the first line already, `column` wide. */
void show_wrap_at(struct buf *ret, size_t column, const char *indent, const char *text);

/* Sentences, and commands after four blanks, each in a line of its own. */
void show_steps(struct buf *ret, const char *indent, const char *text);

void show_sources(sqlite3 *db, const char *owner, struct buf *ret);

/* Why a remedy or a defect could not be checked, if so. */
void show_unchecked(sqlite3 *db, const char *name, const char *indent, struct buf *ret);

/* A row of find_cause() in show.c. */
void show_cause_plainly(sqlite3 *db, sqlite3_stmt *cause, struct buf *ret);

/* One of a kind by its name: 0, or -ENOENT. */
int show_remedy(sqlite3 *db, const char *name, struct buf *ret);
int show_signature(sqlite3 *db, const char *name, struct buf *ret);
int show_defect(sqlite3 *db, const char *name, struct buf *ret);
int show_family(sqlite3 *db, const char *name, struct buf *ret);
