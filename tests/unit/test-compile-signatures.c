/* Signatures and defects: what becomes of them, and what is refused. */

#include "check-kb.h"

#include <sqlite3.h>

#define SIGNATURES                                   \
	"signatures: oven\n"                         \
	"list:\n"                                    \
	"  - id: oven-hot\n"                         \
	"    kind: failure\n"                        \
	"    says: \"the oven has {degrees}\"\n"     \
	"    literals: [\"oven is too hot\"]\n"      \
	"    pattern: 'too hot: (?<degrees>\\d+)'\n" \
	"    suggests: {too-hot: 8}\n"               \
	"    states: {vram: \"{degrees}\"}\n"        \
	"    examples: [\"oven is too hot: 300\"]\n" \
	"    near: [\"oven is too hot\"]\n"          \
	"    sources:\n"                             \
	"      - {class: inferred, ref: \"this test\"}\n"

#define DEFECTS                                                          \
	"defects: oven\n"                                                \
	"list:\n"                                                        \
	"  - id: old-oven\n"                                             \
	"    component: oven\n"                                          \
	"    cause: too-hot\n"                                           \
	"    title: \"old ovens are too hot\"\n"                         \
	"    cure: \"A new one.\"\n"                                     \
	"    cures: [hardware]\n"                                        \
	"    fixed-in: \"ROCm 6.2.4\"\n"                                 \
	"    when: {rocm: \"6.2 .. 6.2.4\", gfx: \"gfx1100 gfx1101\"}\n" \
	"    signatures: [oven-hot]\n"                                   \
	"    source: \"this test\"\n"

enum { SIGNATURE, DEFECT };

static int compile_one(int file, const char *from, const char *to, struct faults *faults,
		       struct buf *ret)
{
	char *signatures = spoil(SIGNATURES, file == SIGNATURE ? from : NULL, to);
	char *defects = spoil(DEFECTS, file == DEFECT ? from : NULL, to);
	struct compile_file files[] = {
		{ "VERSION", span_of(KB_VERSION) },
		{ "causes/too-hot.yaml", span_of(KB_CAUSE) },
		{ "remedies/cool-it.yaml", span_of(KB_REMEDY) },
		{ "signatures/oven.yaml", span_of(signatures) },
		{ "defects/oven.yaml", span_of(defects) },
	};
	int r = compile(files, 5, faults, ret);

	free(signatures);
	free(defects);
	return r;
}

static const struct {
	int file;
	const char *from, *to;
	const char *says; /* the first fault, without its place */
} cases[] = {
	{ SIGNATURE, "kind: failure", "kind: sad",
	  "kind is one of: failure warning hint remark harmless context" },
	{ SIGNATURE, "\"oven is too hot\"]\n    pattern", "\"too hot\"]\n    pattern",
	  "a literal has 10 to 100 bytes: too hot" },
	{ SIGNATURE, "(?<degrees>", "(?<degrees", "pattern: " },
	{ SIGNATURE, "has {degrees}", "has {weather}",
	  "the pattern has no group for a name in braces: " },
	{ SIGNATURE, "too-hot: 8", "too-hot: 11",
	  "too-hot is one of: weak fair strong proves; or exactly and a whole number from 1 to 10" },
	{ SIGNATURE, "too-hot: 8", "too-hot: -11",
	  "too-hot is one of: weak fair strong proves; or exactly and a whole number from -10 to -1" },
	{ SIGNATURE, "too-hot: 8", "too-hot: fair",
	  "too-hot: fair has no number: row line-fair of tables/belief.yaml" },
	{ SIGNATURE, "    states:", "    against: {too-hot: exactly -2}\n    states:",
	  "given twice: too-hot" },
	{ SIGNATURE, "too-hot: 8", "too-hot: 0",
	  "too-hot is one of: weak fair strong proves; or exactly and a whole number from 1 to 10" },
	{ SIGNATURE, "too-hot: 8", "too-cold: 8", "no cause too-cold" },
	{ SIGNATURE, "{vram:", "{weather:", "nothing that can be stated: weather" },
	{ SIGNATURE, "too hot: 300", "too hot: very",
	  "the example is not met: oven is too hot: very" },
	{ SIGNATURE, "(?<degrees>\\d+)", "(?:300|(?<degrees>\\d+))",
	  "a name in says is not in the example: oven is too hot: 300" },
	{ SIGNATURE, "oven is too hot: 300", "too hot: 300\\noven is too hot",
	  "the example is not met: too hot: 300" }, /* the literal stands in another line */
	{ SIGNATURE, "near: [\"oven is too hot\"]", "near: [\"oven is too hot: 1\"]",
	  "the near miss is met: oven is too hot: 1" },
	{ SIGNATURE, "    pattern: 'too hot: (?<degrees>\\d+)'\n", "",
	  "the pattern has no group for a name in braces: " },
	{ SIGNATURE, "    sources:\n",
	  "    sources:\n      - {class: inferred, ref: \"that\"}\n"
	  "  - id: oven\n    kind: failure\n    says: s\n    literals: [\"oven is too\"]\n"
	  "    pattern: 'oven is too h'\n    examples: [\"oven is too h\"]\n    sources:\n",
	  "signatures/oven.yaml:18: the pattern ends inside a word of an example of oven-hot" },
	{ SIGNATURE, "    sources:\n",
	  "    sources:\n      - {class: inferred, ref: \"that\"}\n"
	  "  - id: oven\n    kind: failure\n    says: s\n    literals: [\"oven is too h\"]\n"
	  "    examples: [\"oven is too hot\"]\n    sources:\n",
	  "the example is not met: oven is too hot" },
	{ SIGNATURE, "list:", "written-by: person\nlist:",
	  "what a person writes is a hint or a remark: oven-hot" },
	{ SIGNATURE, "kind: failure", "kind: failure\n    written-by: person",
	  "what a person writes is a hint or a remark: oven-hot" },
	{ SIGNATURE, "list:", "written-by: cat\nlist:", "written-by is one of: program person" },
	{ SIGNATURE, "ref: \"this test\"", "ref: \"corpus: a thread\"",
	  "a signature needs a source besides the corpus" },
	{ SIGNATURE, "signatures: oven", "signatures: stove",
	  "signatures is stove, but the file is oven.yaml" },
	{ DEFECT, "6.2 .. 6.2.4", "old .. new",
	  "bounds are versions, as 6.2 .. 6.2.4: old .. new" },
	{ DEFECT, "ROCm 6.2.4", "ROCm 6.2.40",
	  "an end that fixed-in does not name is not known, as 6.2 ..? 6.2.4: 6.2 .. 6.2.4" },
	{ DEFECT, "ROCm 6.2.4", "ROCm 16.2.4",
	  "an end that fixed-in does not name is not known, as 6.2 ..? 6.2.4: 6.2 .. 6.2.4" },
	{ DEFECT, "6.2 .. 6.2.4", "..? soon", "bounds are versions, as 6.2 .. 6.2.4: ..? soon" },
	{ DEFECT, "{rocm:", "{weather:", "nothing that can be stated: weather" },
	{ DEFECT, "cause: too-hot", "cause: too-cold", "no cause too-cold" },
	{ DEFECT, "[oven-hot]", "[stove-hot]", "no signature stove-hot" },
	{ DEFECT, "    source:", "    unchecked: \"\"\n    source:", "unchecked is empty" },
	{ DEFECT, "    source:", "    unchecked: \"yes\"\n    source:",
	  "unchecked: say why its source could not be checked: yes" },
	{ DEFECT, "[hardware]", "[hammer]", "no kind of cure: hammer" },
	{ DEFECT, "[hardware]", "[hardware, hardware]", "given twice: hardware" },
	{ DEFECT, "    source: \"this test\"\n", "", "source is missing" },
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct faults faults = { 0 };
		struct buf db = { 0 };
		const char *said;

		CHECK_INT(compile_one(cases[i].file, cases[i].from, cases[i].to, &faults, &db),
			  -EBADMSG);
		said = buf_get(&faults.text).len ? faults.text.data : "";
		if (!CHECK(strstr(said, cases[i].says)))
			printf("  got  %s  want %s\n", said, cases[i].says);
		CHECK_INT(db.len, 0);
		buf_done(&faults.text);
		buf_done(&db);
	}
}

