#include "explain/explain.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "diagnose/fill.h"
#include "explain/belief.h"
#include "explain/defects.h"
#include "explain/events.h"
#include "explain/evidence.h"
#include "explain/explain-internal.h"
#include "explain/headline.h"
#include "explain/job.h"
#include "explain/next-steps.h"
#include "explain/setting-notes.h"
#include "explain/setting-steps.h"
#include "explain/thread.h"
#include "explain/verdict.h"
#include "facts/select.h"

static bool has_no_gpu(sqlite3 *db)
{
	sqlite3_stmt *stmt = select_kept(db, "SELECT 1 FROM main.no_gpu");
	bool none = select_next(stmt);

	select_done(stmt);
	return none;
}

/* The line of the user's own file that raised the error is a statement, for rules to read. */
static int say_own_frame(struct explainer *x)
{
	const struct failure *f = x->e->failure;
	sqlite3_stmt *stmt;

	if (!f || !f->counts || !f->place || strcmp(f->origin, "own-code") != 0)
		return 0;
	stmt = select_kept(x->db, "INSERT INTO main.statement (name, value, source, origin)"
				  " VALUES ('own_frame', ?1, ?2, 'log')");
	sqlite3_bind_text(stmt, 1, f->place, -1, SQLITE_STATIC);
	sqlite3_bind_text(
		stmt, 2,
		arena_format(&x->e->arena, "%s:%llu", f->file, (unsigned long long)f->last.line),
		-1, SQLITE_STATIC);
	select_next(stmt);
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

struct explain_cause explain_cause_of(struct arena *a, const struct cause *from,
				      const char *counts_as)
{
	static const struct fill nothing = { "", "", "" };

	return (struct explain_cause){
		.cause = from->slug,
		.counts_as = counts_as,
		.title = from->plain ? from->plain : fill_text(a, from->title, &nothing),
		.headline = from->headline,
		.story = from->story,
		.kind = from->kind,
		.scope = from->scope,
		.severity = from->severity,
		.undecided = from->undecided,
		.tells = from->tells,
		.share = from->share,
	};
}

static void list_causes(struct explainer *x)
{
	const struct rules *rules = &x->rules->rules;
	struct explanation *e = x->e;

	e->causes = arena_alloc(&e->arena, sizeof(*e->causes) * (rules->count + 1));
	for (size_t i = 0; i < rules->count; i++) {
		const struct cause *from = &rules->causes[i];

		e->causes[i] = explain_cause_of(&e->arena, from, x->rules->counts_as[i]);
		map_put(&x->by_slug, span_of(from->slug), &e->causes[i]);
	}
	e->cause_count = rules->count;
}

/* Consequences, symptoms and myths explain nothing. */
static void drop_others(struct explanation *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < e->cause_count; i++)
		if (strcmp(e->causes[i].kind, "cause") == 0)
			e->causes[kept++] = e->causes[i];
	e->cause_count = kept;
}

/* What the tables say. */
static int weigh_rows(struct explainer *x)
{
	int r = say_own_frame(x);

	list_causes(x);
	if (r == 0)
		r = events_drop_hints(x);
	if (r == 0)
		r = events_load(x);
	if (r == 0)
		r = events_load_facts(x);
	if (r == 0)
		r = evidence_add_suggestions(x);
	if (r == 0)
		r = evidence_add_defects(x);
	if (r < 0)
		return r;
	events_take_failure(x->e);
	x->e->job = job_find(x->db, &x->e->arena);
	r = explain_ask_facts(x);
	if (r < 0)
		return r;
	drop_others(x->e);
	belief_share(&x->rules->belief, x->e);
	return 0;
}

static bool is_member(const struct explain_family *family, const struct explain_cause *c)
{
	for (size_t i = 0; family && i < family->member_count && i < RIVALS; i++)
		if (family->members[i] == c)
			return true;
	return false;
}

/* Whether the answer may name its remedies: to ask for those of all causes costs most. */
static bool is_listed(const struct explanation *e, size_t at)
{
	const struct explain_cause *c = &e->causes[at];

	if (at < e->spoken && (at < RIVALS || is_member(e->family, c)))
		return true;
	return strcmp(c->cause, "other") == 0 &&
	       (e->spoken == 0 || e->word == BELIEF_NOT_RECOGNISED);
}

/* What would decide between causes is refuted with the remedies of the first. */
static bool is_prescribed(const struct explainer *x, size_t at)
{
	const struct explanation *e = x->e;

	return is_listed(e, at) &&
	       (!x->steps_alone || at == 0 || e->word == BELIEF_NOT_RECOGNISED ||
		next_steps_takes(e, &e->causes[at]));
}

