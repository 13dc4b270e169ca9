#pragma once

/*
 * sql-trace - every statement of a connection as a line of ROCSTEADY_DEBUG=sql
 *
 * With the rows that it gave and the time that it took. A statement is shown as
 * it was prepared, with ?1 for its parameters: their values are a machine's.
 */

#include <sqlite3.h>

/* Does nothing while the part is off. */
void sql_trace(sqlite3 *db);

/* A statement on one line, for those who trace what became of it elsewhere. */
#define SQL_LINE_MAX 240
const char *sql_line(const char *sql, char ret[static SQL_LINE_MAX]);
