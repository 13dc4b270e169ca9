#include "base/span.h"

#include "check-span.h"

static const struct {
	const char *text;
	const char *trimmed;
	const char *why;
} trims[] = {
	{ "  a b\t\r\n", "a b", "blanks inside stay" },
	{ "\v\f", "", "all of C's white space" },
	{ "a", "a", "nothing to do" },
	{ "", "", "empty" },
};

static void test_compare(void)
{
	struct span s = SPAN_LITERAL("amdgpu");
	struct span none = span_of(NULL);

	CHECK(span_is(s, "amdgpu"));
	CHECK(!span_is(s, "amdgp"));
	CHECK(!span_is(s, "amdgpu2"));
	CHECK(span_starts(s, "amd") && span_starts(s, "") && !span_starts(s, "amdgpu2"));
	CHECK(span_ends(s, "gpu") && span_ends(s, "") && !span_ends(s, "xamdgpu"));
	CHECK(none.len == 0 && span_is(none, "") && !span_is(none, "a"));
	CHECK(span_starts(none, "") && span_ends(none, ""));
	CHECK(span_same(none, span_of("")) && span_same(s, span_of("amdgpu")));
	CHECK(!span_same(s, span_of("amdgpv")) && !span_same(s, none));
	for (size_t i = 0; i < COUNT_OF(trims); i++)
		ROW_SPAN(span_trim(span_of(trims[i].text)), trims[i].trimmed, trims[i].why);
}

static const struct {
	const char *text;
	const char *literal;
	size_t at;
	const char *why;
} finds[] = {
	{ "abcabc", "bc", 1, "the first one" },
	{ "abc", "c", 2, "at the end" },
	{ "abc", "d", SIZE_MAX, "absent" },
	{ "abc", "abcd", SIZE_MAX, "longer than the text" },
	{ "abc", "", 0, "nothing stands everywhere" },
	{ "", "a", SIZE_MAX, "in nothing" },
};

static const struct {
	const char *text;
	const char *words;
	bool has;
	const char *why;
} words[] = {
	{ "hipErrorInvalidDevice", "hipErrorInvalidDevice", true, "the whole text" },
	{ "hipErrorInvalidDeviceFunction", "hipErrorInvalidDevice", false, "the word goes on" },
	{ "a libhip b", "hip", false, "the word began before" },
	{ "hip_x hip", "hip", true, "inside a word first, then alone" },
	{ "(hip)", "hip", true, "between brackets" },
	{ "gfx90a:xnack+", "gfx90a:", true, "an end that is no word needs no end" },
	{ "x", "", true, "nothing stands everywhere" },
	{ "", "a", false, "in nothing" },
};

static void test_whole_words(void)
{
	for (size_t i = 0; i < COUNT_OF(words); i++)
		ROW_CHECK(span_has_words(span_of(words[i].text), span_of(words[i].words)) ==
				  words[i].has,
			  words[i].why);
}

static void test_find(void)
{
	for (size_t i = 0; i < COUNT_OF(finds); i++)
		ROW_CHECK(span_find(span_of(finds[i].text), span_of(finds[i].literal)) ==
				  finds[i].at,
			  finds[i].why);
}

static void test_cut(void)
{
	struct span rest = SPAN_LITERAL("a\n\nb"), part = { 0 };

	CHECK(span_line(&rest, &part));
	CHECK_SPAN(part, "a");
	CHECK(span_line(&rest, &part)); /* an empty line is a line */
	CHECK_SPAN(part, "");
	CHECK(span_line(&rest, &part)); /* the last needs no newline */
	CHECK_SPAN(part, "b");
	CHECK(!span_line(&rest, &part));
	CHECK_SPAN(part, "b");

	rest = SPAN_LITERAL("k=v=w\n");
	CHECK(span_cut(&rest, '=', &part));
	CHECK_SPAN(part, "k");
	CHECK_SPAN(rest, "v=w\n");

	rest = SPAN_LITERAL("end\n");
	CHECK(span_line(&rest, &part));
	CHECK(!span_line(&rest, &part)); /* a final newline begins no further line */
}

