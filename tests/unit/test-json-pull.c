#include "parse/json-pull.h"

#include <errno.h>

#include "check-span.h"

/* As the wheels of xformers 0.0.35 and cupy 13.3 have it, and conda a package. */
static const char cpp_lib[] =
	"{\"version\": {\"cuda\": 1208, \"hip\": null, \"torch\": \"2.10.0+cu128\"}, \"env\": {\"torch\": 1}}";
static const char conda[] =
	"{\n  \"build\": \"py311_rocm6.1\",\n  \"depends\": [\"a\", {\"name\": 1}],\n"
	"  \"name\": \"pytorch\", \"version\": \"2.4.1\"\n}\n";

static const struct {
	const char *text;
	const char *way;
	const char *value; /* NULL: not there */
	const char *why;
} finds[] = {
	{ cpp_lib, "version.torch", "2.10.0+cu128", "two names deep" },
	{ cpp_lib, "version.hip", "null", "null is a word" },
	{ cpp_lib, "version.cuda", "1208", "a number" },
	{ cpp_lib, "env.torch", "1", "the same name in the next branch" },
	{ cpp_lib, "version.none", NULL, "absent in its branch" },
	{ cpp_lib, "torch", NULL, "not at the top" },
	{ cpp_lib, "version.torch.x", NULL, "a text has no members" },
	{ conda, "name", "pytorch", "not the one in the array" },
	{ conda, "build", "py311_rocm6.1", "the first" },
	{ "{\"a\":1", "a", "1", "what stands before the fault is read" },
	{ "{\"a\" 1}", "a", NULL, "no colon" },
	{ "[1]", "a", NULL, "no object" },
	{ "", "a", NULL, "empty" },
};

static const struct {
	const char *text;
	int end; /* what the last call answers */
	int items;
	const char *why;
} walks[] = {
	{ "{}", 0, 2, "opens and closes" },
	{ "[1, \"a\", true, null, {\"b\": []}]", 0, 10, "of every kind" },
	{ " 7 ", 0, 1, "a value alone" },
	{ "7 8", -EBADMSG, 1, "two values" },
	{ "[1 2]", -EBADMSG, 2, "no comma" },
	{ "[1,]", -EBADMSG, 2, "nothing behind the comma" },
	{ "[}", -EBADMSG, 1, "closed by the other bracket" },
	{ "{\"a\":1,}", -EBADMSG, 2, "no member behind the comma" },
	{ "[\"a", -EBADMSG, 1, "quotes not closed" },
	{ "[\"a\\", -EBADMSG, 1, "ends in an escape" },
	{ "[\"\n\"]", -EBADMSG, 1, "a newline in a text" },
	{ "[", -EBADMSG, 1, "not closed" },
	{ "", -EBADMSG, 0, "empty" },
	{ "nul", -EBADMSG, 0, "half a word" },
	{ "[1,true", -EBADMSG, 3, "ends behind a value" },
};

static void test_walks(void)
{
	for (size_t i = 0; i < COUNT_OF(walks); i++) {
		struct json_pull j = json_pull_start(span_of(walks[i].text));
		struct json_pull_item item;
		int count = 0, r;

		while ((r = json_pull_next(&j, &item)) == 1)
			count++;
		ROW_CHECK(r == walks[i].end, walks[i].why);
		ROW_CHECK(count == walks[i].items, walks[i].why);
	}
}

static void test_depth(void)
{
	char text[JSON_PULL_DEPTH_MAX + 2];
	struct json_pull_item item;
	struct json_pull j;
	int count = 0;

	memset(text, '[', sizeof(text));
	j = json_pull_start((struct span){ text, sizeof(text) });
	while (json_pull_next(&j, &item) == 1)
		count++;
	CHECK_INT(count, JSON_PULL_DEPTH_MAX);
}

static const struct {
	const char *written;
	const char *text; /* NULL: malformed */
	const char *why;
} texts[] = {
	{ "plain", "plain", "plain" },
	{ "a\\\"b\\\\c\\/d", "a\"b\\c/d", "escapes" },
	{ "\\n\\t", "\n\t", "control bytes" },
	{ "\\u00fc\\u20ac", "\xc3\xbc\xe2\x82\xac", "two and three bytes" },
	{ "\\ud83d\\ude00", "\xf0\x9f\x98\x80", "a pair" },
	{ "\\ud83d", "\xef\xbf\xbd", "half a pair" },
	{ "\\ude00", "\xef\xbf\xbd", "the other half" },
	{ "\\u12", NULL, "too short" },
	{ "\\u0x12", NULL, "no digits" },
	{ "\\x", NULL, "no escape" },
	{ "\\", NULL, "ends" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(finds); i++) {
		struct json_pull_item item = { .text = SPAN_LITERAL("untouched") };
		bool found = json_pull_find(span_of(finds[i].text), finds[i].way, &item);

		ROW_CHECK(found == (finds[i].value != NULL), finds[i].why);
		ROW_SPAN(item.text, finds[i].value ? finds[i].value : "untouched", finds[i].why);
	}
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct buf text BUF_SCOPED = { 0 };
		bool good = json_pull_text(span_of(texts[i].written), &text);

		ROW_CHECK(good == (texts[i].text != NULL), texts[i].why);
		if (good && texts[i].text)
			ROW_SPAN(buf_get(&text), texts[i].text, texts[i].why);
	}
	test_walks();
	test_depth();
	return check_end();
}
