/* Words for weights: what number they become, and which tables of such numbers are refused. */

#include "check-kb.h"
#include "check-sql.h"

#include <sqlite3.h>
#include <stdio.h>

#define CAUSE                                                                                       \
	"cause: too-hot\n"                                                                          \
	"title: \"{subject} is too hot\"\n"                                                         \
	"story: >\n"                                                                                \
	"  It burns.\n"                                                                             \
	"scope: gpu\n"                                                                              \
	"severity: problem\n"                                                                       \
	"action: watch\n"                                                                           \
	"share: common\n"                                                                           \
	"evidence:\n"                                                                               \
	"  - id: hot\n"                                                                             \
	"    weight: strong\n"                                                                      \
	"    says: \"{subject}: {value} degrees\"\n"                                                \
	"    when: |\n"                                                                             \
	"      SELECT address AS subject, value, source, origin FROM sensor WHERE value > 100\n"    \
	"  - id: said-hot\n"                                                                        \
	"    weight: strong\n"                                                                      \
	"    says: \"{value}\"\n"                                                                   \
	"    when: SELECT '' AS subject, value, source, origin FROM statement WHERE name = 'os'\n"  \
	"  - id: warm\n"                                                                            \
	"    weight: exactly 3\n"                                                                   \
	"    says: \"{value} degrees\"\n"                                                           \
	"    when: SELECT address AS subject, value, source, origin FROM sensor WHERE value > 80\n" \
	"rules-out:\n"                                                                              \
	"  - id: cold\n"                                                                            \
	"    weight: proves\n"                                                                      \
	"    says: \"{value} degrees\"\n"                                                           \
	"    when: SELECT address AS subject, value, source, origin FROM sensor WHERE value < 9\n"  \
	"undecided: \"a look at it\"\n"                                                             \
	"remedies: [cool-it]\n"                                                                     \
	"sources:\n"                                                                                \
	"  - {class: inferred, ref: \"this test\"}\n"

#define SIGNATURES                                        \
	"signatures: oven\n"                              \
	"list:\n"                                         \
	"  - id: oven-hot\n"                              \
	"    kind: failure\n"                             \
	"    says: \"the oven is hot\"\n"                 \
	"    literals: [\"oven is too hot\"]\n"           \
	"    suggests: {too-hot: fair}\n"                 \
	"    examples: [\"oven is too hot\"]\n"           \
	"    sources:\n"                                  \
	"      - {class: inferred, ref: \"this test\"}\n" \
	"  - id: oven-cold\n"                             \
	"    kind: failure\n"                             \
	"    says: \"the oven is cold\"\n"                \
	"    literals: [\"oven is too cold\"]\n"          \
	"    against: {too-hot: proves}\n"                \
	"    examples: [\"oven is too cold\"]\n"          \
	"    sources:\n"                                  \
	"      - {class: inferred, ref: \"this test\"}\n"

#define DEFECTS                                  \
	"defects: oven\n"                        \
	"list:\n"                                \
	"  - id: old-oven\n"                     \
	"    component: oven\n"                  \
	"    cause: too-hot\n"                   \
	"    title: \"old ovens are too hot\"\n" \
	"    cure: \"A new one.\"\n"             \
	"    cures: [hardware]\n"                \
	"    weight: weak\n"                     \
	"    signatures: [oven-hot]\n"           \
	"    source: \"this test\"\n"

#define ROW(name, value) "  - {name: " name ", value: " value ", meaning: x, source: x}\n"
#define BELIEF                                                                                     \
	"table: belief\nclass: inferred\nchecked: 2026-11-15\nrows:\n" ROW("line-weak", "2")       \
		ROW("line-fair", "4") ROW("line-strong", "7") ROW("line-proves", "10")             \
			ROW("fact-weak", "10") ROW("fact-fair", "15") ROW("fact-strong", "30")     \
				ROW("fact-proves", "45") ROW("defect-weak", "8")                   \
					ROW("share-rare", "-20") ROW("share-usual", "-11")         \
						ROW("share-common", "-9") ROW("prior-rare", "-30") \
							ROW("prior-usual", "-21")

