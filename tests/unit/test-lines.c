#include "parse/lines.h"

#include "check-span.h"

static const struct {
	const char *line;
	unsigned int number;
	const char *why;
} want[] = {
	{ "one", 1, "plain" },
	{ "two \\\n  more \\\nlast", 2, "goes on over two lines" },
	{ "", 5, "empty lines count" },
	{ "pair\\\\", 6, "an escaped backslash does not go on" },
	{ "open\\", 7, "nothing left to go on with" },
};

int main(void)
{
	struct lines lines = { .rest = span_of(
				       "one\ntwo \\\n  more \\\nlast\n\npair\\\\\nopen\\") };
	struct span line;
	unsigned int number;

	for (size_t i = 0; i < COUNT_OF(want); i++) {
		if (!CHECK(lines_next(&lines, &line, &number)))
			break;
		ROW_SPAN(line, want[i].line, want[i].why);
		ROW_CHECK(number == want[i].number, want[i].why);
	}
	CHECK(!lines_next(&lines, &line, &number));
	CHECK_INT(lines.count, 7);
	return check_end();
}
