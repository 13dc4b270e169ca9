/* Belief by the numbers of the knowledge: what steps back, and numbers of strangers. */

#include "explain/belief.h"
#include "explain/verdict.h"

#include <math.h>

#include "check-diagnose.h"

static const struct belief_rules plain = {
	.sharpness = 1, .echo = 0.5, .unknown = -10, .bare = 10, .decided = 0.7, .certain = 0.9
};

#define LINE(...) ((struct sign){ __VA_ARGS__ })
#define CAUSE_OF(slug, line) \
	((struct explain_cause){ .cause = (slug), .share = -10, .signs = &(line), .sign_count = 1 })

static bool near(double got, double want)
{
	return fabs(got - want) < 0.001;
}

/* Two causes, one line each: the first shown by a failure, the second only described. */
static void what_only_describes_steps_back(void)
{
	struct explain_event failure = { .signature = "crash", .kind = "failure" };
	struct sign crash = LINE(.id = "crash", .weight = 8);
	struct sign rare = LINE(.id = "rare", .weight = 9, .describes = true);
	struct explain_cause causes[] = { CAUSE_OF("broken", crash), CAUSE_OF("unfit", rare) };
	struct explanation e = { .causes = causes,
				 .cause_count = 2,
				 .events = &failure,
				 .event_count = 1,
				 .first = &failure };

	belief_share(&plain, &e);
	CHECK_TEXT(e.causes[0].cause, "broken");
	CHECK_INT(e.causes[0].sum, -2);
	CHECK_INT(e.spoken, 1); /* although -10 + 9 is more */
	CHECK(near(e.causes[0].belief, 6.310 / 7.310));
	CHECK_INT(verdict_by_belief(&plain, &e), BELIEF_LIKELY);

	/* Alone it counts whole, and makes no illness of a log without a failure. */
	rare.counted = 0;
	causes[0] = CAUSE_OF("unfit", rare);
	e = (struct explanation){ .causes = causes, .cause_count = 1 };
	belief_share(&plain, &e);
	CHECK_INT(e.causes[0].sum, -1);
	CHECK(near(e.causes[0].belief, 7.943 / 8.943)); /* -1 dB against the unknown's -10 */
	CHECK_INT(verdict_by_belief(&plain, &e), BELIEF_NOTHING);
}

/* A CUDA build of torch is a fault, whatever the log shows besides. */
static void a_stated_fault_is_named(void)
{
	struct explain_event failure = { .signature = "crash", .kind = "failure" };
	struct sign crash = LINE(.id = "crash", .weight = 8);
	struct sign build = LINE(.id = "build", .weight = 10, .describes = true);
	struct explain_cause causes[] = { CAUSE_OF("broken", crash), CAUSE_OF("cuda", build) };
	struct explanation e = { .causes = causes,
				 .cause_count = 2,
				 .events = &failure,
				 .event_count = 1,
				 .first = &failure };

	belief_share(&plain, &e);
	CHECK_TEXT(e.causes[0].cause, "cuda");
	CHECK_INT(e.spoken, 2);
}

/* Nothing is shown: all may be it, one of them rather. */
static void a_log_in_which_nothing_is_known(void)
{
	struct belief_rules rules = plain;
	struct sign rare = LINE(.id = "rare", .weight = 5, .describes = true);
	struct explain_cause causes[] = { { .cause = "a", .share = -10 },
					  { .cause = "bug", .share = -10 },
					  CAUSE_OF("unfit", rare) };
	struct explanation e = { .causes = causes, .cause_count = 3 };

	rules.unheard[rules.unheard_count++] = (struct belief_unheard){ "bug", 3 };
	belief_share(&rules, &e);
	CHECK_INT(e.spoken, 1);
	CHECK_TEXT(e.causes[0].cause, "unfit");
	CHECK_TEXT(e.causes[1].cause, "bug");
	/* -5, -7, -10 and the unknown's -10: 0.3162, 0.1995, 0.1, 0.1 */
	CHECK(near(e.causes[0].belief, 0.3162 / 0.7157));
	CHECK(near(e.causes[1].belief, 0.1995 / 0.7157));
	CHECK(near(e.unknown, 1 - 0.3162 / 0.7157));
}

