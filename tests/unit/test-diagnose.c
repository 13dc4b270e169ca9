#include <errno.h>

#include "check-diagnose.h"
#include "diagnose/diagnose.h"
#include "diagnose/gaps.h"

/*
 * Facts are made by hand: two GPUs behind bridges, and what a case adds. The
 * statements of the knowledge are as short as they can be, so that a row of
 * the tables below shows all that matters.
 */
#define GPUS                                                                                  \
	"INSERT INTO gpu (address, vendor_id, source) VALUES ('0000:03:00.0', '1002', 'g3')," \
	"('0000:06:00.0', '1002', 'g6');"                                                     \
	"INSERT INTO pcie (gpu, hop, address, source) VALUES"                                 \
	"('0000:03:00.0', 0, '0000:03:00.0', 'p'), ('0000:03:00.0', 1, '0000:00:01.1', 'p')," \
	"('0000:06:00.0', 0, '0000:06:00.0', 'p'), ('0000:06:00.0', 1, '0000:00:03.1', 'p');"
#define GAP(topic, subject, standing) \
	"INSERT INTO gap VALUES ('" topic "', '" subject "', '" standing "', 'E', NULL);"

#define PLACES                                                                                             \
	"INSERT INTO environment (prefix, kind, source) VALUES ('/a', 'venv', 's'), ('/b', 'conda', 's')," \
	"('/a/in', 'venv', 's'), ('/usr', 'system', 's');"

#define LOG(class)                                                                                     \
	"INSERT INTO kernel_log (seq, boot, class, severity, text, source) VALUES (1, 'this', '" class \
		"', 'info', 't', 's');"

#define ROW(subject, value)                           \
	"SELECT ''" subject "'' AS subject, ''" value \
	"'' AS value, ''src'' AS source, ''observed'' AS origin"
#define SAID(subject, value)                          \
	"SELECT ''" subject "'' AS subject, ''" value \
	"'' AS value, ''src'' AS source, ''log'' AS origin"
#define NOTHING  ROW("", "") " FROM env WHERE 0"
#define EACH_GPU "SELECT address AS subject, vendor_id AS value, source, origin FROM gpu"

#define A "0000:03:00.0"
#define B "0000:06:00.0"

static struct facts *facts_with(const char *inserts)
{
	struct facts *f = facts_new();
	char *error = NULL;

	if (!CHECK(f))
		exit(1);
	if (sqlite3_exec(facts_db(f), inserts, NULL, NULL, &error) != SQLITE_OK)
		printf("%s\n", error);
	CHECK(!error);
	sqlite3_free(error);
	sqlite3_exec(facts_db(f), "COMMIT", NULL, NULL, NULL);
	return f;
}

/* "verdict | cause subject belief sum [< because] ..." */
static const char *told(const struct diagnosis *d)
{
	static struct buf out;

	buf_clear(&out);
	buf_addf(&out, "%s |", diagnose_verdict_name(d->verdict));
	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		buf_addf(&out, " %s %s %s %d%s%s;", f->cause, f->subject[0] ? f->subject : "-",
			 belief_name(f->belief), f->sum, f->because_of ? " < " : "",
			 f->because_of ? f->because_of : "");
	}
	return out.data;
}

