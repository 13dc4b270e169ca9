#include "parse/expect.h"

#include "check-span.h"

static const struct {
	const char *text;
	const char *name; /* NULL: not even a line */
	uint64_t value;
	const char *why;
} rows[] = {
	{ "gpus=8", "gpus", 8, "as --expect has it" },
	{ "# a node\n\n gpus = 0 \n", "gpus", 0, "as the file has it; none is a number" },
	{ "gpus=8\r\n", "gpus", 8, "edited on another system" },
	{ "gpus=100000", "gpus", 100000, "the most" },
	{ "gpus=100001", "", 0, "a slip of the finger" },
	{ "gpu=8", "", 0, "no such name" },
	{ "gpus", "", 0, "no number" },
	{ "gpus=", "", 0, "an empty number" },
	{ "gpus=-1", "", 0, "fewer than none" },
	{ "gpus=eight", "", 0, "a word" },
	{ "gpus=8 # two hives", "", 0, "a comment is a line of its own" },
	{ "=8", "", 0, "no name" },
	{ "gpus=99999999999999999999", "", 0, "more than 64 bits" },
	{ "# gpus=8\n", NULL, 0, "a comment alone" },
	{ "", NULL, 0, "empty" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span rest = span_of(rows[i].text);
		struct expect e = { 0 };
		bool found = expect_next(&rest, &e);

		ROW_CHECK(found == (rows[i].name != NULL), rows[i].why);
		ROW_SPAN(e.name, rows[i].name ? rows[i].name : "", rows[i].why);
		ROW_CHECK(e.name.len == 0 || e.value == rows[i].value, rows[i].why);
	}
	return check_end();
}
