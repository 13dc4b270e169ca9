#include "explain/explain.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "diagnose/fill.h"
#include "explain/belief.h"
#include "explain/component.h"
#include "explain/defects.h"
#include "explain/explain-internal.h"
#include "explain/family.h"
#include "explain/headline.h"
#include "explain/job.h"
#include "explain/next-steps.h"
#include "explain/report-words.h"
#include "facts/column.h"
#include "facts/select.h"

static bool has_no_gpu(sqlite3 *db)
{
	sqlite3_stmt *stmt = select_kept(db, "SELECT 1 FROM main.no_gpu");
	bool none = select_next(stmt);

	select_done(stmt);
	return none;
}

/* ---- sentences with the values of an event ---- */

static bool add_value(struct explainer *x, const char *signature, struct span name, struct buf *ret)
{
	sqlite3_stmt *stmt = select_kept(
		x->db, "SELECT value FROM main.event_value WHERE signature = ?1 AND name = ?2"
		       " ORDER BY nth LIMIT 1");
	bool found = false;

	if (stmt) {
		sqlite3_bind_text(stmt, 1, signature, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, name.data, (int)name.len, SQLITE_STATIC);
		found = select_next(stmt) && column_text(stmt, 0)[0];
		if (found)
			buf_text(ret, column_text(stmt, 0));
	}
	select_done(stmt);
	return found;
}

/* In place of a value that took no part in the match; ": {why}" at the end goes with its colon. */
static void add_unknown(struct span name, const char *rest, struct buf *ret)
{
	bool ends = rest[0] == '\0' && ret->len > 2 && strcmp(ret->data + ret->len - 2, ": ") == 0;

	if (ends)
		ret->data[ret->len -= 2] = '\0';
	else
		buf_text(ret, span_is(name, "gfx") ? "this GPU" : "?");
}

static const char *filled(struct explainer *x, const char *signature, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	while (*text) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;
		struct span name;

		if (!end) {
			buf_char(&out, *text++);
			continue;
		}
		name = (struct span){ text + 1, (size_t)(end - text - 1) };
		text = end + 1;
		if (!add_value(x, signature, name, &out))
			add_unknown(name, text, &out);
	}
	return arena_text(&x->e->arena, buf_get(&out));
}

/* ---- what the log says ---- */

#define HINT_STANDS 4 /* decibans of words that healthy programs never use */
#define HINTS_YIELD 5 /* of a line that is known: words of any failure add nothing to it */
#define HINTS_NEVER 99

/* How much a hint must say to count: where the origin tells what happened, none does. */
static int least_of_hints(const struct failure *f)
{
	if (f && f->counts && f->is_clear)
		return HINTS_NEVER;
	return f && (f->counts || f->is_bare) ? 0 : HINT_STANDS;
}

/*
 * Hints are for lines that speak for no cause, in a text of which nothing better is
 * known: "RuntimeError: " is known as a Python exception and says nothing more.
 */
static int drop_hints(const struct explainer *x)
{
	static const char *const steps[] = {
		"DELETE FROM main.event WHERE kind = 'hint' AND ("
		" source IN (SELECT k.source FROM main.event k WHERE k.kind = 'harmless' OR ("
		"  k.kind IN ('failure', 'warning')"
		"  AND k.signature IN (SELECT signature FROM kb.suggests)))"
		" OR (SELECT max(weight) FROM kb.suggests g WHERE g.signature = event.signature) < ?1"
		" OR (SELECT max(g.weight) FROM main.event k JOIN kb.suggests g"
		"  ON g.signature = k.signature WHERE k.kind IN ('failure', 'warning')) >= ?2"
		" OR (?3 AND signature IN"
		"  (SELECT id FROM kb.signature WHERE written_by = 'person')))",
		"UPDATE main.event SET nth = 0 WHERE kind = 'hint' AND nth = (SELECT min(h.nth)"
		" FROM main.event h WHERE h.signature = event.signature)",
	};

	const struct failure *f = x->e->failure;

	for (size_t i = 0; i < COUNT(steps); i++) {
		sqlite3_stmt *stmt = select_from(x->db, steps[i]);

		if (i == 0) {
			sqlite3_bind_int(stmt, 1, least_of_hints(x->e->failure));
			sqlite3_bind_int(stmt, 2, HINTS_YIELD);
			sqlite3_bind_int(stmt, 3,
					 f && f->worked); /* a log that works, and no report */
		}
		select_next(stmt);
		sqlite3_finalize(stmt);
	}
	return select_error() ? -EIO : 0;
}

