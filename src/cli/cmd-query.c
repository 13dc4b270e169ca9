#include <string.h>

#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/say.h"
#include "report/rows.h"

/* Reading only: no writing, no attached files, no functions that reach outside. */
static int allow(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)ctx;
	(void)a;
	(void)c;
	(void)d;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return strcmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
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

static const char *refusal(sqlite3 *db, sqlite3_stmt *stmt, const char *tail)
{
	if (sqlite3_errcode(db) != SQLITE_OK)
		return sqlite3_errmsg(db);
	if (!stmt)
		return "no statement";
	return tail[0] ? "one statement at a time" : "only SELECT is answered";
}

static int answer(sqlite3 *db, const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt = NULL;
	const char *tail = "";
	int budget = 50000; /* times 1,000 steps of SQLite: seconds, not hours */

	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 16 << 20); /* zeroblob(1e9) is one step */
	sqlite3_set_authorizer(db, allow, NULL);
	sqlite3_progress_handler(db, 1000, give_up, &budget);
	if (sqlite3_prepare_v2(db, o->words[0], -1, &stmt, &tail) != SQLITE_OK ||
	    !is_one_select(stmt, tail)) {
		say("%s", refusal(db, stmt, tail));
		sqlite3_finalize(stmt);
		return say_usage("query", "tables and columns: rocsteady query "
					  "'SELECT name, sql FROM sqlite_schema'");
	}
	if (o->json)
		rows_json(stmt, &text);
	else
		rows_text(stmt, &text, o->output ? 0 : say_width());
	if (sqlite3_finalize(stmt) != SQLITE_OK) {
		say("%s", sqlite3_errmsg(db));
		return EXIT_OWN_FAULT;
	}
	return say_answer(o->output, buf_get(&text));
}

int cmd_query(const struct options *o)
{
	struct machine m = { 0 };
	int status;

	if (o->word_count != 1)
		return say_usage("query", "query takes one SELECT in quotes");
	status = machine_open(o, &m);
	if (status != 0)
		return status;
	status = answer(facts_db(m.facts), o);
	machine_close(&m);
	return status;
}
