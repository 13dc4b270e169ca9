#include <errno.h>

#include "check-diagnose.h"
#include "diagnose/ack.h"

/* Files that are taken: what the last line became. */
static const struct {
	const char *why;
	const char *text;
	const char *want; /* cause|subject|until|by|reason */
} good[] = {
	{ "a day of its own", "a-b 0000:03:00.0 until 2027-01-31 by ada: new riser\n",
	  "a-b|0000:03:00.0|2027-01-31|ada|new riser" },
	{ "ninety days after the date of the file", "date 2026-11-01\nc * by ada: x\n",
	  "c|*|2027-01-30|ada|x" },
	{ "over a leap day", "date 2028-02-01\nc * by ada: x\n", "c|*|2028-05-01|ada|x" },
	{ "the machine, comments, blanks, a name of two words",
	  "# who\n\n  \nc  -  until 2027-12-31  by  Ada L. :  a: b \n",
	  "c||2027-12-31|Ada L.|a: b" },
	{ "no newline at the end", "c - until 2028-02-29 by ada: x", "c||2028-02-29|ada|x" },
	{ "bytes that a terminal obeys", "c - until 2027-12-31 by ada: x\x1b[31m\n",
	  "c||2027-12-31|ada|x\\x1b[31m" },
};

static void check_good(void)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct acks acks = { 0 };
		struct buf got BUF_SCOPED = { 0 };
		const char *why = "";
		size_t line = 0;

		if (!CHECK(ack_parse(&acks, "f", span_of(good[i].text), &line, &why) == 0) ||
		    !CHECK(acks.count > 0)) {
			printf("  %s: line %zu %s\n", good[i].why, line, why);
			continue;
		}
		buf_addf(&got, "%s|%s|%s|%s|%s", acks.list[acks.count - 1].cause,
			 acks.list[acks.count - 1].subject, acks.list[acks.count - 1].until,
			 acks.list[acks.count - 1].by, acks.list[acks.count - 1].reason);
		CHECK_TEXT(got.data, good[i].want);
		ack_done(&acks);
	}
}

#define FINE "c - until 2027-12-31 by ada: x\n"

static const struct {
	const char *text;
	size_t line;
	const char *why;
} bad[] = {
	{ FINE "c - by ada: x\n", 2, "no end and no date" },
	{ FINE "c - until 2027-02-29 by ada: x\n", 2, "no such day" },
	{ "c - until 2027-13-01 by ada: x\n", 1, "no such month" },
	{ "c - until tomorrow by ada: x\n", 1, "no day" },
	{ "c - until 2027-12-31\n", 1, "nobody" },
	{ "c - until 2027-12-31 by ada\n", 1, "no reason" },
	{ "c - until 2027-12-31 by ada:\n", 1, "an empty reason" },
	{ "c - until 2027-12-31 by : x\n", 1, "an empty name" },
	{ "c - until 2027-12-31 ada: x\n", 1, "another word" },
	{ "c\n", 1, "no subject" },
	{ "C - until 2027-12-31 by ada: x\n", 1, "no slug" },
	{ "date 2026-11-01\ndate 2026-11-02\n", 2, "two dates" },
	{ "date 2026-11-01 x\n", 1, "more than a date" },
	{ "date\n", 1, "no date" },
};

static void check_bad(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct acks acks = { 0 };
		const char *why = NULL;
		size_t line = 0;

		check_note(ack_parse(&acks, "f", span_of(bad[i].text), &line, &why) == -EBADMSG,
			   __FILE__, __LINE__, bad[i].why);
		CHECK_INT(line, bad[i].line);
		CHECK(why != NULL);
		CHECK_INT(acks.count, 0);
		ack_done(&acks);
	}
}

/* 2026-11-15 12:00:00 UTC */
#define NOW 1794744000

static const struct {
	const char *why;
	const char *acks;
	int64_t now;
	enum ack_state state;
	enum verdict verdict;
} uses[] = {
	{ "the subject itself", "c 0000:03:00.0 until 2026-11-15 by ada: x", NOW, ACK_USED,
	  VERDICT_READY },
	{ "a pattern", "c 0000:* until 2026-11-15 by ada: x", NOW, ACK_USED, VERDICT_READY },
	{ "over since midnight", "c * until 2026-11-14 by ada: x", NOW, ACK_EXPIRED,
	  VERDICT_NOT_READY },
	{ "no clock, no end", "c * until 2026-12-31 by ada: x", -1, ACK_EXPIRED,
	  VERDICT_NOT_READY },
	{ "another subject", "c 0000:04* until 2026-12-31 by ada: x", NOW, ACK_UNUSED,
	  VERDICT_NOT_READY },
	{ "the machine is no pattern for its parts", "c - until 2026-12-31 by ada: x", NOW,
	  ACK_UNUSED, VERDICT_NOT_READY },
	{ "a cause that there is not", "d * until 2026-12-31 by ada: x", NOW, ACK_UNKNOWN,
	  VERDICT_NOT_READY },
};

static void check_uses(void)
{
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		struct facts *f = facts_new();
		unsigned char *kb = kb_with(
			f,
			CAUSE("c", "problem", 0) RULE(
				"c", "e", 30,
				"SELECT ''0000:03:00.0'' AS subject, 1 AS value, 1 AS source, ''observed'' AS origin",
				"gpu"));
		struct acks acks = { 0 };
		struct diagnosis d;
		const char *why;
		size_t line;

		CHECK(diagnose(facts_db(f), NULL, &d) == 0);
		CHECK(ack_parse(&acks, "f", span_of(uses[i].acks), &line, &why) == 0);
		ack_apply(&acks, &d, uses[i].now);
		check_note(acks.list[0].state == uses[i].state, __FILE__, __LINE__, uses[i].why);
		CHECK_TEXT(diagnose_verdict_name(d.verdict),
			   diagnose_verdict_name(uses[i].verdict));
		CHECK_INT(d.finding_count, 1); /* still there */
		CHECK_INT(d.checks[0].state, CHECK_PROBLEM);
		CHECK_TEXT(d.findings[0].severity, uses[i].state == ACK_USED ? "info" : "problem");
		CHECK(!d.findings[0].acknowledged == (uses[i].state != ACK_USED));
		CHECK(d.findings[0].holds);
		CHECK_INT(d.findings[0].section,
			  uses[i].state == ACK_USED ? SECTION_ACKNOWLEDGED : SECTION_CAUSE);
		CHECK(!diagnose_wrong_with(&d, "0000:03:00.0") == (uses[i].state == ACK_USED));
		diagnose_done(&d);
		ack_done(&acks);
		facts_free(f);
		sqlite3_free(kb);
	}
}

int main(void)
{
	struct acks acks = { 0 };
	const char *why = NULL;
	size_t line;

	check_good();
	check_bad();
	check_uses();
	CHECK(ack_parse(&acks, "f", SPAN_LITERAL("c - until 2027-12-31 by a\0da: x"), &line,
			&why) == -EBADMSG);
	ack_done(&acks);
	return check_end();
}