static const struct {
	const char *why;
	const char *facts;
	const char *kb;
	const char *want;
} cases[] = {
	{ "nothing known, nothing wrong", "", "", "ready |" },
	{ "no rows and no gap is no", "",
	  CAUSE("c", "problem", -20) RULE("c", "e", 40, NOTHING, "env"), "ready |" },
	{ "prior and weight make the odds: certain from 20", "",
	  CAUSE("c", "problem", -20) RULE("c", "e", 40, ROW("", "v"), "env"),
	  "not_ready | c - certain 20;" },
	{ "one deciban less is likely", "",
	  CAUSE("c", "problem", -20) RULE("c", "e", 39, ROW("", "v"), "env"),
	  "not_ready | c - likely 19;" },
	{ "likely from 7", "", CAUSE("c", "warning", -20) RULE("c", "e", 27, ROW("", "v"), "env"),
	  "degraded | c - likely 7;" },
	{ "below the line nothing is said", "",
	  CAUSE("c", "problem", -20) RULE("c", "e", 26, ROW("", "v"), "env"), "ready |" },
	{ "info never changes the verdict", "",
	  CAUSE("c", "info", -20) RULE("c", "e", 45, ROW("", "v"), "env"),
	  "ready | c - certain 25;" },
	{ "a severity of later knowledge must not alarm", "",
	  CAUSE("c", "catastrophe", -20) RULE("c", "e", 45, ROW("", "v"), "env"),
	  "ready | c - certain 25;" },
	{ "each subject is weighed by itself", GPUS,
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, EACH_GPU, "gpu gpu.address"),
	  "not_ready | c " A " certain 25; c " B " certain 25;" },
	{ "a row about the machine counts for every subject", GPUS,
	  CAUSE("c", "problem", -40) RULE("c", "e", 35, EACH_GPU, "gpu")
		  RULE("c", "m", 15, ROW("", "v"), "env"),
	  "not_ready | c " A " likely 10; c " B " likely 10;" },
	{ "a row of one subject does not count for the other", GPUS,
	  CAUSE("c", "problem", -40) RULE("c", "e", 35, EACH_GPU, "gpu")
		  RULE("c", "m", 15, ROW(A, "v"), "env"),
	  "not_ready | c " A " likely 10;" },
	{ "what rules out one subject leaves the other", GPUS,
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, EACH_GPU, "gpu")
		  RULE("c", "r", -30, ROW(B, "v"), "env"),
	  "not_ready | c " A " certain 25;" },
	{ "of a group only the strongest counts", "",
	  CAUSE("c", "problem", -20) RULE_MORE("c", "a", 12, "'g'", ROW("", "v"), 0, "NULL", "env")
		  RULE_MORE("c", "b", 30, "'g'", ROW("", "v"), 0, "NULL", "env")
			  RULE_MORE("c", "d", 9, "'h'", ROW("", "v"), 0, "NULL", "env"),
	  "not_ready | c - likely 19;" },
	{ "what is only said counts ten at most", "",
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, SAID("", "v"), "env"), "ready |" },
	{ "also against a cause", "",
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, ROW("", "v"), "env")
		  RULE("c", "r", -40, SAID("", "v"), "env"),
	  "not_ready | c - likely 15;" },
	{ "seen beats said where a statement gives both", "",
	  CAUSE("c", "problem", -20)
		  RULE("c", "e", 45, SAID("", "a") " UNION ALL " ROW("", "b"), "env"),
	  "not_ready | c - certain 25;" },
	{ "unknown alone is no reason to speak", GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, NOTHING, "env"), "ready |" },
	{ "unknown that could lift it, with something that speaks: undecided",
	  GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "env"),
	  "undecided | c - undecided -5;" },
	{ "what is missing of a file in another environment does not count",
	  PLACES GAP("library", "/b/lib/x.so", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("/a", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "library"),
	  "ready |" },
	{ "of one inside this one, and of the system's, it does",
	  PLACES GAP("library", "/usr/lib/x.so", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("/a", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "library"),
	  "undecided | c /a undecided -5;" },
	{ "of an environment inside another one it is the inner one's",
	  PLACES GAP("library", "/a/in/lib/x.so", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("/a", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "library"),
	  "ready |" },
	{ "undecided below one in five stays ready", GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 14, ROW("", "v"), "gpu")
		  RULE("c", "u", 13, NOTHING, "env"),
	  "ready | c - undecided -6;" },
	{ "an undecided warning leaves ready", GAP("env", "", "denied"),
	  CAUSE("c", "warning", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "env"),
	  "ready | c - undecided -5;" },
	{ "unknown that cannot lift it is silent", GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 11, NOTHING, "env"),
	  "ready |" },
	{ "two unknowns of one group lift once", GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE_MORE("c", "u", 11, "'g'", NOTHING, 0, "NULL", "env")
			  RULE_MORE("c", "w", 11, "'g'", NOTHING, 0, "NULL", "env"),
	  "ready |" },
	{ "a cause that an unknown could rule out is undecided, not believed",
	  GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, ROW("", "v"), "gpu")
		  RULE("c", "r", -30, NOTHING, "env"),
	  "undecided | c - undecided 25;" },
	{ "and one that it could only weaken is believed as far", GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, ROW("", "v"), "gpu")
		  RULE("c", "r", -10, NOTHING, "env"),
	  "not_ready | c - likely 25;" },
	{ "a gap on a column that is read counts", GAP("env.value", "X", "broken"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "env env.name env.value"),
	  "undecided | c - undecided -5;" },
	{ "a gap on another column does not", GAP("env.value", "X", "broken"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "env env.name"),
	  "ready |" },
	{ "a gap on the table counts where only a column is named", GAP("env", "", "unasked"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "env.name"),
	  "undecided | c - undecided -5;" },
	{ "a table that is absent is an answer", GAP("env", "", "absent"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "env"),
	  "ready |" },
	{ "a column that is absent is not", GAP("env.value", "", "absent"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "env.value"),
	  "undecided | c - undecided -5;" },
	{ "a gap of another GPU says nothing about this one", GPUS GAP("ras", B, "stuck"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, EACH_GPU, "gpu")
		  RULE("c", "u", 12, NOTHING, "ras"),
	  "undecided | c " B " undecided -5;" },
	{ "a gap of a bridge counts for the GPU below it",
	  GPUS GAP("pcie.acs", "0000:00:01.1", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, EACH_GPU, "gpu")
		  RULE("c", "u", 12, NOTHING, "pcie.acs"),
	  "undecided | c " A " undecided -5;" },
	{ "a gap of a device that nobody placed counts for all",
	  GPUS GAP("pcie.acs", "0000:99:01.1", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, EACH_GPU, "gpu")
		  RULE("c", "u", 12, NOTHING, "pcie.acs"),
	  "undecided | c " A " undecided -5; c " B " undecided -5;" },
	{ "a partition shares the gaps of its function", GPUS GAP("ras", A, "stuck"),
	  CAUSE("c", "problem", -20)
		  RULE("c", "e", 15, ROW(A "/p1", "v") " UNION ALL " ROW(B "/p1", "v"), "gpu")
			  RULE("c", "u", 12, NOTHING, "ras"),
	  "undecided | c " A "/p1 undecided -5;" },
	{ "any gap counts for the machine", GPUS GAP("ras", A, "stuck"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "ras"),
	  "undecided | c - undecided -5;" },
	{ "any gap counts for a path", GPUS GAP("ras", A, "stuck"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("/dev/kfd", "v"), "gpu")
		  RULE("c", "u", 12, NOTHING, "ras"),
	  "undecided | c /dev/kfd undecided -5;" },
	{ "rows are believed in spite of a gap", GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, ROW("", "v"), "env"),
	  "not_ready | c - certain 25;" },
	{ "but not those of a conclusion from absence", GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20)
		  RULE_MORE("c", "e", 45, "NULL", ROW("", "v"), 1, "NULL", "env"),
	  "ready |" },
	{ "which needs a gap that concerns its subject", GPUS GAP("ras", A, "denied"),
	  CAUSE("c", "problem", -20)
		  RULE_MORE("c", "e", 45, "NULL", EACH_GPU, 1, "NULL", "gpu ras"),
	  "not_ready | c " B " certain 25;" },
	{ "a closed gate is no", GAP("env", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE_MORE("c", "u", 12, "NULL", ROW("", "v") " FROM service JOIN env", 0,
			    "'service'", "env service"),
	  "ready |" },
	{ "or unknown, if the gate itself has a gap", GAP("service.pid", "x", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu") RULE_MORE(
		  "c", "u", 12, "NULL", ROW("", "v") " FROM service", 0, "'service'", "service"),
	  "undecided | c - undecided -5;" },
	{ "a gate that is a view is judged by what it stands on", GAP("gpu", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "env") RULE_MORE(
		  "c", "u", 12, "NULL", ROW("", "v") " FROM vram", 0, "'vram'", "gpu vram"),
	  "undecided | c - undecided -5;" },
	{ "a gate of values is closed without any of them", LOG("x"),
	  CAUSE("c", "problem", -20) RULE_MORE("c", "e", 45, "NULL", ROW("", "v"), 0,
					       "'kernel_log.class y z'", "kernel_log"),
	  "ready |" },
	{ "and open with one", LOG("z"),
	  CAUSE("c", "problem", -20) RULE_MORE("c", "e", 45, "NULL", ROW("", "v"), 0,
					       "'kernel_log.class y z'", "kernel_log"),
	  "not_ready | c - certain 25;" },
	{ "two gates on one column", LOG("z"),
	  CAUSE("a", "problem", -20) RULE_MORE("a", "e", 45, "NULL", ROW("", "v"), 0,
					       "'kernel_log.class y'", "kernel_log")
		  CAUSE("c", "problem", -20) RULE_MORE("c", "e", 45, "NULL", ROW("", "v"), 0,
						       "'kernel_log.class z'", "kernel_log"),
	  "not_ready | c - certain 25;" },
	{ "closed where the log may not be read is unknown",
	  GAP("kernel_log", "kernel-log", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu") RULE_MORE(
		  "c", "u", 12, "NULL", ROW("", "v"), 0, "'kernel_log.class z'", "kernel_log"),
	  "undecided | c - undecided -5;" },
	{ "a column that there is not leaves it open", "",
	  CAUSE("c", "problem", -20) RULE_MORE("c", "e", 45, "NULL", ROW("", "v"), 0,
					       "'kernel_log.colour z'", "kernel_log"),
	  "not_ready | c - certain 25;" },
	{ "a gate with a wild name is open", "",
	  CAUSE("c", "problem", -20)
		  RULE_MORE("c", "e", 45, "NULL", ROW("", "v"), 0, "'a b\"; DROP'", "gpu"),
	  "not_ready | c - certain 25;" },
	{ "every term of a gate must hold", GPUS LOG("z"),
	  CAUSE("c", "problem", -20) RULE_MORE("c", "e", 45, "NULL", ROW("", "v"), 0,
					       "'gpu; kernel_log.class y'", "gpu kernel_log"),
	  "ready |" },
	{ "and all of them open it", GPUS LOG("z"),
	  CAUSE("c", "problem", -20) RULE_MORE("c", "e", 45, "NULL", ROW("", "v"), 0,
					       "'gpu; kernel_log.class z'", "gpu kernel_log"),
	  "not_ready | c - certain 25;" },
	{ "one term that is known to be shut is a no", GPUS GAP("kernel_log", "", "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE_MORE("c", "u", 12, "NULL", ROW("", "v"), 0, "'kernel_log.class z; service'",
			    "kernel_log service"),
	  "ready |" },
	{ "a gap in another column leaves a shut value shut", GPUS GAP("gpu.driver", A, "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE_MORE("c", "u", 12, "NULL", ROW("", "v"), 0, "'gpu.integrated 1'",
			    "gpu gpu.driver gpu.integrated"),
	  "ready |" },
	{ "one in its own column does not", GPUS GAP("gpu.integrated", A, "denied"),
	  CAUSE("c", "problem", -20) RULE("c", "e", 15, ROW("", "v"), "gpu")
		  RULE_MORE("c", "u", 12, "NULL", ROW("", "v"), 0, "'gpu.integrated 1'",
			    "gpu gpu.driver gpu.integrated"),
	  "undecided | c - undecided -5;" },
	{ "an open gate asks", GPUS,
	  CAUSE("c", "problem", -20) RULE_MORE("c", "e", 45, "NULL", EACH_GPU, 0, "'gpu'", "gpu"),
	  "not_ready | c " A " certain 25; c " B " certain 25;" },
	{ "a consequence stands behind its cause and says so", "",
	  CAUSE("a", "problem", -20) RULE("a", "e", 60, ROW("", "v"), "env") CAUSE(
		  "b", "problem", -20) RULE("b", "e", 45, ROW("", "v"),
					    "env") "INSERT INTO explained_by VALUES ('a', 'b');",
	  "not_ready | b - certain 25; a - certain 40 < b;" },
	{ "of another subject it is none", "",
	  CAUSE("a", "problem", -20) RULE("a", "e", 60, ROW("x", "v"), "env") CAUSE(
		  "b", "problem", -20) RULE("b", "e", 45, ROW("y", "v"),
					    "env") "INSERT INTO explained_by VALUES ('a', 'b');",
	  "not_ready | a x certain 40; b y certain 25;" },
	{ "the machine explains every subject", "",
	  CAUSE("a", "problem", -20) RULE("a", "e", 60, ROW("x", "v"), "env") CAUSE(
		  "b", "problem", -20) RULE("b", "e", 45, ROW("", "v"),
					    "env") "INSERT INTO explained_by VALUES ('a', 'b');",
	  "not_ready | b - certain 25; a x certain 40 < b;" },
	{ "what is only undecided explains nothing", GAP("env", "", "denied"),
	  CAUSE("a", "problem", -20) RULE("a", "e", 60, ROW("", "v"), "gpu") CAUSE(
		  "b", "problem", -20) RULE("b", "e", 15, ROW("", "v"), "gpu")
		  RULE("b", "u", 12, NOTHING, "env") "INSERT INTO explained_by VALUES ('a', 'b');",
	  "not_ready | a - certain 40; b - undecided -5;" },
	{ "two that explain each other: the stronger is the cause", "",
	  CAUSE("a", "problem", -20) RULE("a", "e", 60, ROW("", "v"), "env")
		  CAUSE("b", "problem", -20)
			  RULE("b", "e", 45, ROW("", "v"),
			       "env") "INSERT INTO explained_by VALUES ('a', 'b'), ('b', 'a');",
	  "not_ready | a - certain 40; b - certain 25 < a;" },
	{ "severity goes before the sum, then the name, then the subject", "",
	  CAUSE("z", "warning", 0) RULE("z", "e", 60, ROW("", "v"), "env") CAUSE("y", "problem", 0)
		  RULE("y", "e", 30, ROW("q", "v") " UNION ALL " ROW("p", "v"), "env")
			  CAUSE("x", "problem", 0) RULE("x", "e", 30, ROW("r", "v"), "env"),
	  "not_ready | x r certain 30; y p certain 30; y q certain 30; z - certain 60;" },
	{ "a statement that fails has no say, and nothing is called ready", "",
	  CAUSE("c", "problem", -20) RULE("c", "e", 45, ROW("", "v"), "env")
		  RULE("c", "f", 5, "SELECT nonsense", "env"),
	  "undecided |" },
	{ "one that writes is refused", "",
	  CAUSE("c", "problem", 0) RULE("c", "e", 45, "DELETE FROM env", "env"), "undecided |" },
	{ "one that runs on is given up", GPUS,
	  CAUSE("c", "problem", 0) RULE(
		  "c", "e", 45,
		  "SELECT a.hop AS subject, 1 AS value, 1 AS source, 1 AS origin FROM pcie a, pcie b, pcie c, pcie d, pcie e, pcie f, pcie g, pcie h, pcie i, pcie j WHERE a.hop + b.hop + c.hop + d.hop + e.hop + f.hop + g.hop + h.hop + i.hop + j.hop > 99",
		  "pcie"),
	  "undecided |" },
};

