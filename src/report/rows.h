#pragma once

/*
 * rows - the rows of a statement, as a table for people or as JSON
 */

#include <sqlite3.h>

#include "base/buf.h"
#include "base/json-write.h"

void rows_text(sqlite3_stmt *stmt, struct buf *ret, size_t width);
void rows_json(sqlite3_stmt *stmt, struct buf *ret); /* an array */
void rows_write(sqlite3_stmt *stmt, struct json *j, const char *key, bool only_one);
