#include <string.h>

#include "diagnose/prescribe.h"
#include "facts/column.h"
#include "facts/select.h"
#include "fix/plan.h"
#include "kb/guard.h"

/* The remedy's row of the knowledge, before its holes are filled in. */
struct apply {
	const char *sql; /* or NULL */
	const char *then;
	const char *after_undo;
	struct apply_action *actions;
	size_t count;
};

static sqlite3_stmt *ask(sqlite3 *db, const char *sql, const char *name)
{
	sqlite3_stmt *stmt = select_from(db, sql);

	if (name)
		sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	return stmt;
}

/* An action of a kind that we do not know is none, and then neither are the others. */
static bool load(sqlite3 *db, struct arena *a, const char *remedy, struct apply *ret)
{
	sqlite3_stmt *stmt =
		ask(db,
		    "SELECT p.sql, p.\"then\", p.after_undo, x.kind, x.target, x.content, x.place"
		    " FROM kb.apply p"
		    " JOIN kb.apply_action x USING (remedy) WHERE remedy = ?1 ORDER BY x.position",
		    remedy);
	bool good = true;

	*ret = (struct apply){ 0 };
	while (good && select_next(stmt)) {
		struct apply_action *x;

		ret->actions = arena_grow(a, ret->actions, ret->count, sizeof(*ret->actions));
		x = &ret->actions[ret->count++];
		ret->sql = column_copy_or_null(stmt, 0, a);
		ret->then = column_copy_or_null(stmt, 1, a);
		ret->after_undo = column_copy_or_null(stmt, 2, a);
		good = apply_kind(column_text_or_null(stmt, 3), &x->kind);
		x->target = column_copy_or_null(stmt, 4, a);
		x->content = column_copy_or_null(stmt, 5, a);
		x->place = column_copy_or_null(stmt, 6, a);
	}
	sqlite3_finalize(stmt);
	return good && ret->count > 0;
}

static const char *subject_of(const struct fix_item *item, const char *subject)
{
	if (subject[0] == '\0')
		return "";
	for (size_t i = 0; i < item->finding_count; i++)
		if (strcmp(item->findings[i]->subject, subject) == 0)
			return item->findings[i]->subject;
	return NULL;
}

/* The first row of a subject that the remedy is for here. */
static bool ask_row(sqlite3 *db, struct arena *a, const struct fix_item *item, const char *sql,
		    struct fill *ret)
{
	struct guard g;
	const char *why;
	sqlite3_stmt *stmt;
	bool found = false;

	guard_on(&g, db);
	stmt = guard_prepare(&g, sql, &why);
	while (!found && stmt && guard_step(&g, stmt) > 0) {
		const char *subject = column_copy_or_null(stmt, 0, a);
		const char *value = column_copy_or_null(stmt, 1, a);

		ret->subject = subject ? subject_of(item, subject) : NULL;
		ret->value = value;
		found = ret->subject && value;
	}
	sqlite3_finalize(stmt);
	guard_off(&g);
	return found;
}

/* "Exactly what the tables name": an address that is in none of them is no index. */
static bool is_known_index(sqlite3 *db, const char *url)
{
	sqlite3_stmt *stmt = ask(db,
				 "SELECT 1 FROM kb.wheel WHERE url = ?1"
				 " UNION SELECT 1 FROM kb.device_package WHERE url = ?1",
				 url);
	bool known = select_next(stmt);

	sqlite3_finalize(stmt);
	return known;
}

static bool fill(sqlite3 *db, struct arena *a, const char *remedy, const struct apply_action *from,
		 const struct fill *with, struct apply_action *ret)
{
	*ret = (struct apply_action){
		.kind = from->kind,
		.target = fill_text(a, from->target, with),
		.content = from->content ? fill_text(a, from->content, with) : NULL,
		.place = from->place ? fill_text(a, from->place, with) : NULL,
	};
	if (ret->kind == APPLY_WRITE && ret->content)
		ret->content = arena_format(
			a, "# written by: rocsteady fix %s --apply; remove it with: --undo\n%s%s",
			remedy, ret->content, span_ends(span_of(ret->content), "\n") ? "" : "\n");
	return !apply_refusal(ret) && (!ret->place || is_known_index(db, ret->place));
}

bool fix_needs_root(const struct apply_action *list, size_t count, bool tree)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].kind == APPLY_JOIN_GROUP ||
		    (list[i].kind == APPLY_WRITE && !tree &&
		     span_starts(span_of(list[i].target), "/etc/")))
			return true;
	return false;
}

static size_t fill_steps(struct arena *a, const char *text, const struct fill *with,
			 const struct fix_step **ret)
{
	return fix_steps(a, prescribe_steps(a, text ? text : "", with), ret);
}

size_t fix_plan_after_undo(sqlite3 *db, struct arena *a, const char *remedy, const char *subject,
			   const struct fix_step **ret)
{
	struct apply apply;

	if (!load(db, a, remedy, &apply))
		return 0;
	return fill_steps(a, apply.after_undo, &(struct fill){ .subject = subject, .value = "" },
			  ret);
}

/* Names in a snapshot are pseudonyms: its actions are right to show, and never carried out. */
static void add_actions(sqlite3 *db, struct arena *a, const char *home, bool tree,
			struct fix_item *item)
{
	struct apply apply;
	struct fill with = { .subject = item->remedy->subject, .value = item->remedy->value };
	struct apply_action *list;

	if (!load(db, a, item->remedy->id, &apply) ||
	    (apply.sql && !ask_row(db, a, item, apply.sql, &with)))
		return;
	with.home = home;
	with.subject = with.subject ? with.subject : "";
	list = arena_alloc(a, sizeof(*list) * apply.count);
	for (size_t i = 0; i < apply.count; i++)
		if (!fill(db, a, item->remedy->id, &apply.actions[i], &with, &list[i]))
			return;
	item->subject = with.subject;
	item->actions = list;
	item->as_root = fix_needs_root(list, apply.count, tree);
	item->action_count = apply.count;
	item->then_count = fill_steps(a, apply.then, &with, &item->then);
	item->after_undo_count = fill_steps(a, apply.after_undo, &with, &item->after_undo);
}

void fix_plan_actions(sqlite3 *db, struct fix_plan *p, bool tree)
{
	sqlite3_stmt *stmt = ask(db, "SELECT home FROM identity", NULL);
	const char *home = select_next(stmt) ? column_copy_or_null(stmt, 0, &p->arena) : NULL;

	sqlite3_finalize(stmt);
	for (size_t i = 0; i < p->count; i++)
		add_actions(db, &p->arena, home, tree, &p->items[i]);
}
