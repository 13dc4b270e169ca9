#include "diagnose/workarounds.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "diagnose/fill.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/guard.h"
#include "kb/materialize.h"

#define ROWS_MAX 16 /* changes of one remedy; more is a mistake of the knowledge */

/* One workaround of the knowledge. */
struct known_workaround {
	const char *cause, *remedy, *names, *costs, *sql;
};

static bool is_listed(const struct known_workaround *list, size_t count, const char *remedy)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].remedy && strcmp(list[i].remedy, remedy) == 0)
			return true;
	return false;
}

struct known_workarounds {
	struct known_workaround *list;
	size_t count;
};

static int add_plans(sqlite3 *db, const char *cause, struct arena *a, struct known_workarounds *p)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT l.remedy, l.names, l.costs, l.sql FROM kb.cause_remedy c"
				" JOIN kb.workaround l ON l.remedy = c.remedy WHERE c.cause = ?1"
				" ORDER BY c.position");

	sqlite3_bind_text(stmt, 1, cause, -1, SQLITE_STATIC);
	while (select_next(stmt)) {
		if (is_listed(p->list, p->count, column_text(stmt, 0)))
			continue;
		p->list = arena_grow(a, p->list, p->count, sizeof(*p->list));
		p->list[p->count++] = (struct known_workaround){
			cause, column_copy_or_null(stmt, 0, a), column_copy_or_null(stmt, 1, a),
			column_copy_or_null(stmt, 2, a), column_copy_or_null(stmt, 3, a)
		};
	}
	sqlite3_finalize(stmt);
	return select_error() ? -EIO : 0;
}

/* A variable that the workaround does not declare is not its business. */
static bool may_change(const struct known_workaround *p, const char *name)
{
	struct span rest = span_of(p->names), word;

	while (name && span_word(&rest, &word))
		if (span_is(word, name))
			return true;
	return false;
}

static const char *cell(sqlite3_stmt *stmt, int column, struct arena *a)
{
	struct span bytes = column_span(stmt, column);

	return bytes.data ? fill_clean(a, bytes, FILL_VALUE_MAX, false) : NULL;
}

/* A value that had to be cut or escaped is another one. */
static bool is_exact(sqlite3_stmt *stmt, int column)
{
	struct span bytes = column_span(stmt, column);

	return !bytes.data || (bytes.len <= FILL_VALUE_MAX && text_is_clean(bytes, false));
}

static bool is_whole(const struct known_workaround *p, const struct workaround *l)
{
	return may_change(p, l->name) && l->says && l->says[0] && l->source && l->source[0];
}

/* All rows or none: half a change is another one. */
static size_t pull(struct guard *g, const struct known_workaround *p, struct arena *a,
		   struct workaround *ret)
{
	const char *why;
	sqlite3_stmt *stmt = guard_prepare_as(g, p->sql, guard_workaround_columns, &why);
	size_t count = 0;
	int r = stmt ? 1 : -EIO;

	while (r > 0 && (r = guard_step(g, stmt)) > 0) {
		if (count == ROWS_MAX)
			r = -E2BIG;
		if (r < 0)
			break;
		ret[count] = (struct workaround){ .remedy = p->remedy,
						  .name = cell(stmt, 0, a),
						  .value = cell(stmt, 1, a),
						  .says = cell(stmt, 2, a),
						  .source = cell(stmt, 3, a),
						  .costs = p->costs,
						  .cause = p->cause };
		if (!is_whole(p, &ret[count++]) || !is_exact(stmt, 1))
			r = -EBADMSG;
	}
	sqlite3_finalize(stmt);
	return r < 0 ? 0 : count;
}

int workarounds_find(sqlite3 *db, const char *const *causes, size_t count, struct arena *a,
		     struct workarounds *ret)
{
	struct known_workarounds plans = { 0 };
	struct workarounds found = { 0 };
	struct guard g;
	int r = 0;

	for (size_t i = 0; r == 0 && i < count; i++)
		r = add_plans(db, causes[i], a, &plans);
	if (r < 0)
		return r;
	found.list = arena_alloc(a, (plans.count + 1) * ROWS_MAX * sizeof(*found.list));
	if (plans.count > 0) {
		materialize_views(db);
		guard_on(&g, db);
		for (size_t i = 0; i < plans.count; i++)
			found.count += pull(&g, &plans.list[i], a, &found.list[found.count]);
		guard_off(&g);
	}
	*ret = found;
	return 0;
}

size_t workarounds_together(const struct workarounds *l, size_t at)
{
	size_t n = 0;

	while (at + n < l->count && strcmp(l->list[at + n].remedy, l->list[at].remedy) == 0)
		n++;
	return n;
}
