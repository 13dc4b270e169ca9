#include <string.h>

#include "base/names.h"
#include "diagnose/ask.h"
#include "diagnose/name-gpus.h"
#include "diagnose/prescribe.h"
#include "diagnose/weigh.h"
#include "explain/evidence.h"
#include "explain/explain-internal.h"
#include "explain/job.h"

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

static bool is_seen(const struct line *l)
{
	return l->origin && strcmp(l->origin, "observed") == 0;
}

static bool counts(const struct explainer *x, bool spoken, const struct line *l,
		   const struct rule *rule)
{
	bool seen = is_seen(l);

	if (l->answer != ANSWER_YES || l->counted == 0)
		return false;
	/* What is seen here joins only where the log has spoken for the cause; where there is no
	 * GPU, the log was written elsewhere. */
	if (seen && !spoken && (x->e->first || x->no_gpu))
		return false;
	return l->counted > 0 || !seen || !is_passing(rule->reads);
}

/* Whether it stands on what was said of the machine, and not on a fault of it. */
static bool is_description(const struct line *l, const struct rule *rule)
{
	struct span rest = span_of(rule->reads), word;

	if (is_seen(l))
		return false;
	while (span_word(&rest, &word))
		if (span_starts(word, "statement"))
			return true;
	return false;
}

/* How many lines it adds. */
static size_t add_evidence(struct explainer *x, struct explain_cause *c, const struct finding *f,
			   const struct cause *cause)
{
	size_t before = c->line_count;

	for (size_t i = 0; i < f->line_count; i++)
		if (counts(x, before > 0, &f->lines[i], &cause->rules[i]))
			*evidence_new_line(x, c) = (struct explain_line){
				.id = f->lines[i].id,
				.says = f->lines[i].says,
				.source = f->lines[i].source,
				.weight = f->lines[i].counted,
				.group = f->lines[i].group,
				.describes = is_description(&f->lines[i], &cause->rules[i]),
				.seen = is_seen(&f->lines[i]),
			};
	return c->line_count - before;
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

/* Remedies are asked for only where something speaks for the cause: preparing costs. */
static void take_finding(struct explainer *x, struct asker *asker, const struct cause *cause,
			 struct finding *f, struct explain_cause *c)
{
	bool shown;

	if (f->subject[0])
		name_gpus(x->db, &x->e->arena, f, 1);
	shown = add_evidence(x, c, f, cause) > 0;
	if (shown && f->subject[0]) {
		c->title = f->title;
		c->headline = NULL; /* the title names what the machine shows */
	}
	if (!shown)
		f->subject = ""; /* what only a log speaks of has no subject to name */
	if (c->line_count == 0 && strcmp(c->cause, "other") != 0)
		return;
	c->found = f->holds && strcmp(f->severity, "info") != 0;
	prescribe_for_log(asker, cause, f);
	c->remedies = f->remedies;
	c->remedy_count = f->remedy_count;
	if (x->e->job)
		job_fill(&x->e->arena, x->e->job, c->remedies, c->remedy_count);
}

static const struct cause *cause_of(const struct rules *rules, const char *slug)
{
	for (size_t i = 0; i < rules->count; i++)
		if (strcmp(rules->causes[i].slug, slug) == 0)
			return &rules->causes[i];
	return NULL;
}

int explain_prescribe(struct explainer *x, struct explain_cause *const *list, size_t count)
{
	const struct rules *rules = &x->rules->rules;
	struct gaps gaps = { 0 };
	struct asker asker;
	int r = gaps_load(x->db, &x->e->arena, &gaps);

	asker_init(&asker, x->db, x->guard, rules, &gaps, &x->e->arena);
	for (size_t i = 0; r == 0 && i < count; i++)
		take_finding(x, &asker, cause_of(rules, list[i]->cause),
			     &(struct finding){ .subject = "" }, list[i]);
	asker_done(&asker);
	gaps_done(&gaps);
	return r;
}

void explain_ask_facts(struct explainer *x, const struct gaps *gaps)
{
	const struct rules *rules = &x->rules->rules;
	struct asker asker;

	asker_init(&asker, x->db, x->guard, rules, gaps, &x->e->arena);
	for (size_t i = 0; i < rules->count; i++) {
		const struct cause *cause = &rules->causes[i];
		struct asked *asked = ask_cause(&asker, cause, true);
		struct finding *findings = NULL;
		size_t count = weigh_cause(&x->e->arena, gaps, cause, asked, true, &findings);

		take_finding(x, &asker, cause,
			     count > 0 ? best_of(findings, count)
				       : &(struct finding){ .subject = "" },
			     &x->e->causes[i]);
	}
	asker_done(&asker);
}
