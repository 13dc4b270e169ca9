/* Belief, shared among causes by a knowledge of three lines. */

#include "explain/explain.h"

#include <math.h>

#include "check-diagnose.h"

/* Two causes of share -10, one of -20; the unknown has -10. A deciban counts 1.8. */
static const char knowledge[] = CAUSE_SHARED("full", "problem", -20, -10)
	CAUSE_SHARED("broken", "problem", -20, -10) CAUSE_SHARED(
		"rare", "problem", -20,
		-20) "INSERT INTO signature (id, program, kind, says, pattern, \"group\", file, line) VALUES"
		     " ('oom', 'hip', 'failure', 'out of memory', NULL, 'memory', 'f', 1),"
		     " ('oom-again', 'hip', 'failure', 'again', NULL, 'memory', 'f', 2),"
		     " ('crash', 'hip', 'failure', 'it crashed', NULL, NULL, 'f', 3),"
		     " ('slow', 'hip', 'warning', 'it is slow', NULL, NULL, 'f', 4),"
		     " ('hint', 'hip', 'warning', 'a hint', NULL, NULL, 'f', 5),"
		     " ('card', 'hip', 'context', 'a card', NULL, NULL, 'f', 6),"
		     " ('noise', 'hip', 'harmless', 'noise', NULL, NULL, 'f', 7),"
		     " ('alien', 'hip', 'failure', 'nobody knows', NULL, NULL, 'f', 8);"
		     "INSERT INTO suggests VALUES ('oom', 'full', 8), ('oom-again', 'full', 6),"
		     " ('crash', 'full', 4), ('crash', 'broken', 6), ('slow', 'broken', 9), ('hint', 'broken', 2),"
		     " ('card', 'full', 10), ('oom', 'broken', -4);"
		     "INSERT INTO belief VALUES ('sharpness', 180, 'm', 'inferred', 'd', 's'),"
		     " ('echo', 50, 'm', 'inferred', 'd', 's'), ('decided', 70, 'm', 'inferred', 'd', 's');";

static const struct {
	const char *why;
	const char *events; /* "signature kind" words, in the order of the log */
	const char *first;  /* cause, or NULL */
	int sum;
	double belief;
	enum belief word;
} cases[] = {
	{ "an empty log", "", NULL, 0, 0, BELIEF_NOTHING },
	/* -10 + 8 = -2 against the unknown's -10: 10^(1.8 * 8 / 10) = 27.5 to one */
	{ "one line", "oom failure", "full", -2, 27.54 / 28.54, BELIEF_CERTAIN },
	{ "of a group the strongest counts", "oom failure oom-again failure", "full", -2,
	  27.54 / 28.54, BELIEF_CERTAIN },
	/* 8 + 4/2 = 10 and 6 - 4 = 2 */
	{ "a further line counts half, one against counts whole", "oom failure crash failure",
	  "full", 0, 63.10 / (63.10 + 2.29 + 1), BELIEF_CERTAIN },
	/* broken 6, full 4: 12.02, 5.25 and 1 */
	{ "two that one line speaks for", "crash failure", "broken", -4, 12.02 / 18.27,
	  BELIEF_UNDECIDED },
	{ "a failure that nobody knows", "alien failure", NULL, 0, 0, BELIEF_UNDECIDED },
	{ "noise", "noise harmless", NULL, 0, 0, BELIEF_NOTHING },
	/* 10^(1.8 * 0.9) = 41.7 */
	{ "a warning alone makes nothing certain", "slow warning", "broken", -1, 41.69 / 42.69,
	  BELIEF_LIKELY },
	/* 10^(1.8 * 0.2) = 2.29 */
	{ "a warning that does not, in a job that did not fail", "hint warning", "broken", -8,
	  2.29 / 3.29, BELIEF_NOTHING },
	{ "what merely describes a machine is no illness", "card context", "full", 0, 63.10 / 64.10,
	  BELIEF_NOTHING },
	{ "and joins a failure", "card context alien failure", "full", 0, 63.10 / 64.10,
	  BELIEF_CERTAIN },
};

static void add_events(struct facts *facts, const char *events)
{
	struct span rest = span_of(events), id, kind;
	int line = 1;

	while (span_word(&rest, &id) && span_word(&rest, &kind)) {
		struct row r = row_of("event");

		row_text(&r, "signature", id);
		row_int(&r, "nth", 0);
		row_text(&r, "kind", kind);
		row_string(&r, "program", "hip");
		row_int(&r, "line", line);
		row_int(&r, "last_line", line);
		row_int(&r, "count", 1);
		row_string(&r, "text", "t");
		row_string(&r, "source", "a.log:1");
		row_string(&r, "origin", "log");
		facts_add(facts, &r);
		line++;
	}
}

static void check_case(size_t i)
{
	struct facts *facts = facts_new();
	unsigned char *bytes = kb_with(facts, knowledge);
	struct explanation e;
	double sum;

	add_events(facts, cases[i].events);
	facts_end(facts);
	if (!CHECK(explain(&(struct explain_means){ .db = facts_db(facts) }, NULL, &e) == 0))
		exit(1);
	sum = e.unknown;
	for (size_t k = 0; k < e.spoken; k++)
		sum += e.causes[k].belief;
	CHECK(fabs(sum - 1) < 1e-9);
	CHECK_INT(e.spoken > 0, cases[i].first != NULL);
	CHECK_TEXT(belief_name(e.word), belief_name(cases[i].word));
	if (e.spoken > 0 && cases[i].first) {
		CHECK_TEXT(e.causes[0].cause, cases[i].first);
		CHECK_INT(e.causes[0].sum, cases[i].sum);
		if (!CHECK(fabs(e.causes[0].belief - cases[i].belief) < 0.001))
			printf("  %s: %.4f, not %.4f\n", cases[i].why, e.causes[0].belief,
			       cases[i].belief);
	}
	explain_done(&e);
	facts_free(facts);
	sqlite3_free(bytes);
}

