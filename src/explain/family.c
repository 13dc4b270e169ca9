#include "explain/family.h"

#include <errno.h>

#include "diagnose/prescribe.h"
#include "facts/column.h"
#include "facts/select.h"

#define MEMBER_LEAST 0.02 /* one that is believed less is not named as one of those it may be */

/* Those of the causes that are believed at all, and their belief together. */
static void take_members(struct explanation *e, const char *causes, struct explain_family *f)
{
	f->members = arena_alloc(&e->arena, sizeof(*f->members) * e->spoken);
	for (size_t i = 0; i < e->spoken; i++)
		if (e->causes[i].belief >= MEMBER_LEAST &&
		    span_lists(span_of(causes), e->causes[i].cause)) {
			f->members[f->member_count++] = &e->causes[i];
			f->belief += e->causes[i].belief;
		}
}

/* NULL: the cause has no family, or it is alone in it here. */
static struct explain_family *family_of(sqlite3 *db, const struct rules *rules,
					struct explanation *e, const char *cause)
{
	struct explain_family *f = NULL;
	sqlite3_stmt *stmt = select_kept(
		db, "SELECT name, title, causes, remedy FROM kb.family"
		    " WHERE ' ' || causes || ' ' LIKE '% ' || ?1 || ' %' ORDER BY name");

	sqlite3_bind_text(stmt, 1, cause, -1, SQLITE_STATIC);
	if (select_next(stmt)) {
		f = arena_alloc(&e->arena, sizeof(*f));
		*f = (struct explain_family){ .name = column_copy(stmt, 0, &e->arena),
					      .title = column_copy(stmt, 1, &e->arena) };
		f->remedy = rules_remedy(rules, column_text(stmt, 3));
		if (f->remedy)
			f->remedy = prescribe_on(&e->arena, f->remedy, steps_system(db));
		take_members(e, column_text(stmt, 2), f);
	}
	select_done(stmt);
	return f && f->remedy && f->member_count > 1 ? f : NULL;
}

int family_find(sqlite3 *db, const struct explain_rules *rules, struct explanation *e)
{
	struct explain_family *f = NULL;

	if (e->spoken > 1)
		f = family_of(db, &rules->rules, e, e->causes[0].cause);
	if (select_error())
		return -EIO;
	e->family = f && f->belief >= rules->belief.family ? f : NULL;
	return 0;
}
