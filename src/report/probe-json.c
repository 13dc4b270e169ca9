#include "report/probe.h"
#include "report/rows.h"

static void add(struct facts *f, struct json *j, const char *key, const char *sql, bool only_one)
{
	sqlite3_stmt *stmt = rows_ask(f, sql);

	if (stmt)
		rows_write(stmt, j, key, only_one);
	sqlite3_finalize(stmt);
}

void probe_json(struct facts *f, struct buf *ret)
{
	struct json j = json_on(ret);

	json_open(&j, NULL, '{');
	add(f, &j, "walk",
	    "SELECT v.verdict, w.level, w.wall_s, w.\"like\" FROM walk w, walk_verdict v", true);
	add(f, &j, "breaks",
	    "SELECT nullif(subject, '') AS subject, layer, question, variant, ending, number, name "
	    "FROM probe_break ORDER BY subject",
	    false);
	add(f, &j, "probes",
	    "SELECT question, layer, nullif(subject, '') AS subject, variant, ending, number, name, "
	    "\"call\", place, file, ms, said, source FROM probe ORDER BY position",
	    false);
	add(f, &j, "values",
	    "SELECT question, nullif(subject, '') AS subject, variant, name, value, number "
	    "FROM probe_value ORDER BY rowid",
	    false);
	json_close(&j, '}');
	buf_char(ret, '\n');
}
