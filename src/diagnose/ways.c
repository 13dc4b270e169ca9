#include "diagnose/ways.h"

#include <errno.h>
#include <string.h>

#include "diagnose/fill.h"
#include "facts/column.h"
#include "facts/select.h"

#define LINE_MAX_BYTES 2000
#define MARK           "the wish"

static const char *clean_text(sqlite3_stmt *stmt, int column, struct arena *a)
{
	struct span bytes = column_span(stmt, column);

	return bytes.data ? fill_clean(a, bytes, LINE_MAX_BYTES, false) : NULL;
}

/* ---- the wish, as statements that rules can read ---- */

static int state(sqlite3 *db, const char *name, const char *value)
{
	sqlite3_stmt *stmt = select_kept(db, "INSERT INTO statement (name, value, source, origin)"
					     " VALUES (?1, ?2, '" MARK "', 'stated')");

	if (!stmt)
		return -EIO;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, value, -1, SQLITE_STATIC);
	select_next(stmt);
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

static int state_wish(sqlite3 *db, const struct way_wish *wish)
{
	int r = state(db, "framework", wish->application);

	if (r == 0)
		r = state(db, "system", wish->system);
	if (r == 0 && wish->python)
		r = state(db, "python", wish->python);
	for (size_t i = 0; r == 0 && i < wish->gfx_count; i++)
		r = state(db, "gfx", wish->gfxs[i]);
	return r;
}

/* ---- the ways ---- */

struct way_rule *ways_load(sqlite3 *db, struct arena *a, const char *application,
			   const char *system, size_t *ret_count)
{
	sqlite3_stmt *stmt = select_kept(
		db, "SELECT id, kind, sql FROM kb.advice WHERE application IN (?1, '*')"
		    " AND instr(' ' || systems || ' ', ' ' || ?2 || ' ') > 0 ORDER BY rank, id");
	struct way_rule *rules = NULL;
	size_t count = 0;

	sqlite3_bind_text(stmt, 1, application, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, system, -1, SQLITE_STATIC);
	while (select_next(stmt)) {
		struct way_rule rule = { clean_text(stmt, 0, a), clean_text(stmt, 1, a),
					 column_copy(stmt, 2, a) };

		if (!rule.id || !rule.kind) /* the schema says NOT NULL */
			continue;
		rules = arena_grow(a, rules, count, sizeof(*rules));
		rules[count++] = rule;
	}
	select_done(stmt);
	*ret_count = count;
	return rules;
}

static bool ask(struct guard *g, struct arena *a, const struct way_rule *rule,
		struct install_way *ret)
{
	const char *why;
	sqlite3_stmt *stmt = guard_prepare_as(g, rule->sql, guard_advice_columns, &why);
	bool found = stmt && guard_step(g, stmt) > 0;

	if (found)
		*ret = (struct install_way){
			.id = rule->id,
			.kind = rule->kind,
			.line = clean_text(stmt, 0, a),
			.why = clean_text(stmt, 1, a),
			.caveat = clean_text(stmt, 2, a),
			.checked = clean_text(stmt, 3, a),
			.class = clean_text(stmt, 4, a),
			.source = clean_text(stmt, 5, a),
		};
	guard_end(g, stmt);
	return found;
}

size_t ways_ask(struct guard *g, struct arena *a, const struct way_wish *wish,
		const struct way_rule *rules, size_t rule_count, struct install_way *ret,
		size_t most)
{
	struct guard_aside aside = guard_aside(g);
	size_t count = 0;
	int r;

	select_run(g->db, "SAVEPOINT wish");
	select_run(g->db, "DELETE FROM statement");
	r = select_error() ? -EIO : state_wish(g->db, wish);
	guard_back(g, &aside);
	for (size_t i = 0; r == 0 && i < rule_count && count < most; i++)
		if (strcmp(rules[i].kind, "none") != 0 || count == 0)
			count += ask(g, a, &rules[i], &ret[count]);
	aside = guard_aside(g);
	select_run(g->db, "ROLLBACK TO wish");
	select_run(g->db, "RELEASE wish");
	guard_back(g, &aside);
	return count;
}
