#include "kb/cases.h"

#include "check.h"

static const char good[] = "# why it is here\n"
			   "fires: /dev/kfd certain   # the least belief\n"
			   "machine: one\n"
			   "edit: ask open /dev/kfd !EACCES\n"
			   "edit: file /x # kept\n"
			   "edit: \\tbody\n"
			   "edit: \ta real tab \n"
			   "edit:\tfile /y\n"
			   "\n"
			   "fires: - likely\n"
			   "machine: two # a comment\n"
			   "\n\n"
			   "near-miss:\n"
			   "machine: three\n"
			   "undecided:\n"
			   "machine: four\n";

static void test_good(void)
{
	struct faults faults = { 0 };
	struct arena arena = { 0 };
	struct cases_block *b = cases_parse(SPAN_LITERAL(good), "x.cases", false, &arena, &faults);

	CHECK_INT(faults.count, 0);
	CHECK_INT(b->kind, CASES_FIRES);
	CHECK_INT(b->line, 2);
	CHECK_TEXT(b->subject, "/dev/kfd");
	CHECK(b->certain);
	CHECK_TEXT(b->machine, "one");
	CHECK_TEXT(b->edits,
		   "ask open /dev/kfd !EACCES\nfile /x # kept\n\tbody\n\ta real tab\nfile /y\n");
	b = b->next;
	CHECK_TEXT(b->subject, "");
	CHECK(!b->certain);
	CHECK_TEXT(b->machine, "two");
	CHECK_TEXT(b->edits, "");
	b = b->next;
	CHECK_INT(b->kind, CASES_NEAR_MISS);
	CHECK_TEXT(b->machine, "three");
	b = b->next;
	CHECK_INT(b->kind, CASES_UNDECIDED);
	CHECK(b->next == NULL);
	cases_check_kinds(cases_parse(SPAN_LITERAL(good), "x.cases", false, &arena, &faults),
			  "x.cases", &faults);
	CHECK_INT(faults.count, 0);
	arena_done(&arena);
}

static const struct {
	const char *text, *says;
} bad[] = {
	{ "fires:\nmachine: a\n", "x:1: fires: a subject (or -), then certain or likely\n" },
	{ "fires: a maybe\nmachine: a\n",
	  "x:1: fires: a subject (or -), then certain or likely\n" },
	{ "fires: a certain too\nmachine: a\n",
	  "x:1: fires: a subject (or -), then certain or likely\n" },
	{ "near-miss: why\nmachine: a\n", "x:1: nothing is expected behind this why\n" },
	{ "near-miss:\n", "x:1: this block names no machine and no log\n" },
	{ "near-miss:\nmachine: a\nmachine: b\n", "x:3: unknown, empty or second key machine\n" },
	{ "near-miss:\nmachine:\n",
	  "x:2: unknown, empty or second key machine\nx:1: this block names no machine and no log\n" },
	{ "near-miss:\nmachine: a\nedits: b\n", "x:3: unknown, empty or second key edits\n" },
	{ "machine: a\n", "x:1: a block begins with fires:, near-miss: or undecided:\n" },
	{ "near-miss:\nmachine: a\nword\n", "x:3: no key: word\n" },
};

static void test_bad(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct faults faults = { 0 };
		struct arena arena = { 0 };

		cases_parse(span_of(bad[i].text), "x", false, &arena, &faults);
		CHECK_TEXT(buf_get(&faults.text).data, bad[i].says);
		buf_done(&faults.text);
		arena_done(&arena);
	}
}

static void test_kinds(void)
{
	struct faults faults = { 0 };
	struct arena arena = { 0 };

	cases_check_kinds(
		cases_parse(SPAN_LITERAL("near-miss:\nmachine: a\n"), "x", false, &arena, &faults),
		"x", &faults);
	CHECK_TEXT(buf_get(&faults.text).data, "x:1: no block fires:\nx:1: no block undecided:\n");
	buf_done(&faults.text);
	arena_done(&arena);
}

int main(void)
{
	test_good();
	test_bad();
	test_kinds();
	return check_end();
}
