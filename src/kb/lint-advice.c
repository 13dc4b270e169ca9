#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "kb/guard.h"
#include "kb/lint.h"

const char *const lint_advice_columns[] = { "line",  "why",    "caveat", "checked",
					    "class", "source", NULL };

struct way {
	const char *id;
	const char *sql;
	unsigned int line;
};

static size_t load(sqlite3 *db, struct arena *a, struct way *ret, size_t most)
{
	sqlite3_stmt *stmt = NULL;
	size_t count = 0;

	sqlite3_prepare_v2(db, "SELECT id, sql, position FROM kb.advice ORDER BY id", -1, &stmt,
			   NULL);
	while (count < most && sqlite3_step(stmt) == SQLITE_ROW)
		ret[count++] = (struct way){
			.id = arena_text(a, span_of((const char *)sqlite3_column_text(stmt, 0))),
			.sql = arena_text(a, span_of((const char *)sqlite3_column_text(stmt, 1))),
			.line = (unsigned int)sqlite3_column_int(stmt, 2),
		};
	sqlite3_finalize(stmt);
	return count;
}

/* Where nobody has said what GPU it is for, there is nothing to advise. */
static const char *try(struct guard *g, const char *sql)
{
	const char *why = NULL;
	sqlite3_stmt *stmt = guard_prepare_as(g, sql, lint_advice_columns, &why);
	int r;

	if (!stmt)
		return why;
	if (!strstr(buf_get(&g->reads).data, "statement.value"))
		why = "does not read what is wished for, statement.value";
	r = guard_step(g, stmt);
	if (!why && r != 0)
		why = r < 0 ? "cannot be run" : "has rows though nothing is wished for";
	sqlite3_finalize(stmt);
	return why;
}

void lint_advice(sqlite3 *db, struct faults *faults)
{
	static struct way ways[200];
	struct arena a = { 0 };
	size_t count = load(db, &a, ways, 200);
	struct guard g;

	guard_on(&g, db);
	g.recording = true;
	for (size_t i = 0; i < count; i++) {
		const char *why;

		g.steps_run = 0;
		g.refusals = 0;
		why = try(&g, ways[i].sql);
		if (why)
			faults_add(faults, arena_format(&a, "advice/%s.yaml", ways[i].id),
				   ways[i].line, "%s", why);
	}
	guard_off(&g);
	arena_done(&a);
}
