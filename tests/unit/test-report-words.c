/* The words of a report name causes only where nothing else does, and never decide. */

#include "explain/report-words.h"

#include "check-diagnose.h"
#include "explain/explain.h"

/* What the compiler would make of two causes, and what a stranger could. */
static const char knowledge[] = CAUSE_SHARED("cold", "problem", -20, -10) CAUSE_SHARED(
	"hot", "problem", -20,
	-10) "INSERT INTO signature (id, program, kind, says, pattern, \"group\", file, line) VALUES"
	     " ('fire', 'hip', 'failure', 'it burns', NULL, NULL, 'f', 1);"
	     "INSERT INTO suggests VALUES ('fire', 'hot', 8);"
	     "INSERT INTO report_word VALUES ('fan', 'cold 100 hot 300'), ('ice', 'cold 400'),"
	     " ('blade', 'hot 100'), ('vent', 'hot 100 cold 100'),"
	     " ('gone', 'nobody 300'), ('odd', 'hot'), ('negative', 'hot -300 cold 0x10'),"
	     " ('huge', 'hot 99999999999999999999 cold 4000000000'), ('empty', '');";

static const struct {
	const char *why, *text, *first;
	bool clear, counts;
	enum belief word;
} cases[] = {
	{ "fires", "ROCm: no fan, no blade, no vent", "hot", false, true, BELIEF_UNDECIDED },
	{ "more for the other one", "the fan of my radeon is ice, its vent too", "cold", false,
	  true, BELIEF_UNDECIDED },
	{ "near: two words are chance", "ROCm: no fan, no blade", NULL, false, true,
	  BELIEF_NOT_RECOGNISED },
	{ "near: nothing tells of an AMD GPU", "no fan, no blade, no vent", NULL, false, true,
	  BELIEF_NOT_RECOGNISED },
	{ "near: it is clear what happened", "ROCm: no fan, no blade, no vent", NULL, true, true,
	  BELIEF_NOT_RECOGNISED },
	{ "near: nothing failed", "ROCm: no fan, no blade, no vent", NULL, false, false,
	  BELIEF_NOTHING },
	{ "undecided: no word is known", "ROCm is strange", NULL, false, true,
	  BELIEF_NOT_RECOGNISED },
	{ "a stranger's table", "ROCm gone odd negative huge empty", NULL, false, true,
	  BELIEF_NOT_RECOGNISED },
};

static void check_case(size_t i)
{
	struct failure f = { .counts = cases[i].counts,
			     .is_clear = cases[i].clear,
			     .file = "a.log",
			     .origin = "unknown",
			     .says = "s",
			     .first = { 1, "x" },
			     .last = { 1, "x" } };
	struct facts *facts = facts_new();
	unsigned char *bytes = kb_with(facts, knowledge);
	struct explanation e;

	if (f.counts && !f.is_clear)
		f.words = span_of(cases[i].text);
	facts_end(facts);
	if (!CHECK(explain(&(struct explain_means){ .db = facts_db(facts) }, &f, &e) == 0))
		exit(1);
	CHECK_TEXT(belief_name(e.word), belief_name(cases[i].word));
	if (!CHECK((e.basis == EXPLAIN_BY_WORDS) == (cases[i].first != NULL)))
		printf("  %s\n", cases[i].why);
	if (cases[i].first && CHECK(e.spoken > 0)) {
		CHECK_TEXT(e.causes[0].cause, cases[i].first);
		CHECK_TEXT(e.causes[0].signs[0].id, "report-words");
		CHECK_INT(e.causes[0].signs[0].weight, 10);
	}
	explain_done(&e);
	facts_free(facts);
	sqlite3_free(bytes);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(i);
	return check_end();
}