/* What is seen behind the job may have passed: it refutes nothing then. */
static void check_passing(const char *reads, int want)
{
	struct facts *facts = facts_new();
	struct buf kb BUF_SCOPED = { 0 };
	unsigned char *bytes;
	struct explanation e;

	buf_addf(
		&kb,
		"%s" RULE(
			"full", "against", -5,
			"SELECT '''' AS subject, 1 AS value, ''s'' AS source, ''observed'' AS origin",
			"%s"),
		knowledge, reads);
	bytes = kb_with(facts, kb.data);
	add_events(facts, "oom failure");
	facts_end(facts);
	if (!CHECK(explain(&(struct explain_means){ .db = facts_db(facts) }, NULL, &e) == 0))
		exit(1);
	CHECK_TEXT(e.causes[0].cause, "full");
	if (!check_note(e.causes[0].sum == want, __FILE__, __LINE__, reads))
		printf("  got %d\n", e.causes[0].sum);
	explain_done(&e);
	facts_free(facts);
	sqlite3_free(bytes);
}

/*
 * A line that says 6 for broken and 5.2 for the family's other cause: 12.02 and 8.63 of 22.7 make
 * neither likely, and both together 0.91.
 */
static const char siblings[] =
	"INSERT INTO suggests VALUES ('alien', 'full', 6), ('alien', 'broken', 5);"
	"INSERT INTO remedy VALUES ('ask', 'Ask', 'look', 'none', NULL, 'c', 'u', 1, 'v', NULL, NULL, NULL, 1, NULL, NULL);";

static void check_family(const char *family, const char *name, enum belief word)
{
	struct facts *facts = facts_new();
	struct buf kb BUF_SCOPED = { 0 };
	unsigned char *bytes;
	struct explanation e;

	buf_addf(&kb, "%s%s%s", knowledge, siblings, family);
	bytes = kb_with(facts, kb.data);
	add_events(facts, "alien failure");
	facts_end(facts);
	if (!CHECK(explain(&(struct explain_means){ .db = facts_db(facts) }, NULL, &e) == 0))
		exit(1);
	CHECK(e.causes[0].belief < 0.7);
	CHECK_TEXT(e.family ? e.family->name : "", name);
	CHECK_TEXT(belief_name(e.word), belief_name(word));
	if (e.family) {
		CHECK_INT(e.family->member_count, 2);
		CHECK_TEXT(explain_title(&e), "T");
		CHECK_TEXT(e.steps[0].remedy->id, "ask");
	}
	explain_done(&e);
	facts_free(facts);
	sqlite3_free(bytes);
}

#define FAMILY(causes) "INSERT INTO family VALUES ('f', 'T', '" causes "', 'ask', 'c', 'd', 's');"

static void check_families(void)
{
	check_family(FAMILY("full broken"), "f", BELIEF_CERTAIN);
	check_family("", "", BELIEF_UNDECIDED);
	check_family(FAMILY("broken rare"), "", BELIEF_UNDECIDED); /* not the first cause's */
	check_family(FAMILY("full rare"), "", BELIEF_UNDECIDED);   /* alone in it */
	check_family(FAMILY("full broken") "DELETE FROM remedy;", "", BELIEF_UNDECIDED);
	check_family(FAMILY("full broken") "INSERT INTO belief VALUES"
					   " ('family', 99, 'm', 'inferred', 'd', 's');",
		     "", BELIEF_UNDECIDED);
}

/* A knowledge with the signatures of a site has no most: the last line of a log counts, too. */
static void check_many(void)
{
	struct facts *facts = facts_new();
	struct buf kb BUF_SCOPED = { 0 }, events BUF_SCOPED = { 0 };
	unsigned char *bytes;
	struct explanation e;

	buf_text(&kb, knowledge);
	for (int i = 0; i < 1500; i++) {
		buf_addf(&kb,
			 "INSERT INTO signature (id, program, kind, says, file, line)"
			 " VALUES ('s%d', 'hip', 'harmless', 'x', 'f', 9);",
			 i);
		buf_addf(&events, "s%d harmless ", i);
	}
	bytes = kb_with(facts, kb.data);
	buf_text(&events, "oom failure");
	add_events(facts, events.data);
	facts_end(facts);
	if (!CHECK(explain(&(struct explain_means){ .db = facts_db(facts) }, NULL, &e) == 0))
		exit(1);
	CHECK_INT(e.event_count, 1501);
	CHECK_TEXT(e.first ? e.first->signature : "", "oom");
	CHECK_TEXT(e.causes[0].cause, "full");
	explain_done(&e);
	facts_free(facts);
	sqlite3_free(bytes);
}

int main(void)
{
	check_many();
	check_families();
	check_passing("gpu gpu.address gpu.vram_total_bytes", -7);
	check_passing("gpu gpu.address gpu.vram_used_bytes", -2);
	check_passing("sensor sensor.value", -2);
	check_passing("sensor", -2);
	check_passing("resource_limit resource_limit.soft", -7);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int before = check_failed;

		check_case(i);
		if (check_failed > before)
			printf("  %s\n", cases[i].why);
	}
	return check_end();
}
