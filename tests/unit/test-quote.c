#include "parse/quote.h"

#include "check-span.h"

static const struct {
	const char *text;
	const char *value;
	char quote;
	const char *why;
} rows[] = {
	{ "\"a b\"", "a b", '"', "double quotes" },
	{ "'a b'", "a b", '\'', "single quotes" },
	{ "\"\"", "", '"', "an empty pair is an empty value" },
	{ "plain", "plain", 0, "nothing to drop" },
	{ "", "", 0, "empty" },
	{ "\"", "\"", 0, "one quote is no pair" },
	{ "\"open", "\"open", 0, "never closed" },
	{ "\"a\"b", "\"a\"b", 0, "only the front is quoted" },
	{ "\"a\" \"b\"", "\"a\" \"b\"", 0, "two pairs, not one" },
	{ "\"a\\\"b\"", "a\\\"b", '"', "an escaped quote does not close" },
	{ "\"a\\\\\"", "a\\\\", '"', "an escaped backslash does not hide the end" },
	{ "\"a\\\"", "\"a\\\"", 0, "the last quote is escaped, so it stays open" },
	{ "'a\\'", "a\\", '\'', "single quotes know no backslash" },
	{ "'a\"", "'a\"", 0, "the two kinds do not match" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span value = span_of(rows[i].text);

		ROW_CHECK(quote_strip(&value) == rows[i].quote, rows[i].why);
		ROW_SPAN(value, rows[i].value, rows[i].why);
	}
	return check_end();
}
