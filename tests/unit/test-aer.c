#include "parse/aer.h"

#include "check-span.h"

static const struct {
	const char *text;
	const char *name; /* of the first, NULL: none */
	uint64_t count;
	size_t lines;
	const char *why;
} rows[] = {
	{ "Undefined 0\nDLP 2\nTOTAL_ERR_FATAL 2\n", "Undefined", 0, 2, "the total is none" },
	{ "Bad TLP 7\n", "Bad TLP", 7, 1, "a name of two words" },
	{ "RxErr 3", "RxErr", 3, 1, "no newline at the end" },
	{ "  DLP 1  \r\n", "DLP", 1, 1, "blanks around it" },
	{ "DLP\nSDES x\nTLP -1\n 5\n", NULL, 0, 0, "torn lines" },
	{ "DLP 99999999999999999999\nTLP 1\n", "TLP", 1, 1, "more than 64 bits" },
	{ "TOTAL_ERR_COR 5\n", NULL, 0, 0, "the total alone" },
	{ "", NULL, 0, 0, "empty" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span rest = span_of(rows[i].text);
		struct aer_error e, first = { { "", 0 }, 0 };
		size_t lines = 0;

		while (aer_next(&rest, &e))
			if (lines++ == 0)
				first = e;
		ROW_CHECK(lines == rows[i].lines, rows[i].why);
		ROW_SPAN(first.name, rows[i].name ? rows[i].name : "", rows[i].why);
		ROW_CHECK(first.count == rows[i].count, rows[i].why);
	}
	return check_end();
}
