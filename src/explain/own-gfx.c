#include "explain/own-gfx.h"

#include "facts/column.h"
#include "facts/select.h"
#include "kb/gpu-names.h"

/* The gfx of a product that has one. */
static bool gfx_of(struct state *s, const char *product, struct span *ret)
{
	struct gpu_said p;

	if (!gpu_names_said(facts_db(s->facts), &s->arena, span_of(product), &p))
		return false;
	*ret = p.gfx;
	return true;
}

/* Only Linux reads the variable, and one that is known is not guessed at. */
static bool may_be_overridden(sqlite3 *db)
{
	return select_count(db, "SELECT count(*) FROM main.statement WHERE name = 'override'"
				" OR (name = 'system' AND value = 'windows')") == 0;
}

/* "10.3.0" for gfx1030, where the knowledge is attached. */
static void say_override(struct state *s, const char *gfx, const char *source)
{
	sqlite3_stmt *stmt;

	if (sqlite3_db_readonly(facts_db(s->facts), "kb") < 0)
		return;
	stmt = select_kept(facts_db(s->facts), "SELECT override FROM kb.gfx_target WHERE gfx = ?1");
	if (stmt)
		sqlite3_bind_text(stmt, 1, gfx, -1, SQLITE_TRANSIENT);
	if (select_next(stmt))
		state_say(s, &(struct said){ "override", span_of(column_text(stmt, 0)), source,
					     "log" });
	select_done(stmt);
}

/*
 * What a program shows with a product and a gfx: in one line, "AMD Radeon RX 7900 XTX, gfx908", or the
 * product at most two lines below, as rocminfo does.
 */
static void find_overridden(struct state *s)
{
	sqlite3_stmt *stmt =
		select_kept(facts_db(s->facts),
			    "SELECT p.value, g.value, g.source FROM main.event_value g"
			    " JOIN main.event e ON e.signature = g.signature AND e.nth = g.nth"
			    " JOIN main.event_value p ON p.name IN ('gpu', 'name')"
			    " JOIN main.event f ON f.signature = p.signature AND f.nth = p.nth"
			    "  AND (f.source = e.source OR (f.line - e.line IN (1, 2)"
			    "   AND substr(f.source, 1, length(f.source) - length(f.line))"
			    "    = substr(e.source, 1, length(e.source) - length(e.line))))"
			    " WHERE g.name = 'gfx' ORDER BY g.rowid");
	const char *made_up = NULL, *source = NULL;
	struct span own;
	bool shows_own = false;

	while (select_next(stmt)) {
		if (!gfx_of(s, column_text(stmt, 0), &own))
			continue;
		if (span_is(own, column_text(stmt, 1))) {
			shows_own = true;
		} else if (!made_up) {
			made_up = column_copy(stmt, 1, &s->arena);
			source = column_copy(stmt, 2, &s->arena);
		}
	}
	select_done(stmt);
	if (made_up && !shows_own) /* a GPU with its own gfx is under no override for all */
		say_override(s, made_up, source);
}

struct products {
	bool any, has; /* a product is known by its gfx; one has this gfx */
};

static struct products products_with(struct state *s, const char *gfx)
{
	sqlite3_stmt *stmt = select_kept(facts_db(s->facts),
					 "SELECT value FROM main.statement WHERE name = 'gpu'");
	struct products ret = { 0 };
	struct span own;

	while (select_next(stmt))
		if (gfx_of(s, column_text(stmt, 0), &own)) {
			ret.any = true;
			ret.has |= span_is(own, gfx);
		}
	select_done(stmt);
	return ret;
}

static bool take_back_made_up(struct state *s)
{
	sqlite3_stmt *stmt = select_kept(
		facts_db(s->facts),
		"SELECT DISTINCT g.value FROM main.statement o JOIN main.statement g"
		" ON g.name = 'gfx' AND g.origin = 'log' AND g.value = gfx_of_override(o.value)"
		" WHERE o.name = 'override'");
	const char **made_up = NULL;
	size_t count = 0;
	bool any = false;

	while (select_next(stmt)) {
		made_up = arena_grow(&s->arena, made_up, count, sizeof(*made_up));
		made_up[count++] = column_copy(stmt, 0, &s->arena);
	}
	select_done(stmt);
	for (size_t i = 0; i < count; i++) {
		struct products p = products_with(s, made_up[i]);

		if (p.any && !p.has) {
			state_take_back(s, "gfx", made_up[i]);
			any = true;
		}
	}
	return any;
}

bool own_gfx(struct state *s)
{
	if (select_count(facts_db(s->facts),
			 "SELECT count(*) FROM main.statement WHERE name = 'gpu'") == 0)
		return false;
	if (may_be_overridden(facts_db(s->facts)))
		find_overridden(s);
	return take_back_made_up(s);
}
