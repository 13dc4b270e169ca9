#include "diagnose/weigh.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "diagnose/fill.h"

static bool is_said(const char *origin)
{
	return strcmp(origin, "observed") != 0 && strcmp(origin, "probed") != 0;
}

/* Of an answer that is only said, no more than this counts. */
static int capped(int weight, const char *origin)
{
	if (!is_said(origin))
		return weight;
	if (weight > SCALE_STATED_MAX)
		return SCALE_STATED_MAX;
	return weight < -SCALE_STATED_MAX ? -SCALE_STATED_MAX : weight;
}

/* Seen beats said, of this subject beats of the machine, then the first. */
static const struct fact *best_fact(const struct asked *asked, const char *subject,
				    size_t *ret_rows)
{
	const struct fact *best = NULL;
	int best_rank = -1;

	*ret_rows = 0;
	for (size_t i = 0; i < asked->count; i++) {
		const struct fact *f = &asked->facts[i];
		bool own = strcmp(f->subject, subject) == 0;
		int rank = 2 * !is_said(f->origin) + own;

		if (!own && f->subject[0] != '\0')
			continue;
		(*ret_rows)++;
		if (rank > best_rank) {
			best = f;
			best_rank = rank;
		}
	}
	return best;
}

static void fill_yes(struct arena *a, const struct rule *rule, const struct fact *fact,
		     const char *subject, struct sign *ret)
{
	struct fill with = { fact->subject[0] ? fact->subject : subject, fact->value,
			     fact->source };

	ret->answer = ANSWER_YES;
	ret->counted = capped(rule->weight, fact->origin);
	ret->says = fill_text(a, rule->says, &with);
	ret->value = arena_text(a, span_of(fact->value));
	ret->source = arena_text(a, span_of(fact->source));
	ret->origin = arena_text(a, span_of(fact->origin));
}

static void answer(struct arena *a, const struct gaps *gaps, const struct asked *asked,
		   const char *subject, struct sign *ret)
{
	const struct rule *rule = asked->rule;
	const struct fact *fact = best_fact(asked, subject, &ret->rows);
	const struct gap *gap = NULL;

	ret->id = rule->id;
	ret->weight = rule->weight;
	ret->group = rule->group;
	if (asked->error) {
		ret->answer = ANSWER_FAILED;
		ret->why = asked->error;
		return;
	}
	if (!fact || rule->absence)
		gap = ask_gap(gaps, asked, subject);
	if (gap) {
		ret->answer = ANSWER_UNKNOWN;
		ret->why = gaps_says(a, gap);
		ret->rows = 0;
	} else if (fact) {
		fill_yes(a, rule, fact, subject, ret);
	}
}

/* What the line adds, if unknown lines of a sign are taken for yes. */
static int share(const struct sign *line, bool lift, bool sink)
{
	if (line->answer == ANSWER_YES)
		return line->counted;
	if (line->answer == ANSWER_UNKNOWN && (line->weight > 0 ? lift : sink))
		return line->weight;
	return 0;
}

static bool same_group(const struct sign *a, const struct sign *b)
{
	return a->group && b->group && strcmp(a->group, b->group) == 0 &&
	       (a->weight > 0) == (b->weight > 0);
}

/* Another line of the group is stronger, or as strong and earlier. */
static bool is_outdone(const struct finding *f, size_t at, bool lift, bool sink)
{
	int own = abs(share(&f->signs[at], lift, sink));

	for (size_t i = 0; i < f->sign_count; i++) {
		int other = abs(share(&f->signs[i], lift, sink));

		if (i != at && same_group(&f->signs[i], &f->signs[at]) &&
		    (other > own || (other == own && i < at)))
			return true;
	}
	return false;
}

static int sum_of(const struct finding *f, bool lift, bool sink)
{
	int sum = f->prior;

	for (size_t i = 0; i < f->sign_count; i++) {
		int own = share(&f->signs[i], lift, sink);

		if (own != 0 && !is_outdone(f, i, lift, sink))
			sum += own;
	}
	return sum;
}

static enum belief belief_of(const struct finding *f, bool speaks)
{
	if (!speaks)
		return BELIEF_NOTHING;
	if (f->least >= SCALE_CERTAIN)
		return BELIEF_CERTAIN;
	if (f->least >= SCALE_LIKELY)
		return BELIEF_LIKELY;
	return f->most >= SCALE_LIKELY ? BELIEF_UNDECIDED : BELIEF_NOTHING;
}

