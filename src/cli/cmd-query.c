#include <string.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/say.h"
#include "facts/query.h"
#include "report/rows.h"

static int answer(sqlite3 *db, const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct query query;
	const char *why = NULL;
	sqlite3_stmt *stmt = query_prepare(&query, db, o->words[0], &why);

	if (!stmt) {
		say("SQL: %s", why);
		return say_usage("query", "tables and columns: rocsteady query "
					  "'SELECT name, sql FROM sqlite_schema'");
	}
	if (o->json)
		rows_json(stmt, &text);
	else if (o->format && strcmp(o->format, "csv") == 0)
		rows_csv(stmt, &text);
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
		return say_usage(
			"query",
			"query takes one SELECT in quotes: rocsteady query 'SELECT * FROM gpu'");
	status = open_machine(o, &m);
	if (status != 0)
		return status;
	status = answer(facts_db(m.facts), o);
	machine_close(&m);
	return status;
}
