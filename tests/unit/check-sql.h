#pragma once

/*
 * check-sql - what a statement answers, for tests
 */

#include <stdio.h>

#include "facts/column.h"

/* The first column of the first row; "" if there is none. Good until the next one is asked for. */
static inline const char *sql_text(sqlite3 *db, const char *sql)
{
	static char text[300];
	sqlite3_stmt *stmt = NULL;

	text[0] = '\0';
	sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		snprintf(text, sizeof(text), "%s", column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return text;
}
