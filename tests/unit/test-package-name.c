#include "parse/package-name.h"

#include "check-span.h"
#include "source-file.h"

static const struct {
	const char *text;
	const char *name; /* NULL: refused */
	const char *why;
} names[] = {
	{ "torch", "torch", "as it is" },
	{ "Flash_Attn", "flash-attn", "capitals and an underscore" },
	{ "ruamel.yaml", "ruamel-yaml", "a dot" },
	{ "a-_.b", "a-b", "a run is one" },
	{ "", NULL, "no name" },
	{ "torch ", NULL, "a blank" },
	{ "t\xc3\xb6rch", NULL, "no letter of ours" },
};

static void test_names(void)
{
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char name[PACKAGE_NAME_MAX] = "untouched";
		bool good = package_name_parse(span_of(names[i].text), name);

		ROW_CHECK(good == (names[i].name != NULL), names[i].why);
		ROW_SPAN(span_of(name), names[i].name ? names[i].name : "untouched", names[i].why);
	}
}

/* What packaging.utils.canonicalize_name answers; tests/data/python/make.py. */
static void test_oracle(void)
{
	struct buf text BUF_SCOPED = tree_file("tests/data/python/names.tsv");
	struct span rest = buf_get(&text), line, written;
	char name[PACKAGE_NAME_MAX];

	while (span_line(&rest, &line)) {
		CHECK(span_cut(&line, '\t', &written));
		CHECK(package_name_parse(written, name));
		CHECK(span_is(line, name));
		CHECK(package_name_is(written, name));
	}
}

static void test_length(void)
{
	char text[PACKAGE_NAME_MAX + 1];
	char name[PACKAGE_NAME_MAX];

	memset(text, 'a', sizeof(text));
	CHECK(package_name_parse((struct span){ text, PACKAGE_NAME_MAX - 1 }, name));
	CHECK_INT(strlen(name), PACKAGE_NAME_MAX - 1);
	CHECK(!package_name_parse((struct span){ text, PACKAGE_NAME_MAX }, name));
	CHECK(!package_name_is(SPAN_LITERAL("torchaudio"), "torch"));
}

int main(void)
{
	test_names();
	test_oracle();
	test_length();
	return check_end();
}
