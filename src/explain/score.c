#include "explain/score.h"

#include <math.h>
#include <string.h>

static const char *const release[] = { "driver-defect", "rocm-regression", "framework-bug",
				       "other" };

/* From a log alone nobody can tell these two apart. */
static const char *joined(const char *cause)
{
	return strcmp(cause, "framework-runtime-mismatch") == 0 ? "mixed-rocm-libs" : cause;
}

/* How it shows and how it is cured: naming one is no diagnosis. */
static const char *const no_causes[] = { "memory-access-fault", "gpu-hang-reset", "rccl-failure",
					 "gfx-override-needed" };

static bool is_among(const char *const *list, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

bool score_is_release(const char *cause)
{
	return is_among(release, sizeof(release) / sizeof(release[0]), cause);
}

bool score_hits(const struct score_answer *a, const char *named)
{
	if (!named || is_among(no_causes, sizeof(no_causes) / sizeof(no_causes[0]), named))
		return false;
	if (strcmp(joined(named), joined(a->cause)) == 0)
		return true;
	for (size_t i = 0; i < a->other_count; i++)
		if (strcmp(joined(named), joined(a->others[i])) == 0)
			return true;
	return false;
}

static bool hits_any(const struct score_answer *a)
{
	for (size_t i = 0; i < SCORE_RANKS; i++)
		if (score_hits(a, a->ranked[i]))
			return true;
	return false;
}

double score_gain(const struct score_answer *a)
{
	bool first = score_hits(a, a->ranked[0]);

	if (strcmp(a->cause, "other") == 0)
		return a->decided ? (first ? 1 : -1) : 1;
	if (a->decided)
		return first ? 1 : -1;
	return first ? 0.5 : hits_any(a) ? 0.25 : 0;
}

static void count(struct score_rate *r, bool hit)
{
	r->of++;
	r->hits += hit;
}

static void add_to(struct score *s, enum score_group g, const struct score_answer *a)
{
	bool first = score_hits(a, a->ranked[0]);

	count(&s->hit1[g], first);
	count(&s->strict1[g], a->ranked[0] && strcmp(joined(a->ranked[0]), joined(a->cause)) == 0);
	count(&s->hit3[g], hits_any(a));
	count(&s->decided[g], a->decided);
	if (a->decided)
		count(&s->right[g], first);
	s->gain[g] += score_gain(a);
}

static size_t band_of(double belief)
{
	return belief >= 0.9 ? 0 : belief >= 0.6 ? 1 : 2;
}

void score_add(struct score *s, const struct score_answer *a)
{
	bool first = score_hits(a, a->ranked[0]);

	add_to(s, score_is_release(a->cause) ? SCORE_RELEASE : SCORE_DECIDABLE, a);
	add_to(s, SCORE_ALL, a);
	if (!a->ranked[0])
		return;
	count(&s->bands[band_of(a->belief)], first);
	s->band_belief[band_of(a->belief)] += a->belief;
	s->brier += (a->belief - first) * (a->belief - first);
}

void score_add_healthy(struct score *s, bool alarm)
{
	count(&s->alarms, alarm);
}

void score_interval(struct score_rate r, double *ret_low, double *ret_high)
{
	const double z = 1.96;
	double n = r.of, p = n > 0 ? r.hits / n : 0;
	double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
	double reach = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);

	*ret_low = n > 0 ? middle - reach : 0;
	*ret_high = n > 0 ? middle + reach : 1;
}
