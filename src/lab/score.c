#include "lab/score.h"

#include <math.h>
#include <stdlib.h>
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
		if (list[i] && strcmp(list[i], word) == 0)
			return true;
	return false;
}

bool score_is_release(const char *cause)
{
	return is_among(release, sizeof(release) / sizeof(release[0]), cause);
}

static bool hits(const struct score_answer *a, const char *named)
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

size_t score_rank(const struct score_answer *a)
{
	if (a->silent)
		return 0;
	for (size_t i = 0; i < SCORE_RANKS; i++)
		if (hits(a, a->ranked[i]))
			return i + 1;
	return 0;
}

static bool is_in_family(const struct score_answer *a)
{
	for (size_t i = 0; i < a->family_count; i++)
		if (hits(a, a->family[i]))
			return true;
	return false;
}

/* A family that holds the cause, but not as its first, is worth what an undecided first is. */
double score_gain(const struct score_answer *a)
{
	size_t rank = score_rank(a);

	if (a->decided && rank != 1)
		return is_in_family(a) ? 0.5 : -1;
	if (a->decided)
		return 1;
	if (strcmp(a->cause, "other") == 0)
		return 1;
	return rank == 1 ? 0.5 : rank > 1 ? 0.25 : 0;
}

/* ---- cures ---- */

bool score_has_cure(const struct score_cures *c)
{
	for (size_t i = 0; c && i < c->kind_count; i++)
		if (strcmp(c->kinds[i], "none-known") != 0)
			return true;
	return false;
}

static bool cures_any(const char *step, const char *const *kinds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (span_lists(span_of(step ? step : ""), kinds[i]))
			return true;
	return false;
}

size_t score_cure_rank(const struct score_answer *a, bool also)
{
	const struct score_cures *c = a->cures;

	for (size_t i = 0; c && i < SCORE_RANKS; i++)
		if (cures_any(a->steps[i], (const char *const *)c->kinds, c->kind_count) ||
		    (also && cures_any(a->steps[i], (const char *const *)c->also, c->also_count)))
			return i + 1;
	return 0;
}

static size_t behind(size_t rank)
{
	return rank ? rank : SCORE_RANKS + 1;
}

bool score_has_fallen(const struct score_answer *before, const struct score_answer *after)
{
	return behind(score_rank(after)) > behind(score_rank(before)) ||
	       behind(score_cure_rank(after, true)) > behind(score_cure_rank(before, true));
}

static bool is_right(const struct score_cures *c, const char *kind)
{
	return is_among((const char *const *)c->kinds, c->kind_count, kind) ||
	       is_among((const char *const *)c->also, c->also_count, kind);
}

static size_t times(const struct score_cures *const *list, size_t count, const char *kind)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += is_right(list[i], kind);
	return n;
}

/* The kind of most records besides those of `ret`; of two the first in the alphabet. */
static const char *commonest(const struct score_cures *const *list, size_t count,
			     const struct score_constant *ret)
{
	const char *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < list[i]->kind_count; k++) {
			const char *kind = list[i]->kinds[k];
			size_t n = times(list, count, kind);

			if (is_among(ret->kinds, SCORE_RANKS, kind) || n < most ||
			    (best && n == most && strcmp(kind, best) >= 0))
				continue;
			best = kind;
			most = n;
		}
	return best;
}

struct score_constant score_constant(const struct score_cures *const *list, size_t count)
{
	struct score_constant c = { 0 };

	for (size_t i = 0; i < SCORE_RANKS; i++)
		c.kinds[i] = commonest(list, count, &c);
	c.rate.of = (unsigned int)count;
	for (size_t i = 0; i < count; i++) {
		bool right = false;

		for (size_t k = 0; k < SCORE_RANKS && c.kinds[k]; k++)
			right |= is_right(list[i], c.kinds[k]);
		c.rate.hits += right;
	}
	return c;
}

static void count(struct score_rate *r, bool hit)
{
	r->of++;
	r->hits += hit;
}

static void take(struct score_mean *m, double value)
{
	m->of++;
	m->sum += value;
	m->squares += value * value;
}

static void add_to(struct score *s, enum score_group g, const struct score_answer *a)
{
	size_t rank = score_rank(a);

	count(&s->hit1[g], rank == 1);
	count(&s->strict1[g],
	      !a->silent && a->ranked[0] && strcmp(joined(a->ranked[0]), joined(a->cause)) == 0);
	count(&s->hit3[g], rank > 0);
	count(&s->decided[g], a->decided);
	if (a->decided)
		count(&s->right[g], rank == 1 || is_in_family(a));
	take(&s->gain[g], score_gain(a));
	count(&s->cleared[g], a->is_ok);
	if (!score_has_cure(a->cures))
		return;
	count(&s->cures1[g], score_cure_rank(a, true) == 1);
	count(&s->cures3[g], score_cure_rank(a, true) > 0);
	count(&s->confirmed1[g], score_cure_rank(a, false) == 1);
	count(&s->confirmed3[g], score_cure_rank(a, false) > 0);
}