static int compile_with(const char *from, const char *to, struct faults *faults, struct buf *ret)
{
	char *belief = spoil(BELIEF, from, to);
	struct compile_file files[] = {
		{ "VERSION", span_of(KB_VERSION) },
		{ "causes/too-hot.yaml", span_of(CAUSE) },
		{ "defects/oven.yaml", span_of(DEFECTS) },
		{ "remedies/cool-it.yaml", span_of(KB_REMEDY) },
		{ "signatures/oven.yaml", span_of(SIGNATURES) },
		{ "tables/belief.yaml", span_of(belief) },
	};
	int r = compile(files, sizeof(files) / sizeof(files[0]), faults, ret);

	free(belief);
	return r;
}

static void test_words(void)
{
	struct faults faults = { 0 };
	struct buf bytes = { 0 };
	sqlite3 *db = NULL;

	if (!CHECK(compile_with(NULL, NULL, &faults, &bytes) == 0)) {
		printf("%s\n", faults.text.data);
		return;
	}
	sqlite3_open(":memory:", &db);
	sqlite3_deserialize(db, "main", (unsigned char *)bytes.data, (sqlite3_int64)bytes.len,
			    (sqlite3_int64)bytes.len, SQLITE_DESERIALIZE_READONLY);
	CHECK_TEXT(sql_text(db, "SELECT share || ' ' || prior FROM cause"), "-9 -21");
	CHECK_TEXT(sql_text(db, "SELECT group_concat(id || ' ' || weight, ', ') FROM"
				" (SELECT * FROM evidence ORDER BY position)"),
		   "hot 30, said-hot 7, warm 3, cold -45");
	CHECK_TEXT(sql_text(db, "SELECT group_concat(signature || ' ' || weight, ', ') FROM"
				" (SELECT * FROM suggests ORDER BY signature)"),
		   "oven-cold -10, oven-hot 4");
	CHECK_TEXT(sql_text(db, "SELECT weight FROM defect"), "8");
	sqlite3_close(db);
	buf_done(&bytes);
}

/* One row that is spoilt, and the first fault. */
static const struct {
	const char *from, *to, *says;
} cases[] = {
	{ ROW("line-fair", "4"), "",
	  "signatures/oven.yaml:7: too-hot: fair has no number: row line-fair of tables/belief.yaml" },
	{ "line-fair, value: 4", "line-fair, value: 2",
	  "tables/belief.yaml:6: line-fair must be greater than line-weak" },
	{ "fact-proves, value: 45", "fact-proves, value: 30",
	  "tables/belief.yaml:12: fact-proves must be greater than fact-strong" },
	{ "share-usual, value: -11", "share-usual, value: -9",
	  "tables/belief.yaml:16: share-common must be greater than share-usual" },
	{ "prior-rare", "prior-seldom",
	  "tables/belief.yaml:17: no number of belief: prior-seldom" },
	{ "prior-rare", "unheard-too-cold",
	  "tables/belief.yaml:17: no number of belief: unheard-too-cold" },
	{ "defect-weak, value: 8", "defect-weak, value: 31",
	  "defects/oven.yaml:9: weight: weak has no number: row defect-weak of tables/belief.yaml" },
	{ "prior-usual, value: -21", "prior-usual, value: 11",
	  "tables/belief.yaml:18: prior-usual is a whole number from -60 to 10" },
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct faults faults = { 0 };
		struct buf bytes = { 0 };

		CHECK_INT(compile_with(cases[i].from, cases[i].to, &faults, &bytes), -EBADMSG);
		CHECK(faults.count > 0);
		buf_get(&faults.text);
		faults.text.data[strcspn(faults.text.data, "\n")] = '\0';
		CHECK_TEXT(faults.text.data, cases[i].says);
		buf_done(&faults.text);
		buf_done(&bytes);
	}
}

int main(void)
{
	test_words();
	test_faults();
	return check_end();
}
