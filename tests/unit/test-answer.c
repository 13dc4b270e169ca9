#include "probe/answer.h"

#include <signal.h>

#include "check-span.h"

#define EXITED(status)    ((status) << 8)
#define SIGNALLED(number) (number)

static void tell(struct answer *a, const char *lines)
{
	struct span rest = span_of(lines), line;

	while (span_line(&rest, &line))
		answer_line(a, line);
}

/* What a prober said, how its process ended, and the row. */
static const struct {
	const char *lines;
	int status;
	const char *row, *why;
} cases[] = {
	{ "answered\n", EXITED(0), "q.q - all answered 7\n", "plain" },
	{ "refused 2\n", EXITED(0), "q.q - all refused 7 2\n", "with its status" },
	{ "refused -5\n", EXITED(0), "q.q - all refused 7 -5\n", "some are negative" },
	{ "wrong 1 != 2\n", EXITED(0), "q.q - all wrong 7\n said 1 != 2\n",
	  "the text is evidence" },
	{ "missing libhip.so\n", EXITED(0), "q.q - all missing 7\n said libhip.so\n", "likewise" },
	{ "", EXITED(0), "q.q - all exited 7 0\n", "no last line" },
	{ "", EXITED(134), "q.q - all exited 7 134\n", "no last line, a status" },
	{ "answered\n", EXITED(1), "q.q - all answered 7\n", "it had answered before" },
	{ "answered\n", SIGNALLED(SIGSEGV), "q.q - all crashed 7 11\n",
	  "the end outweighs the words" },
	{ "crashed 11 /lib/x.so+0x10\n", SIGNALLED(SIGSEGV),
	  "q.q - all crashed 7 11\n place /lib/x.so+0x10\n", "a place" },
	{ "crashed 11 /lib/x.so+0x10\n", SIGNALLED(SIGABRT),
	  "q.q - all crashed 7 6\n place /lib/x.so+0x10\n", "the signal is the kernel's word" },
	{ "crashed 11 /lib/x.so+0x10\n", EXITED(0), "q.q - all exited 7 0\n", "it did not" },
	{ "answered\nrefused 3\n", EXITED(0), "q.q - all answered 7\n", "the first counts" },
	{ "refused 3\nanswered\n", EXITED(0), "q.q - all refused 7 3\n", "the first counts" },
	{ "refused\nrefused x\nrefused 99999999999\nanswered yes\nanswer\n", EXITED(0),
	  "q.q - all exited 7 0\n", "of no known form" },
	{ "call a\ncall b\nrefused 1\n", EXITED(0), "q.q - all refused 7 1\n call b\n",
	  "the last" },
	{ "call a\nanswered\n", EXITED(0), "q.q - all answered 7\n", "of no interest" },
	{ "file /a b/c\nvalue n  x  y \nfile\nvalue\nanswered\n", EXITED(0),
	  "q.q - all answered 7\n file /a\\x20b/c\n value n x  y\n", "words and texts" },
	{ "file /a\033[m\nvalue \002 \xff\nanswered\n", EXITED(0),
	  "q.q - all answered 7\n file /a\\x1b[m\n value \\x02 \\xff\n", "escaped" },
	{ "said I am root\nq.q - all answered 7\nanswered\n", EXITED(0), "q.q - all answered 7\n",
	  "not a prober's to say" },
};

static void check_endings(void)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct buf text BUF_SCOPED = { 0 };
		struct answer a = { .ms = 7 };

		tell(&a, cases[i].lines);
		answer_end(&a, cases[i].status);
		answer_write(&text, &a, "q.q", "-", false, SIZE_MAX);
		ROW_SPAN(buf_get(&text), cases[i].row, cases[i].why);
		answer_done(&a);
	}
}

static void check_bounds(void)
{
	struct answer a = { 0 };
	struct buf text BUF_SCOPED = { 0 }, line BUF_SCOPED = { 0 };

	buf_text(&line, "value name ");
	for (int i = 0; i < 4000; i++)
		buf_char(&line, '\001');
	for (int i = 0; i < 1000; i++)
		answer_line(&a, buf_get(&line));
	CHECK(a.lines.len < 32 * 1024);
	CHECK_TEXT(a.said.data, " said (more values than are kept)\n");
	answer_end(&a, 0);
	CHECK(!answer_write(&text, &a, "q.q", "-", true, 100)); /* no room but for the row */
	CHECK_TEXT(text.data, "q.q - alone exited 0 0\n said (more values than are kept)\n");
	answer_done(&a);
	buf_clear(&line);
	for (int i = 0; i < 1000; i++)
		buf_char(&line, 'x');
	answer_say(&a, buf_get(&line));
	CHECK(span_ends(buf_get(&a.said), "xxx...\n"));
	answer_done(&a);
}

static void check_tail(void)
{
	struct answer a = { 0 };
	struct buf many BUF_SCOPED = { 0 };

	answer_say_tail(&a, SPAN_LITERAL("lost\nkept\n\n  \nlast"), false);
	CHECK_TEXT(a.said.data, " said kept\n said last\n");
	answer_done(&a);
	answer_say_tail(&a, SPAN_LITERAL("whole\r\n"), true);
	CHECK_TEXT(a.said.data, " said whole\n");
	answer_done(&a);
	for (int i = 0; i < 100; i++)
		buf_addf(&many, "line %d\n", i);
	answer_say_tail(&a, buf_get(&many), true);
	CHECK(span_starts(buf_get(&a.said), " said line 80\n"));
	CHECK(span_ends(buf_get(&a.said), " said line 99\n"));
	answer_done(&a);
}

static void check_values(void)
{
	struct answer a = { 0 };
	struct span rest, name, text;

	tell(&a, "file /x\nvalue 0 0000:03:00.0\nvalue free 12 bytes\n");
	answer_value(&a, "member", SPAN_LITERAL("a\nb"));
	rest = buf_get(&a.lines);
	CHECK(answer_next_value(&rest, &name, &text) && span_is(name, "0"));
	CHECK(span_is(text, "0000:03:00.0"));
	CHECK(answer_next_value(&rest, &name, &text) && span_is(text, "12 bytes"));
	CHECK(answer_next_value(&rest, &name, &text) && span_is(text, "a\\x0ab"));
	CHECK(!answer_next_value(&rest, &name, &text));
	answer_done(&a);
}

int main(void)
{
	check_endings();
	check_bounds();
	check_tail();
	check_values();
	return check_end();
}
