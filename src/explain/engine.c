#include "explain/engine.h"

#include <errno.h>

#include "explain/pasted.h"
#include "facts/select.h"
#include "kb/materialize.h"
#include "scrub/scrub.h"

int engine_open(struct engine *e, struct facts *facts)
{
	*e = (struct engine){ .facts = facts };
	return log_signatures_load(facts_db(facts), &e->signatures);
}

/* Whatever changes the schema or the walls comes first: afterwards each would undo the keeping. */
int engine_keep(struct engine *e)
{
	sqlite3 *db = facts_db(e->facts);

	e->scan = log_scan(&e->signatures);
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
	scrubber_free(e->withholder);
	e->withholder = NULL;
	log_signatures_done(&e->signatures);
	explain_done(&e->silence);
	e->heard = SILENCE_NOT_WEIGHED;
	arena_done(&e->arena);
	e->has_rules = false;
}

static int load_rules(struct engine *e)
{
	int r = e->has_rules ? 0 : explain_rules_load(facts_db(e->facts), &e->arena, &e->rules);

	e->has_rules = r == 0;
	return r;
}

int engine_warm(struct engine *e)
{
	struct explain_means with = { facts_db(e->facts), &e->rules, &e->guard, NULL, false };
	struct explanation nothing;
	int r = engine_keep(e);

	if (r == 0)
		r = load_rules(e);
	if (r < 0)
		return r;
	facts_end(e->facts);
	r = explain_weigh(&with, &nothing);
	if (r == 0)
		explain_done(&nothing);
	engine_clear(e);
	return r;
}

bool engine_knows(const struct engine *e, const struct explain_input *in)
{
	return e->heard == SILENCE_WEIGHED && explain_input_is_silent(in);
}

/* A site may have causes that speak without a fact; then every text is weighed. */
static int hear_silence(struct engine *e, const struct explain_means *with)
{
	int r = explain_weigh(with, &e->silence);
	bool speaks = r == 0 && (e->silence.spoken > 0 || e->silence.defect_count > 0);

	if (r == 0)
		e->heard = speaks ? SILENCE_SPEAKS : SILENCE_WEIGHED;
	if (speaks)
		explain_done(&e->silence);
	return r;
}

/* A statement for which there was no memory makes SQLite go back: the rest saw empty tables. */
static void note_going_back(sqlite3 *db, bool keeps)
{
	if (keeps && sqlite3_get_autocommit(db))
		select_note(db, SQLITE_ABORT);
}

int engine_explain(struct engine *e, sqlite3 *db, const struct failure *failure, bool is_silent,
		   struct explanation *ret)
{
	bool keeps = e->guard.db == db;
	struct explain_means with = { db, &e->rules, keeps ? &e->guard : NULL, NULL,
				      e->steps_alone };
	int r = load_rules(e);

	if (r == 0 && keeps && is_silent && e->heard == SILENCE_NOT_WEIGHED)
		r = hear_silence(e, &with);
	if (r < 0)
		return r;
	if (keeps && is_silent && e->heard == SILENCE_WEIGHED)
		with.weighed = &e->silence;
	r = explain(&with, failure, ret);
	note_going_back(db, keeps);
	return r;
}