static void check_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct facts *f = facts_with(cases[i].facts);
		unsigned char *kb = kb_with(f, cases[i].kb);
		struct diagnosis d;
		struct diagnosis again;

		if (!CHECK(diagnose(facts_db(f), NULL, &d) == 0) ||
		    !CHECK(diagnose(facts_db(f), NULL, &again) == 0))
			continue;
		if (!check_note(strcmp(told(&d), cases[i].want) == 0, __FILE__, __LINE__,
				cases[i].why))
			printf("  got  \"%s\"\n  want \"%s\"\n", told(&d), cases[i].want);
		check_note(strcmp(told(&again), cases[i].want) == 0, __FILE__, __LINE__,
			   "a second time");
		diagnose_done(&again);
		diagnose_done(&d);
		facts_free(f);
		sqlite3_free(kb);
	}
}

/* What a case line does not show: sentences, states, counts. */

static void check_sentences(void)
{
	struct facts *f = facts_with("");
	unsigned char *kb = kb_with(
		f,
		CAUSE("c", "problem", -20) RULE(
			"c", "e", 45,
			"SELECT ''x'' AS subject, CAST(x''1b5b33316d'' AS TEXT) || ''{source}%s'' AS value, ''s'' AS source, ''observed'' AS origin",
			"env")
			RULE("c", "m", 15, ROW("", "v"),
			     "env") "UPDATE cause SET story = 'plain'; INSERT INTO remedy VALUES ('r', 'R', 'steps', 'none', NULL, '', '', 1, 'v', NULL, NULL, NULL, 0, NULL, NULL), ('q', 'Q', 'steps', 'none', NULL, '', '', 1, 'v', NULL, NULL, NULL, 0, NULL, NULL);"
				    "INSERT INTO cause_remedy VALUES ('c', 0, 'r'), ('c', 1, 'q');");
	struct diagnosis d;

	CHECK(diagnose(facts_db(f), NULL, &d) == 0);
	CHECK_INT(d.finding_count, 1);
	CHECK_TEXT(d.findings[0].title, "T x \\x1b[31m{source}%s");
	CHECK_TEXT(d.findings[0].signs[0].says, "x is \\x1b[31m{source}%s by s");
	CHECK_TEXT(d.findings[0].signs[1].says, "x is v by src");
	CHECK_INT(d.findings[0].remedy_count, 2);
	CHECK_TEXT(d.findings[0].remedies[0]->id, "r");
	CHECK_TEXT(d.findings[0].remedies[1]->verify, "v");
	diagnose_done(&d);
	facts_free(f);
	sqlite3_free(kb);
}

