#include "run/retry.h"

#include <string.h>

#include "check.h"

static struct workaround workarounds[] = {
	{ "hide", "HIP_VISIBLE_DEVICES", "0,1", "no code", "clr", "fewer-gpus", "lacks" },
	{ "two", "A_ONE", "x y", "says", "source", "none", "lacks" },
	{ "two", "A_TWO", NULL, "says", "source", "none", "lacks" },
	{ "processor", "HIP_VISIBLE_DEVICES", "-1", "last", "clr", "cpu", "lacks" },
};

static const struct retry_place here = { "hip-no-kernel-image", 7, -1, -1, -1 };

static struct retry_view view_of(const struct workarounds *l)
{
	return (struct retry_view){
		.heals = true, .attempt = 1, .attempts = 5, .place = here, .workarounds = l
	};
}

static void test_decisions(void)
{
	struct workarounds all = { workarounds, 4 }, none = { 0 };
	struct retry_view v = view_of(&all);
	struct retry_step s = retry_decide(&v);

	CHECK_INT(s.outcome, RETRY_AGAIN);
	CHECK_INT(s.first, 0);
	CHECK_INT(s.count, 1);
	v.attempt = 5;
	CHECK_INT(retry_decide(&v).outcome, RETRY_LAST);
	v.heals = false;
	CHECK_INT(retry_decide(&v).outcome, RETRY_ENDED);
	v = view_of(&none);
	CHECK_INT(retry_decide(&v).outcome, RETRY_NO_WORKAROUND);
	v.succeeded = true;
	CHECK_INT(retry_decide(&v).outcome, RETRY_ENDED);
	v.attempt = 2;
	CHECK_INT(retry_decide(&v).outcome, RETRY_HEALED);
	v = view_of(&all);
	v.stopped = true;
	CHECK_INT(retry_decide(&v).outcome, RETRY_ENDED);
}

/* What is in force is not pulled again; the processor comes last, and only if it may. */
static void test_order(void)
{
	struct workarounds all = { workarounds, 4 };
	struct retry_view v = view_of(&all);
	struct retry_step s;

	v.settings = workarounds;
	v.setting_count = 1;
	s = retry_decide(&v);
	CHECK_INT(s.first, 1);
	CHECK_INT(s.count, 2);
	v.setting_count = 3;
	CHECK_INT(retry_decide(&v).outcome, RETRY_NO_WORKAROUND);
	v.allow_cpu = true;
	s = retry_decide(&v);
	CHECK_INT(s.outcome, RETRY_AGAIN);
	CHECK_INT(s.first, 3);
}

static void test_places(void)
{
	struct workarounds all = { workarounds, 4 };
	struct retry_place before = here;
	struct retry_view v = view_of(&all);

	v.before = &before;
	v.attempt = 2;
	CHECK_INT(retry_decide(&v).outcome, RETRY_SAME_PLACE);
	before.line = 8; /* further on: another try is worth it */
	CHECK_INT(retry_decide(&v).outcome, RETRY_AGAIN);
	before.batch = 3; /* only one of them told a place: the line counts */
	CHECK_INT(retry_decide(&v).outcome, RETRY_AGAIN);
	v.place.batch = 3;
	CHECK_INT(retry_decide(&v).outcome, RETRY_SAME_PLACE);
	v.place.batch = 4; /* its line came after that of the failure, and now before it */
	CHECK_INT(retry_decide(&v).outcome, RETRY_SAME_PLACE);
	v.place.batch = 5;
	CHECK_INT(retry_decide(&v).outcome, RETRY_AGAIN);
	v.place.batch = 3;
	v.place.signature = "torch-out-of-memory";
	CHECK_INT(retry_decide(&v).outcome, RETRY_AGAIN);
}

/* A job that hung is started again with nothing changed, but not for ever at one place. */
static void test_hangs(void)
{
	struct workarounds none = { 0 };
	struct retry_place before = { "", 0, 2, 5, -1 };
	struct retry_view v = view_of(&none);

	v.hung = true;
	v.place = before;
	CHECK_INT(retry_decide(&v).outcome, RETRY_AGAIN);
	CHECK_INT(retry_decide(&v).count, 0);
	v.before = &before;
	CHECK_INT(retry_decide(&v).outcome, RETRY_SAME_PLACE);
}

static void test_lines(void)
{
	struct retry_plan p = { .outcome = RETRY_AGAIN,
				.says = "attempt 2 follows",
				.directory = "/a b/\xff",
				.cause = "lacks",
				.title = "",
				.place = { "sig", 12, 1, 2, -1 },
				.changes = &workarounds[1],
				.change_count = 2 };
	struct buf text BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	struct retry_plan back;

	retry_write(&text, &p);
	CHECK(retry_read(buf_get(&text), &a, &back));
	CHECK_INT(back.outcome, RETRY_AGAIN);
	CHECK(strcmp(back.says, p.says) == 0 && strcmp(back.directory, p.directory) == 0);
	CHECK(strcmp(back.cause, "lacks") == 0 && back.title[0] == '\0');
	CHECK_INT(back.place.line, 12);
	CHECK_INT(back.place.step, -1);
	CHECK_INT(back.change_count, 2);
	CHECK(strcmp(back.changes[0].value, "x y") == 0 && back.changes[1].value == NULL);
	CHECK(strcmp(back.changes[1].source, "source") == 0);
	for (size_t n = 0; n < text.len; n++) /* cut anywhere: no plan, or a shorter one */
		retry_read((struct span){ text.data, n }, &a, &back);
	CHECK(!retry_read(SPAN_LITERAL("outcome\nset\nplace x\nwhy\n"), &a, &back));
	arena_done(&a);
}

static void test_words(void)
{
	static const struct {
		const char *text;
		size_t count;
		const char *last;
	} rows[] = {
		{ "", 0, NULL },
		{ "  --resume last.pt ", 2, "last.pt" },
		{ "--from 'a b' \"c $HOME\"", 3, "c $HOME" },
		{ "a\\ b", 1, "a b" },
		{ "'' x", 2, "x" },
		{ "--x=''", 1, "--x=" },
	};
	struct arena a = { 0 };
	size_t count;
	char **words;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK(retry_words(span_of(rows[i].text), &a, &words, &count));
		CHECK_INT(count, rows[i].count);
		CHECK(!rows[i].last || strcmp(words[count - 1], rows[i].last) == 0);
	}
	CHECK(!retry_words(SPAN_LITERAL("a 'b"), &a, &words, &count));
	arena_done(&a);
}

int main(void)
{
	test_decisions();
	test_order();
	test_places();
	test_hangs();
	test_lines();
	test_words();
	return check_end();
}
