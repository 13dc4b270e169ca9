/* A status code and the text that its library prints for it lead to the same answer. */

#include "explain/component.h"

#include "check-kb.h"
#include "facts/column.h"
#include "facts/facts.h"
#include "facts/select.h"
#include "kb/kb.h"
#include "scan/marks.h"

static struct facts *with_knowledge(void)
{
	struct facts *f = facts_new();
	struct kb_info info;
	struct span bytes;

	CHECK_INT(kb_read(NULL, NULL, &bytes), 0);
	CHECK_INT(kb_attach(facts_db(f), bytes, &info), 0);
	return f;
}

/* What is said of a line, up to the code; NULL: no component is known. */
static const char *said(struct facts *f, struct arena *arena, const char *line, bool whole)
{
	struct failure from = { .counts = true, .last = { 1, line } }, told = { 0 };
	char *says;

	if (component_find(facts_db(f), arena, &from, &told) != 1)
		return NULL;
	says = arena_text(arena, span_of(told.says));
	if (!whole && strrchr(says, '('))
		*strrchr(says, '(') = '\0';
	return says;
}

static void check_pair(struct facts *f, sqlite3_stmt *row)
{
	struct arena arena = { 0 };
	const char *code = column_text(row, 0), *text = column_text(row, 1);
	struct span words = span_of(column_text(row, 2)), word;
	const char *a, *b;

	span_word(&words, &word);
	a = said(f, &arena, arena_format(&arena, "call failed: %s (see above)", code), false);
	b = said(f, &arena, arena_format(&arena, "%.*s error: %s", (int)word.len, word.data, text),
		 false);
	if (!CHECK(a && b && strcmp(a, b) == 0))
		printf("  %s: %s, %s\n", code, a ? a : "nothing", b ? b : "nothing");
	arena_done(&arena);
}

static void all_codes(struct facts *f)
{
	sqlite3_stmt *rows =
		select_from(facts_db(f), "SELECT s.code, s.text, c.words"
					 " FROM kb.status_code s"
					 " JOIN kb.component c ON c.name = s.component");
	size_t count = 0;

	for (; select_next(rows); count++)
		check_pair(f, rows);
	sqlite3_finalize(rows);
	CHECK(count > 200);
}

static const struct {
	const char *why, *line, *part;
} cases[] = {
	{ "a longer code is another one", "Returned hipErrorInvalidDeviceFunction",
	  "DeviceFunction)" },
	{ "a code that no header has", "Returned hipErrorInvalidDeviceX", NULL },
	{ "a code within a word", "my_hipErrorInvalidDevice", NULL },
	{ "the text alone is anybody's", "open: invalid argument", NULL },
	{ "another's text", "ship error: invalid argument", NULL },
	{ "the text within a word", "HIP error: xinvalid argumenty", NULL },
	{ "in any case", "hip Error: invalid argument", "HIP: invalid argument" },
	{ "a sentence of HSA", "hsa call: The agent is invalid.",
	  "HSA_STATUS_ERROR_INVALID_AGENT" },
	{ "its name in an image's", "manifest for rocm/pytorch:x not found: manifest unknown",
	  NULL },
	{ "its name in a path", "/opt/rocm/include/a.h:3: 'foo/foo.h' file not found", NULL },
	{ "an empty line", "", NULL },
	{ "no text", NULL, NULL },
};

static void check_cases(struct facts *f)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena arena = { 0 };
		const char *says = said(f, &arena, cases[i].line, true);

		if (!CHECK(cases[i].part ? says && strstr(says, cases[i].part) : !says))
			printf("  %s: %s\n", cases[i].why, says ? says : "nothing");
		arena_done(&arena);
	}
}

/* ---- who says so itself ---- */

extern const char data_components[];

static void check_names(struct facts *f)
{
	struct marks *m = marks_new(span_of(data_components), NULL);
	sqlite3_stmt *stmt = select_from(facts_db(f), "SELECT 1 FROM kb.component WHERE name = ?1");
	const struct marks_row *rows;
	size_t count = 0;

	rows = m ? marks_rows(m, &count) : NULL;
	CHECK(count > 0);
	for (size_t i = 0; i < count; i++) {
		sqlite3_bind_text(stmt, 1, rows[i].kind.data, (int)rows[i].kind.len, SQLITE_STATIC);
		if (!CHECK(select_next(stmt)))
			printf("  components.tsv:%u: no such component\n", rows[i].line);
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
	marks_free(m);
}

static const struct {
	const char *why, *line, *place, *component, *says;
	bool is_vague, is_clear;
} heads[] = {
	{ "a head, and nothing better is known", "MIOpen(HIP): Error [x] zq zqz", NULL, "MIOpen",
	  "The line comes from MIOpen.", .is_vague = true },
	{ "what is told already stays", "MIOpen(HIP): Error [x] zq zqz", NULL, "MIOpen", "told" },
	{ "the file of the last frame", "ValueError: zq zqz", "/v/site-packages/vllm/v1/core.py:88",
	  "vLLM", "told" },
	{ "a full disk is nobody's", "OSError: No space left on device",
	  "/v/site-packages/vllm/v1/core.py:88", NULL, "told", .is_clear = true },
	{ "a line names itself, wherever it was caught", "rocblaslt error: zq zqz",
	  "/v/site-packages/torch/cuda/x.py:88", "hipBLAS or hipBLASLt", "told" },
	{ "a compiler says what happened, and its line who it is",
	  "/home/u/k.py:12:5: error: zq zqz", NULL, "Triton", "told", .is_clear = true },
	{ "a checker of types writes a code", "a.py:12:5: error: zq zqz [misc]", NULL, NULL,
	  "told" },
	{ "who writes the line, not whose status is named in it",
	  "rocBLAS internal error: zq hipblaslt", NULL, "rocBLAS", "told" },
	{ "one's own file", "ValueError: zq zqz", "/home/u/train.py:88", NULL, "told" },
};

static void check_heads(struct facts *f)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct arena arena = { 0 };
		struct failure from = { .counts = true,
					.last = { 1, heads[i].line },
					.place = heads[i].place,
					.says = "told",
					.is_vague = heads[i].is_vague,
					.is_clear = heads[i].is_clear };
		struct failure told = from;
		int r = component_find(facts_db(f), &arena, &from, &told);

		if (!CHECK(r == (heads[i].component != NULL) &&
			   (r == 0 || strcmp(told.component, heads[i].component) == 0) &&
			   strcmp(told.says, heads[i].says) == 0))
			printf("  %s: %s, %s\n", heads[i].why,
			       told.component ? told.component : "nothing", told.says);
		arena_done(&arena);
	}
}

/* Who wrote the last line is told, and that alone makes no failure of it. */
static void check_closing(struct facts *f)
{
	struct arena arena = { 0 };
	struct failure from = { .closing = { 1, "n1:812:901 [3] a.cc:88 NCCL WARN zq zqz" } };
	struct failure told = { 0 };

	CHECK_INT(component_of_closing(facts_db(f), &arena, &from, &told), 1);
	CHECK(told.component && strcmp(told.component, "RCCL") == 0);
	CHECK(!told.counts && !told.says);
	from.closing.text = "zq zqz NCCL WARN qzq zqz";
	CHECK_INT(component_of_closing(facts_db(f), &arena, &from, &told), 0);
	arena_done(&arena);
}

int main(void)
{
	struct facts *f = with_knowledge();

	all_codes(f);
	check_cases(f);
	check_names(f);
	check_heads(f);
	check_closing(f);
	facts_free(f);
	return check_end();
}