static void test_words(void)
{
	struct span rest = SPAN_LITERAL("  one\ttwo \n"), word = { 0 };

	CHECK(span_word(&rest, &word));
	CHECK_SPAN(word, "one");
	CHECK(span_word(&rest, &word));
	CHECK_SPAN(word, "two");
	CHECK(!span_word(&rest, &word));
	CHECK_SPAN(word, "two");
}

enum base {
	DECIMAL,
	HEX,
	SIGNED,
};

static const struct {
	enum base base;
	const char *text;
	bool good;
	uint64_t value;
	const char *why;
} numbers[] = {
	{ DECIMAL, "0", true, 0, "zero" },
	{ DECIMAL, "18446744073709551615", true, UINT64_MAX, "the largest" },
	{ DECIMAL, "18446744073709551616", false, 0, "one more" },
	{ DECIMAL, "184467440737095516150", false, 0, "ten times" },
	{ DECIMAL, "007", true, 7, "leading zeros are decimal" },
	{ DECIMAL, "", false, 0, "empty" },
	{ DECIMAL, "+1", false, 0, "sign" },
	{ DECIMAL, "-1", false, 0, "sign" },
	{ DECIMAL, " 1", false, 0, "blank" },
	{ DECIMAL, "1\n", false, 0, "newline" },
	{ DECIMAL, "1a", false, 0, "a digit of another base" },
	{ HEX, "0x744c", true, 0x744c, "with prefix" },
	{ HEX, "744C", true, 0x744c, "without, upper case" },
	{ HEX, "0XfF", true, 0xff, "upper prefix" },
	{ HEX, "ffffffffffffffff", true, UINT64_MAX, "the largest" },
	{ HEX, "10000000000000000", false, 0, "one more" },
	{ HEX, "0x", false, 0, "prefix alone" },
	{ HEX, "g", false, 0, "no digit" },
	{ SIGNED, "-9223372036854775807", true, (uint64_t)-INT64_MAX, "far below" },
	{ SIGNED, "9223372036854775807", true, INT64_MAX, "the largest" },
	{ SIGNED, "9223372036854775808", false, 0, "one more" },
	{ SIGNED, "-1", true, UINT64_MAX, "numa_node without a node" },
	{ SIGNED, "-", false, 0, "sign alone" },
	{ SIGNED, "--1", false, 0, "two signs" },
};

static bool read_number(enum base base, struct span s, uint64_t *ret)
{
	int64_t value;

	if (base == DECIMAL)
		return span_u64(s, ret);
	if (base == HEX)
		return span_hex(s, ret);
	if (!span_i64(s, &value))
		return false;
	*ret = (uint64_t)value;
	return true;
}

static void test_numbers(void)
{
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		uint64_t value = 0;

		ROW_CHECK(read_number(numbers[i].base, span_of(numbers[i].text), &value) ==
				  numbers[i].good,
			  numbers[i].why);
		ROW_CHECK(value == numbers[i].value, numbers[i].why);
	}
}

static const struct {
	const char *pattern;
	const char *text;
	bool fits;
} patterns[] = {
	{ "a*c", "abc", true },      { "a*c", "ac", true },    { "a*c", "acb", false },
	{ "*", "", true },           { "", "", true },         { "", "a", false },
	{ "a", "", false },          { "**a**", "bab", true }, { "a*b*c", "aXbYbZc", true },
	{ "a*b*c", "aXcYb", false },
};

static void test_fits(void)
{
	for (size_t i = 0; i < COUNT_OF(patterns); i++)
		ROW_CHECK(span_fits(span_of(patterns[i].text), span_of(patterns[i].pattern)) ==
				  patterns[i].fits,
			  patterns[i].pattern);
}

int main(void)
{
	test_fits();
	test_compare();
	test_find();
	test_whole_words();
	test_cut();
	test_words();
	test_numbers();
	return check_end();
}
