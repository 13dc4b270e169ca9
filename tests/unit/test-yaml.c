#include "kb/yaml.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"

static const struct {
	const char *text;
	unsigned int line;
	const char *what;
	const char *why;
} refused[] = {
	{ "", 1, "nothing in it", "empty" },
	{ "# only words\n", 1, "nothing in it", "a comment" },
	{ "a: 1\nb: &x 2\n", 2, "no anchors, aliases or tags here", "an anchor" },
	{ "a: 1\nb: *x\n", 2, "no anchors, aliases or tags here", "an alias" },
	{ "a: !!str 1\n", 1, "no anchors, aliases or tags here", "a tag" },
	{ "a: !evil [1]\n", 1, "no anchors, aliases or tags here", "a tag on a list" },
	{ "a: 1\n\na: 2\n", 3, "key given twice: a", "the second would win in silence" },
	{ "a: 1\n---\nb: 2\n", 2, "a second document", "two documents" },
	{ "[a]: 1\n", 1, "a key must be a word", "a list as a key" },
	{ "{a: 1}: 1\n", 1, "a key must be a word", "a map as a key" },
	{ "a: \"\\e[31m\"\n", 1, "a control character", "an escape for the terminal" },
	{ "a: [[[[[[[[1]]]]]]]]\n", 1, "nested too deeply", "deep" },
	{ "a: 'open\n", 2, "found unexpected end of stream", "an open string" },
	{ "a: 1\n b: 2\n", 2, "mapping values are not allowed in this context", "indentation" },
	{ "\xff\xfe", 1, "invalid leading UTF-8 octet", "no UTF-8" },
	{ "a: \t\n\tb: 1\n", 2, "found character that cannot start any token", "a tab" },
};

static void test_refused(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct yaml_error error = { 0 };
		struct arena arena = { 0 };
		struct yaml_node *top = NULL;

		if (!CHECK(yaml_parse(span_of(refused[i].text), &arena, &top, &error) == -EBADMSG))
			printf("  %s\n", refused[i].why);
		CHECK(top == NULL);
		CHECK_TEXT(error.what, refused[i].what);
		CHECK_INT(error.line, refused[i].line);
		arena_done(&arena);
	}
}

static void test_tree(void)
{
	static const char text[] = "# first\n"
				   "name: \"a: b\"\n"
				   "long: >\n"
				   "  one\n"
				   "  two\n"
				   "list:\n"
				   "  - x\n"
				   "  - {k: 7, q: '7'}\n";
	struct yaml_error error = { 0 };
	struct arena arena = { 0 };
	struct yaml_node *top = NULL;
	const struct yaml_node *list, *map;

	CHECK_INT(yaml_parse(SPAN_LITERAL(text), &arena, &top, &error), 0);
	CHECK_INT(top->kind, YAML_MAP);
	CHECK_INT(top->count, 3);
	CHECK_TEXT(yaml_find(top, "name")->text, "a: b");
	CHECK(!yaml_find(top, "name")->plain);
	CHECK_TEXT(yaml_find(top, "long")->text, "one two\n");
	CHECK_INT(yaml_find(top, "long")->line, 3);
	CHECK(yaml_find(top, "none") == NULL);
	list = yaml_find(top, "list");
	CHECK_INT(list->count, 2);
	CHECK_TEXT(list->children->text, "x");
	map = list->children->next;
	CHECK_INT(map->line, 8);
	CHECK(yaml_find(map, "k")->plain && !yaml_find(map, "q")->plain);
	arena_done(&arena);
}

/* Too much of anything is refused, not endured. */
static void test_bounds(void)
{
	struct buf text = { 0 };
	struct yaml_error error = { 0 };
	struct arena arena = { 0 };
	struct yaml_node *top = NULL;

	for (int i = 0; i < YAML_NODES_MAX + 1; i++)
		buf_text(&text, "- a\n");
	CHECK_INT(yaml_parse(buf_get(&text), &arena, &top, &error), -EBADMSG);
	CHECK_TEXT(error.what, "too many entries");
	buf_clear(&text);
	for (int i = 0; i < 100; i++)
		buf_addf(&text, "k%d: 1\n", i);
	CHECK_INT(yaml_parse(buf_get(&text), &arena, &top, &error), -EBADMSG);
	CHECK_TEXT(error.what, "more than 64 keys");
	buf_clear(&text);
	for (int i = 0; i < 200000; i++)
		buf_char(&text, '[');
	CHECK_INT(yaml_parse(buf_get(&text), &arena, &top, &error), -EBADMSG);
	CHECK_TEXT(error.what, "nested too deeply");
	buf_clear(&text);
	while (text.len <= YAML_SIZE_MAX)
		buf_text(&text, "# a comment\n");
	CHECK_INT(yaml_parse(buf_get(&text), &arena, &top, &error), -EBADMSG);
	CHECK_TEXT(error.what, "larger than a megabyte");
	buf_done(&text);
	arena_done(&arena);
}

int main(void)
{
	test_refused();
	test_tree();
	test_bounds();
	return check_end();
}
