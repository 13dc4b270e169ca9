#include "explain/verdict.h"

#include <errno.h>
#include <string.h>

#include "diagnose/prescribe.h"
#include "explain/belief.h"
#include "explain/component.h"
#include "explain/explain-rules.h"
#include "explain/origin.h"
#include "explain/report-words.h"
#include "explain/symptom.h"
#include "explain/unheard.h"
#include "facts/column.h"
#include "facts/select.h"

/* ---- family ---- */

/*
 * Causes that a log does not tell apart.
 *
 * Where no cause is decided and the first one's family is, the family is named
 * instead, with the step that tells its members apart. Which causes are one
 * family is the knowledge's to say (table family).
 */

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

/* After belief was shared, where no cause is decided: sets `family`, or leaves it NULL. 0 or -EIO. */
static int family_find(sqlite3 *db, const struct explain_rules *rules, struct explanation *e)
{
	struct explain_family *f = NULL;

	if (e->spoken > 1)
		f = family_of(db, &rules->rules, e, e->causes[0].cause);
	if (select_error())
		return -EIO;
	e->family = f && f->belief >= rules->belief.family ? f : NULL;
	return 0;
}

/* ---- verdict ---- */

/* ---- by belief alone ---- */

/* Of an event: its kind; of a defect or a fact: NULL. */
static const char *kind_of(const struct explanation *e, const char *id)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].signature, id) == 0)
			return e->events[i].kind;
	return NULL;
}

/* Whether it may be called an illness although no line of the log is a failure. */
static bool is_founded(const struct belief_rules *rules, const struct explanation *e,
		       const struct explain_cause *c)
{
	if (c->found)
		return true;
	for (size_t i = 0; i < c->sign_count; i++) {
		const struct sign *l = &c->signs[i];
		const char *kind = kind_of(e, l->id);

		if (l->counted <= 0 || l->describes || l->seen)
			continue;
		if (!kind || (strcmp(kind, "warning") == 0 && l->weight >= rules->warning_founds &&
			      c->belief >= rules->decided))
			return true;
	}
	return false;
}

/*
 * A defect whose range has an end that nothing confirms may be mended in this release. It ranks
 * causes, and never makes one certain that is not certain without it.
 */
static bool is_certain(const struct belief_rules *rules, const struct explain_cause *c)
{
	double own = belief_odds(rules, c->sum), proven = own;
	int unproven = 0;

	for (size_t i = 0; i < c->sign_count; i++)
		if (c->signs[i].is_unproven)
			unproven += c->signs[i].counted;
	if (unproven > 0)
		proven = belief_odds(rules, c->sum - unproven);
	return proven / (own / c->belief - own + proven) >= rules->certain;
}

/* Nothing but warnings speaks for it. */
static bool is_only_warned(const struct explanation *e, const struct explain_cause *c)
{
	for (size_t i = 0; i < c->sign_count; i++) {
		const char *kind = kind_of(e, c->signs[i].id);

		if (c->signs[i].counted > 0 && (!kind || strcmp(kind, "warning") != 0))
			return false;
	}
	return true;
}

/*
 * Healthy jobs print warnings too. Without a failure a warning is believed if
 * it decides, and makes nothing certain; otherwise there is nothing to cure,
 * and it is only shown.
 */
enum belief verdict_by_belief(const struct belief_rules *rules, const struct explanation *e)
{
	const struct explain_cause *c = e->causes;

	if (e->spoken == 0 || (!e->first && !is_founded(rules, e, c)))
		return e->first ? BELIEF_UNDECIDED : BELIEF_NOTHING;
	if (e->first && strcmp(e->first->kind, "hint") == 0)
		return BELIEF_UNDECIDED;
	if (is_certain(rules, c) && !is_only_warned(e, c))
		return BELIEF_CERTAIN;
	return c->belief >= rules->decided ? BELIEF_LIKELY : BELIEF_UNDECIDED;
}

/* ---- by how the text ends ---- */

static bool speaks_at(const struct explain_cause *c, const char *source)
{
	for (size_t i = 0; i < c->sign_count; i++)
		if (c->signs[i].counted > 0 && strcmp(c->signs[i].source, source) == 0)
			return true;
	return false;
}

/* Whether the line that tells what happened speaks for a cause, or a known failure does. */
static bool is_explained(const struct explanation *e)
{
	const struct explain_event *first = e->first;

	if (!first || strcmp(first->kind, "warning") != 0)
		return true;
	for (size_t i = 0; i < e->spoken; i++)
		if (speaks_at(&e->causes[i], first->source))
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

/* By more than what it tells of the machine. */
static bool is_known(const struct explanation *e, const struct failure_line *line)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (e->events[i].line == (long long)line->line &&
		    strcmp(e->events[i].kind, "context") != 0)
			return true;
	return false;
}

