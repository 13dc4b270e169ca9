/* The rules of the corpus, computed by hand. */

#include "lab/score.h"

#include <math.h>

#include "check.h"

static const char *const also[] = { "driver-defect" };

#define NAMED(...) .ranked = { __VA_ARGS__ }

static const struct {
	const char *why;
	struct score_answer answer;
	bool hit1, hit3;
	double gain;
} cases[] = {
	{ "decided and right",
	  { .cause = "vram-exhausted", NAMED("vram-exhausted"), .decided = true },
	  true,
	  true,
	  1 },
	{ "decided and wrong",
	  { .cause = "vram-exhausted", NAMED("user-code", "vram-exhausted"), .decided = true },
	  false,
	  true,
	  -1 },
	{ "undecided, right first", { .cause = "user-code", NAMED("user-code") }, true, true, 0.5 },
	{ "undecided, right third",
	  { .cause = "user-code", NAMED("a", "b", "user-code") },
	  false,
	  true,
	  0.25 },
	{ "undecided and wrong", { .cause = "user-code", NAMED("a", "b", "c") }, false, false, 0 },
	{ "nothing was named", { .cause = "user-code" }, false, false, 0 },
	{ "told ok, though the right one was thought of",
	  { .cause = "user-code", NAMED("user-code"), .silent = true, .is_ok = true },
	  false,
	  false,
	  0 },
	{ "not recognised, and nobody knows it",
	  { .cause = "other", NAMED("user-code"), .silent = true },
	  false,
	  false,
	  1 },
	{ "a cause that also applies",
	  { .cause = "rocm-regression",
	    .others = also,
	    .other_count = 1,
	    NAMED("driver-defect"),
	    .decided = true },
	  true,
	  true,
	  1 },
	{ "two that count as one",
	  { .cause = "framework-runtime-mismatch", NAMED("mixed-rocm-libs"), .decided = true },
	  true,
	  true,
	  1 },
	{ "a symptom never hits",
	  { .cause = "memory-access-fault", NAMED("memory-access-fault"), .decided = true },
	  false,
	  false,
	  -1 },
	{ "of other any undecided answer is right",
	  { .cause = "other", NAMED("user-code") },
	  false,
	  false,
	  1 },
	{ "a family whose first cause is right",
	  { .cause = "user-code",
	    NAMED("user-code"),
	    .decided = true,
	    .family = also,
	    .family_count = 1 },
	  true,
	  true,
	  1 },
	{ "a family that holds it, and not as its first",
	  { .cause = "driver-defect",
	    NAMED("user-code", "a", "b"),
	    .decided = true,
	    .family = also,
	    .family_count = 1 },
	  false,
	  false,
	  0.5 },
	{ "a family that does not hold it",
	  { .cause = "vram-exhausted",
	    NAMED("user-code", "a", "b"),
	    .decided = true,
	    .family = also,
	    .family_count = 1 },
	  false,
	  false,
	  -1 },
	{ "and a decided one is not",
	  { .cause = "other", NAMED("user-code"), .decided = true },
	  false,
	  false,
	  -1 },
};

static bool near(double got, double want)
{
	return fabs(got - want) < 0.0005;
}

static void intervals(void)
{
	double low, high;

	/* Wilson, 95 in a hundred; figures of his formula worked out elsewhere */
	score_interval((struct score_rate){ 8, 10 }, &low, &high);
	CHECK(near(low, 0.4902) && near(high, 0.9433));
	score_interval((struct score_rate){ 0, 10 }, &low, &high);
	CHECK(near(low, 0) && near(high, 0.2775));
	score_interval((struct score_rate){ 0, 0 }, &low, &high);
	CHECK(near(low, 0) && near(high, 1));

	/* Of 1, -1, 0.5, 0.5: mean 0.25, deviation 0.8660, 1.96 of its half */
	score_mean_interval((struct score_mean){ 1, 2.5, 4 }, &low, &high);
	CHECK(near(low, 0.25 - 0.8487) && near(high, 0.25 + 0.8487));
	score_mean_interval((struct score_mean){ 0 }, &low, &high);
	CHECK(near(low, 0) && near(high, 0));
}

/* Two that were taken for the same, and one for which nothing was named. */
static void confusion(void)
{
	struct arena arena = { 0 };
	struct score_confusion c = { .arena = &arena };

	score_confuse(&c, &(struct score_answer){ .cause = "user-code" });
	for (int i = 0; i < 2; i++)
		score_confuse(
			&c, &(struct score_answer){ .cause = "user-code", NAMED("framework-bug") });
	score_confusion_sort(&c);
	CHECK_INT(c.count, 2);
	CHECK_INT(c.list[0].count, 2);
	CHECK_TEXT(c.list[0].named, "framework-bug");
	CHECK(c.list[1].named == NULL);
	arena_done(&arena);
}

