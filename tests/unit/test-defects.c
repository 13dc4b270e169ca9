/* Which known defects fit what was said and seen. */

#include "explain/defects.h"

#include "check-diagnose.h"

#define SIGNATURES                                                                               \
	"INSERT INTO signature (id, program, kind, says, pattern, \"group\", file, line) VALUES" \
	" ('fault', 'hip', 'failure', 'f', NULL, NULL, 'f', 1),"                                 \
	" ('hang', 'kernel', 'failure', 'h', NULL, NULL, 'f', 2);"                               \
	"INSERT INTO literal VALUES ('fault', 0, 'memory access fault'),"                        \
	" ('hang', 0, 'it hangs, it hangs');"
#define DEFECT \
	"INSERT INTO defect VALUES ('d', 'rocm', 'rocm-regression', 'T', 'C', NULL, 12, 'its page');"
#define WINDOW    "INSERT INTO defect_when VALUES ('d', 'rocm', '6.2', '6.2.4', 1, NULL);"
#define SEEN      "INSERT INTO defect_when VALUES ('d', 'rocm', '6.2', '6.2.4', 0, NULL);"
#define TARGET    "INSERT INTO defect_when VALUES ('d', 'gfx', NULL, NULL, 1, 'gfx1100 gfx1101');"
#define PROGRAM   "INSERT INTO defect_when VALUES ('d', 'framework', NULL, NULL, 1, 'ollama');"
#define SHOWS     "INSERT INTO defect_signature VALUES ('d', 'fault'), ('d', 'hang');"
#define UNCHECKED "INSERT INTO unchecked VALUES ('d', 'its thread is gone');"
#define EVENT                                                                                      \
	"INSERT INTO event (signature, nth, kind, program, line, last_line, count, text, source, " \
	"origin) VALUES ('fault', 0, 'failure', 'hip', 3, 3, 1, 't', 'a.log:3', 'log');"
#define OWN "INSERT INTO suggests VALUES ('fault', 'rocm-regression', 3);"
#define SEE(gfx)                                                                   \
	"INSERT INTO agent (node, gfx, source, origin) VALUES (1, '" gfx "', 's'," \
	" 'observed');"
#define SAY(name, value)                                                                \
	"INSERT INTO statement VALUES ('" name "', '" value "', '" value "', '--set', " \
	"'stated');"

