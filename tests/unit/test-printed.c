/* A line is found by what a source can print, and hostile tables find nothing and cost little. */

#include "explain/printed.h"

#include "base/clock.h"
#include "check-kb.h"
#include "explain/component.h"
#include "facts/facts.h"
#include "facts/select.h"
#include "kb/kb.h"

#define COMPONENTS                                                                             \
	"table: component\nclass: inferred\nchecked: 2026-11-16\nrows:\n"                      \
	"  - {name: RCCL, words: rccl, address: example.org/rccl, handled: rccl, source: x}\n" \
	"  - {name: vLLM, words: vllm, address: example.org/vllm, handled: program, source: x}\n"

/* "could not open the transport", the same with "layer at all" behind it, "attention backend is not supported here" */
#define OPEN  "761fad055d938f24\t28\te\t1\t1\n"
#define LAYER "761fad055d89accf\t41\tw\t0\t0\n"
/* "Page not present", where nothing but a head is before it */
#define ALONE "4a65486c28ca6548\t144\te\t0\t1\n"
#define RCCL                                                                                   \
	"# a comment\ncomponent\tRCCL\ntree\tROCm/rccl\tr1\t0123\ntree\tROCm/rccl\tr2\t4567\n" \
	"file\tsrc/a.cc\n" OPEN LAYER ALONE
#define VLLM "component\tvLLM\ntree\tv/v\tv1\t89ab\nfile\tv/a.py\n74a15b8364a64dd0\t39\te\t0\t0\n"

static int compile_with(const char *rccl, const char *vllm, struct faults *faults, struct buf *ret)
{
	const struct compile_file files[] = {
		{ "VERSION", SPAN_LITERAL(KB_VERSION) },
		{ "causes/too-hot.yaml", SPAN_LITERAL(KB_CAUSE) },
		{ "remedies/cool-it.yaml", SPAN_LITERAL(KB_REMEDY) },
		{ "tables/component.yaml", SPAN_LITERAL(COMPONENTS) },
		{ "printable/rccl.tsv", span_of(rccl) },
		{ "printable/vllm.tsv", span_of(vllm) },
	};

	return compile(files, sizeof(files) / sizeof(files[0]), faults, ret);
}

/* ---- lines ---- */

static const struct {
	const char *why, *line;
	enum printed_from from;
	const char *component, *since, *until;
} lines[] = {
	{ "fires", "x:3 NCCL WARN could not open the transport 7", PRINTED_ANY, "RCCL", "r2",
	  NULL },
	{ "the longer one of two tells more", "could not open the transport layer at all",
	  PRINTED_ANY, "RCCL", NULL, "r1" },
	{ "blanks in a row", "could  not\topen the   transport", PRINTED_ANY, "RCCL", "r2", NULL },
	{ "near: another word at its end", "could not open the transformer", PRINTED_ANY, NULL,
	  NULL, NULL },
	{ "near: within a word", "xcould not open the transport", PRINTED_ANY, NULL, NULL, NULL },
	{ "near: cut before its end", "could not open the trans", PRINTED_ANY, NULL, NULL, NULL },
	{ "Python's words", "ValueError: attention backend is not supported here", PRINTED_ANY,
	  "vLLM", NULL, NULL },
	{ "Python's words, raised by a file of somebody else",
	  "ValueError: attention backend is not supported here", PRINTED_NATIVE, NULL, NULL, NULL },
	{ "a plain text that is all of the line", "Page not present", PRINTED_ANY, "RCCL", NULL,
	  NULL },
	{ "a plain text behind a head", "  what():  Page not present 7", PRINTED_ANY, "RCCL", NULL,
	  NULL },
	{ "near: a plain text within a sentence", "Reason: see Page not present", PRINTED_ANY, NULL,
	  NULL, NULL },
	{ "empty", "", PRINTED_ANY, NULL, NULL, NULL },
	{ "short", "could", PRINTED_ANY, NULL, NULL, NULL },
};

static void check_lines(sqlite3 *db)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct arena arena = { 0 };
		struct printed p = { 0 };
		bool found = printed_find(db, &arena, span_of(lines[i].line), lines[i].from, &p);

		if (!CHECK(found == (lines[i].component != NULL)))
			printf("  %s: %s\n", lines[i].why, found ? p.component : "nothing");
		if (found && lines[i].component) {
			CHECK_TEXT(p.component, lines[i].component);
			CHECK_TEXT(p.since ? p.since : "-", lines[i].since ? lines[i].since : "-");
			CHECK_TEXT(p.until ? p.until : "-", lines[i].until ? lines[i].until : "-");
		}
		arena_done(&arena);
	}
}

/* ---- what is said of a failure ---- */

static const struct {
	const char *why;
	struct failure failure;
	const char *says;
} failures[] = {
	{ "fires",
	  { .is_vague = true, .last = { 1, "could not open the transport" } },
	  "The line comes from RCCL (src/a.cc, since r2), where it is an error." },
	{ "the first error is known, the last is not",
	  { .is_vague = true,
	    .last = { 9, "worker died" },
	    .first = { 1, "could not open the transport layer at all" } },
	  "The line comes from RCCL (src/a.cc, up to r1), where it is a warning." },
	{ "the line behind the error is known",
	  { .is_vague = true,
	    .last = { 1, "terminate called after throwing an instance" },
	    .closing = { 2, "what():  could not open the transport" } },
	  "The line comes from RCCL (src/a.cc, since r2), where it is an error." },
	{ "called from the user's code",
	  { .is_vague = true,
	    .place = "train.py:3",
	    .last = { 1, "could not open the transport" } },
	  "The line comes from RCCL (src/a.cc, since r2), where it is an error; called from train.py:3." },
	{ "the user's code has the same words",
	  { .is_vague = true,
	    .place = "train.py:3",
	    .last = { 1, "ValueError: attention backend is not supported here" } },
	  NULL },
	{ "something better is known",
	  { .is_clear = true, .last = { 1, "could not open the transport" } },
	  NULL },
	{ "nobody's", { .is_vague = true, .last = { 1, "Error: it does not work" } }, NULL },
	{ "no text", { .is_vague = true }, NULL },
};