/* All that looks like an error are known warnings, which the machine shows to be idle. */
static bool is_idle(const struct explanation *e)
{
	const struct failure *f = e->failure;

	return e->is_contradicted && f->counts &&
	       (!e->first || strcmp(e->first->kind, "warning") == 0) &&
	       f->end < FAILURE_END_TRACEBACK && is_known(e, &f->first) && is_known(e, &f->last);
}

/*
 * Whether anything fails: a line that is an error, a person who says so, or a known line of these.
 * Without it what a text is about names no cause: only facts that are a likely cause do.
 */
static bool is_established(const struct explanation *e, bool failed)
{
	for (size_t i = 0; !failed && i < e->event_count; i++)
		failed = strcmp(e->events[i].kind, "context") != 0 &&
			 strcmp(e->events[i].kind, "harmless") != 0;
	return failed;
}

/*
 * A failure of which nothing is known is not recognised, and never fine. Where
 * what the text says of the machine is itself a likely cause, that one is named.
 */
static enum belief by_ending(const struct belief_rules *rules, const struct explanation *e)
{
	const struct failure *f = e->failure;
	bool failed = f && (f->counts || f->unread || f->end >= FAILURE_END_TRACEBACK);
	bool bare = f && !failed && f->is_bare && !has_pasted(e);
	bool heard = e->spoken > 0 && (e->first || belief_is_heard(rules, e));
	bool established = is_established(e, failed);
	bool named = e->word == BELIEF_UNDECIDED && heard && established && is_explained(e);
	bool suspected = e->spoken > 0 && established &&
			 ((bare && heard) || e->causes[0].belief >= rules->decided);

	if (f && is_idle(e))
		return BELIEF_NOTHING;
	if (bare && e->spoken == 0 && !f->is_scrap)
		return e->word;
	if (failed && f->counts && f->is_clear && !e->first)
		return BELIEF_NOT_RECOGNISED; /* whatever the machine shows, it is not this */
	if ((failed || bare) && e->word < BELIEF_LIKELY && !named)
		return suspected ? BELIEF_UNDECIDED : BELIEF_NOT_RECOGNISED;
	return e->word;
}

/* ---- where an error comes from ---- */

/*
 * A text that shows no failure fails after all if its last line is an error in somebody's source.
 * 1: *ret is the failure with the name of who printed it; 0: nobody is known; or -EIO.
 */
static int name_component(struct explainer *x, struct failure *ret)
{
	const struct explanation *e = x->e;
	const struct failure *f = e->failure;

	if (f && f->counts)
		return component_find(x->db, &x->e->arena, f, ret);
	if (e->word == BELIEF_NOTHING && f && f->closing.text && !is_known(e, &f->closing))
		return component_of_closing(x->db, &x->e->arena, f, ret);
	return 0;
}

/* What is known keeps its words, and gets the name of who printed it. */
static void tell_component(struct explanation *e, const struct failure *told)
{
	struct failure *kept = arena_alloc(&e->arena, sizeof(*kept));

	*kept = e->word == BELIEF_NOT_RECOGNISED ? *told : *e->failure;
	kept->component = told->component;
	e->failure = kept;
}

/* ---- work that went on ---- */

static bool is_asked(const struct failure_recovery *r, long long line)
{
	for (size_t i = 0; i < r->asked_count; i++)
		if ((long long)r->asked[i] == line)
			return true;
	return false;
}

#define RESETS_SINGLE \
	2 /* lines that one recovered reset gives an event: one that comes again is no single one */

static bool is_of_kernel(const struct explain_event *v)
{
	return strncmp(v->program, "kernel", strlen("kernel")) == 0;
}

/* A driver's word is good for the driver's own lines, and for a single incident. */
static bool outlasts_driver(const struct explain_event *v)
{
	return !is_of_kernel(v) || v->count > RESETS_SINGLE;
}

/* Of another file, of another part of the machine, or behind the proof: it stands. */
static bool stands(const struct failure *f, const struct explain_event *v)
{
	const struct failure_recovery *r = &f->recovery;
	size_t length = strlen(f->file);
	bool same = strncmp(v->source, f->file, length) == 0 && v->source[length] == ':';

	if (strcmp(v->kind, "hint") == 0)
		return !is_asked(r, v->line);
	if ((strcmp(v->kind, "failure") != 0 && strcmp(v->kind, "warning") != 0) ||
	    is_asked(r, v->line))
		return false;
	if (!r->by_driver && !r->on_gpu && !is_of_kernel(v))
		return true; /* output may come from the CPU */
	return strcmp(v->kind, "failure") == 0 &&
	       (!same || v->last_line > (long long)r->proof.line ||
		(r->by_driver && outlasts_driver(v)));
}