static const struct {
	const char *why;
	const char *knowledge;
	const char *said;
	int want;     /* its weight; 0: it does not fit */
	bool uncured; /* it fits, and too little is known for its cure */
	const char *beyond;
	bool is_unproven;
	const char *unchecked;
} cases[] = {
	{ "all it asks for", WINDOW SHOWS, EVENT SAY("rocm", "6.2.0"), 12 },
	{ "the first of the window is in it", WINDOW SHOWS, EVENT SAY("rocm", "6.2"), 12 },
	{ "the last is not", WINDOW SHOWS, EVENT SAY("rocm", "6.2.4"), 0 },
	{ "before", WINDOW SHOWS, EVENT SAY("rocm", "6.1.3"), 0 },
	{ "no release is known to be free of it: it may be this one", SEEN TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1100") SAY("rocm", "6.2.4"), 3, .uncured = true,
	  .beyond = "rocm 6.2.4" },
	{ "before the first that has it it is not", SEEN TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1100") SAY("rocm", "6.1.3"), 0 },
	{ "among those that were seen it fits, and proves less", SEEN TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1100") SAY("rocm", "6.2.0"), 12, .is_unproven = true },
	{ "one that nobody could check proves nothing", WINDOW SHOWS UNCHECKED,
	  EVENT SAY("rocm", "6.2.0"), 12, .is_unproven = true, .unchecked = "its thread is gone" },
	{ "and is ruled out like any other", WINDOW SHOWS UNCHECKED, EVENT SAY("rocm", "6.2.4"),
	  0 },
	{ "without a version it is as open", WINDOW TARGET SHOWS UNCHECKED,
	  EVENT SAY("gfx", "gfx1100"), 3, .uncured = true, .is_unproven = true,
	  .unchecked = "its thread is gone" },
	{ "6.10 is after 6.2", WINDOW SHOWS, EVENT SAY("rocm", "6.10"), 0 },
	{ "nobody spoke of the version: it says nothing", WINDOW SHOWS, EVENT, 0, true },
	{ "nor does the name of the program", WINDOW PROGRAM SHOWS,
	  EVENT SAY("framework", "ollama"), 0, true },
	{ "which adds nothing to a version either", WINDOW PROGRAM SHOWS,
	  EVENT SAY("framework", "ollama") SAY("rocm", "6.2.0"), 12 },
	{ "another program rules out", WINDOW PROGRAM SHOWS,
	  EVENT SAY("framework", "vllm") SAY("rocm", "6.2.0"), 0 },
	{ "a program that nobody named", WINDOW PROGRAM SHOWS, EVENT SAY("rocm", "6.2.0"), 0 },
	{ "whose own line is there takes more than its share", WINDOW PROGRAM SHOWS OWN,
	  EVENT SAY("rocm", "6.2.0"), 3, .uncured = true },
	{ "and not where another is named", WINDOW PROGRAM SHOWS OWN,
	  EVENT SAY("rocm", "6.2.0") SAY("framework", "vllm"), 0 },
	{ "that is on this machine", WINDOW PROGRAM SHOWS,
	  EVENT SAY("rocm", "6.2.0") "INSERT INTO framework (environment, name, source, origin)"
				     " VALUES ('/', 'ollama', 's', 'observed');",
	  12 },
	{ "the target that is seen here, with a line of its own", TARGET SHOWS OWN,
	  EVENT SEE("gfx1100"), 12 },
	{ "which adds nothing to a line that many failures print", TARGET SHOWS,
	  EVENT SEE("gfx1100"), 0 },
	{ "another target is seen here", TARGET SHOWS, EVENT SEE("gfx1030"), 0 },
	{ "what is only seen makes no defect of a text that shows none", TARGET, SEE("gfx1100"),
	  0 },
	{ "nobody spoke of version and GPU", WINDOW TARGET SHOWS, EVENT, 0, true },
	{ "one of two is open: the square of a half", WINDOW TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1100"), 3, .uncured = true },
	{ "one of two is broken", WINDOW TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1100") SAY("rocm", "7.0"), 0 },
	{ "a word is the beginning of the value", TARGET SHOWS, EVENT SAY("gfx", "gfx1101:xnack-"),
	  12 },
	{ "another target", TARGET SHOWS, EVENT SAY("gfx", "gfx1030"), 0 },
	{ "two cards, one of which fits: the square of a half", TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1036") SAY("gfx", "gfx1100"), 3 },
	{ "two cards that both fit", TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1101") SAY("gfx", "gfx1100"), 12 },
	{ "two cards, and a version that fits: the square of three quarters", WINDOW TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1036") SAY("gfx", "gfx1100") SAY("rocm", "6.2.0"), 6 },
	{ "a card that was named counts whole, whatever else is seen here", TARGET SHOWS,
	  EVENT SAY("gfx", "gfx1100") SEE("gfx1036"), 12 },
	{ "versions without the failure that it shows", WINDOW SHOWS, SAY("rocm", "6.2.0"), 0 },
	{ "it shows nothing in a log: versions are enough", WINDOW, SAY("rocm", "6.2.0"), 12 },
	{ "but not if they are open", WINDOW TARGET, SAY("rocm", "6.2.0"), 0 },
	{ "it asks for no version", SHOWS, EVENT, 12 },
	{ "what is said has no version in it", WINDOW SHOWS,
	  EVENT "INSERT INTO statement VALUES ('rocm', 'newest', NULL, 's', 'stated');", 0, true },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf inserts BUF_SCOPED = { 0 };
		struct facts *facts = facts_new();
		struct arena arena = { 0 };
		struct defect_fit *fits = NULL;
		size_t count = 0;
		unsigned char *bytes;
		int got;

		buf_addf(&inserts, "%s%s%s%s", SIGNATURES, CAUSE("rocm-regression", "problem", -20),
			 DEFECT, cases[i].knowledge);
		bytes = kb_with(facts, inserts.data);
		CHECK(sqlite3_exec(facts_db(facts), cases[i].said, NULL, NULL, NULL) == SQLITE_OK);
		CHECK_INT(defects_find(facts_db(facts), true, &arena, &fits, &count), 0);
		got = count ? fits[0].weight : 0;
		if (!check_note(got == cases[i].want, __FILE__, __LINE__, cases[i].why))
			printf("  got %d, want %d\n", got, cases[i].want);
		if (count) {
			CHECK_TEXT(fits[0].cause, "rocm-regression");
			CHECK_TEXT(fits[0].beyond, cases[i].beyond ? cases[i].beyond : "");
			CHECK_INT(fits[0].is_unproven, cases[i].is_unproven);
			CHECK_TEXT(fits[0].unchecked ? fits[0].unchecked : "",
				   cases[i].unchecked ? cases[i].unchecked : "");
			check_note(!fits[0].cure == cases[i].uncured, __FILE__, __LINE__,
				   cases[i].why);
		}
		arena_done(&arena);
		facts_free(facts);
		sqlite3_free(bytes);
	}
	return check_end();
}
