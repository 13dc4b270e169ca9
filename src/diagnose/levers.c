#include "diagnose/levers.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "diagnose/fill.h"
#include "kb/guard.h"
#include "kb/lint.h"
#include "kb/settle.h"

#define ROWS_MAX 16 /* changes of one remedy; more is a mistake of the knowledge */

/* One lever of the knowledge. */
struct plan {
	const char *cause, *remedy, *names, *costs, *sql;
};

static const char *text_at(sqlite3_stmt *stmt, int column, struct arena *a)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? arena_text(a, span_of(text)) : NULL;
}

static bool is_listed(const struct plan *list, size_t count, const char *remedy)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].remedy && strcmp(list[i].remedy, remedy) == 0)
			return true;
	return false;
}

static int add_plans(sqlite3 *db, const char *cause, struct arena *a, struct plan *list,
		     size_t *count, size_t most)
{
	sqlite3_stmt *stmt = NULL;
	int r;

	if (sqlite3_prepare_v2(db,
			       "SELECT l.remedy, l.names, l.costs, l.sql FROM kb.cause_remedy c"
			       " JOIN kb.lever l ON l.remedy = c.remedy WHERE c.cause = ?1"
			       " ORDER BY c.position",
			       -1, &stmt, NULL) != SQLITE_OK)
		return -EIO;
	sqlite3_bind_text(stmt, 1, cause, -1, SQLITE_STATIC);
	while ((r = sqlite3_step(stmt)) == SQLITE_ROW && *count < most)
		if (!is_listed(list, *count, (const char *)sqlite3_column_text(stmt, 0)))
			list[(*count)++] =
				(struct plan){ cause, text_at(stmt, 0, a), text_at(stmt, 1, a),
					       text_at(stmt, 2, a), text_at(stmt, 3, a) };
	sqlite3_finalize(stmt);
	return r == SQLITE_DONE || r == SQLITE_ROW ? 0 : -EIO;
}

/* A variable that the lever does not declare is not its business. */
static bool may_change(const struct plan *p, const char *name)
{
	struct span rest = span_of(p->names), word;

	while (name && span_word(&rest, &word))
		if (span_is(word, name))
			return true;
	return false;
}

static const char *cell(sqlite3_stmt *stmt, int column, struct arena *a)
{
	struct span bytes = { (const char *)sqlite3_column_text(stmt, column),
			      (size_t)sqlite3_column_bytes(stmt, column) };

	return bytes.data ? fill_clean(a, bytes, FILL_VALUE_MAX, false) : NULL;
}

/* A value that had to be cut or escaped is another one. */
static bool is_exact(sqlite3_stmt *stmt, int column)
{
	struct span bytes = { (const char *)sqlite3_column_text(stmt, column),
			      (size_t)sqlite3_column_bytes(stmt, column) };

	return !bytes.data || (bytes.len <= FILL_VALUE_MAX && text_is_clean(bytes, false));
}

static bool is_whole(const struct plan *p, const struct lever *l)
{
	return may_change(p, l->name) && l->says && l->says[0] && l->source && l->source[0];
}

/* All rows or none: half a change is another one. */
static size_t pull(struct guard *g, const struct plan *p, struct arena *a, struct lever *ret)
{
	const char *why;
	sqlite3_stmt *stmt = guard_prepare_as(g, p->sql, lint_lever_columns, &why);
	size_t count = 0;
	int r = stmt ? 1 : -EIO;

	while (r > 0 && (r = guard_step(g, stmt)) > 0) {
		if (count == ROWS_MAX)
			r = -E2BIG;
		if (r < 0)
			break;
		ret[count] = (struct lever){ .remedy = p->remedy,
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

int levers_find(sqlite3 *db, const char *const *causes, size_t count, struct arena *a,
		struct levers *ret)
{
	size_t most = 64, plans = 0;
	struct plan *list = arena_alloc(a, most * sizeof(*list));
	struct levers found = { arena_alloc(a, most * ROWS_MAX * sizeof(struct lever)), 0 };
	struct guard g;
	int r = 0;

	for (size_t i = 0; r == 0 && i < count; i++)
		r = add_plans(db, causes[i], a, list, &plans, most);
	if (r < 0)
		return r;
	if (plans > 0) {
		settle_views(db);
		guard_on(&g, db);
		for (size_t i = 0; i < plans; i++)
			found.count += pull(&g, &list[i], a, &found.list[found.count]);
		guard_off(&g);
	}
	*ret = found;
	return 0;
}

size_t levers_together(const struct levers *l, size_t at)
{
	size_t n = 0;

	while (at + n < l->count && strcmp(l->list[at + n].remedy, l->list[at].remedy) == 0)
		n++;
	return n;
}