static void check_failures(sqlite3 *db)
{
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		struct arena arena = { 0 };
		struct failure told = { 0 };
		int r = component_find(db, &arena, &failures[i].failure, &told);

		if (!CHECK(r == (failures[i].says != NULL)))
			printf("  %s\n", failures[i].why);
		else if (r > 0)
			CHECK_TEXT(told.says, failures[i].says);
		arena_done(&arena);
	}
}

/* ---- files that are not as tools/mine writes them ---- */

static const struct {
	const char *from, *to, *says;
} faulty[] = {
	{ "\t28\t", "\t15\t",
	  "printable/rccl.tsv:6: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "\t28\t", "\t97\t",
	  "printable/rccl.tsv:6: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "\t28\t", "\t143\t",
	  "printable/rccl.tsv:6: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "\te\t1\t1", "\te\t1\t2",
	  "printable/rccl.tsv:6: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "\te\t1\t1", "\te\t1\t0",
	  "printable/rccl.tsv:6: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "\te\t1\t1", "\tx\t1\t1",
	  "printable/rccl.tsv:6: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "761fad055d938f24", "ffffffffffffffff",
	  "printable/rccl.tsv:6: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "761fad055d938f24", "here",
	  "printable/rccl.tsv:6: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "file\tsrc/a.cc\n", "",
	  "printable/rccl.tsv:5: a text is: digest, length, e or w, first and last tree, below a file" },
	{ "761fad055d938f24", "761fad055d89accf",
	  "printable/rccl.tsv:7: another component has this text too, or it stands here twice" },
	{ "\te\t1\t1", "\te\t1\t1\t1",
	  "printable/rccl.tsv:6: no line of component, tree, file or text" },
	{ "component\tRCCL\n", "", "printable/rccl.tsv:2: the component is named first" },
	{ "component\tRCCL\n", "component\tRCCL\ncomponent\tX\n",
	  "printable/rccl.tsv:3: a file has one component" },
	{ "component\tRCCL\n", "component\tNCCL\n", "printable:1: no component: NCCL" },
};

static void check_faults(void)
{
	for (size_t i = 0; i < sizeof(faulty) / sizeof(faulty[0]); i++) {
		char *text = spoil(RCCL, faulty[i].from, faulty[i].to);
		struct faults faults = { 0 };
		struct buf db BUF_SCOPED = { 0 };

		CHECK_INT(compile_with(text, VLLM, &faults, &db), -EBADMSG);
		buf_get(&faults.text);
		faults.text.data[strcspn(faults.text.data, "\n")] = '\0';
		CHECK_TEXT(faults.text.data, faulty[i].says);
		buf_done(&faults.text);
		free(text);
	}
}

/* ---- a kb.db from a stranger ---- */

#define ANY_NUMBER \
	"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 40000) "

static const char *const hostile[] = {
	"UPDATE printable SET length = -1",
	"UPDATE printable SET length = 9223372036854775807",
	"UPDATE printable SET length = 0",
	"UPDATE printable SET file = 99",
	"UPDATE printable SET first = 99, last = -99",
	"UPDATE printable_file SET component = 'nobody'",
	"DELETE FROM printable_tree",
	"UPDATE component SET handled = 'x'",
	ANY_NUMBER
	"INSERT OR IGNORE INTO printable SELECT ((SELECT min(digest) FROM printable) >> 23 << 23) + i,"
	" 28, 1, 1, 1, 1 FROM n",
};

#define REPEATED "could not open the transport "

static void check_hostile(const struct buf *sound)
{
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		struct buf bytes BUF_SCOPED = kb_changed(sound, hostile[i]);
		struct facts *f = facts_new();
		struct arena arena = { 0 };
		struct failure from = { .is_vague = true,
					.last = { 1,
						  REPEATED REPEATED REPEATED REPEATED REPEATED } };
		struct failure told = { 0 };
		struct kb_info info;
		uint64_t began;

		CHECK_INT(kb_attach(facts_db(f), buf_get(&bytes), &info), 0);
		began = clock_ms();
		CHECK(component_find(facts_db(f), &arena, &from, &told) >= 0);
		CHECK(clock_ms() - began < 20000); /* it was minutes */
		CHECK_INT(select_error(), 0);
		arena_done(&arena);
		facts_free(f);
	}
}

int main(void)
{
	struct faults faults = { 0 };
	struct buf sound BUF_SCOPED = { 0 };
	struct facts *f = facts_new();
	struct kb_info info;

	CHECK_INT(compile_with(RCCL, VLLM, &faults, &sound), 0);
	CHECK_INT(kb_attach(facts_db(f), buf_get(&sound), &info), 0);
	check_lines(facts_db(f));
	check_failures(facts_db(f));
	facts_free(f);
	check_faults();
	check_hostile(&sound);
	return check_end();
}
