#include "facts/query.h"

#include <stdbool.h>
#include <string.h>

#include "base/debug.h"

#define BUDGET    50000 /* times STEPS of SQLite */
#define STEPS     1000
#define VALUE_MAX (16 << 20)                 /* zeroblob(1e9) is one step */
#define HEAP_MAX  ((sqlite3_int64)256 << 20) /* of what a statement sorts and keeps */

static int allow(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)ctx;
	(void)c;
	(void)d;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		if (strcmp(b, "load_extension") != 0)
			return SQLITE_OK;
		break;
	default:
		break;
	}
	DEBUG(DEBUG_SQL, 0, "query denies: action %d on %s %s", action, a ? a : "", b ? b : "");
	return SQLITE_DENY;
}

static int give_up(void *ctx)
{
	return --*(int *)ctx <= 0;
}

/* VACUUM INTO asks no authorizer before it runs; it has no columns. */
static bool is_one_select(sqlite3_stmt *stmt, const char *tail)
{
	return stmt && sqlite3_column_count(stmt) > 0 && sqlite3_stmt_readonly(stmt) &&
	       tail[strspn(tail, " \t\n;")] == '\0';
}

sqlite3_stmt *query_prepare(struct query *q, sqlite3 *db, const char *sql, const char **ret_why)
{
	sqlite3_stmt *stmt = NULL;
	const char *tail = "";

	q->budget = BUDGET;
	/* A statement that sorts would fill /var/tmp instead. */
	sqlite3_exec(db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
	sqlite3_hard_heap_limit64(sqlite3_memory_used() + HEAP_MAX);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_MAX);
	sqlite3_set_authorizer(db, allow, NULL);
	sqlite3_progress_handler(db, STEPS, give_up, &q->budget);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, &tail) == SQLITE_OK && is_one_select(stmt, tail))
		return stmt;
	if (sqlite3_errcode(db) == SQLITE_AUTH)
		*ret_why = "not allowed: facts are read with SELECT only";
	else if (sqlite3_errcode(db) != SQLITE_OK)
		*ret_why = sqlite3_errmsg(db);
	else if (!stmt)
		*ret_why = "the statement is empty";
	else
		*ret_why = tail[0] ? "one statement at a time"
				   : "not allowed: facts are read with SELECT only";
	sqlite3_finalize(stmt); /* there is none where the reason is SQLite's */
	return NULL;
}

const char *query_failure(sqlite3 *db)
{
	switch (sqlite3_errcode(db)) {
	case SQLITE_INTERRUPT:
		return "the statement takes too many steps";
	case SQLITE_TOOBIG:
		return "the statement makes a value of more than 16 MiB";
	case SQLITE_NOMEM:
		return "the statement sorts or keeps more than 256 MiB";
	default:
		return sqlite3_errmsg(db);
	}
}