/* The statement's own order holds, however it is written; without one, that of the bytes. */
static void check_order(void)
{
	static const struct {
		const char *order;
		const char *title;
	} orders[] = {
		{ "", "T x a" },
		{ "ORDER BY 2 DESC", "T x z" },
		{ "order\n\tby 2 DESC", "T x z" },
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		struct facts *facts = facts_of("");
		struct buf kb BUF_SCOPED = { 0 };
		struct diagnosis d;
		unsigned char *bytes;

		buf_addf(&kb,
			 CAUSE("c", "problem", -20)
				 RULE("c", "e", 45,
				      "SELECT ''x'' AS subject, ''a'' AS value, ''s'' AS source, "
				      "''observed'' AS origin UNION ALL "
				      "SELECT ''x'', ''z'', ''s'', ''observed'' %s",
				      "env"),
			 orders[i].order);
		bytes = kb_with(facts, kb.data);
		if (CHECK(diagnose(facts_db(facts), NULL, &d) == 0) && CHECK(d.finding_count == 1))
			CHECK_TEXT(d.findings[0].title, orders[i].title);
		diagnose_done(&d);
		facts_free(facts);
		sqlite3_free(bytes);
	}
}

static void check_states(void)
{
	static const struct {
		const char *cause;
		enum check_state state;
	} want[] = {
		{ "crashed", CHECK_CRASHED },      { "fine", CHECK_OK },
		{ "gated", CHECK_NOT_APPLICABLE }, { "holds", CHECK_PROBLEM },
		{ "open", CHECK_UNDECIDED },
	};
	struct facts *f = facts_with(GAP("env", "", "denied"));
	unsigned char *kb = kb_with(
		f,
		CAUSE("holds", "warning", 0) RULE("holds", "e", 30, ROW("", "v"), "gpu") CAUSE(
			"fine", "warning", 0) RULE("fine", "e", 30, ROW("", "v") " FROM gpu", "gpu")
			RULE("fine", "r", -30, "SELECT wrong", "gpu") CAUSE(
				"open", "problem", -20) RULE("open", "e", 15, ROW("", "v"), "gpu")
				RULE("open", "u", 12, NOTHING, "env") CAUSE("gated", "problem", -20)
					RULE_MORE("gated", "e", 15, "NULL",
						  ROW("", "v") " FROM ras", 0, "'ras'",
						  "ras") CAUSE("crashed", "problem", -20)
						RULE("crashed", "e", 50, "SELECT 1", "ras"));
	struct diagnosis d;

	CHECK(diagnose(facts_db(f), NULL, &d) == 0);
	CHECK_INT(d.check_count, 5);
	for (size_t i = 0; i < d.check_count && i < 5; i++) {
		CHECK_TEXT(d.checks[i].cause, want[i].cause);
		CHECK_TEXT(diagnose_state_name(d.checks[i].state),
			   diagnose_state_name(want[i].state));
	}
	CHECK_TEXT(d.checks[0].error, "e: the columns must be subject, value, source, origin");
	CHECK(d.checks[3].steps > 0);
	CHECK_INT(d.statements, 7);
	CHECK_INT(d.prepared, 5); /* not the gated one, not what would rule out nothing */
	diagnose_done(&d);
	CHECK_INT(diagnose(facts_db(f), "nowhere", &d), -ENOENT);
	facts_free(f);
	sqlite3_free(kb);
}

