#include "parse/metadata.h"

#include "check-span.h"

/* Cut from torchaudio 2.4.1 and from Debian's python3-torch. */
static const char torchaudio[] = "Metadata-Version: 2.1\n"
				 "Name: torchaudio\n"
				 "Version: 2.4.1+rocm6.1\n"
				 "License: BSD\n"
				 "        continued: not a header\n"
				 "requires-dist: torch (==2.4.1)\n"
				 "\n"
				 "Version: 9.9 stands in the description\n";
static const char windows[] = "Name: x\r\nVersion: 1.0\r\n\r\nVersion: 2.0\r\n";

static const struct {
	const char *text;
	const char *name;
	const char *value; /* NULL: not there */
	const char *why;
} finds[] = {
	{ torchaudio, "Version", "2.4.1+rocm6.1", "plain" },
	{ torchaudio, "Requires-Dist", "torch (==2.4.1)", "names in any case" },
	{ torchaudio, "continued", NULL, "a line that goes on" },
	{ torchaudio, "Classifier", NULL, "absent" },
	{ windows, "Version", "1.0", "line ends of Windows, and the end of the headers" },
	{ "Version:2.0\n", "Version", "2.0", "no blank" },
	{ "Version: \n", "Version", "", "empty" },
	{ ": x\n", "", NULL, "no name" },
	{ "\nVersion: 1\n", "Version", NULL, "no headers at all" },
	{ "", "Version", NULL, "empty file" },
};

static void test_eggs(void)
{
	struct span rest = SPAN_LITERAL("\ntyping_extensions\n# no\n  numpy>=1.0  \n\n[opt]\nx\n");
	struct span one;

	CHECK(metadata_egg_requirement(&rest, &one));
	CHECK_SPAN(one, "typing_extensions");
	CHECK(metadata_egg_requirement(&rest, &one));
	CHECK_SPAN(one, "numpy>=1.0");
	CHECK(!metadata_egg_requirement(&rest, &one));
	CHECK(!metadata_egg_requirement(&rest, &one));
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(finds); i++) {
		struct span value = SPAN_LITERAL("untouched");
		bool found = metadata_find(span_of(finds[i].text), finds[i].name, &value);

		ROW_CHECK(found == (finds[i].value != NULL), finds[i].why);
		ROW_SPAN(value, found && finds[i].value ? finds[i].value : "untouched",
			 finds[i].why);
	}
	test_eggs();
	return check_end();
}
