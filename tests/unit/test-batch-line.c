#include "check-span.h"
#include "explain/batch-line.h"
#include "parse/json-tree.h"

static const struct {
	const char *about, *line;
	const char *why; /* a part of it, or NULL */
	const char *id;  /* or NULL */
	bool is_number;
	const char *log, *path;
} cases[] = {
	{ "a log", "{\"id\": \"a\", \"log\": \"x\\ny\"}", NULL, "a", false, "x\ny", NULL },
	{ "an empty log", "{\"id\": \"\", \"log\": \"\"}", NULL, "", false, "", NULL },
	{ "a path", "{\"path\": \"/l.gz\", \"id\": 1.5e3, \"node\": 7}", NULL, "1.5e3", true, NULL,
	  "/l.gz" },
	{ "facts that are not known", "{\"id\": 1, \"log\": \"\", \"facts\": null}", NULL, "1",
	  true, "", NULL },
	{ "facts that are none", "{\"id\": 1, \"log\": \"\", \"facts\": []}", "\"facts\"", "1",
	  true, NULL, NULL },
	{ "no JSON", "hello", "not a JSON object", NULL, false, NULL, NULL },
	{ "a list", "[1]", "not a JSON object", NULL, false, NULL, NULL },
	{ "nothing", "", "not a JSON object", NULL, false, NULL, NULL },
	{ "a line that is cut behind its id", "{\"id\": \"a\", \"log\": \"x", "not a JSON object",
	  "a", false, NULL, NULL },
	{ "a number that is none", "{\"id\": 01, \"log\": \"\"}", "not a JSON object", NULL, false,
	  NULL, NULL },
	{ "no id", "{\"log\": \"x\"}", "\"id\"", NULL, false, NULL, NULL },
	{ "an id that is a list", "{\"id\": [1], \"log\": \"x\"}", "\"id\"", NULL, false, NULL,
	  NULL },
	{ "an id deeper down", "{\"a\": {\"id\": 1}, \"log\": \"x\"}", "\"id\"", NULL, false, NULL,
	  NULL },
	{ "both", "{\"id\": 1, \"log\": \"x\", \"path\": \"y\"}", "only one", "1", true, NULL,
	  NULL },
	{ "neither", "{\"id\": 1}", "only one", "1", true, NULL, NULL },
	{ "a log that is a list", "{\"id\": 1, \"log\": [\"x\"]}", "\"log\" is not a text", "1",
	  true, NULL, NULL },
	{ "a path with a NUL", "{\"id\": 1, \"path\": \"a\\u0000b\"}", "NUL", "1", true, NULL,
	  NULL },
	{ "an empty path", "{\"id\": 1, \"path\": \"\"}", "\"path\"", "1", true, NULL, NULL },
	{ "an issue", "{\"number\": 12, \"title\": \"t\", \"body\": \"b\", \"url\": \"u\"}", NULL,
	  "12", true, "t\n\nb\n", NULL },
	{ "an issue without words", "{\"number\": 12, \"title\": \"t\", \"body\": null}", NULL,
	  "12", true, "t\n\n\n", NULL },
	{ "a title alone", "{\"number\": 12, \"title\": \"t\"}", "only one", "12", true, NULL,
	  NULL },
	{ "an id is not the number", "{\"number\": 12, \"id\": \"a\", \"body\": \"b\"}", NULL, "a",
	  false, "\n\nb\n", NULL },
	{ "a log is not the body", "{\"id\": 1, \"log\": \"l\", \"body\": \"b\"}", NULL, "1", true,
	  "l", NULL },
	{ "standard input", "{\"id\": 1, \"path\": \"-\"}", "standard input", "1", true, NULL,
	  NULL },
};

static void check_case(size_t i)
{
	struct arena arena = { 0 };
	struct batch_line line;
	const char *why = batch_line_read(span_of(cases[i].line), &arena, &line);

	ROW_CHECK((why != NULL) == (cases[i].why != NULL), cases[i].about);
	ROW_CHECK(!why || (cases[i].why && strstr(why, cases[i].why)), cases[i].about);
	ROW_CHECK(line.id.is_known == (cases[i].id != NULL), cases[i].about);
	ROW_CHECK(!cases[i].id || span_is(line.id.text, cases[i].id), cases[i].about);
	ROW_CHECK(line.id.is_number == cases[i].is_number, cases[i].about);
	if (!why && cases[i].log)
		ROW_CHECK(span_is(line.log, cases[i].log), cases[i].about);
	if (!why && cases[i].path)
		ROW_CHECK(strcmp(line.path, cases[i].path) == 0, cases[i].about);
	arena_done(&arena);
}

int main(void)
{
	struct arena arena = { 0 };
	struct batch_line line;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(i);
	CHECK(!batch_line_read(
		span_of("{\"id\": 1, \"log\": \"\", \"facts\": {\"gfx\": \"gfx942\"}}"), &arena,
		&line));
	CHECK(span_is(json_tree_text(line.facts, "gfx"), "gfx942"));
	arena_done(&arena);
	return check_end();
}