static size_t band_of(double belief)
{
	return belief >= 0.9 ? 0 : belief >= 0.6 ? 1 : 2;
}

void score_add(struct score *s, const struct score_answer *a)
{
	bool first = score_rank(a) == 1;

	add_to(s, score_is_release(a->cause) ? SCORE_RELEASE : SCORE_DECIDABLE, a);
	add_to(s, SCORE_ALL, a);
	count(&s->bands[band_of(a->belief)], first);
	take(&s->stated[band_of(a->belief)], a->belief);
	take(&s->brier, (a->belief - first) * (a->belief - first));
}

void score_add_healthy(struct score *s, enum score_healthy what, bool alarm)
{
	count(&s->alarms[what], alarm);
}

struct score_rate score_alarms(const struct score *s)
{
	struct score_rate all = { 0 };

	for (size_t i = 0; i < SCORE_HEALTHY; i++) {
		all.hits += s->alarms[i].hits;
		all.of += s->alarms[i].of;
	}
	return all;
}

void score_rates(const struct score *s, enum score_group g,
		 struct score_named_rate ret[static SCORE_RATES])
{
	const struct score_named_rate rates[SCORE_RATES] = {
		{ "hit@1", "hit@1", false, s->hit1[g] },
		{ "strict@1", "strict@1", false, s->strict1[g] },
		{ "hit@3", "hit@3", false, s->hit3[g] },
		{ "decided", "decided", false, s->decided[g] },
		{ "right", "right", false, s->right[g] },
		{ "told_ok", "told ok", false, s->cleared[g] },
		{ "cures@1", "cures@1", true, s->cures1[g] },
		{ "cures@3", "cures@3", true, s->cures3[g] },
		{ "confirmed@1", "confirmed@1", true, s->confirmed1[g] },
		{ "confirmed@3", "confirmed@3", true, s->confirmed3[g] },
	};

	memcpy(ret, rates, sizeof(rates));
}

/* ---- confusion ---- */

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

void score_confuse(struct score_confusion *c, const struct score_answer *a)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_same(c->list[i].cause, a->cause) &&
		    is_same(c->list[i].named, a->ranked[0])) {
			c->list[i].count++;
			return;
		}
	c->list = arena_grow(c->arena, c->list, c->count, sizeof(*c->list));
	c->list[c->count++] = (struct score_confused){ a->cause, a->ranked[0], 1 };
}

static int by_count(const void *a, const void *b)
{
	const struct score_confused *x = a;
	const struct score_confused *y = b;
	int order;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	order = strcmp(x->cause, y->cause);
	return order ? order : strcmp(x->named ? x->named : "", y->named ? y->named : "");
}

void score_confusion_sort(struct score_confusion *c)
{
	if (c->count > 1)
		qsort(c->list, c->count, sizeof(*c->list), by_count);
}

/* ---- intervals ---- */

#define Z 1.96 /* standard errors for 95 in a hundred */

void score_interval(struct score_rate r, double *ret_low, double *ret_high)
{
	double n = r.of, p = score_rate_of(r);
	double middle, reach;

	*ret_low = 0;
	*ret_high = 1;
	if (r.of == 0)
		return;
	middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n);
	reach = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n);
	*ret_low = fmax(0, middle - reach);
	*ret_high = fmin(1, middle + reach);
}

void score_mean_interval(struct score_mean m, double *ret_low, double *ret_high)
{
	double mean = score_mean_of(m);
	double spread = m.of > 1 ? fmax(0, (m.squares - m.of * mean * mean) / (m.of - 1)) : 0;
	double reach = m.of > 0 ? Z * sqrt(spread / m.of) : 0;

	*ret_low = mean - reach;
	*ret_high = mean + reach;
}

double score_rate_of(struct score_rate r)
{
	return r.of > 0 ? (double)r.hits / r.of : 0;
}

double score_mean_of(struct score_mean m)
{
	return m.of > 0 ? m.sum / m.of : 0;
}

bool score_band_holds(const struct score *s, size_t band)
{
	double low, high, stated = score_mean_of(s->stated[band]);

	score_interval(s->bands[band], &low, &high);
	return s->bands[band].of == 0 || (stated >= low && stated <= high);
}

double score_brier_base(const struct score *s)
{
	double rate = score_rate_of(s->hit1[SCORE_ALL]);

	return rate * (1 - rate);
}