static bool has_kind(const struct explanation *e, const char *kind)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].kind, kind) == 0)
			return true;
	return false;
}

/*
 * Something fails, and a later line shows that the work was done all the same. A driver's word
 * alone takes somebody who asks or for whom it is over: others paste it because a job died. Or
 * nothing fails, and a person asks about a line that is known to be harmless.
 */
static bool is_made_good(const struct explanation *e)
{
	const struct failure *f = e->failure;
	const struct failure_recovery *r = f ? &f->recovery : NULL;

	if (!r || r->is_denied || r->failed_after > 0 || r->is_long || f->unread ||
	    f->end >= FAILURE_END_TRACEBACK)
		return false;
	if ((r->proof.line == 0 || r->by_driver) && r->asked_count == 0)
		return false;
	if (f->counts && !f->is_told && !r->by_driver && !is_asked(r, (long long)f->last.line))
		return false; /* too little came behind an exception to say that work went on */
	if (r->proof.line == 0 && !has_kind(e, "harmless"))
		return false;
	for (size_t i = 0; i < e->event_count; i++)
		if (stands(f, &e->events[i]))
			return false;
	return e->word != BELIEF_NOTHING;
}

static void add_survived(struct failure_survived *list, struct failure_line *lines, uint64_t line,
			 const char *text)
{
	for (size_t i = 0; i < list->count && i < FAILURE_SURVIVED; i++)
		if (lines[i].line == line)
			return;
	if (list->count < FAILURE_SURVIVED)
		lines[list->count] = (struct failure_line){ line, text };
	list->count++;
}

#define INCIDENT_LINES 4 /* lines of one program so near to each other tell of one failure */

static bool is_told(const struct explanation *e, size_t at)
{
	const struct explain_event *v = &e->events[at];

	if (strcmp(v->kind, "failure") != 0 || is_asked(&e->failure->recovery, v->line))
		return false;
	while (at-- > 0)
		if (strcmp(e->events[at].kind, "failure") == 0 &&
		    strcmp(e->events[at].program, v->program) == 0)
			return v->line - e->events[at].line > INCIDENT_LINES;
	return true;
}

/* The answer is ok, and names what went wrong before. */
static void take_made_good(struct explanation *e)
{
	struct failure *f = arena_alloc(&e->arena, sizeof(*f));
	struct failure_line *lines = arena_alloc(&e->arena, FAILURE_SURVIVED * sizeof(*lines));
	size_t kept;

	*f = *e->failure;
	kept = f->survived.count < FAILURE_SURVIVED ? f->survived.count : FAILURE_SURVIVED;
	if (kept > 0)
		memcpy(lines, f->survived.list, kept * sizeof(*lines));
	f->survived.list = lines;
	for (size_t i = 0; i < e->event_count; i++)
		if (is_told(e, i))
			add_survived(&f->survived, lines, (uint64_t)e->events[i].line,
				     e->events[i].text);
	f->counts = f->is_bare = f->is_scrap = false;
	f->worked = f->recovery.proof.line > 0;
	if (f->worked)
		origin_say(&e->arena, f->recovery.by_driver ? "proof-driver" : "proof-output", NULL,
			   f->recovery.proof.text, f);
	e->failure = f;
	e->symptom = NULL;
	e->word = BELIEF_NOTHING;
	e->is_made_good = true;
}

/* ---- all of it ---- */

/* Each step has the word of the one before; nothing else sets it. */
static int judge(struct explainer *x)
{
	const struct belief_rules *rules = &x->rules->belief;
	struct explanation *e = x->e;
	struct failure told;
	int r = 0;

	e->word = verdict_by_belief(rules, e);
	if (e->word == BELIEF_UNDECIDED)
		r = family_find(x->db, x->rules, e);
	if (e->family)
		e->word = e->family->belief >= rules->certain ? BELIEF_CERTAIN : BELIEF_LIKELY;
	e->word = by_ending(rules, e);
	if (r == 0)
		symptom_find(x);
	if (e->symptom)
		e->word = BELIEF_UNDECIDED;
	if (r == 0 && is_made_good(e)) {
		take_made_good(e);
		return 0;
	}
	if (r == 0 && e->word == BELIEF_NOT_RECOGNISED)
		r = report_words(x);
	if (e->basis == EXPLAIN_BY_WORDS)
		e->word = BELIEF_UNDECIDED;
	if (r == 0)
		r = name_component(x, &told);
	if (r <= 0)
		return r;
	if (told.counts && !e->failure->counts)
		e->word = BELIEF_NOT_RECOGNISED;
	tell_component(e, &told);
	return 0;
}

int verdict(struct explainer *x)
{
	int r = judge(x);

	if (r == 0)
		unheard_name(x);
	return r;
}
