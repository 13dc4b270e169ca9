#include <string.h>

#include "base/names.h"
#include "diagnose/ask.h"
#include "diagnose/fill.h"
#include "diagnose/finish.h"
#include "diagnose/name-gpus.h"
#include "diagnose/prescribe.h"
#include "diagnose/refute.h"
#include "diagnose/weigh.h"
#include "explain/defects.h"
#include "explain/evidence.h"
#include "explain/explain-internal.h"
#include "explain/job.h"
#include "facts/column.h"
#include "facts/select.h"

#define NORMAL_TIMES 3 /* what is seen here and is no fault, at most so many times what is heard */

extern const char data_passing_facts[];

/* Facts of a moment: after the job has ended they may support a cause, and never refute one. */
static bool is_passing(const char *reads)
{
	struct span rest = span_of(reads), word, table;

	while (span_word(&rest, &word)) {
		if (names_has_as(data_passing_facts, word, NULL))
			return true;
		if (span_cut(&word, '.', &table) && names_has_as(data_passing_facts, table, NULL))
			return true;
	}
	return false;
}

static bool is_seen(const struct sign *l)
{
	return l->origin && strcmp(l->origin, "observed") == 0;
}

/* An iGPU beside a card is with every failure of that machine, as what is only worth knowing is. */
static bool is_normal(const struct cause *cause)
{
	return strcmp(cause->severity, "info") == 0;
}

/* A test of the GPU that fails tells which layer, and not why: it explains no log. */
static bool is_symptom(const struct cause *cause, const struct sign *l)
{
	return strcmp(cause->kind, "consequence") == 0 && l->origin &&
	       strcmp(l->origin, "probed") == 0;
}

static bool counts(const struct explainer *x, bool spoken, const struct sign *l,
		   const struct cause *cause, const struct rule *rule)
{
	bool seen = is_seen(l);

	if (l->answer != ANSWER_YES || l->counted == 0 || (!spoken && is_symptom(cause, l)))
		return false;
	/* What is seen here joins only where the log has spoken for the cause; where there is no
	 * GPU, the log was written elsewhere. */
	if (seen && !spoken && (x->e->first || x->no_gpu || is_normal(cause)))
		return false;
	return l->counted > 0 || !seen || !is_passing(rule->reads);
}

static bool reads(const struct rule *rule, const char *table)
{
	struct span rest = span_of(rule->reads), word;

	while (span_word(&rest, &word))
		if (span_starts(word, table))
			return true;
	return false;
}

/* Whether it stands on what was said of the machine alone, and on no line of the log. */
static bool is_description(const struct sign *l, const struct rule *rule)
{
	return !is_seen(l) && reads(rule, "statement") && !reads(rule, "event");
}

/* Whether a failure of the log, and not only a description of the machine, speaks for it. */
static bool is_heard(const struct explain_cause *c)
{
	for (size_t i = 0; c && i < c->sign_count; i++)
		if (c->signs[i].weight > 0 && !c->signs[i].seen && !c->signs[i].describes)
			return true;
	return false;
}

/* What is the same for every cause; gathered before the walls of the knowledge's SQL stand. */
struct around {
	struct map kin;    /* causes of families of which the log speaks for a member */
	const char **gpus; /* their addresses */
	size_t gpu_count;
};

static void gather_kin(struct explainer *x, struct around *ret)
{
	sqlite3_stmt *stmt = select_kept(x->db, "SELECT causes FROM kb.family ORDER BY name");

	while (select_next(stmt)) {
		struct span all = span_of(column_copy(stmt, 0, &x->e->arena)), rest = all, word;
		bool heard = false;

		while (span_word(&rest, &word))
			heard |= is_heard(map_find(&x->by_slug, word));
		while (heard && span_word(&all, &word))
			map_put(&ret->kin, word, x);
	}
	select_done(stmt);
}

static void gather_gpus(struct explainer *x, struct around *ret)
{
	sqlite3_stmt *stmt = select_kept(x->db, "SELECT address FROM main.gpu ORDER BY address");

	while (select_next(stmt)) {
		ret->gpus = arena_grow(&x->e->arena, ret->gpus, ret->gpu_count, sizeof(*ret->gpus));
		ret->gpus[ret->gpu_count++] = column_copy(stmt, 0, &x->e->arena);
	}
	select_done(stmt);
}

/*
 * The log speaks for a cause that looks like this one, and the machine shows this one: a tool
 * that finds no driver where /dev/kfd is refused.
 */