/* A defect whose range has an end that nothing confirms makes nothing certain; what is certain without it stays so. */
static void a_range_without_a_proven_end(void)
{
	static const struct {
		int crash, defect;
		bool is_unproven;
		enum belief want;
	} cases[] = {
		{ 8, 26, false, BELIEF_CERTAIN },
		{ 8, 26, true, BELIEF_LIKELY },
		{ 40, 26, true, BELIEF_CERTAIN },
		{ 8, 8, true, BELIEF_LIKELY },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct explain_event failure = { .signature = "crash", .kind = "failure" };
		struct sign lines[] = { LINE(.id = "crash", .weight = cases[i].crash),
					LINE(.id = "bug", .weight = cases[i].defect,
					     .group = "defect",
					     .is_unproven = cases[i].is_unproven) };
		struct explain_cause cause = {
			.cause = "bug", .share = -10, .signs = lines, .sign_count = 2
		};
		struct explanation e = { .causes = &cause,
					 .cause_count = 1,
					 .events = &failure,
					 .event_count = 1,
					 .first = &failure };

		belief_share(&plain, &e);
		CHECK_INT(verdict_by_belief(&plain, &e), cases[i].want);
	}
}

/* A fact of this machine is an illness where `check` says so. */
static void facts_of_a_healthy_machine(void)
{
	struct sign fact = LINE(.id = "two-gpus", .weight = 30, .seen = true);
	struct explain_cause cause = CAUSE_OF("igpu", fact);
	struct explanation e = { .causes = &cause, .cause_count = 1 };

	belief_share(&plain, &e);
	CHECK(e.causes[0].belief > 0.99);
	CHECK_INT(verdict_by_belief(&plain, &e), BELIEF_NOTHING);
	cause.found = true;
	fact.counted = 0;
	e = (struct explanation){ .causes = &cause, .cause_count = 1 };
	belief_share(&plain, &e);
	CHECK_INT(verdict_by_belief(&plain, &e), BELIEF_CERTAIN);
}

/* What the machine contradicts is not named; what a text speaks against a little still is. */
static void what_the_machine_contradicts(void)
{
	struct explain_event events[] = {
		{ .signature = "lost", .kind = "failure", .says = "lost" },
		{ .signature = "note", .kind = "warning", .says = "n" }
	};
	struct sign lines[][2] = {
		{ LINE(.id = "lost", .weight = 8), LINE(.id = "x", .weight = -9) },
		{ LINE(.id = "note", .weight = 9),
		  LINE(.id = "y", .weight = -40, .says = "all is there", .seen = true) },
		{ LINE(.id = "lost", .weight = 6), LINE(.id = "z", .weight = -1, .seen = true) },
	};
	struct explain_cause causes[3];
	struct explanation e = { .causes = causes,
				 .cause_count = 3,
				 .events = events,
				 .event_count = 2,
				 .first = &events[0] };

	for (size_t i = 0; i < 3; i++)
		causes[i] = (struct explain_cause){ .cause = (const char *[]){ "a", "b", "c" }[i],
						    .share = -10,
						    .signs = lines[i],
						    .sign_count = 2 };
	belief_share(&plain, &e);
	CHECK_INT(e.spoken, 2);
	CHECK_TEXT(e.causes[0].cause, "c");
	CHECK_TEXT(e.causes[1].cause, "a");
	CHECK_TEXT(e.causes[2].cause, "b");
	CHECK(!e.is_contradicted);
	CHECK_TEXT(events[0].says, "lost");
	CHECK_TEXT(events[1].says, "n; but on this machine all is there");
	arena_done(&e.arena);

	e = (struct explanation){ .causes = &causes[2], .cause_count = 1 };
	belief_share(&plain, &e);
	CHECK_INT(e.spoken, 0);
	CHECK(e.is_contradicted);
}

static void numbers(void)
{
	struct facts *facts = facts_new();
	unsigned char *bytes = kb_with(
		facts,
		"INSERT INTO belief VALUES ('sharpness', 180, 'm', 'inferred', 'd', 's'),"
		" ('echo', 99999, 'm', 'inferred', 'd', 's'), ('decided', -5, 'm', 'inferred', 'd', 's'),"
		" ('later', 7, 'm', 'inferred', 'd', 's'),"
		" ('unheard-bug', 3, 'm', 'inferred', 'd', 's'),"
		" ('unheard-far', 3000, 'm', 'inferred', 'd', 's');");
	struct belief_rules r;

	if (!CHECK(belief_load(facts_db(facts), &r) == 0))
		exit(1);
	CHECK(near(r.sharpness, 1.8));
	CHECK(near(r.echo, 1));      /* as far as it goes */
	CHECK(near(r.decided, 0.5)); /* the same */
	CHECK(near(r.unknown, -10)); /* not said */
	CHECK(near(r.bare, 0));
	CHECK_INT(r.unheard_count, 1);
	CHECK_TEXT(r.unheard[0].cause, "bug");
	facts_free(facts);
	sqlite3_free(bytes);
}

int main(void)
{
	what_only_describes_steps_back();
	a_stated_fault_is_named();
	a_log_in_which_nothing_is_known();
	a_range_without_a_proven_end();
	facts_of_a_healthy_machine();
	what_the_machine_contradicts();
	numbers();
	return check_end();
}
