#include <stdlib.h>

#include "base/text.h"
#include "explain/pasted.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const signatures[] = { "pasted-node",    "pasted-id",
					  "pasted-groups",  "pasted-module",
					  "pasted-gpu",     "pasted-run-without-devices",
					  "dev-kfd-missing" };
static const char *const names[] = { "mode",   "acl",    "owner", "group",    "path",  "uid",
				     "groups", "engine", "node",  "revision", "device" };

static void add(struct facts *facts, const char *table, const char *signature, int64_t nth,
		const char *name, struct span value)
{
	struct row r = row_of(table);

	row_string(&r, "signature", signature);
	row_int(&r, "nth", nth);
	if (name) {
		row_string(&r, "name", name);
		row_text(&r, "value", value);
	} else {
		row_string(&r, "kind", "context");
		row_string(&r, "program", "user");
		row_int(&r, "line", 1);
		row_int(&r, "last_line", 1);
		row_int(&r, "count", 1);
		row_string(&r, "text", "");
	}
	row_string(&r, "source", "log:1");
	facts_add(facts, &r);
}

/* A line is one value of one signature: both are chosen by its first two bytes. */
static void add_lines(struct facts *facts, struct span text)
{
	struct span line;
	int64_t nth = 0;

	while (nth < 64 && span_line(&text, &line)) {
		const char *signature;

		if (line.len < 2)
			continue;
		signature = signatures[(unsigned char)line.data[0] % 7];
		if ((unsigned char)line.data[1] % 2 == 0 || nth == 0)
			add(facts, "event", signature, ++nth - 1, NULL, (struct span){ 0 });
		add(facts, "event_value", signature, nth - 1,
		    names[(unsigned char)line.data[1] / 2 % 11],
		    (struct span){ line.data + 2, line.len - 2 });
	}
}

static void check_rows(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;

	must(sqlite3_prepare_v2(db, "SELECT path, mode, in_group FROM device_node", -1, &stmt,
				NULL) == SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *path = (const char *)sqlite3_column_text(stmt, 0);
		const char *mode = (const char *)sqlite3_column_text(stmt, 1);

		must(text_is_clean(span_of(path), false));
		must(!mode || span_of(mode).len == 4);
		must(sqlite3_column_int(stmt, 2) == 0 || sqlite3_column_int(stmt, 2) == 1);
	}
	sqlite3_finalize(stmt);
}

/* Whatever the patterns let through, rows are made of it and nothing stops. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct facts *facts;
	struct state state = { 0 };

	if (!facts)
		facts = facts_new();
	must(facts &&
	     sqlite3_exec(facts_db(facts), "SAVEPOINT input", NULL, NULL, NULL) == SQLITE_OK);
	state.facts = facts;
	add_lines(facts, (struct span){ (const char *)data, size });
	pasted_products(&state);
	pasted_rows(&state);
	check_rows(facts_db(facts));
	state_done(&state);
	must(sqlite3_exec(facts_db(facts), "ROLLBACK TO input; RELEASE input", NULL, NULL, NULL) ==
	     SQLITE_OK);
	return 0;
}
