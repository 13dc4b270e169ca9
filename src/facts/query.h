#pragma once

/*
 * query - a statement of the user's, put to the tables
 *
 * For reading only: no writing, no attached files, no functions that reach
 * outside; seconds and not hours, and no value that fills the memory. It is one
 * statement, and one that has columns. Those of the knowledge have a wall of
 * their own (kb/guard.h).
 */

#include <sqlite3.h>

struct query {
	int budget; /* of steps; it must live as long as the statement */
};

/* From then on `db` answers such statements alone. NULL with the reason, until the next one. */
sqlite3_stmt *query_prepare(struct query *q, sqlite3 *db, const char *sql, const char **ret_why);

/* Why a statement did not come to its end: always the statement's fault. */
const char *query_failure(sqlite3 *db);
