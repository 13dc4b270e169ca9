#include "parse/ras.h"

#include "check-span.h"

static const struct {
	const char *text;
	bool good;
	struct ras_counts counts;
	const char *why;
} counts[] = {
	{ "ue: 0\nce: 0\n", true, { 0, 0, 0, false }, "a healthy block" },
	{ "ue: 3\nce: 1204\nde: 7\n", true, { 3, 1204, 7, true }, "umc with deferred errors" },
	{ "ue: 0\nce: 0\nde: 0\n", true, { 0, 0, 0, true }, "none deferred is known" },
	{ "Query currently inaccessible\n", false, { 0 }, "during a reset: not zero" },
	{ "ue: 1\n", false, { 0 }, "half an answer" },
	{ "ue: x\nce: 0\n", false, { 0 }, "no number" },
	{ "", false, { 0 }, "empty" },
};

static void test_counts(void)
{
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		struct ras_counts got = { 0 };

		ROW_CHECK(ras_counts_parse(span_of(counts[i].text), &got) == counts[i].good,
			  counts[i].why);
		ROW_CHECK(got.uncorrectable == counts[i].counts.uncorrectable &&
				  got.correctable == counts[i].counts.correctable &&
				  got.deferred == counts[i].counts.deferred &&
				  got.has_deferred == counts[i].counts.has_deferred,
			  counts[i].why);
	}
}

static void test_pages(void)
{
	struct span rest = span_of("0x00a1b2c3 : 0x00001000 : R\n"
				   "0x00a1b2c4 : 0x00001000 : P\n"
				   "0x00a1b2c5 : 0x00001000 : X\n"
				   "0x00a1b2c6 : 0x00001000\n"
				   "\n"
				   "nonsense : 0x00001000 : R\n"
				   "0x1ffffffff : 0x00001000 : F");
	struct ras_bad_page page;

	CHECK(ras_bad_page_next(&rest, &page));
	CHECK(page.page == 0xa1b2c3 && page.size_bytes == 4096 && page.flag == 'R');
	CHECK(ras_bad_page_next(&rest, &page));
	CHECK(page.flag == 'P');
	CHECK(ras_bad_page_next(&rest, &page)); /* a flag that does not exist, and torn lines */
	CHECK(page.page == 0x1ffffffff && page.flag == 'F');
	CHECK(!ras_bad_page_next(&rest, &page));
}

int main(void)
{
	test_counts();
	test_pages();
	return check_end();
}