static int load_events(struct explainer *x)
{
	struct explanation *e = x->e;
	size_t most = select_count(x->db, "SELECT count(*) FROM main.event WHERE nth = 0");
	sqlite3_stmt *stmt = select_kept(
		x->db, "SELECT e.signature, e.kind, s.says, e.text, e.source, e.line, e.count"
		       " FROM main.event e JOIN kb.signature s ON s.id = e.signature"
		       " WHERE e.nth = 0 ORDER BY e.line, e.signature");

	e->events = arena_alloc(&e->arena, sizeof(*e->events) * (most + 1));
	while (select_next(stmt) && e->event_count < most) {
		struct explain_event *v = &e->events[e->event_count++];

		v->signature = column_copy(stmt, 0, &e->arena);
		v->kind = column_copy(stmt, 1, &e->arena);
		v->says = filled(x, v->signature, column_text(stmt, 2));
		v->text = column_copy(stmt, 3, &e->arena);
		v->source = column_copy(stmt, 4, &e->arena);
		v->line = sqlite3_column_int64(stmt, 5);
		v->count = sqlite3_column_int64(stmt, 6);
		map_put(&x->by_signature, span_of(v->signature), v);
		if (!e->first && strcmp(v->kind, "failure") == 0)
			e->first = v;
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

static int load_facts(struct explainer *x)
{
	struct explanation *e = x->e;
	sqlite3_stmt *stmt = select_kept(
		x->db,
		"SELECT name, value, CASE WHEN name NOT IN ('gfx', 'gpu', 'gpu_count', 'integrated',"
		" 'vram') THEN version END, source, origin FROM ("
		" SELECT name, value, version, source, origin, rowid AS nth FROM main.statement"
		" UNION ALL SELECT 'env:' || name, value, NULL, source, origin, rowid"
		"  FROM main.env) WHERE origin IN ('log', 'stated') ORDER BY name, nth");

	while (select_next(stmt)) {
		e->facts = arena_grow(&e->arena, e->facts, e->fact_count, sizeof(*e->facts));
		e->facts[e->fact_count++] = (struct explain_fact){
			.name = column_copy(stmt, 0, &e->arena),
			.value = column_copy(stmt, 1, &e->arena),
			.version = column_copy_or_null(stmt, 2, &e->arena),
			.source = column_copy(stmt, 3, &e->arena),
			.origin = column_copy(stmt, 4, &e->arena),
		};
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

/* Whether an event stands within the failure that the text ends in. */
static bool is_within(const struct explain_event *v, const struct failure *f)
{
	size_t length = f ? strlen(f->file) : 0;

	return f && f->counts && v->line >= (long long)f->begins &&
	       strncmp(v->source, f->file, length) == 0 && v->source[length] == ':';
}

/* Of this kind the first event; within the failure, or anywhere. */
static const struct explain_event *first_of(const struct explanation *e, const char *kind,
					    bool within)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].kind, kind) == 0 &&
		    (!within || is_within(&e->events[i], e->failure)))
			return &e->events[i];
	return NULL;
}

/* A warning in the lines of the failure itself is a part of it. Where nothing is known, a hint is. */
static void take_failure(struct explanation *e)
{
	if (!e->first)
		e->first = first_of(e, "warning", true);
	if (!e->first)
		e->first = first_of(e, "hint", false);
}

