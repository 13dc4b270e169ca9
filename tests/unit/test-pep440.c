#include "parse/pep440.h"

#include "check-span.h"
#include "source-file.h"

static enum pep440_meets answer_of(struct span word)
{
	return span_is(word, "yes") ? PEP440_YES : span_is(word, "no") ? PEP440_NO : PEP440_UNKNOWN;
}

/* 2,500 pairs as packaging answers them; tests/data/python/make.py. */
static void test_oracle(void)
{
	struct buf text BUF_SCOPED = tree_file("tests/data/python/meets.tsv");
	struct span rest = buf_get(&text), line, version, demands;
	char why[512];

	while (span_line(&rest, &line)) {
		CHECK(span_cut(&line, '\t', &version) && span_cut(&line, '\t', &demands));
		snprintf(why, sizeof(why), "%.*s %.*s: %.*s", (int)version.len, version.data,
			 (int)demands.len, demands.data, (int)line.len, line.data);
		ROW_CHECK(pep440_meets(version, demands) == answer_of(line), why);
	}
}

static void test_order(void)
{
	struct buf text BUF_SCOPED = tree_file("tests/data/python/order.tsv");
	struct span rest = buf_get(&text), line;
	struct pep440 before = { 0 }, version;
	bool first = true;
	char why[128];

	while (span_line(&rest, &line)) {
		snprintf(why, sizeof(why), "%.*s", (int)line.len, line.data);
		ROW_CHECK(pep440_parse(line, &version), why);
		ROW_CHECK(pep440_compare(&version, &version, true) == 0, why);
		if (!first) {
			ROW_CHECK(pep440_compare(&before, &version, true) < 0, why);
			ROW_CHECK(pep440_compare(&version, &before, true) > 0, why);
		}
		before = version;
		first = false;
	}
}

static void test_parts(void)
{
	struct pep440 v = { .epoch = 99 };

	CHECK(pep440_parse(SPAN_LITERAL(" v2!1.2.3rc4.post5.dev6+rocm6.1 "), &v));
	CHECK_INT(v.epoch, 2);
	CHECK_INT(v.release_count, 3);
	CHECK_INT(v.release[2], 3);
	CHECK_INT(v.pre, PEP440_CANDIDATE);
	CHECK_INT(v.pre_number, 4);
	CHECK_INT(v.post, 5);
	CHECK_INT(v.dev, 6);
	CHECK_SPAN(v.local, "rocm6.1");
	v.epoch = 99;
	CHECK(!pep440_parse(SPAN_LITERAL("1.2.3.4.5.6.7.8.9"), &v)); /* more than anybody has */
	CHECK(!pep440_parse(SPAN_LITERAL("1.1234567890123456789"), &v));
	CHECK_INT(v.epoch, 99);
}

static const struct {
	const char *version;
	const char *demands;
	enum pep440_meets meets;
	const char *why;
} lists[] = {
	{ "2.4.1", "", PEP440_YES, "nothing is demanded" },
	{ "2.4.1", " >= 2.0 , < 3 ", PEP440_YES, "blanks" },
	{ "2.4.1", ">=2.0,<2", PEP440_NO, "the second is not met" },
	{ "2.4.1", "<2,nonsense", PEP440_NO, "not met is not met, whatever else is said" },
	{ "2.4.1", ">=2,nonsense", PEP440_UNKNOWN, "one of them is not known" },
	{ "unknown", ">=2", PEP440_UNKNOWN, "a version that is none" },
	{ "unknown", "", PEP440_YES, "any version will do" },
};

int main(void)
{
	test_oracle();
	test_order();
	test_parts();
	for (size_t i = 0; i < COUNT_OF(lists); i++)
		ROW_CHECK(pep440_meets(span_of(lists[i].version), span_of(lists[i].demands)) ==
				  lists[i].meets,
			  lists[i].why);
	return check_end();
}
