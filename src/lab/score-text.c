#include <string.h>

#include "base/table-write.h"
#include "lab/score-report.h"

#define CONFUSED_SHOWN 20

static void say_rate(struct buf *ret, const char *name, struct score_rate r)
{
	double low, high;

	score_interval(r, &low, &high);
	buf_addf(ret, "  %-11s %5.1f %%  (%4.1f-%5.1f)  %u of %u\n", name, 100 * score_rate_of(r),
		 100 * low, 100 * high, r.hits, r.of);
}

static void say_mean(struct buf *ret, const char *name, struct score_mean m)
{
	double low, high;

	score_mean_interval(m, &low, &high);
	buf_addf(ret, "  %-11s %+.3f   (%+.3f-%+.3f)\n", name, score_mean_of(m), low, high);
}

static void say_group(struct buf *ret, const struct score *s, enum score_group g)
{
	static const char *const names[] = { "causes that facts can decide", "release defects",
					     "all" };
	struct score_named_rate rates[SCORE_RATES];

	score_rates(s, g, rates);
	buf_addf(ret, " %s\n", names[g]);
	say_mean(ret, "gain", s->gain[g]);
	for (size_t i = 0; i < SCORE_RATES; i++)
		if (!rates[i].of_cures || s->cures3[g].of > 0)
			say_rate(ret, rates[i].name, rates[i].rate);
}

static void say_bands(struct buf *ret, const struct score *s)
{
	static const char *const names[] = { ">= 90", "60-90", "< 60" };
	double low, high;

	buf_text(ret, " calibration\n");
	for (size_t i = 0; i < SCORE_BANDS; i++) {
		buf_addf(ret, "  belief %s, stated %.1f %% on average: %s\n", names[i],
			 100 * score_mean_of(s->stated[i]),
			 score_band_holds(s, i) ? "holds" : "does not hold");
		say_rate(ret, "  right", s->bands[i]);
	}
	score_mean_interval(s->brier, &low, &high);
	buf_addf(ret, "  Brier     %.3f    (%.3f-%.3f)  base rate %.3f\n", score_mean_of(s->brier),
		 low, high, score_brier_base(s));
}

static void say_healthy(struct buf *ret, const struct score_report *r)
{
	const struct score *worst = &r->scores[r->worst];

	buf_text(ret, "healthy ones mixed in\n");
	say_rate(ret, "logs", worst->alarms[SCORE_LOG]);
	say_rate(ret, "machines", worst->alarms[SCORE_MACHINE]);
	say_rate(ret, "alarms", score_alarms(worst));
	for (size_t i = 0; i < r->alarm_count; i++)
		buf_addf(ret, "  alarm: %s\n", r->alarms[i]);
}

static void say_confusion(struct buf *ret, const struct score_report *r)
{
	struct table_text t = { 0 };

	buf_addf(ret, "confusion, %s: what was named first for what, misses\n", r->names[r->worst]);
	table_column(&t, "times", true);
	table_column(&t, "cause", false);
	table_column(&t, "named", false);
	for (size_t i = 0; i < r->confusion->count && t.rows < CONFUSED_SHOWN; i++) {
		const struct score_confused *c = &r->confusion->list[i];
		size_t row = table_row(&t);

		table_cell(&t, row, 0, span_of(arena_format(&t.arena, "%u", c->count)));
		table_cell(&t, row, 1, span_of(c->cause));
		table_cell(&t, row, 2, span_of(c->named ? c->named : "nothing"));
	}
	table_write(&t, ret, 0);
	if (r->confusion->count > CONFUSED_SHOWN)
		buf_addf(ret, "and %zu more\n", r->confusion->count - CONFUSED_SHOWN);
	table_done(&t);
}

/* "vram-exhausted 83 % by torch-out-of-memory 7, said-rare 2" */
static void say_named(struct buf *ret, const struct explain_family *family,
		      const struct explain_cause *c)
{
	const char *between = " by ";

	buf_addf(ret, "%s%s%s %.0f %%", family ? family->name : "", family ? ", first " : "",
		 c->cause, 100 * c->belief);
	for (size_t i = 0; i < c->sign_count; i++)
		if (c->signs[i].counted) {
			buf_addf(ret, "%s%s %d", between, c->signs[i].id, c->signs[i].counted);
			between = ", ";
		}
}

static void say_records(struct buf *ret, const struct score_report *r)
{
	buf_text(ret, "records: gain, what was wrong, what was named and by what\n");
	for (size_t i = 0; i < r->case_count; i++) {
		const struct score_case *c = &r->cases[i];

		if (!c->gains)
			continue;
		buf_addf(ret, "  %+.2f %s: %s; %s: ", c->gains[r->worst], c->id, c->answer.cause,
			 belief_name(c->explanation.word));
		if (c->explanation.cause_count > 0)
			say_named(ret, c->explanation.family, &c->explanation.causes[0]);
		buf_char(ret, '\n');
	}
}

/* Cures, beside what three kinds that are always printed would reach. */
static void say_cures(struct buf *ret, const struct score_report *r)
{
	const struct score *s = &r->scores[r->worst];
	const struct score_constant *c = r->constant;

	if (c->rate.of == 0)
		return;
	buf_addf(ret,
		 "cures: @1 %.1f %%, @3 %.1f %%; confirmed ones alone @1 %.1f %%, @3 %.1f %%; "
		 "printing %s, %s and %s always: %.1f %%\n",
		 100 * score_rate_of(s->cures1[SCORE_ALL]),
		 100 * score_rate_of(s->cures3[SCORE_ALL]),
		 100 * score_rate_of(s->confirmed1[SCORE_ALL]),
		 100 * score_rate_of(s->confirmed3[SCORE_ALL]), c->kinds[0] ? c->kinds[0] : "-",
		 c->kinds[1] ? c->kinds[1] : "-", c->kinds[2] ? c->kinds[2] : "-",
		 100 * score_rate_of(c->rate));
}

static void say_summary(struct buf *ret, const struct score_report *r)
{
	const struct score *s = &r->scores[r->worst];
	struct score_rate alarms = score_alarms(s);
	double low, high;

	score_mean_interval(s->gain[SCORE_ALL], &low, &high);
	buf_addf(ret,
		 "worst: %s, hit@1 %.1f %%, strict@1 %.1f %%, hit@3 %.1f %%, "
		 "gain %+.3f (%+.3f-%+.3f), told ok %u, alarms %u of %u\n",
		 r->names[r->worst], 100 * score_rate_of(s->hit1[SCORE_ALL]),
		 100 * score_rate_of(s->strict1[SCORE_ALL]),
		 100 * score_rate_of(s->hit3[SCORE_ALL]), score_mean_of(s->gain[SCORE_ALL]), low,
		 high, s->cleared[SCORE_ALL].hits, alarms.hits, alarms.of);
}

void score_text(const struct score_report *r, struct buf *ret)
{
	say_records(ret, r);
	for (size_t i = 0; i < r->count; i++) {
		buf_addf(ret, "%s\n", r->names[i]);
		for (size_t g = 0; g < SCORE_GROUPS; g++)
			say_group(ret, &r->scores[i], (enum score_group)g);
		say_bands(ret, &r->scores[i]);
	}
	buf_addf(ret, "records that are only likely, %s\n", r->names[r->worst]);
	say_group(ret, &r->likely[r->worst], SCORE_ALL);
	say_confusion(ret, r);
	say_healthy(ret, r);
	say_cures(ret, r);
	say_summary(ret, r);
}