/* Whether the line that tells what happened speaks for a cause, or a known failure does. */
static bool is_explained(const struct explanation *e)
{
	if (!e->first || strcmp(e->first->kind, "warning") != 0)
		return true;
	for (size_t i = 0; i < e->spoken; i++)
		for (size_t k = 0; k < e->causes[i].line_count; k++)
			if (e->causes[i].lines[k].counted > 0 &&
			    strcmp(e->causes[i].lines[k].source, e->first->source) == 0)
				return true;
	return false;
}

/* Output of a tool is judged by the rules of `check`, and shows no work. */
static bool has_pasted(const struct explanation *e)
{
	for (size_t i = 0; i < e->fact_count; i++)
		if (strcmp(e->facts[i].name, "shown") == 0)
			return true;
	return false;
}

/*
 * A failure of which nothing is known is not recognised, and never fine. Where
 * what the text says of the machine is itself a likely cause, that one is named.
 */
static void own_up(const struct belief_rules *rules, struct explanation *e)
{
	const struct failure *f = e->failure;
	bool failed = f && (f->counts || f->unread || f->end >= FAILURE_END_TRACEBACK);
	bool bare = f && !failed && f->is_bare && !has_pasted(e);
	bool heard = e->spoken > 0 && (e->first || belief_is_heard(e));
	bool named = e->word == EXPLAIN_UNDECIDED && heard && is_explained(e);
	bool suspected =
		e->spoken > 0 && ((bare && heard) || e->causes[0].belief >= rules->decided);

	if (bare && e->spoken == 0 && !f->is_scrap)
		return;
	if ((failed || bare) && e->word < EXPLAIN_LIKELY && !named)
		e->word = suspected ? EXPLAIN_UNDECIDED : EXPLAIN_NOT_RECOGNISED;
}

struct explain_line *explain_new_line(struct explainer *x, struct explain_cause *c)
{
	c->lines = arena_grow(&x->e->arena, c->lines, c->line_count, sizeof(*c->lines));
	return &c->lines[c->line_count++];
}

#define WARNING_NOTED 5 /* decibans that decide nothing: it is worth knowing */

/* A job that works shows that its machine can do what a line only warns of. */
static int weight_here(const struct explanation *e, const struct explain_event *v,
		       const struct explain_cause *c, int weight)
{
	bool disproved = e->failure && e->failure->worked && strcmp(v->kind, "warning") == 0 &&
			 strcmp(c->scope, "node") == 0;

	return disproved && weight > WARNING_NOTED ? WARNING_NOTED : weight;
}

