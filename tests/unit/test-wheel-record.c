#include "parse/wheel-record.h"

#include <errno.h>

#include "check-span.h"
#include "parse/json-pull.h"
#include "source-file.h"

/* What Python's csv module reads out of the same bytes; tests/data/python/make.py. */
static void test_oracle(void)
{
	struct buf bytes = tree_file("tests/data/python/record.csv");
	struct buf lines = tree_file("tests/data/python/record.expected");
	struct span rest = buf_get(&lines), line, name;
	struct source source = source_memory(buf_get(&bytes));
	static struct wheel_record r;

	wheel_record_init(&r, &source);
	while (span_line(&rest, &line)) {
		struct buf want BUF_SCOPED = { 0 };

		CHECK(json_pull_text((struct span){ line.data + 1, line.len - 2 }, &want));
		CHECK_INT(wheel_record_next(&r, &name), 1);
		CHECK_SPAN(name, want.data);
	}
	CHECK_INT(wheel_record_next(&r, &name), 0);
	CHECK_INT(r.skipped, 0);
	buf_done(&bytes);
	buf_done(&lines);
}

static const struct {
	const char *text;
	const char *names; /* joined by '|' */
	unsigned int skipped;
	const char *why;
} rows[] = {
	{ "", "", 0, "empty" },
	{ "a", "a", 0, "no newline at the end" },
	{ "a,,\nb,,\n", "a|b", 0, "plain" },
	{ "\n\na,,\n\n", "a", 0, "empty lines" },
	{ ",sha256=x,1\na,,\n", "a", 0, "a line without a name" },
	{ "\"\",,\na,,\n", "a", 1, "an empty name in quotes" },
	{ "\"a", "a", 0, "quotes not closed" },
	{ "\"a\"b,,\nc,,\n", "ab|c", 0, "something behind the quotes, as csv reads it" },
	{ "a\"b,,\n", "a\"b", 0, "a quote inside is itself" },
};

static void test_rows(void)
{
	static struct wheel_record r;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct source source = source_memory(span_of(rows[i].text));
		struct buf names BUF_SCOPED = { 0 };
		struct span name;

		buf_text(&names, "");
		wheel_record_init(&r, &source);
		while (wheel_record_next(&r, &name) == 1) {
			if (names.len > 0)
				buf_char(&names, '|');
			buf_span(&names, name);
		}
		ROW_SPAN(buf_get(&names), rows[i].names, rows[i].why);
		ROW_CHECK(r.skipped == rows[i].skipped, rows[i].why);
	}
}

/* Pieces are 16 KiB: names that cross from one to the next, and one too long. */
static void test_long(void)
{
	struct buf text BUF_SCOPED = { 0 };
	static struct wheel_record r;
	struct source source;
	struct span name;
	unsigned int count = 0;
	char want[64];

	for (int i = 0; i < 12000; i++) {
		buf_addf(&text, "torch/include/file%d.h,sha256=abcdefghijklmnop,%d\n", i, i);
		if (i == 6000) {
			for (int k = 0; k <= WHEEL_RECORD_NAME_MAX; k++)
				buf_char(&text, 'x');
			buf_text(&text, ",,\n");
		}
	}
	source = source_memory(buf_get(&text));
	wheel_record_init(&r, &source);
	while (wheel_record_next(&r, &name) == 1) {
		snprintf(want, sizeof(want), "torch/include/file%u.h", count++);
		if (!span_is(name, want)) {
			CHECK_SPAN(name, want);
			return;
		}
	}
	CHECK_INT(count, 12000);
	CHECK_INT(r.skipped, 1);
	source = source_memory(buf_get(&text));
	source.limit = 20000;
	wheel_record_init(&r, &source);
	while (wheel_record_next(&r, &name) == 1)
		;
	CHECK_INT(wheel_record_next(&r, &name), -EFBIG);
}

int main(void)
{
	test_oracle();
	test_rows();
	test_long();
	return check_end();
}
