#include "base/json-write.h"
#include "explain/defects.h"
#include "lab/score-report.h"

#define SCHEMA 1 /* only grows */

static void write_rate(struct json *j, const char *key, struct score_rate r)
{
	double low, high;

	score_interval(r, &low, &high);
	json_open(j, key, '{');
	json_real(j, "rate", score_rate_of(r));
	json_real(j, "low", low);
	json_real(j, "high", high);
	json_int(j, "hits", r.hits);
	json_int(j, "of", r.of);
	json_close(j, '}');
}

static void write_mean(struct json *j, const char *key, struct score_mean m)
{
	double low, high;

	score_mean_interval(m, &low, &high);
	json_open(j, key, '{');
	json_real(j, "mean", score_mean_of(m));
	json_real(j, "low", low);
	json_real(j, "high", high);
	json_int(j, "of", m.of);
	json_close(j, '}');
}

static void write_group(struct json *j, const char *key, const struct score *s, enum score_group g)
{
	struct score_named_rate rates[SCORE_RATES];

	score_rates(s, g, rates);
	json_open(j, key, '{');
	write_mean(j, "gain", s->gain[g]);
	for (size_t i = 0; i < SCORE_RATES; i++)
		write_rate(j, rates[i].key, rates[i].rate);
	json_close(j, '}');
}

static void write_bands(struct json *j, const struct score *s)
{
	static const char *const names[] = { "90-100", "60-90", "0-60" };

	json_open(j, "calibration", '[');
	for (size_t i = 0; i < SCORE_BANDS; i++) {
		json_open(j, NULL, '{');
		json_string(j, "band", names[i]);
		json_real(j, "stated", score_mean_of(s->stated[i]));
		write_rate(j, "right", s->bands[i]);
		json_bool(j, "holds", score_band_holds(s, i));
		json_close(j, '}');
	}
	json_close(j, ']');
	write_mean(j, "brier", s->brier);
	json_real(j, "brier_of_base_rate", score_brier_base(s));
}

static void write_score(struct json *j, const char *name, const struct score *s)
{
	json_open(j, NULL, '{');
	json_string(j, "presentation", name);
	write_group(j, "all", s, SCORE_ALL);
	write_group(j, "decidable", s, SCORE_DECIDABLE);
	write_group(j, "release", s, SCORE_RELEASE);
	write_bands(j, s);
	json_open(j, "alarms", '{');
	write_rate(j, "all", score_alarms(s));
	write_rate(j, "logs", s->alarms[SCORE_LOG]);
	write_rate(j, "machines", s->alarms[SCORE_MACHINE]);
	json_close(j, '}');
	json_close(j, '}');
}

static void write_lines(struct json *j, const struct explain_cause *c)
{
	json_open(j, "by", '[');
	for (size_t i = 0; i < c->sign_count; i++) {
		const struct sign *l = &c->signs[i];

		json_open(j, NULL, '{');
		json_string(j, "id", l->id);
		json_int(j, "weight", l->weight);
		json_int(j, "counted", l->counted);
		json_string(j, "group", l->group);
		json_bool(j, "describes", l->describes);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* The first that were ranked, and all that something speaks for or against. */
static void write_causes(struct json *j, const struct explanation *e)
{
	json_open(j, "named", '[');
	for (size_t i = 0; i < e->cause_count; i++) {
		if (i >= SCORE_RANKS && e->causes[i].sign_count == 0)
			continue;
		json_open(j, NULL, '{');
		json_string(j, "cause", e->causes[i].cause);
		json_real(j, "belief", e->causes[i].belief);
		json_int(j, "share", e->causes[i].share);
		json_int(j, "sum", e->causes[i].sum);
		write_lines(j, &e->causes[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_texts(struct json *j, const char *key, const char *const *list, size_t count)
{
	json_open(j, key, '[');
	for (size_t i = 0; i < count; i++)
		json_string(j, NULL, list[i]);
	json_close(j, ']');
}

/* What cured it, and of which kinds our first steps are. */
static void write_cures(struct json *j, const struct score_case *c)
{
	const struct score_cures *cures = c->answer.cures;

	write_texts(j, "cures", (const char *const *)cures->kinds, cures->kind_count);
	write_texts(j, "also", (const char *const *)cures->also, cures->also_count);
	json_open(j, "steps", '[');
	for (size_t i = 0; i < SCORE_RANKS && i < c->explanation.step_count; i++) {
		const struct explain_step *s = &c->explanation.steps[i];

		json_open(j, NULL, '{');
		json_string(j, "step",
			    s->remedy ? s->remedy->id
			    : s->cure ? s->cause->cured->id
				      : NULL);
		json_string(j, "kinds", c->answer.steps[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_case(struct json *j, const struct score_report *r, const struct score_case *c)
{
	const struct explanation *e = &c->explanation;

	json_open(j, NULL, '{');
	json_string(j, "id", c->id);
	json_string(j, "cause", c->answer.cause);
	json_open(j, "cause2", '[');
	for (size_t i = 0; i < c->answer.other_count; i++)
		json_string(j, NULL, c->answer.others[i]);
	json_close(j, ']');
	json_string(j, "strength", c->strength);
	json_string(j, "answer", belief_name(e->word));
	if (c->gains) {
		json_int(j, "rank", (int64_t)score_rank(&c->answer));
		json_open(j, "gain", '{');
		for (size_t i = 0; i < r->count; i++)
			json_real(j, r->names[i], c->gains[i]);
		json_close(j, '}');
	}
	if (c->answer.cures)
		write_cures(j, c);
	json_real(j, "unknown", e->unknown);
	json_string(j, "first_failure", e->first ? e->first->signature : NULL);
	write_causes(j, e);
	json_close(j, '}');
}

static void write_confusion(struct json *j, const struct score_confusion *c)
{
	json_open(j, "confusion", '[');
	for (size_t i = 0; i < c->count; i++) {
		json_open(j, NULL, '{');
		json_string(j, "cause", c->list[i].cause);
		json_string(j, "named", c->list[i].named);
		json_int(j, "times", c->list[i].count);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void score_json(const struct score_report *r, struct buf *ret)
{
	struct json j = json_on(ret);

	json_open(&j, NULL, '{');
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "worst", r->names[r->worst]);
	json_open(&j, "scores", '[');
	for (size_t i = 0; i < r->count; i++)
		write_score(&j, r->names[i], &r->scores[i]);
	json_close(&j, ']');
	json_open(&j, "likely", '[');
	for (size_t i = 0; i < r->count; i++)
		write_score(&j, r->names[i], &r->likely[i]);
	json_close(&j, ']');
	json_open(&j, "constant", '{');
	write_texts(&j, "kinds", r->constant->kinds, SCORE_RANKS);
	write_rate(&j, "cures@3", r->constant->rate);
	json_close(&j, '}');
	write_confusion(&j, r->confusion);
	json_open(&j, "alarms", '[');
	for (size_t i = 0; i < r->alarm_count; i++)
		json_string(&j, NULL, r->alarms[i]);
	json_close(&j, ']');
	json_open(&j, "records", '[');
	for (size_t i = 0; i < r->case_count; i++)
		write_case(&j, r, &r->cases[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}