#define LOOKS CAUSE("one", "problem", -20) RULE("one", "e", 50, ROW("", "v") " FROM ras", "ras")
#define FAILS CAUSE("one", "problem", -20) RULE("one", "e", 50, "SELECT 1", "ras")

/* What was not looked at is not ready: a check without an end, a question whose turn did not come. */
static void check_ignorance(void)
{
	static const struct {
		const char *why, *rows, *knowledge;
		enum verdict want;
	} ignorant[] = {
		{ "everything was looked at", "", LOOKS, VERDICT_READY },
		{ "a check was stopped", "", FAILS, VERDICT_UNDECIDED },
		{ "the time was over",
		  "INSERT INTO gap (topic, subject, standing, detail) VALUES ('limits', '', "
		  "'unasked', 'LATE');",
		  LOOKS, VERDICT_UNDECIDED },
		{ "no more files may be opened",
		  "INSERT INTO gap (topic, subject, standing, detail) VALUES ('limits', '', "
		  "'broken', 'EMFILE');",
		  LOOKS, VERDICT_UNDECIDED },
		{ "a file could not be read",
		  "INSERT INTO gap (topic, subject, standing, detail) VALUES ('limits', '', "
		  "'broken', 'EIO');",
		  LOOKS, VERDICT_READY },
		{ "nobody wanted to ask", GAP("limits", "", "unasked"), LOOKS, VERDICT_READY },
	};

	for (size_t i = 0; i < sizeof(ignorant) / sizeof(ignorant[0]); i++) {
		struct facts *f = facts_with(ignorant[i].rows);
		struct diagnosis d;
		unsigned char *kb;

		kb = kb_with(f, ignorant[i].knowledge);
		CHECK(diagnose(facts_db(f), NULL, &d) == 0);
		CHECK_TEXT(diagnose_verdict_name(d.verdict),
			   diagnose_verdict_name(ignorant[i].want));
		diagnose_done(&d);
		facts_free(f);
		sqlite3_free(kb);
	}
}

