#pragma once

/*
 * show-internal - what the files that show knowledge share
 */

#include "kb/show.h"

/* A statement about a name. */
sqlite3_stmt *show_ask(sqlite3 *db, const char *sql, const char *name);

/* A paragraph, each line behind the indent. */
void show_wrap(struct buf *ret, const char *indent, const char *text);

void show_sources(sqlite3 *db, const char *owner, struct buf *ret);

/* One of a kind by its name: 0, or -ENOENT. */
int show_remedy(sqlite3 *db, const char *name, struct buf *ret);
int show_signature(sqlite3 *db, const char *name, struct buf *ret);
int show_defect(sqlite3 *db, const char *name, struct buf *ret);
int show_family(sqlite3 *db, const char *name, struct buf *ret);