static bool is_kin_of_heard(const struct around *around, const struct finding *f)
{
	return f->belief == BELIEF_CERTAIN && strcmp(f->severity, "problem") == 0 &&
	       map_find(&around->kin, span_of(f->cause));
}

static bool names(const struct asked *asked, const char *subject)
{
	for (size_t i = 0; i < asked->count; i++)
		if (strcmp(asked->facts[i].subject, subject) == 0)
			return true;
	return false;
}

/* False where there is no GPU at all. */
static bool names_every_gpu(const struct around *around, const struct asked *asked)
{
	for (size_t i = 0; i < around->gpu_count; i++)
		if (!names(asked, around->gpus[i]))
			return false;
	return around->gpu_count > 0;
}

/*
 * A log seldom says of which GPU it speaks. What contradicts a cause on each GPU of this
 * machine contradicts it whichever is meant.
 */
static void add_contradictions(struct explainer *x, struct explain_cause *c,
			       const struct finding *f, const struct cause *cause,
			       const struct asked *asked, const struct around *around)
{
	if (f->subject[0] || c->sign_count == 0 || strcmp(cause->scope, "gpu") != 0)
		return;
	for (size_t i = 0; i < f->sign_count; i++) {
		const struct rule *rule = &cause->rules[i];
		const struct fact *fact = asked[i].facts;

		if (rule->weight >= 0 || f->signs[i].answer == ANSWER_YES || asked[i].count == 0 ||
		    strcmp(fact->origin, "observed") != 0 || is_passing(rule->reads) ||
		    !names_every_gpu(around, &asked[i]))
			continue;
		evidence_add(x, c,
			     (struct sign){
				     .id = rule->id,
				     .says = fill_text(&x->e->arena, rule->says,
						       &(struct fill){ fact->subject, fact->value,
								       fact->source }),
				     .source = arena_text(&x->e->arena, span_of(fact->source)),
				     .weight = rule->weight,
				     .group = rule->group,
				     .seen = true,
			     });
	}
}

/* What the log itself says for it. */
static int heard_weight(const struct explain_cause *c)
{
	int sum = 0;

	for (size_t i = 0; i < c->sign_count; i++)
		if (!c->signs[i].seen && c->signs[i].weight > 0)
			sum += c->signs[i].weight;
	return sum;
}

/* What is normal here counts as far as the log speaks for it: a crash alone hardly does. */
static int weight_in_log(const struct cause *cause, const struct sign *l, int heard)
{
	int most = NORMAL_TIMES * heard;

	return is_seen(l) && is_normal(cause) && l->counted > most ? most : l->counted;
}

/* How many lines it adds. */
static size_t add_evidence(struct explainer *x, struct explain_cause *c, const struct finding *f,
			   const struct cause *cause, const struct around *around)
{
	size_t before = c->sign_count;
	bool spoken = before > 0 || is_kin_of_heard(around, f);
	int heard = heard_weight(c);

	for (size_t i = 0; i < f->sign_count; i++)
		if (counts(x, spoken, &f->signs[i], cause, &cause->rules[i]))
			evidence_add(
				x, c,
				(struct sign){
					.id = f->signs[i].id,
					.says = f->signs[i].says,
					.source = f->signs[i].source,
					.weight = weight_in_log(cause, &f->signs[i], heard),
					.group = f->signs[i].group,
					.describes = is_description(&f->signs[i], &cause->rules[i]),
					.seen = is_seen(&f->signs[i]),
				});
	return c->sign_count - before;
}

/* Of several subjects the one that most speaks for. */
static struct finding *best_of(struct finding *findings, size_t count)
{
	struct finding *best = NULL;

	for (size_t i = 0; i < count; i++)
		if (!best || findings[i].sum > best->sum)
			best = &findings[i];
	return best;
}

/* Unless the facts speak against it; finished as a remedy is. */
static void take_cure(struct asker *asker, const struct cause *cause, struct explain_cause *c)
{
	struct defect_fit *finished;

	if (refute_step(asker, cause->slug, c->cure, c->cured->how)) {
		c->cure = NULL;
		c->cured = NULL;
		return;
	}
	finished = arena_alloc(asker->keep, sizeof(*finished));
	*finished = *c->cured;
	finished->how = finish_steps(asker, c->cured->how);
	c->cured = finished;
}

