#include "scan/marks.h"

#include <string.h>

#include "check.h"

extern const char data_components[], data_marks[], data_origins[], data_origin_words[],
	data_proofs[];

/* ---- the tables that the program carries ---- */

/* Every row has a pattern that compiles, an example that falls under it, and a near miss that does not. */
static void lint(const char *name, const char *table)
{
	struct marks_flaw flaw = { 0 };
	struct marks *m = marks_new(span_of(table), &flaw);
	const struct marks_row *rows, *found;
	size_t count;

	if (!CHECK(m)) {
		printf("  %s:%u: %s\n", name, flaw.line, flaw.why);
		return;
	}
	rows = marks_rows(m, &count);
	CHECK(count > 10);
	for (size_t i = 0; i < count; i++) {
		if (!CHECK(marks_compiles(m, i)))
			printf("  %s:%u: the pattern is none\n", name, rows[i].line);
		found = marks_find(m, rows[i].example);
		if (!CHECK(found && span_same(found->kind, rows[i].kind)))
			printf("  %s:%u: the example falls under line %u\n", name, rows[i].line,
			       found ? found->line : 0);
		found = rows[i].near.len > 0 ? marks_find(m, rows[i].near) : NULL;
		if (!CHECK(found != &rows[i]))
			printf("  %s:%u: the near miss falls under it\n", name, rows[i].line);
		if (!CHECK(!rows[i].pattern || rows[i].near.len > 0))
			printf("  %s:%u: a pattern has no near miss\n", name, rows[i].line);
	}
	marks_free(m);
}

static bool has_words(struct span kind)
{
	struct span rest = span_of(data_origin_words), line, name;

	while (span_line(&rest, &line))
		if (span_cut(&line, '\t', &name) && span_same(name, kind))
			return true;
	return false;
}

/* Five columns for each kind, and a step that can be typed. */
static void check_words(void)
{
	struct span rest = span_of(data_origin_words), line, column;
	struct marks *m = marks_new(span_of(data_origins), NULL);
	const struct marks_row *rows;
	size_t count = 0;

	while (span_line(&rest, &line)) {
		size_t columns = 0;

		if (line.len == 0 || line.data[0] == '#')
			continue;
		while (span_cut(&line, '\t', &column)) {
			CHECK(column.len > 0);
			columns++;
		}
		CHECK(columns == 5 ||
		      (columns == 6 && (span_is(column, "clear") || span_is(column, "vague"))));
	}
	rows = m ? marks_rows(m, &count) : NULL;
	for (size_t i = 0; i < count; i++)
		if (!CHECK(has_words(rows[i].kind) || span_is(rows[i].kind, "python-itself")))
			printf("  origins.tsv:%u: no words\n", rows[i].line);
	CHECK(has_words(SPAN_LITERAL("unknown")) && has_words(SPAN_LITERAL("own-code")));
	CHECK(has_words(SPAN_LITERAL("end-empty")) && has_words(SPAN_LITERAL("end-binary")) &&
	      has_words(SPAN_LITERAL("end-traceback")) && has_words(SPAN_LITERAL("stopped")));
	marks_free(m);
}

/* ---- the form ---- */

static void check_refusals(void)
{
	static const struct {
		const char *text;
		unsigned int line;
		const char *why;
	} cases[] = {
		{ "a\tlong\t-\tlong\n", 1, "four columns" },
		{ "a\tlong\t-\tlong\t-\tx\n", 1, "six columns" },
		{ "a\tlong\t\tlong\t-\n", 1, "an empty column" },
		{ "# c\n\na\tlon\t-\tlong\t-\n", 3, "three bytes; comments count" },
		{ "a\tlong|b\t-\tlong\t-\n", 1, "the second literal is short" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct marks_flaw flaw = { 0 };
		struct marks *m = marks_new(span_of(cases[i].text), &flaw);

		if (!CHECK(!m && flaw.why && flaw.line == cases[i].line))
			printf("  %s: line %u\n", cases[i].why, flaw.line);
		marks_free(m);
	}
}

static void check_lines(void)
{
	static const char table[] = "first\tword|term\tword (?<name>\\w+)\tword a\tword\n"
				    "second\tword\t-\tword\t-\n"
				    "broken\tnever\t(\tnever\t-\n";
	static const struct {
		const char *line, *kind, *name;
	} cases[] = {
		{ "a word here", "first", "here" },
		{ "a term word x", "first", "x" },
		{ "word", "second", NULL },
		{ "term", NULL, NULL },
		{ "wor", NULL, NULL },
		{ "", NULL, NULL },
		{ "never", NULL, NULL }, /* a pattern that does not compile never holds */
	};
	struct marks *m = marks_new(SPAN_LITERAL(table), NULL);

	if (!CHECK(m))
		return;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct span line = span_of(cases[i].line), name;
		const struct marks_row *row = marks_find(m, line);
		bool has_name;

		if (!CHECK(cases[i].kind ? row && span_is(row->kind, cases[i].kind) : !row))
			printf("  %s\n", cases[i].line);
		has_name = marks_value(m, line, "name", &name);
		CHECK(cases[i].name ? has_name && span_is(name, cases[i].name) : !has_name);
	}
	CHECK(!marks_compiles(m, 2));
	marks_free(m);
}

int main(void)
{
	lint("data/marks.tsv", data_marks);
	lint("data/origins.tsv", data_origins);
	lint("data/components.tsv", data_components);
	lint("data/proofs.tsv", data_proofs);
	check_words();
	check_refusals();
	check_lines();
	return check_end();
}