static int add_suggestions(struct explainer *x)
{
	sqlite3_stmt *stmt = select_kept(
		x->db, "SELECT g.cause, g.signature, g.weight, s.\"group\" FROM kb.suggests g"
		       " JOIN kb.signature s ON s.id = g.signature"
		       " WHERE g.signature IN (SELECT signature FROM main.event WHERE nth = 0)"
		       " ORDER BY g.cause, g.signature");

	while (select_next(stmt)) {
		struct explain_cause *c = map_find(&x->by_slug, span_of(column_text(stmt, 0)));
		const struct explain_event *v =
			map_find(&x->by_signature, span_of(column_text(stmt, 1)));

		if (!c || !v)
			continue;
		*explain_new_line(x, c) = (struct explain_line){
			.id = v->signature,
			.says = v->says,
			.source = v->source,
			.weight = weight_here(x->e, v, c, sqlite3_column_int(stmt, 2)),
			.group = column_copy_or_null(stmt, 3, &x->e->arena),
		};
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

/*
 * A defect of certain GPUs says which of them this one is, and where that is known from. One of
 * which something is not known is no more than a guess, and says what is missing.
 */
static const char *says_of_defect(struct explainer *x, const struct defect_fit *d)
{
	if (!d->unsaid[0])
		return d->gpu[0]
			       ? arena_format(&x->e->arena, "%s; this GPU is %s", d->title, d->gpu)
			       : d->title;
	return arena_format(&x->e->arena, "it may be a known bug (%s not known here): %s",
			    d->unsaid, d->title);
}

static int add_defects(struct explainer *x)
{
	struct defect_fit *fits;
	size_t count;
	int r = defects_find(x->db, &x->e->arena, &fits, &count);

	if (r == 0) {
		x->e->defects = fits;
		x->e->defect_count = count;
	}
	for (size_t i = 0; r == 0 && i < count; i++) {
		struct explain_cause *c = map_find(&x->by_slug, span_of(fits[i].cause));

		if (!c)
			continue;
		if (!c->cure && fits[i].cure) {
			c->cure = fits[i].cure;
			c->cured = &fits[i];
		}
		if (!c->defect)
			c->defect = &fits[i];
		*explain_new_line(x, c) =
			(struct explain_line){ .id = fits[i].id,
					       .says = says_of_defect(x, &fits[i]),
					       .source = fits[i].source,
					       .weight = fits[i].weight,
					       .group = "defect",
					       .in_doubt = fits[i].unsaid[0] };
	}
	return r;
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

/* ---- all of it ---- */

static void list_causes(struct explainer *x)
{
	const struct rules *rules = &x->rules->rules;
	struct explanation *e = x->e;

	e->causes = arena_alloc(&e->arena, sizeof(*e->causes) * (rules->count + 1));
	for (size_t i = 0; i < rules->count; i++) {
		const struct cause *from = &rules->causes[i];

		e->causes[i] = (struct explain_cause){
			.cause = from->slug,
			.counts_as = x->rules->counts_as[i],
			.title = from->plain ? from->plain
					     : fill_text(&e->arena, from->title,
							 &(struct fill){ "", "", "" }),
			.headline = from->headline,
			.story = from->story,
			.kind = from->kind,
			.scope = from->scope,
			.severity = from->severity,
			.undecided = from->undecided,
			.tells = from->tells,
			.share = from->share,
			.remedies = from->remedies,
			.remedy_count = from->remedy_count,
		};
		map_put(&x->by_slug, span_of(from->slug), &e->causes[i]);
	}
	e->cause_count = rules->count;
}

/* Symptoms and myths explain nothing. */
static void drop_others(struct explanation *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < e->cause_count; i++)
		if (strcmp(e->causes[i].kind, "cause") == 0)
			e->causes[kept++] = e->causes[i];
	e->cause_count = kept;
}

/* By more than what it tells of the machine. */
static bool is_known(const struct explanation *e, const struct failure_line *line)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (e->events[i].line == (long long)line->line &&
		    strcmp(e->events[i].kind, "context") != 0)
			return true;
	return false;
}

/* What is known keeps its words, and gets the name of who printed it. */
static void tell_component(struct explanation *e, struct failure *told)
{
	if (told->counts && !e->failure->counts)
		e->word = EXPLAIN_NOT_RECOGNISED;
	if (e->word != EXPLAIN_NOT_RECOGNISED) {
		const char *component = told->component;

		*told = *e->failure;
		told->component = component;
	}
	e->failure = told;
}

/* Where an error comes from; the last line may be one without a mark of it. */
static int name_component(struct explainer *x)
{
	struct explanation *e = x->e;
	const struct failure *f = e->failure;
	bool quiet =
		e->word == EXPLAIN_NOTHING && f && f->closing.text && !is_known(e, &f->closing);
	struct failure *told;
	int r;

	if (!f || (!f->counts && !quiet))
		return 0;
	told = arena_alloc(&e->arena, sizeof(*told));
	r = quiet ? component_of_closing(x->db, &e->arena, f, told)
		  : component_find(x->db, &e->arena, f, told);
	if (r > 0)
		tell_component(e, told);
	return r < 0 ? r : 0;
}

/* What the tables say. */
static int weigh_rows(struct explainer *x, const struct gaps *gaps)
{
	int r = say_own_frame(x);

	list_causes(x);
	if (r == 0)
		r = drop_hints(x);
	if (r == 0)
		r = load_events(x);
	if (r == 0)
		r = load_facts(x);
	if (r == 0)
		r = add_suggestions(x);
	if (r == 0)
		r = add_defects(x);
	if (r < 0)
		return r;
	take_failure(x->e);
	x->e->job = job_find(x->db, &x->e->arena);
	explain_ask_facts(x, gaps);
	drop_others(x->e);
	belief_share(&x->rules->belief, x->e);
	return family_find(x->db, x->rules, x->e);
}

/* What it comes to, by how the text ends. */
static int conclude(struct explainer *x)
{
	int r;

	own_up(&x->rules->belief, x->e);
	r = report_words(x);
	if (r == 0)
		r = name_component(x);
	if (r < 0)
		return r;
	next_steps(x->e);
	headline_find(x->db, x->e);
	return select_error() ? -EIO : 0;
}

/* The explanation's arena may hold its rules already. */
static int weigh(struct explainer *x)
{
	struct gaps gaps = { 0 };
	int r = gaps_load(x->db, &x->e->arena, &gaps);

	x->no_gpu = has_no_gpu(x->db);
	if (r == 0)
		r = weigh_rows(x, &gaps);
	gaps_done(&gaps);
	map_done(&x->by_slug);
	map_done(&x->by_signature);
	return r;
}

/* Whole, or nothing of it is left. */
static int finish(struct explainer *x, int r, struct explanation *ret)
{
	if (r == 0)
		r = conclude(x);
	if (r < 0)
		explain_done(x->e);
	else
		*ret = *x->e;
	return r;
}

int explain(sqlite3 *db, const struct failure *failure, struct explanation *ret)
{
	struct explanation e = { .failure = failure };
	struct explain_rules rules;
	struct explainer x = { .db = db, .rules = &rules, .e = &e };
	int r = explain_rules_load(db, &e.arena, &rules);

	return finish(&x, r == 0 ? weigh(&x) : r, ret);
}

static struct explainer explainer_of(const struct explain_means *with, struct explanation *e)
{
	return (struct explainer){
		.db = with->db, .rules = with->rules, .guard = with->guard, .e = e
	};
}

int explain_with(const struct explain_means *with, const struct failure *failure,
		 struct explanation *ret)
{
	struct explanation e = { .failure = failure };
	struct explainer x = explainer_of(with, &e);

	return finish(&x, weigh(&x), ret);
}

int explain_rows(const struct explain_means *with, struct explanation *ret)
{
	struct explanation e = { 0 };
	struct explainer x = explainer_of(with, &e);
	int r = weigh(&x);

	if (r < 0)
		explain_done(&e);
	else
		*ret = e;
	return r;
}

int explain_silent(const struct explain_means *with, const struct explanation *rows,
		   const struct failure *failure, struct explanation *ret)
{
	struct explanation e = *rows;
	struct explainer x = explainer_of(with, &e);

	assert(rows->spoken == 0 && rows->event_count == 0 && rows->defect_count == 0);
	e.arena = (struct arena){ 0 };
	e.failure = failure;
	e.causes = arena_alloc(&e.arena, (e.cause_count + 1) * sizeof(*e.causes));
	memcpy(e.causes, rows->causes, e.cause_count * sizeof(*e.causes));
	return finish(&x, 0, ret);
}

void explain_done(struct explanation *e)
{
	arena_done(&e->arena);
	*e = (struct explanation){ 0 };
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

const char *explain_word_name(enum explain_word word)
{
	static const char *const names[] = { "nothing", "not-recognised", "undecided", "likely",
					     "certain" };

	return (size_t)word < COUNT(names) ? names[word] : "?";
}