/* --why: every line, also of a cause that does not hold. */
static void check_why(void)
{
	struct facts *f = facts_with(GPUS GAP("env", "", "denied"));
	unsigned char *kb =
		kb_with(f, CAUSE("c", "problem", -30) RULE_MORE("c", "weak", 5, "'g'", EACH_GPU, 0,
								"NULL", "gpu")
				   RULE_MORE("c", "strong", 9, "'g'", ROW(A, "v"), 0, "NULL",
					     "gpu") RULE("c", "unknown", 6, NOTHING, "env")
					   RULE("c", "no", 6, NOTHING, "gpu")
						   RULE("c", "against", -7, ROW("", "v"), "gpu"));
	static const int counted[] = { 0, 9, 0, 0, -7 };
	static const enum answer answers[] = { ANSWER_YES, ANSWER_YES, ANSWER_UNKNOWN, ANSWER_NO,
					       ANSWER_YES };
	struct diagnosis d;

	CHECK(diagnose(facts_db(f), "c", &d) == 0);
	CHECK_TEXT(told(&d), "ready | c " A " nothing -28; c " B " nothing -32;");
	CHECK_INT(d.findings[0].most, -22);
	for (size_t i = 0; i < d.findings[0].sign_count && i < 5; i++) {
		CHECK_INT(d.findings[0].signs[i].counted, counted[i]);
		CHECK_INT(d.findings[0].signs[i].answer, answers[i]);
	}
	CHECK_TEXT(d.findings[0].signs[2].why, "env denied (E)");
	diagnose_done(&d);
	facts_free(f);
	sqlite3_free(kb);
}

