#include <string.h>

#include "check.h"
#include "parse/json-tree.h"

/* As SPAN_LITERAL, for static tables. */
#define LITERAL(text)                  \
	{                              \
		text, sizeof(text) - 1 \
	}

static const struct {
	const char *why;
	struct span text;
	bool good;
} cases[] = {
	{ "an object", LITERAL(" {\"a\": [1, -2.5e3, true, null, \"x\"]} "), true },
	{ "nothing", LITERAL(""), false },
	{ "two values", LITERAL("1 2"), false },
	{ "a comma too many", LITERAL("[1,]"), false },
	{ "a key without quotes", LITERAL("{a: 1}"), false },
	{ "a number with a leading zero", LITERAL("01"), false },
	{ "a point without digits", LITERAL("1."), false },
	{ "a minus alone", LITERAL("-"), false },
	{ "an open text", LITERAL("\"abc"), false },
	{ "a text that ends in a backslash", LITERAL("\"abc\\"), false },
	{ "a control character", LITERAL("\"a\nb\""), false },
	{ "an escape that does not exist", LITERAL("\"\\x41\""), false },
	{ "four digits of which one is none", LITERAL("\"\\u00g0\""), false },
	{ "0x is no digits", LITERAL("\"\\u0x41\""), false },
	{ "deeper than we go",
	  LITERAL("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"), false },
	{ "a byte behind a NUL", LITERAL("1\0"), false },
};

static void test_texts(void)
{
	struct arena arena = { 0 };
	struct json_node *top;

	CHECK_INT(json_tree_parse(SPAN_LITERAL("{\"k\\u0065y\": \"\\ud83d\\ude00 \\ud83d \\n\"}"),
				  &arena, &top, NULL),
		  0);
	/* a pair, half a pair, a newline */
	CHECK(span_is(json_tree_text(top, "key"), "\xf0\x9f\x98\x80 \xef\xbf\xbd \n"));
	CHECK(json_tree_text(top, "none").len == 0);
	CHECK(json_tree_find(top->children, "x") == NULL); /* a text has no members */
	arena_done(&arena);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena arena = { 0 };
		struct json_node *top;

		CHECK((json_tree_parse(cases[i].text, &arena, &top, NULL) == 0) == cases[i].good);
		arena_done(&arena);
	}
	test_texts();
	return check_end();
}
