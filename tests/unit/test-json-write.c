#include "base/json-write.h"

#include <math.h>

#include "check.h"

static void check_layout(void)
{
	struct buf out BUF_SCOPED = { 0 };
	struct json j = json_on(&out);

	json_open(&j, NULL, '{');
	json_int(&j, "a", -1);
	json_open(&j, "empty", '[');
	json_close(&j, ']');
	json_open(&j, "rows", '[');
	json_open(&j, NULL, '{');
	j.compact = true;
	json_bool(&j, "b", true);
	json_null(&j, "c");
	json_close(&j, '}');
	j.compact = false;
	json_close(&j, ']');
	json_close(&j, '}');
	CHECK_TEXT(out.data, "{\n  \"a\": -1,\n  \"empty\": [],\n  \"rows\": [\n"
			     "    {\"b\": true, \"c\": null}\n  ]\n}\n");
}

static void check_numbers(void)
{
	struct buf out BUF_SCOPED = { 0 };
	struct json j = json_on(&out);

	j.compact = true;
	json_int(&j, NULL, 0);
	json_int(&j, "a \"b\"", INT64_MAX);
	json_int(&j, NULL, INT64_MIN);
	CHECK_TEXT(out.data, "0, \"a \\\"b\\\"\": 9223372036854775807, -9223372036854775808");
}

static const struct {
	struct span text;
	const char *want;
} texts[] = {
	{ { "plain", 5 }, "\"plain\"" },
	{ { "\"\\", 2 }, "\"\\\"\\\\\"" },
	{ { "a\0\n\t\033\x7f", 6 }, "\"a\\u0000\\u000a\\u0009\\u001b\\u007f\"" },
	{ { "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9 },
	  "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"" },
	{ { "\xff\xc3", 2 }, "\"\\u00ff\\u00c3\"" },
	{ { "\xc0\xaf", 2 }, "\"\\u00c0\\u00af\"" },
	{ { "\xed\xa0\x80", 3 }, "\"\\u00ed\\u00a0\\u0080\"" },
	/* a C1 control, a direction mark, a zero-width space, a byte order mark: never as they are */
	{ { "\xc2\x9b"
	    "2J",
	    4 },
	  "\"\\u009b2J\"" },
	{ { "\xe2\x80\xae\xe2\x80\x8b\xef\xbb\xbf", 9 }, "\"\\u202e\\u200b\\ufeff\"" },
	{ { "\xd8\x9c\xc2\xa0", 4 }, "\"\\u061c\xc2\xa0\"" },
	{ { "\xe2\x80", 2 }, "\"\\u00e2\\u0080\"" },
	{ { "", 0 }, "\"\"" },
};

static const struct {
	double value;
	const char *want;
} reals[] = {
	{ 16.0, "16" },       { 0.1, "0.1" },
	{ -2.5, "-2.5" },     { 12345678901.5, "12345678901.5" },
	{ 1e300, "1e+300" },  { 0.1 + 0.2, "0.30000000000000004" },
	{ INFINITY, "null" }, { -INFINITY, "null" },
	{ NAN, "null" },
};

int main(void)
{
	check_layout();
	check_numbers();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct buf out BUF_SCOPED = { 0 };
		struct json j = json_on(&out);

		json_text(&j, NULL, texts[i].text);
		CHECK_TEXT(out.data, texts[i].want);
	}
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		struct buf out BUF_SCOPED = { 0 };
		struct json j = json_on(&out);

		json_real(&j, NULL, reals[i].value);
		CHECK_TEXT(out.data, reals[i].want);
	}
	return check_end();
}
