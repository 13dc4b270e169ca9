#include "gate/node-verdict.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "gate/readers.h"

static const char *const nothing[] = { NULL };

static struct node_finding ecc(uint64_t first_s, bool logged)
{
	return (struct node_finding){ .cause = "ecc-uncorrectable",
				      .subject = "0000:47:00.0",
				      .action = "drain",
				      .repair = "reseat",
				      .title = "GPU 2 had uncorrectable ECC errors",
				      .first_s = first_s,
				      .logged = logged };
}

static struct node_verdict verdict(const char *boot, struct node_finding *f, size_t count)
{
	struct node_verdict v = NODE_VERDICT_EMPTY;

	v.boot = boot;
	v.second = 100;
	v.knowledge = "2026-11-15";
	v.findings = f;
	v.count = count;
	v.unknown = (const char **)nothing;
	return v;
}

static void test_round(void)
{
	struct node_finding f = ecc(90, true);
	struct node_verdict v = verdict("b", &f, 1), back;
	struct arena arena = { 0 };
	struct buf text BUF_SCOPED = { 0 };

	node_verdict_write(&v, &text);
	CHECK(node_verdict_parse(&arena, buf_get(&text), &back));
	CHECK(back.count == 1 && back.second == 100 && back.more == 0);
	CHECK(strcmp(back.findings[0].title, f.title) == 0 && back.findings[0].logged);
	CHECK(strcmp(back.findings[0].subject, f.subject) == 0);
	CHECK_TEXT(back.findings[0].repair, "reseat");
	CHECK(strcmp(back.boot, "b") == 0 && strcmp(back.knowledge, "2026-11-15") == 0);
	for (size_t n = 0; n < text.len;
	     n++) /* cut short it is of no boot: no yes without its findings */
		if (node_verdict_parse(&arena, (struct span){ text.data, n }, &back))
			CHECK(back.count == 0 && !back.boot[0]);
	arena_done(&arena);
}

/* 64 devices with a fault each: what does not fit is counted. */
static void test_room(void)
{
	struct node_finding many[64];
	struct node_verdict v = verdict("b", many, 64), back;
	struct arena arena = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct gate_answer answer;

	for (size_t i = 0; i < 64; i++)
		many[i] = ecc(1, false);
	node_verdict_write(&v, &text);
	CHECK(text.len <= NODE_VERDICT_MAX);
	CHECK(node_verdict_parse(&arena, buf_get(&text), &back));
	CHECK(back.count > 10 && back.more > 0 && back.count + back.more == 64);
	answer = gate_judge(&arena, &back);
	CHECK(answer.state == GATE_CLOSED);
	arena_done(&arena);
}

static size_t joined(const char *boot, bool logged, bool unknown)
{
	const char *causes[] = { "ecc-uncorrectable" };
	struct node_finding f = ecc(50, logged);
	struct node_verdict earlier = verdict("b", &f, 1), v = verdict(boot, NULL, 0);
	struct arena arena = { 0 };
	size_t count;

	v.unknown = causes;
	v.unknown_count = unknown;
	node_verdict_join(&arena, &v, &earlier);
	count = v.count;
	arena_done(&arena);
	return count;
}

static void test_join(void)
{
	struct node_finding was = ecc(50, false), is = ecc(100, false);
	struct node_verdict earlier = verdict("b", &was, 1), v = verdict("b", &is, 1);
	struct arena arena = { 0 };

	node_verdict_join(&arena, &v, &earlier);
	CHECK(v.count == 1 && v.findings[0].first_s == 50);
	arena_done(&arena);
	CHECK(joined("b", false, false) == 0); /* asked again, and gone */
	CHECK(joined("b", false, true) == 1);  /* could not be asked: it stays */
	CHECK(joined("b", true, false) == 1);  /* the log has turned over: it stays */
	CHECK(joined("c", true, true) == 0);   /* another boot */
	CHECK(joined("", true, true) == 0);    /* who knows which */
}

