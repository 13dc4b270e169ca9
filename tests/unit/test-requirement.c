#include "parse/requirement.h"

#include "check-span.h"
#include "source-file.h"

static const struct {
	const char *text;
	const char *name; /* NULL: refused */
	const char *extras;
	const char *demands;
	const char *url;
	const char *marker;
	const char *why;
} rows[] = {
	{ "torch==2.4.1", "torch", "", "==2.4.1", "", "", "plain" },
	{ "torch (==2.4.1)", "torch", "", "==2.4.1", "", "", "the parentheses of older tools" },
	{ "triton (==3.0.0) ; platform_system == \"Linux\"", "triton", "", "==3.0.0", "",
	  "platform_system == \"Linux\"", "torch 2.4.1 from the registry" },
	{ "jaxlib<=0.9.2,>=0.9.2", "jaxlib", "", "<=0.9.2,>=0.9.2", "", "", "two demands" },
	{ "jax-rocm60-pjrt ==0.5.0", "jax-rocm60-pjrt", "", "==0.5.0", "", "", "jax's plugin" },
	{ "jax-cuda12-plugin[with-cuda]<=0.9.2; extra == \"cuda\"", "jax-cuda12-plugin",
	  "with-cuda", "<=0.9.2", "", "extra == \"cuda\"", "extras" },
	{ "numpy", "numpy", "", "", "", "", "any" },
	{ "torch @ https://host/a;b.whl ; os_name == 'nt'", "torch", "", "", "https://host/a;b.whl",
	  "os_name == 'nt'", "by address" },
	{ "torch[a,b] @ file:///x", "torch", "a,b", "", "file:///x", "", "extras and address" },
	{ "", NULL, "", "", "", "", "empty" },
	{ "==2.0", NULL, "", "", "", "", "no name" },
	{ "torch[a", NULL, "", "", "", "", "extras do not end" },
	{ "torch 2.4.1", NULL, "", "", "", "", "no operator" },
};

static void test_parse(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct requirement r;
		bool good = requirement_parse(span_of(rows[i].text), &r);

		ROW_CHECK(good == (rows[i].name != NULL), rows[i].why);
		if (!good || !rows[i].name)
			continue;
		ROW_SPAN(r.name, rows[i].name, rows[i].why);
		ROW_SPAN(r.extras, rows[i].extras, rows[i].why);
		ROW_SPAN(r.demands, rows[i].demands, rows[i].why);
		ROW_SPAN(r.url, rows[i].url, rows[i].why);
		ROW_SPAN(r.marker, rows[i].marker, rows[i].why);
	}
}

/* Markers and their combinations as packaging answers them; tests/data/python/make.py. */
static void test_oracle(void)
{
	struct buf text BUF_SCOPED = tree_file("tests/data/python/markers.tsv");
	struct span rest = buf_get(&text), line, written;
	struct requirement_host host = { span_of("3.11"), span_of("x86_64") };
	struct requirement r;
	char why[512];

	while (span_line(&rest, &line)) {
		CHECK(span_cut(&line, '\t', &written));
		snprintf(why, sizeof(why), "%.*s: %.*s", (int)written.len, written.data,
			 (int)line.len, line.data);
		ROW_CHECK(requirement_parse(written, &r), why);
		ROW_CHECK(requirement_applies(&r, &host) ==
				  (span_is(line, "yes") ? PEP440_YES : PEP440_NO),
			  why);
	}
}

static const struct {
	const char *marker;
	enum pep440_meets applies;
	const char *why;
} unknown[] = {
	{ "python_version < '3.13'", PEP440_UNKNOWN, "a Python nobody knows" },
	{ "python_version < '3.13' and os_name == 'nt'", PEP440_NO, "the other half decides" },
	{ "python_version < '3.13' or os_name == 'posix'", PEP440_YES, "the other half decides" },
	{ "platform_release > '5'", PEP440_UNKNOWN, "nobody asked the kernel for it" },
	{ "'3.8' <= python_version", PEP440_UNKNOWN, "turned round" },
	{ "os_name", PEP440_UNKNOWN, "no comparison" },
	{ "os_name == 'posix' os_name", PEP440_UNKNOWN, "something behind the end" },
	{ "(os_name == 'posix'", PEP440_UNKNOWN, "not closed" },
	{ "os_name == 'posix", PEP440_UNKNOWN, "quotes not closed" },
	{ "'a' == 'a'", PEP440_UNKNOWN, "no variable" },
	{ "((((((((((((((((((os_name=='posix'))))))))))))))))))", PEP440_UNKNOWN, "too deep" },
};

static void test_unknown(void)
{
	static const struct requirement_host nobody = { { "", 0 }, { "", 0 } };

	for (size_t i = 0; i < COUNT_OF(unknown); i++) {
		struct requirement r = { .marker = span_of(unknown[i].marker) };

		ROW_CHECK(requirement_applies(&r, &nobody) == unknown[i].applies, unknown[i].why);
	}
}

int main(void)
{
	test_parse();
	test_oracle();
	test_unknown();
	return check_end();
}
