#pragma once

/*
 * schema-check - whether a kb.db has tables that this program can read
 *
 * Equal by letter, they are used in place. Within one format tables and
 * columns are only added, so a file of an earlier or later program is near:
 * it is copied, column by column, as far as both know it. The text of a
 * table is code to SQLite (CHECK, computed columns): of a near one only
 * names, types and keys are let in.
 */

#include <sqlite3.h>

#include "base/buf.h"

enum schema_check { SCHEMA_CHECK_NONE, SCHEMA_CHECK_SAME, SCHEMA_CHECK_NEAR };

/* Of the attached `schema`. A column that it lacks may be NULL, or has a default. */
enum schema_check schema_check_of(sqlite3 *db, const char *schema);

/* The columns of a table that two attached schemas both have: a, b, "c". None: nothing. */
void schema_check_columns(sqlite3 *db, const char *one, const char *other, const char *table,
			  struct buf *ret);

/* An empty database in memory with our own schema; NULL: no memory. */
sqlite3 *schema_check_fresh(void);

/* CREATE TABLE with names, types and keys, and nothing that computes. */
bool schema_check_is_plain(const char *sql);