static void drop_outdone(struct finding *f)
{
	bool *outdone = memory_new(f->sign_count + 1, sizeof(*outdone));

	for (size_t i = 0; i < f->sign_count; i++)
		outdone[i] = f->signs[i].counted != 0 && is_outdone(f, i, false, false);
	for (size_t i = 0; i < f->sign_count; i++)
		if (outdone[i])
			f->signs[i].counted = 0;
	free(outdone);
}

static const struct sign *strongest(const struct finding *f)
{
	const struct sign *best = NULL;

	for (size_t i = 0; i < f->sign_count; i++)
		if (f->signs[i].counted > (best ? best->counted : 0))
			best = &f->signs[i];
	return best;
}

static void weigh(struct arena *a, const struct gaps *gaps, const struct cause *cause,
		  const struct asked *asked, struct finding *f)
{
	const struct sign *told;

	f->sign_count = cause->rule_count;
	f->signs = arena_alloc(a, sizeof(*f->signs) * (f->sign_count + 1));
	for (size_t i = 0; i < f->sign_count; i++)
		answer(a, gaps, &asked[i], f->subject, &f->signs[i]);
	f->sum = sum_of(f, false, false);
	f->most = sum_of(f, true, false);
	f->least = sum_of(f, false, true);
	drop_outdone(f);
	told = strongest(f);
	f->belief = belief_of(f, told != NULL);
	f->holds = f->belief >= BELIEF_LIKELY;
	f->title = fill_text(
		a, cause->title,
		&(struct fill){ f->subject, told ? told->value : "", told ? told->source : "" });
}

static struct finding finding_of(struct arena *a, const struct cause *cause, const char *subject)
{
	const char *own = arena_text(a, span_of(subject));

	return (struct finding){
		.cause = cause->slug,
		.subject = own,
		.name = own,
		.story = cause->story,
		.kind = cause->kind,
		.scope = cause->scope,
		.severity = cause->severity,
		.action = cause->action,
		.repair = cause->repair,
		.undecided = cause->undecided,
		.prior = cause->prior,
		.remedies = cause->remedies,
		.remedy_count = cause->remedy_count,
	};
}

static int compare_subjects(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Distinct subjects of what speaks for the cause, sorted; else the machine. */
static size_t candidates(struct arena *a, const struct cause *cause, const struct asked *asked,
			 const char ***ret)
{
	size_t count = 0;
	size_t kept = 0;
	const char **subjects;

	for (size_t i = 0; i < cause->rule_count; i++)
		count += cause->rules[i].weight > 0 ? asked[i].count : 0;
	subjects = arena_alloc(a, sizeof(*subjects) * (count + 1));
	count = 0;
	for (size_t i = 0; i < cause->rule_count; i++)
		for (size_t k = 0; cause->rules[i].weight > 0 && k < asked[i].count; k++)
			if (asked[i].facts[k].subject[0] != '\0')
				subjects[count++] = asked[i].facts[k].subject;
	qsort(subjects, count, sizeof(*subjects), compare_subjects);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || strcmp(subjects[kept - 1], subjects[i]) != 0)
			subjects[kept++] = subjects[i];
	if (kept == 0)
		subjects[kept++] = "";
	*ret = subjects;
	return kept;
}

static bool speaks(const struct cause *cause, const struct asked *asked)
{
	for (size_t i = 0; i < cause->rule_count; i++)
		if (cause->rules[i].weight > 0 && asked[i].count > 0)
			return true;
	return false;
}

size_t weigh_cause(struct arena *a, const struct gaps *gaps, const struct cause *cause,
		   const struct asked *asked, bool everything, struct finding **ret)
{
	const char **subjects;
	size_t count;
	size_t kept = 0;

	if (!everything && !speaks(cause, asked))
		return 0;
	count = candidates(a, cause, asked, &subjects);
	*ret = arena_alloc(a, sizeof(**ret) * count);
	for (size_t i = 0; i < count; i++) {
		struct finding *f = &(*ret)[kept];

		*f = finding_of(a, cause, subjects[i]);
		weigh(a, gaps, cause, asked, f);
		if (everything || f->belief != BELIEF_NOTHING)
			kept++;
	}
	return kept;
}