/* The strongest first: what could not lift the cause by itself is left unasked. */
static void check_thrift(void)
{
	static const struct {
		const char *why;
		const char *facts;
		size_t prepared;
		const char *want;
	} rows[] = {
		{ "the main evidence says no", "", 1, "ready |" },
		{ "it is unknown", GAP("env", "", "denied"), 3, "ready | c - undecided -8;" },
	};

	for (size_t i = 0; i < 2; i++) {
		struct facts *f = facts_with(rows[i].facts);
		unsigned char *kb = kb_with(
			f, CAUSE("c", "problem", -20) RULE("c", "weak", 12, ROW("", "v"), "gpu")
				   RULE("c", "main", 45, NOTHING, "env")
					   RULE("c", "against", -5, NOTHING, "gpu"));
		struct diagnosis d;

		CHECK(diagnose(facts_db(f), NULL, &d) == 0);
		CHECK_TEXT(told(&d), rows[i].want);
		check_note(d.prepared == rows[i].prepared, __FILE__, __LINE__, rows[i].why);
		if (d.finding_count > 0)
			CHECK_TEXT(d.findings[0].signs[0].id,
				   "weak"); /* in the order of the file */
		diagnose_done(&d);
		facts_free(f);
		sqlite3_free(kb);
	}
}

/* A remedy with a statement is offered where that has a row, and takes its value. */
static void check_remedies(void)
{
	struct facts *f = facts_with(GPUS);
	unsigned char *kb = kb_with(
		f, CAUSE("c", "problem", -20) RULE("c", "e", 45, EACH_GPU, "gpu") //
		"INSERT INTO remedy SELECT column1, column2, column3, column4, NULL, '', '', 1, coalesce(column5, ''), NULL, NULL, column6, column7, NULL, NULL FROM (VALUES"
		" ('one', 'For {value}', 'Take {value}:\n    run {value} {subject}\n    x {y}', 'none',"
		"  'look {value}', '" ROW(
			A,
			"it''''s $(here)") "', 1),"
					   " ('plain', 'P {value}', 's', 'none', NULL, NULL, 0),"
					   " ('all', 'A', '    run {value}', 'none', NULL, '" ROW(
						   "",
						   "2.9.1+rocm6.4") "', 1),"
								    " ('none', 'N', 's', 'none', NULL, '" NOTHING
								    "', 1),"
								    " ('bad', 'B', 's', 'none', NULL, 'SELECT nothing', 1));"
								    "INSERT INTO cause_remedy VALUES ('c', 0, 'one'), ('c', 1, 'plain'), ('c', 2, 'all'),"
								    " ('c', 3, 'none'), ('c', 4, 'bad');");
	struct diagnosis d;

	CHECK(diagnose(facts_db(f), NULL, &d) == 0);
	CHECK_INT(d.finding_count, 2);
	CHECK_INT(d.findings[0].remedy_count, 3);
	CHECK_TEXT(d.findings[0].remedies[0]->title, "For it's $(here)");
	CHECK_TEXT(d.findings[0].remedies[0]->steps,
		   "Take it's $(here):\n    run 'it'\\''s $(here)' " A "\n    x {y}");
	CHECK_TEXT(d.findings[0].remedies[0]->verify, "look 'it'\\''s $(here)'");
	CHECK_TEXT(d.findings[0].remedies[1]->title, "P {value}");
	CHECK_TEXT(d.findings[0].remedies[2]->steps, "    run 2.9.1+rocm6.4");
	CHECK_INT(d.findings[1].remedy_count, 2);
	CHECK_TEXT(d.findings[1].remedies[0]->id, "plain");
	diagnose_done(&d);
	facts_free(f);
	sqlite3_free(kb);
}

/* A remedy that nobody could check stands behind those that were, says so, and is not offered alone. */
static void check_unchecked(void)
{
	static const char *const wants[] = { "q r", "r q", "" };
	static const char *const marks[] = { "('r', 'no page')", "('other', 'no page')",
					     "('r', 'no page'), ('q', 'no page')" };

	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		struct facts *f = facts_with("");
		struct buf inserts BUF_SCOPED = { 0 }, got BUF_SCOPED = { 0 };
		struct diagnosis d;
		unsigned char *kb;

		buf_addf(
			&inserts, "%s%s%s%s;",
			CAUSE("c", "problem", -20) RULE("c", "e", 45, ROW("x", "v"), "env"),
			"INSERT INTO remedy VALUES ('r', 'R', 's', 'none', NULL, '', '', 1, 'v', NULL, NULL, NULL, 0, NULL, NULL), ('q', 'Q', 's', 'none', NULL, '', '', 1, 'v', NULL, NULL, NULL, 0, NULL, NULL);"
			"INSERT INTO cause_remedy VALUES ('c', 0, 'r'), ('c', 1, 'q');",
			"INSERT INTO unchecked VALUES ", marks[i]);
		kb = kb_with(f, inserts.data);
		CHECK(diagnose(facts_db(f), NULL, &d) == 0);
		CHECK_INT(d.finding_count, 1);
		for (size_t k = 0; k < d.findings[0].remedy_count; k++)
			buf_addf(&got, "%s%s", k ? " " : "", d.findings[0].remedies[k]->id);
		CHECK_TEXT(got.len ? got.data : "", wants[i]);
		if (i == 0)
			CHECK_TEXT(d.findings[0].remedies[1]->title, "R (not checked: no page)");
		diagnose_done(&d);
		facts_free(f);
		sqlite3_free(kb);
	}
}

