#include <string.h>

#include "base/arena.h"
#include "kb/guard.h"
#include "kb/lint.h"

#define LEVERS_MAX 200

const char *const lint_lever_columns[] = { "name", "value", "says", "source", NULL };

struct lever {
	const char *remedy, *names, *sql;
	unsigned int line;
};

static const char *text_at(sqlite3_stmt *stmt, int column, struct arena *a)
{
	return arena_text(a, span_of((const char *)sqlite3_column_text(stmt, column)));
}

static size_t load(sqlite3 *db, struct arena *a, struct lever *ret)
{
	sqlite3_stmt *stmt = NULL;
	size_t count = 0;

	sqlite3_prepare_v2(db, "SELECT remedy, names, sql, line FROM kb.lever ORDER BY remedy", -1,
			   &stmt, NULL);
	while (count < LEVERS_MAX && sqlite3_step(stmt) == SQLITE_ROW)
		ret[count++] = (struct lever){
			.remedy = text_at(stmt, 0, a),
			.names = text_at(stmt, 1, a),
			.sql = text_at(stmt, 2, a),
			.line = (unsigned int)sqlite3_column_int(stmt, 3),
		};
	sqlite3_finalize(stmt);
	return count;
}

/* Setting what nobody reads would be a myth of our own. */
static bool is_read(sqlite3 *db, struct span name)
{
	sqlite3_stmt *stmt = NULL;
	bool read = false;

	if (sqlite3_prepare_v2(db,
			       "SELECT 1 FROM kb.env_variable WHERE ?1 GLOB name AND is_read = 1",
			       -1, &stmt, NULL) == SQLITE_OK) {
		sqlite3_bind_text(stmt, 1, name.data, (int)name.len, SQLITE_STATIC);
		read = sqlite3_step(stmt) == SQLITE_ROW;
	}
	sqlite3_finalize(stmt);
	return read;
}

static const char *unread(sqlite3 *db, struct arena *a, const char *names)
{
	struct span rest = span_of(names), name;

	while (span_word(&rest, &name))
		if (!is_read(db, name))
			return arena_format(a, "nothing reads %.*s, says env_variable",
					    (int)name.len, name.data);
	return NULL;
}

/* Where nothing is known there is nothing to set. */
static const char *try(struct guard *g, const char *sql)
{
	const char *why = NULL;
	sqlite3_stmt *stmt = guard_prepare_as(g, sql, lint_lever_columns, &why);
	int r;

	if (!stmt)
		return why;
	if (buf_get(&g->reads).len == 0)
		why = "reads no fact";
	r = guard_step(g, stmt);
	if (!why && r != 0)
		why = r < 0 ? "cannot be run" : "has rows though nothing is known";
	sqlite3_finalize(stmt);
	return why;
}

void lint_levers(sqlite3 *db, struct faults *faults)
{
	static struct lever levers[LEVERS_MAX];
	struct arena a = { 0 };
	size_t count = load(db, &a, levers);
	struct guard g;

	for (size_t i = 0; i < count; i++) {
		const char *why = unread(db, &a, levers[i].names);

		guard_on(&g, db);
		g.recording = true;
		if (!why)
			why = try(&g, levers[i].sql);
		if (why)
			faults_add(faults, arena_format(&a, "remedies/%s.yaml", levers[i].remedy),
				   levers[i].line, "lever: %s", why);
		guard_off(&g);
	}
	arena_done(&a);
}