static void take_finding(struct explainer *x, const struct cause *cause,
			 const struct around *around, struct finding *f, struct explain_cause *c)
{
	bool shown;

	if (f->subject[0])
		name_gpus(x->db, &x->e->arena, f, 1);
	shown = add_evidence(x, c, f, cause, around) > 0;
	if (shown && f->subject[0]) {
		c->title = f->title;
		c->headline = NULL; /* the title names what the machine shows */
	}
	c->subject = shown ? f->subject : ""; /* what only a log speaks of has no subject to name */
	if (c->sign_count == 0)
		return;
	c->found = f->holds && strcmp(f->severity, "info") != 0;
	if (c->cure)
		take_cure(&x->asker, cause, c);
}

static const struct cause *cause_of(const struct rules *rules, const char *slug)
{
	for (size_t i = 0; i < rules->count; i++)
		if (strcmp(rules->causes[i].slug, slug) == 0)
			return &rules->causes[i];
	return NULL;
}

static int begin_asking(struct explainer *x)
{
	int r;

	if (x->asks) {
		guard_back(x->asker.guard, &x->aside);
		return 0;
	}
	r = gaps_load(x->db, &x->e->arena, &x->gaps);
	if (r < 0)
		return r;
	asker_init(&x->asker, x->db, x->guard, &x->rules->rules, &x->gaps, &x->e->arena);
	x->asks = true;
	return 0;
}

static void pause_asking(struct explainer *x)
{
	x->aside = guard_aside(x->asker.guard);
}

void explain_end_asking(struct explainer *x)
{
	if (x->asks) {
		guard_back(x->asker.guard, &x->aside);
		asker_done(&x->asker);
	}
	gaps_done(&x->gaps);
}

static void prescribe_one(struct explainer *x, struct explain_cause *c)
{
	struct finding f = { .subject = c->subject ? c->subject : "" };

	prescribe_for_log(&x->asker, cause_of(&x->rules->rules, c->cause), &f);
	c->remedies = f.remedies;
	c->remedy_count = f.remedy_count;
	if (c->undecided && refute_look(&x->asker, c->cause, c->undecided, NULL))
		c->undecided = NULL;
	if (x->e->job)
		job_fill(&x->e->arena, x->e->job, c->remedies, c->remedy_count);
}

int explain_prescribe(struct explainer *x, struct explain_cause *const *list, size_t count)
{
	int r = count > 0 ? begin_asking(x) : 0;

	if (r < 0 || count == 0)
		return r;
	for (size_t i = 0; i < count; i++)
		if (!list[i]->remedies)
			prescribe_one(x, list[i]);
	pause_asking(x);
	return 0;
}

int explain_prescribe_alone(struct explainer *x, const char *id, const struct remedy **ret)
{
	const struct remedy *remedy = rules_remedy(&x->rules->rules, id);
	struct cause alone = { .slug = "", .kind = "cause", .remedies = &remedy };
	struct finding f = { .subject = "" };
	int r = begin_asking(x);

	if (r < 0)
		return r;
	alone.remedy_count = remedy != NULL;
	prescribe_for_log(&x->asker, &alone, &f);
	if (f.remedy_count > 0 && x->e->job)
		job_fill(&x->e->arena, x->e->job, f.remedies, f.remedy_count);
	pause_asking(x);
	*ret = f.remedy_count > 0 ? f.remedies[0] : NULL;
	return 0;
}

int explain_ask(struct explainer *x, const struct rule *rule, struct asked *ret)
{
	int r = begin_asking(x);

	if (r < 0)
		return r;
	ask_statement(&x->asker, rule, ret);
	pause_asking(x);
	return 0;
}

static void ask_one(struct explainer *x, const struct cause *cause, const struct around *around,
		    struct explain_cause *c)
{
	struct asked *asked = ask_cause(&x->asker, cause, true);
	struct finding *findings = NULL;
	struct finding none = { .subject = "" };
	size_t count = weigh_cause(&x->e->arena, &x->gaps, cause, asked, true, &findings);
	struct finding *best = count > 0 ? best_of(findings, count) : &none;

	add_contradictions(x, c, best, cause, asked, around);
	take_finding(x, cause, around, best, c);
}

int explain_ask_facts(struct explainer *x)
{
	const struct rules *rules = &x->rules->rules;
	struct around around = { 0 };
	int r;

	gather_kin(x, &around);
	gather_gpus(x, &around);
	r = begin_asking(x);
	/* Facts do not show a symptom, and it is asked what to do once it is named. */
	for (size_t i = 0; r == 0 && i < rules->count; i++)
		if (strcmp(rules->causes[i].kind, "symptom") != 0)
			ask_one(x, &rules->causes[i], &around, &x->e->causes[i]);
	if (r == 0)
		pause_asking(x);
	map_done(&around.kin);
	return r;
}