static int add_row(void *data, int count, char **values, char **names)
{
	struct buf *out = data;

	(void)names;
	for (int i = 0; i < count; i++)
		buf_addf(out, "%s|", values[i] ? values[i] : "-");
	return 0;
}

static void check_rows(sqlite3 *db, const char *sql, const char *want)
{
	struct buf out BUF_SCOPED = { 0 };

	buf_text(&out, "");
	CHECK_INT(sqlite3_exec(db, sql, add_row, &out, NULL), SQLITE_OK);
	CHECK_TEXT(out.data, want);
}

static void test_rows(void)
{
	struct faults faults = { 0 };
	struct buf bytes = { 0 };
	sqlite3 *db = NULL;

	if (!CHECK(compile_one(-1, NULL, NULL, &faults, &bytes) == 0)) {
		printf("%s\n", faults.text.data);
		return;
	}
	sqlite3_open(":memory:", &db);
	sqlite3_deserialize(db, "main", (unsigned char *)bytes.data, (sqlite3_int64)bytes.len,
			    (sqlite3_int64)bytes.len, SQLITE_DESERIALIZE_READONLY);
	check_rows(db, "SELECT id, program, kind, line, written_by FROM signature",
		   "oven-hot|oven|failure|3|-|");
	check_rows(db, "SELECT signature, text FROM literal", "oven-hot|oven is too hot|");
	check_rows(db, "SELECT cause, weight FROM suggests", "too-hot|8|");
	check_rows(db, "SELECT name, value FROM states", "vram|{degrees}|");
	check_rows(db, "SELECT id, cause, weight FROM defect", "old-oven|too-hot|14|");
	check_rows(db, "SELECT name, low, high, words FROM defect_when ORDER BY name",
		   "gfx|-|-|gfx1100 gfx1101|rocm|6.2|6.2.4|-|");
	check_rows(db, "SELECT signature FROM defect_signature", "oven-hot|");
	sqlite3_close(db);
	buf_done(&bytes);
}

/* A cause that only logs show needs no evidence; one that nothing shows is refused. */
static void test_silent_cause(void)
{
	char *silent = strdup(KB_CAUSE);
	char *from = strstr(silent, "evidence:"), *to = strstr(silent, "undecided:");
	struct compile_file files[] = {
		{ "VERSION", span_of(KB_VERSION) },
		{ "causes/too-hot.yaml", { silent, 0 } },
		{ "remedies/cool-it.yaml", span_of(KB_REMEDY) },
		{ "signatures/oven.yaml", span_of(SIGNATURES) },
	};
	struct faults faults = { 0 };
	struct buf db = { 0 };

	memmove(from, to, strlen(to) + 1);
	files[1].text = span_of(silent);
	CHECK_INT(compile(files, 4, &faults, &db), 0);
	buf_done(&db);
	db = (struct buf){ 0 };
	CHECK_INT(compile(files, 3, &faults, &db), -EBADMSG);
	CHECK(faults.text.data && strstr(faults.text.data, "nothing speaks for too-hot"));
	buf_done(&faults.text);
	free(silent);
}

int main(void)
{
	test_faults();
	test_rows();
	test_silent_cause();
	return check_end();
}
