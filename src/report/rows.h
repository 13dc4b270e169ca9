#pragma once

/*
 * rows - the rows of a statement, as a table for people, as JSON or as CSV
 */

#include <sqlite3.h>

#include "base/buf.h"
#include "base/json-write.h"
#include "facts/facts.h"

/* For stepping through; NULL if it is no statement. */
sqlite3_stmt *rows_ask(struct facts *f, const char *sql);

void rows_text(sqlite3_stmt *stmt, struct buf *ret, size_t width);
void rows_json(sqlite3_stmt *stmt, struct buf *ret);       /* an array */
void rows_json_lines(sqlite3_stmt *stmt, struct buf *ret); /* an object a line */
void rows_csv(sqlite3_stmt *stmt, struct buf *ret);        /* a NULL is nothing, an empty text "" */
void rows_write(sqlite3_stmt *stmt, struct json *j, const char *key, bool only_one);
