#include "explain/engine.h"

#include <errno.h>

#include "explain/pasted.h"
#include "facts/select.h"
#include "kb/materialize.h"

int engine_open(struct engine *e, struct facts *facts)
{
	*e = (struct engine){ .facts = facts };
	return log_signatures_load(facts_db(facts), &e->signatures);
}

/* Whatever changes the schema or the walls comes first: afterwards each would undo the keeping. */
int engine_keep(struct engine *e)
{
	sqlite3 *db = facts_db(e->facts);

	e->scan = scan_new(e->signatures.list, e->signatures.count);
	if (!e->scan)
		return -ENOMEM;
	guard_keep(&e->guard, db);
	select_keep(db);
	materialize_keep(db);
	pasted_views(db);
	facts_keep(e->facts);
	return select_error() ? -EIO : 0;
}

void engine_clear(struct engine *e)
{
	facts_clear(e->facts);
	scan_again(e->scan);
}

void engine_close(struct engine *e)
{
	guard_off(&e->guard);
	e->scan = scan_free(e->scan);
	log_signatures_done(&e->signatures);
	arena_done(&e->arena);
	e->has_rules = false;
}

static int load_rules(struct engine *e)
{
	int r = e->has_rules ? 0 : explain_rules_load(facts_db(e->facts), &e->arena, &e->rules);

	e->has_rules = r == 0;
	return r;
}

int engine_explain(struct engine *e, sqlite3 *db, const struct failure *failure,
		   struct explanation *ret)
{
	bool keeps = e->guard.db == db;
	struct explain_means with = { db, &e->rules, keeps ? &e->guard : NULL };
	int r = load_rules(e);

	return r == 0 ? explain_with(&with, failure, ret) : r;
}