/* Where each finding stands, and what is wrong with a subject: acknowledged ones are test-diagnose-ack's. */
static void check_sections(void)
{
	static const struct {
		const char *cause;
		bool holds;
		enum section section;
	} want[] = {
		{ "broken", true, SECTION_CAUSE },    { "slow", true, SECTION_CAUSE },
		{ "part", true, SECTION_CAUSE },      { "myth", true, SECTION_MYTH },
		{ "note", true, SECTION_NOTE },       { "follows", true, SECTION_CONSEQUENCE },
		{ "open", false, SECTION_UNDECIDED }, { "quiet", false, SECTION_SILENT },
	};
	struct facts *f = facts_with(GAP("env", "", "denied"));
	unsigned char *kb = kb_with(
		f, CAUSE("broken", "problem", 0) RULE("broken", "e", 34, ROW(A, "v"), "gpu") //
		CAUSE("slow", "warning", 0) RULE("slow", "e", 33, ROW(A, "v"), "gpu")        //
		CAUSE("part", "warning", 0) RULE("part", "e", 32, ROW(B "/1", "v"), "gpu")   //
		CAUSE("myth", "info", 0) RULE("myth", "e", 31, ROW(A, "v"), "gpu")           //
		CAUSE("note", "info", 0) RULE("note", "e", 30, ROW("/venv", "v"), "gpu")     //
		CAUSE("follows", "problem", 0) RULE("follows", "e", 30, ROW(A, "v"), "gpu")  //
		CAUSE("open", "problem", -20) RULE("open", "e", 15, ROW("", "v"), "gpu")
			RULE("open", "u", 12, NOTHING, "env") //
		CAUSE("quiet", "info", -20) RULE("quiet", "e", 15, ROW("", "v"), "gpu")
			RULE("quiet", "u", 12, NOTHING, "env") //
		"UPDATE cause SET kind = 'myth' WHERE slug = 'myth';"
		"INSERT INTO explained_by VALUES ('follows', 'broken');");
	struct diagnosis d;

	CHECK(diagnose(facts_db(f), NULL, &d) == 0);
	CHECK_INT(d.finding_count, 8);
	for (size_t i = 0; i < d.finding_count && i < 8; i++) {
		CHECK_TEXT(d.findings[i].cause, want[i].cause);
		CHECK_INT(d.findings[i].holds, want[i].holds);
		check_note(d.findings[i].section == want[i].section, __FILE__, __LINE__,
			   want[i].cause);
	}
	CHECK_TEXT(diagnose_wrong_with(&d, A)->cause, "broken");
	CHECK(!diagnose_wrong_with(&d, "/venv")); /* a note is nothing wrong */
	CHECK(!diagnose_wrong_with(&d, B));       /* a partition is not the whole */
	CHECK_TEXT(diagnose_device_severity(&d, A), "problem");
	CHECK_TEXT(diagnose_device_severity(&d, B), "warning");
	CHECK(!diagnose_device_severity(&d, "0000:06:00"));
	diagnose_done(&d);
	facts_free(f);
	sqlite3_free(kb);
}

static void check_gaps_told(void)
{
	struct facts *f = facts_with(
		GAP("gpu", "", "absent") GAP("agent", "", "denied") GAP("pcie.acs", A, "denied") GAP(
			"sensor", A,
			"stuck") "INSERT INTO gap VALUES ('probe', '', 'unasked', 'NOT WALKED', NULL);"
				 "INSERT INTO identity (uid, how, source) VALUES (1000, 'this process', 's');");
	static const char sql[] = "SELECT relation, standing, root_learns FROM " GAPS_TOLD;

	CHECK_TEXT(answer_of(f, sql), "agent|denied|0\npcie|denied|1\nsensor|stuck|0");
	sqlite3_exec(facts_db(f), "UPDATE identity SET uid = 0", NULL, NULL, NULL);
	CHECK_TEXT(answer_of(f, sql), "agent|denied|0\npcie|denied|0\nsensor|stuck|0");
	answer_of(NULL, NULL);
	facts_free(f);
}

int main(void)
{
	check_gaps_told();
	check_sections();
	check_thrift();
	check_cases();
	check_sentences();
	check_order();
	check_remedies();
	check_unchecked();
	check_states();
	check_ignorance();
	check_why();
	return check_end();
}