static int prescribe_named(struct explainer *x)
{
	struct explanation *e = x->e;
	struct explain_cause **list = arena_alloc(&e->arena, sizeof(*list) * (e->cause_count + 1));
	size_t count = 0;

	for (size_t i = 0; i < e->cause_count; i++)
		if (is_prescribed(x, i) && !e->causes[i].remedies)
			list[count++] = &e->causes[i];
	if (e->symptom)
		list[count++] = e->symptom;
	return explain_prescribe(x, list, count);
}

/* What it comes to, by how the text ends. */
static int conclude(struct explainer *x)
{
	int r = verdict(x);

	if (r == 0 && x->e->word != BELIEF_NOTHING)
		r = prescribe_named(x);
	if (r < 0)
		return r;
	next_steps(x->e, steps_stated(x->db));
	r = setting_steps(x);
	if (r == 0)
		r = setting_notes(x);
	if (r < 0)
		return r;
	headline_find(x->db, x->e);
	thread_find(x->db, x->e);
	return select_error() ? -EIO : 0;
}

static int weigh_tables(struct explainer *x)
{
	int r;

	x->no_gpu = has_no_gpu(x->db);
	r = weigh_rows(x);
	map_done(&x->by_slug);
	map_done(&x->by_signature);
	return r;
}

/* Where nothing speaks for a cause, one text is like the other: only how it ends differs. */
static void take_weighed(const struct explanation *weighed, struct explanation *ret)
{
	const struct failure *failure = ret->failure;

	assert(weighed->spoken == 0 && weighed->event_count == 0 && weighed->defect_count == 0);
	*ret = *weighed;
	ret->arena = (struct arena){ 0 };
	ret->failure = failure;
	ret->causes = arena_alloc(&ret->arena, (ret->cause_count + 1) * sizeof(*ret->causes));
	memcpy(ret->causes, weighed->causes, ret->cause_count * sizeof(*ret->causes));
}

/* Whole, or nothing of it is left. */
static int explain_by(const struct explain_means *with, bool concludes,
		      const struct failure *failure, struct explanation *ret)
{
	struct explanation e = { .failure = failure };
	struct explain_rules rules;
	struct explainer x = { .db = with->db,
			       .rules = with->rules,
			       .guard = with->guard,
			       .e = &e,
			       .steps_alone = with->steps_alone };
	int r = 0;

	if (!x.rules) {
		r = explain_rules_load(with->db, &e.arena, &rules);
		x.rules = &rules;
	}
	if (r == 0 && with->weighed)
		take_weighed(with->weighed, &e);
	else if (r == 0)
		r = weigh_tables(&x);
	if (r == 0)
		r = concludes ? conclude(&x) : prescribe_named(&x);
	explain_end_asking(&x);
	if (r < 0)
		explain_done(&e);
	else
		*ret = e;
	return r;
}

int explain(const struct explain_means *with, const struct failure *failure,
	    struct explanation *ret)
{
	return explain_by(with, true, failure, ret);
}

int explain_weigh(const struct explain_means *with, struct explanation *ret)
{
	return explain_by(with, false, NULL, ret);
}

void explain_done(struct explanation *e)
{
	arena_done(&e->arena);
	*e = (struct explanation){ 0 };
}

static void name_line(struct arena *a, const char **source)
{
	static const char before[] = FAILURE_STDIN ":";

	if (*source && strncmp(*source, before, sizeof(before) - 1) == 0)
		*source = arena_format(a, "line %s", *source + sizeof(before) - 1);
}

void explain_name_lines(struct explanation *e)
{
	for (size_t i = 0; i < e->spoken; i++)
		for (size_t k = 0; k < e->causes[i].sign_count; k++)
			name_line(&e->arena, &e->causes[i].signs[k].source);
	for (size_t i = 0; i < e->event_count; i++)
		name_line(&e->arena, &e->events[i].source);
	for (size_t i = 0; i < e->fact_count; i++)
		name_line(&e->arena, &e->facts[i].source);
	for (size_t i = 0; i < e->setting_count; i++)
		name_line(&e->arena, &e->settings[i].source);
	for (size_t i = 0; i < e->defect_count; i++)
		name_line(&e->arena, &e->defects[i].source);
}

const char *explain_title(const struct explanation *e)
{
	return e->family ? e->family->title : e->causes[0].title;
}

const char *explain_says(const struct explanation *e)
{
	return !e->family && e->causes[0].headline ? e->causes[0].headline : explain_title(e);
}

const char *explain_name(const struct explanation *e)
{
	return e->family ? e->family->name : e->causes[0].cause;
}
