#include "explain/explain-rules.h"

#include <errno.h>
#include <string.h>

#include "explain/defects.h"
#include "facts/column.h"
#include "facts/select.h"

static void take_label(struct explain_rules *r, const char *cause, const char *label)
{
	for (size_t i = 0; i < r->rules.count; i++)
		if (strcmp(r->rules.causes[i].slug, cause) == 0)
			r->counts_as[i] = label;
}

/* A cause that no label renames is labelled by its own name. */
static int load_labels(sqlite3 *db, struct arena *a, struct explain_rules *r)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT cause, counts_as FROM kb.label");

	r->counts_as = arena_alloc(a, (r->rules.count + 1) * sizeof(*r->counts_as));
	for (size_t i = 0; i < r->rules.count; i++)
		r->counts_as[i] = r->rules.causes[i].slug;
	while (select_next(stmt))
		take_label(r, column_text(stmt, 0), column_copy(stmt, 1, a));
	sqlite3_finalize(stmt);
	return select_error() ? -EIO : 0;
}

int explain_rules_load(sqlite3 *db, struct arena *a, struct explain_rules *ret)
{
	struct explain_rules rules = { 0 };
	int r = rules_load(db, a, &(struct rules_choice){ 0 }, &rules.rules);

	if (r == 0)
		r = load_labels(db, a, &rules);
	if (r == 0)
		r = belief_load(db, &rules.belief);
	rules.any_bare_defect = r == 0 && defects_any_bare(db);
	if (r == 0)
		*ret = rules;
	return r;
}