/* Three records: beliefs 0.95 right, 0.80 wrong, 0.30 right. */
static void sums(void)
{
	struct score s = { 0 };

	score_add(&s, &(struct score_answer){ .cause = "user-code",
					      NAMED("user-code"),
					      .belief = 0.95,
					      .decided = true });
	score_add(&s, &(struct score_answer){ .cause = "driver-defect",
					      NAMED("user-code"),
					      .belief = 0.80,
					      .decided = true });
	score_add(&s, &(struct score_answer){
			      .cause = "user-code", NAMED("user-code"), .belief = 0.30 });
	score_add_healthy(&s, SCORE_LOG, false);
	score_add_healthy(&s, SCORE_MACHINE, true);
	CHECK_INT(s.hit1[SCORE_ALL].hits, 2);
	CHECK_INT(s.hit1[SCORE_ALL].of, 3);
	CHECK_INT(s.hit1[SCORE_RELEASE].of, 1);
	CHECK_INT(s.hit1[SCORE_DECIDABLE].hits, 2);
	CHECK_INT(s.decided[SCORE_ALL].hits, 2);
	CHECK_INT(s.right[SCORE_ALL].hits, 1);
	CHECK(near(s.gain[SCORE_ALL].sum, 0.5)); /* 1 - 1 + 0.5 */
	CHECK_INT(s.bands[0].hits, 1);
	CHECK_INT(s.bands[1].hits, 0);
	CHECK_INT(s.bands[2].hits, 1);
	CHECK(near(s.brier.sum, 0.0025 + 0.64 + 0.49));
	CHECK(near(score_brier_base(&s), 2.0 / 9));
	CHECK(!score_band_holds(&s, 1)); /* stated 80, right 0 of 1: at most 79.3 */
	CHECK(score_band_holds(&s, 0));
	CHECK_INT(s.alarms[SCORE_MACHINE].hits, 1);
	CHECK_INT(score_alarms(&s).hits, 1);
	CHECK_INT(score_alarms(&s).of, 2);
}

static const char *set_env[] = { "set-env" }, *two[] = { "set-env", "disable-feature" },
		  *none[] = { "none-known" }, *rebuild[] = { "rebuild" };

/* Of the first three steps the second cures, and the third would. */
static void cures(void)
{
	struct score_cures wanted = { set_env, rebuild, 1, 1 }, nothing = { none, NULL, 1, 0 };
	struct score_answer a = { .cause = "user-code",
				  .steps = { "switch-build", "set-env disable-feature", "rebuild" },
				  .cures = &wanted };
	struct score s = { 0 };

	CHECK_INT(score_cure_rank(&a, true), 2);
	a.steps[1] = "";
	CHECK_INT(score_cure_rank(&a, true), 3);
	CHECK_INT(score_cure_rank(&a, false), 0);
	a.steps[0] = "reset-env set-environment"; /* words that only look like it */
	CHECK_INT(score_cure_rank(&a, false), 0);
	score_add(&s, &a);
	CHECK_INT(s.cures1[SCORE_ALL].hits, 0);
	CHECK_INT(s.cures3[SCORE_ALL].hits, 1);
	CHECK_INT(s.confirmed3[SCORE_ALL].hits, 0);
	a.cures = &nothing; /* is left out */
	score_add(&s, &a);
	CHECK_INT(s.cures3[SCORE_ALL].of, 1);
}

static void constant(void)
{
	struct score_cures a = { two, NULL, 2, 0 }, b = { set_env, rebuild, 1, 1 },
			   c = { rebuild, NULL, 1, 0 };
	const struct score_cures *const list[] = { &a, &b, &c };
	struct score_constant k = score_constant(list, 3);

	CHECK_TEXT(k.kinds[0], "rebuild"); /* as often as set-env, and before it in the alphabet */
	CHECK_TEXT(k.kinds[1], "set-env");
	CHECK_TEXT(k.kinds[2], "disable-feature");
	CHECK_INT(k.rate.hits, 3);
	CHECK_INT(score_constant(list, 0).rate.of, 0);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct score s = { 0 };

		score_add(&s, &cases[i].answer);
		if (!check_note(s.hit1[SCORE_ALL].hits == cases[i].hit1 &&
					s.hit3[SCORE_ALL].hits == cases[i].hit3 &&
					near(score_gain(&cases[i].answer), cases[i].gain),
				__FILE__, __LINE__, cases[i].why))
			printf("  gain %.2f\n", score_gain(&cases[i].answer));
	}
	CHECK(score_is_release("other") && !score_is_release("user-code"));
	intervals();
	sums();
	confusion();
	cures();
	constant();
	return check_end();
}
