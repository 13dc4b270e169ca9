#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/guard.h"
#include "kb/lint.h"

struct lint_advice {
	const char *id;
	const char *sql;
	unsigned int line;
};

static struct lint_advice *load(sqlite3 *db, struct arena *a, size_t *ret_count)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT id, sql, position FROM kb.advice ORDER BY id");
	struct lint_advice *ways = NULL;
	size_t count = 0;

	while (select_next(stmt)) {
		ways = arena_grow(a, ways, count, sizeof(*ways));
		ways[count++] = (struct lint_advice){
			.id = column_copy(stmt, 0, a),
			.sql = column_copy(stmt, 1, a),
			.line = (unsigned int)sqlite3_column_int(stmt, 2),
		};
	}
	sqlite3_finalize(stmt);
	*ret_count = count;
	return ways;
}

/* Where nobody has said what GPU it is for, there is nothing to advise. */
static const char *try(struct guard *g, const char *sql)
{
	const char *why = NULL;
	sqlite3_stmt *stmt = guard_prepare_as(g, sql, guard_advice_columns, &why);
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
	struct arena a = { 0 };
	size_t count;
	const struct lint_advice *ways = load(db, &a, &count);
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