static void test_damaged(void)
{
	static const char *const bad[] = {
		"",
		"rocsteady-verdict 1",
		"rocsteady-verdict 2\nboot a\n",
		"rocsteady-verdict 1\nsecond -1\n",
		"rocsteady-verdict 1\nfinding a b\n",
		"rocsteady-verdict 1\nfinding - b drain 1 log x\n",
		"rocsteady-verdict 1\nboot \\x1b[31m\n",
		"rocsteady-verdict 1\nboot a\nsecond 1",
	};
	struct arena arena = { 0 };
	struct node_verdict v;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!node_verdict_parse(&arena, span_of(bad[i]), &v));
	CHECK(node_verdict_parse(&arena, span_of("rocsteady-verdict 1\nlater word\n"), &v));
	arena_done(&arena);
}

/* What a monitor cuts is never in the middle of a letter, and never cause or subject. */
static void test_readers(void)
{
	struct node_finding f = ecc(1, false);
	struct node_verdict v = verdict("b", &f, 1);
	struct arena arena = { 0 };
	struct gate_answer answer = gate_judge(&arena, &v);
	struct buf text BUF_SCOPED = { 0 };

	reader_find("npd")->write(&answer, &text);
	CHECK(strcmp(text.data, "ecc-uncorrectable 0000:47:00.0: drain\n") == 0);
	CHECK(reader_find("npd")->status[GATE_CLOSED] == 1);
	CHECK(reader_find("npd")->status[GATE_UNKNOWN] == 2);
	CHECK(reader_find("nagios")->status[GATE_CLOSED] == 2);
	CHECK(reader_find("nagios")->status[GATE_UNKNOWN] == 3);
	CHECK(!reader_find("nobody"));
	buf_clear(&text);
	answer = gate_blind(
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		"a\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4");
	reader_find("npd")->write(&answer, &text);
	CHECK(text.len == 80 &&
	      (unsigned char)text.data[78] == 0xa4); /* 79 bytes and the newline */
	buf_clear(&text);
	reader_find("nfd")->write(&answer, &text);
	CHECK(strstr(text.data, "\nrocsteady.io/gate=unknown\n"));
	CHECK(strncmp(text.data, "# +expiry-time=1970-01-01T00:03:00Z\n", 36) == 0);
	arena_done(&arena);
}

/* What is enforced comes first, in its own order; an older program's file is put in order when it is read. */
static void test_order(void)
{
	static const char text[] =
		"rocsteady-verdict 1\nmode enforce\n"
		"finding a - drain 1 log t observe\nfinding b - drain 1 log t enforce\n"
		"finding c - drain 1 log t observe\nfinding d - drain 1 log t enforce\n";
	struct buf names BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct node_verdict v;
	struct gate_answer answer;

	if (!CHECK(node_verdict_parse(&arena, span_of(text), &v)))
		return;
	for (size_t i = 0; i < v.count; i++)
		buf_text(&names, v.findings[i].cause);
	CHECK_TEXT(names.data, "bdac");
	answer = gate_judge(&arena, &v);
	gate_leave_observed(&arena, &answer);
	CHECK(answer.state == GATE_CLOSED && !answer.observed);
	reader_find("npd")->write(&answer, &said);
	CHECK_TEXT(said.data, "b: drain, and 3 more\n");
	arena_done(&arena);
}

