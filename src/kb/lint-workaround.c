#include <string.h>

#include "base/arena.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/guard.h"
#include "kb/lint.h"

struct lint_workaround {
	const char *remedy, *names, *sql;
	unsigned int line;
};

static struct lint_workaround *load(sqlite3 *db, struct arena *a, size_t *ret_count)
{
	sqlite3_stmt *stmt = select_from(
		db, "SELECT remedy, names, sql, line FROM kb.workaround ORDER BY remedy");
	struct lint_workaround *workarounds = NULL;
	size_t count = 0;

	while (select_next(stmt)) {
		workarounds = arena_grow(a, workarounds, count, sizeof(*workarounds));
		workarounds[count++] = (struct lint_workaround){
			.remedy = column_copy(stmt, 0, a),
			.names = column_copy(stmt, 1, a),
			.sql = column_copy(stmt, 2, a),
			.line = (unsigned int)sqlite3_column_int(stmt, 3),
		};
	}
	sqlite3_finalize(stmt);
	*ret_count = count;
	return workarounds;
}

/* Setting what nobody reads would be a myth of our own. */
static bool is_read(sqlite3 *db, struct span name)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT 1 FROM kb.env_variable WHERE ?1 GLOB name AND is_read = 1");
	bool read = false;

	if (stmt) {
		sqlite3_bind_text(stmt, 1, name.data, (int)name.len, SQLITE_STATIC);
		read = select_next(stmt);
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
	sqlite3_stmt *stmt = guard_prepare_as(g, sql, guard_workaround_columns, &why);
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

void lint_workarounds(sqlite3 *db, struct faults *faults)
{
	struct arena a = { 0 };
	size_t count;
	struct lint_workaround *workarounds = load(db, &a, &count);
	struct guard g;

	for (size_t i = 0; i < count; i++) {
		const char *why = unread(db, &a, workarounds[i].names);

		guard_on(&g, db);
		g.recording = true;
		if (!why)
			why = try(&g, workarounds[i].sql);
		if (why)
			faults_add(faults,
				   arena_format(&a, "remedies/%s.yaml", workarounds[i].remedy),
				   workarounds[i].line, "workaround: %s", why);
		guard_off(&g);
	}
	arena_done(&a);
}
