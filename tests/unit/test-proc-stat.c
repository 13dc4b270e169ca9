#include "parse/proc-stat.h"

#include "check-span.h"

#define REST \
	"1 70 71 0 -1 4194304 102 0 0 0 7 5 3 2 20 0 9 0 5129414 2998272 395 18446744073709551615 0"

static const struct {
	const char *text;
	const char *name; /* NULL: refused */
	char state;
	const char *why;
} rows[] = {
	{ "77 (python3) S " REST "\n", "python3", 'S', "as the kernel writes it" },
	{ "77 (a) R 1 (b) D " REST, "a) R 1 (b", 'D',
	  "a name that pretends to be the end of itself" },
	{ "77 (a b) S " REST, "a b", 'S', "a blank in a name" },
	{ "77 () Z " REST, "", 'Z', "an empty name" },
	{ "77 (a) S 1 70 71 0 -1 4194304 102 0 0 0 7 5 3 2 20 0 9 0 5129414 2998272", NULL, 0,
	  "cut before the last field that is read" },
	{ "77 (a) S x 70 71 0 -1 4194304 102 0 0 0 7 5 3 2 20 0 9 0 5129414 2998272 395", NULL, 0,
	  "a parent that is no number" },
	{ "77 )a( S " REST, NULL, 0, "parentheses the wrong way round" },
	{ "77 python3 S " REST, NULL, 0, "no parentheses" },
	{ "", NULL, 0, "empty" },
};

static void test_fields(void)
{
	struct proc_stat s = { 0 };

	CHECK(proc_stat_parse(span_of("77 (a) S " REST), &s));
	CHECK(s.parent == 1 && s.session == 71);
	CHECK(s.ticks == 12 && s.child_ticks == 5);
	CHECK(s.threads == 9 && s.start == 5129414 && s.rss == 395);
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct proc_stat s = { .name = SPAN_LITERAL("untouched") };
		bool read = proc_stat_parse(span_of(rows[i].text), &s);

		ROW_CHECK(read == (rows[i].name != NULL), rows[i].why);
		ROW_CHECK(s.state == rows[i].state, rows[i].why);
		ROW_SPAN(s.name, rows[i].name ? rows[i].name : "untouched", rows[i].why);
	}
	test_fields();
	return check_end();
}