/* A controller hears of a repair for what is enforced alone; an earlier program's file names none. */
static void test_repair(void)
{
	static const struct {
		const char *end, *label, *json;
	} rows[] = {
		{ " enforce reseat", "\nrocsteady.io/repair=reseat\n", "\"repair\": \"reseat\"" },
		{ " observe reseat", "\nrocsteady.io/repair=none\n", "\"repair\": \"none\"" },
		{ " enforce", "\nrocsteady.io/mode=enforce\n", "\"repair\": \"\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf text BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
		struct arena arena = { 0 };
		struct node_verdict v;
		struct gate_answer answer;

		buf_addf(&text, "rocsteady-verdict 1\nfinding nic-link-down - drain 1 state t%s\n",
			 rows[i].end);
		if (!CHECK(node_verdict_parse(&arena, buf_get(&text), &v)))
			return;
		answer = gate_judge(&arena, &v);
		reader_find("nfd")->write(&answer, &said);
		CHECK(strstr(said.data, rows[i].label));
		buf_clear(&said);
		reader_find("json")->write(&answer, &said);
		CHECK(strstr(said.data, rows[i].json));
		gate_pass(&answer, "/etc/rocsteady/gate.off");
		buf_clear(&said);
		reader_find("json")->write(&answer, &said);
		CHECK(strstr(said.data,
			     "\"repair\": \"none\", \"why\": \"/etc/rocsteady/gate.off\""));
		arena_done(&arena);
	}
}

/* A test of the GPUs stays for its boot, and one that failed is told and closes nothing. */
static void test_gpu_test(void)
{
	struct node_verdict earlier = verdict("b", NULL, 0), v = verdict("b", NULL, 0), back;
	struct buf text BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct gate_answer answer;

	earlier.test = (struct node_test){ "failed", "memory,rocblas", 40 };
	node_verdict_join(&arena, &v, &earlier);
	node_verdict_weigh_test(&arena, &v);
	node_verdict_write(&v, &text);
	CHECK(strstr(text.data, "\ntest 40 failed memory,rocblas\n"));
	CHECK(node_verdict_parse(&arena, buf_get(&text), &back));
	answer = gate_judge(&arena, &back);
	CHECK(answer.state == GATE_UNKNOWN && back.unknown_count == 1);
	answer.age_s = 20;
	reader_find("json")->write(&answer, &said);
	CHECK(strstr(said.data, "\"gpu_test\": {\"result\": \"failed\", \"layers\": "
				"\"memory,rocblas\", \"age_seconds\": 80}"));
	back.test = (struct node_test){ "passed", "", 100 };
	back.unknown_count = 0;
	node_verdict_join(&arena, &back, &earlier); /* the new one counts */
	node_verdict_weigh_test(&arena, &back);
	CHECK(gate_judge(&arena, &back).state == GATE_OPEN);
	v = verdict("c", NULL, 0);
	node_verdict_join(&arena, &v, &earlier);
	CHECK(!v.test.result[0]); /* another boot */
	arena_done(&arena);
}

/* For a program that acts, a node is what it would be without the observed findings. */
static void test_observed(void)
{
	struct node_finding f = ecc(1, false);
	struct node_verdict v = verdict("b", &f, 1);
	const char *unknown[] = { "gpu-missing" };
	struct buf text BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct gate_answer answer = gate_judge(&arena, &v);

	gate_leave_observed(&arena, &answer);
	reader_find("npd")->write(&answer, &text);
	CHECK(answer.state == GATE_OPEN);
	CHECK_TEXT(text.data, "observed only: ecc-uncorrectable 0000:47:00.0: drain\n");
	v.unknown = unknown;
	v.unknown_count = 1;
	answer = gate_judge(&arena, &v);
	CHECK(answer.state == GATE_CLOSED);
	gate_leave_observed(&arena, &answer);
	CHECK(answer.state == GATE_UNKNOWN);
	CHECK_TEXT(answer.why, "not decided: gpu-missing");
	for (size_t i = 0; i < 4; i++) {
		static const char *const names[] = { "text", "nagios", "nfd", "textfile" };

		CHECK(!reader_find(names[i])->acts);
	}
	CHECK(reader_find("npd")->acts);
	arena_done(&arena);
}

int main(void)
{
	test_round();
	test_room();
	test_join();
	test_damaged();
	test_readers();
	test_order();
	test_observed();
	test_repair();
	test_gpu_test();
	return check_end();
}
