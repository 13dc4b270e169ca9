#include "gate/gate-conf.h"

#include <string.h>

#include "check-span.h"

static const struct {
	const char *text;
	const char *mistake; /* NULL: none */
	size_t line, enforced;
	const char *why;
} rows[] = {
	{ "", NULL, 0, 0, "an empty file observes" },
	{ "# nothing\n\n \t\n", NULL, 0, 0, "comments and blank lines" },
	{ "max_drained 5\nenforce gpu-missing drain\n", NULL, 0, 1, "as the manual has it" },
	{ "enforce a drain\r\nenforce b replace\r\nmax_drained 0", NULL, 0, 2,
	  "any order, edited on another system, no newline at the end" },
	{ "scontrol /opt/slurm/bin/scontrol\n", NULL, 0, 0, "a place alone" },
	{ "enforce a drain\n", "max_drained is missing", 0, 0, "enforced without a limit" },
	{ "max_drained 5\nenforce a\n", "enforce CAUSE ACTION", 2, 0, "no action" },
	{ "max_drained 5\nenforce\n", "enforce CAUSE ACTION", 2, 0, "no cause" },
	{ "max_drained 5\nenforce a drain now\n", "enforce CAUSE ACTION", 2, 0, "a word too many" },
	{ "max_drained 5\nenforce a watch\n", "the action is one of", 2, 0,
	  "an action that closes nothing" },
	{ "max_drained 5\n\nenforce a drain\nenforce a reboot\n", "before", 4, 0, "twice" },
	{ "max_drained 5\nmax_drained 6\n", "before", 2, 0, "two limits" },
	{ "scontrol /a\nscontrol /b\n", "before", 2, 0, "two places" },
	{ "max_drained 10%\n", "a number of nodes", 1, 0, "a share is no number" },
	{ "max_drained -1\n", "a number of nodes", 1, 0, "fewer than none" },
	{ "max_drained 1001\n", "a number of nodes", 1, 0, "a slip of the finger" },
	{ "max_drained\n", "a number of nodes", 1, 0, "no number" },
	{ "max_draind 5\n", "the keys are", 1, 0, "a typo" },
	{ "Enforce a drain\n", "the keys are", 1, 0, "keys are lower case" },
	{ "scontrol scontrol\n", "from / on", 1, 0, "looked for in PATH" },
	{ "scontrol\n", "from / on", 1, 0, "no path" },
	{ "slurm_ms 2000\n", NULL, 0, 0, "a slow controller" },
	{ "slurm_ms 0\n", "milliseconds", 1, 0, "no time at all" },
	{ "slurm_ms 10001\n", "milliseconds", 1, 0, "a job would wait for it" },
	{ "slurm_ms 1\nslurm_ms 1\n", "before", 2, 0, "twice the time" },
	{ "max_per_hour 3\n", NULL, 0, 0, "a rate" },
	{ "max_per_hour 0\n", "from 1 to 1000", 1, 0, "a rate of none is max_drained 0" },
	{ "max_per_hour 1001\n", "from 1 to 1000", 1, 0, "a slip of the finger" },
	{ "max_per_hour 3\nmax_per_hour 3\n", "before", 2, 0, "two rates" },
	{ "latch yes\n", NULL, 0, 0, "a latch" },
	{ "latch\n", "yes or no", 1, 0, "no word" },
	{ "latch on\n", "yes or no", 1, 0, "another word" },
	{ "max_drained 5 \x01\n", "not text", 1, 0, "control bytes" },
	{ "\xff\xfe\n", "not text", 1, 0, "another encoding" },
};

static void test_rows(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct gate_conf c = { 0 };
		struct gate_mistake m = { 0 };
		struct arena arena = { 0 };
		bool good = gate_conf_parse(&arena, span_of(rows[i].text), &c, &m);

		ROW_CHECK(good == !rows[i].mistake, rows[i].why);
		ROW_CHECK(c.count == rows[i].enforced, rows[i].why);
		ROW_CHECK(m.line == rows[i].line, rows[i].why);
		ROW_CHECK(good || (m.why && rows[i].mistake && strstr(m.why, rows[i].mistake)),
			  rows[i].why);
		arena_done(&arena);
	}
}

/* What the site agreed to holds for what is milder, and for nothing harsher or new. */
static void test_apply(void)
{
	static const struct {
		const char *cause, *action;
		bool enforced;
	} found[] = {
		{ "a", "reset-gpu", true }, { "a", "reboot", true }, { "a", "drain", false },
		{ "a", "replace", false },  { "a", "melt", false },  { "new", "reboot", false },
	};
	struct node_finding findings[COUNT_OF(found)];
	const char *judged[] = { "a", "new" };
	struct node_verdict v = NODE_VERDICT_EMPTY;
	struct gate_mistake m;
	struct arena arena = { 0 };
	struct gate_conf c;

	for (size_t i = 0; i < COUNT_OF(found); i++)
		findings[i] =
			(struct node_finding){ .cause = found[i].cause, .action = found[i].action };
	v.findings = findings;
	v.count = COUNT_OF(found);
	v.judged = judged;
	v.judged_count = 2;
	CHECK(gate_conf_parse(&arena, span_of("enforce a reboot\nmax_drained 3"), &c, &m));
	CHECK(!gate_conf_unknown(&c, &v));
	gate_conf_apply(&c, &v);
	for (size_t i = 0; i < COUNT_OF(found); i++)
		ROW_CHECK(findings[i].enforced == found[i].enforced, found[i].action);
	CHECK(v.max_drained == 3 && strcmp(v.mode, "enforce") == 0);
	CHECK(gate_conf_parse(&arena, span_of("enforce gone reboot\nmax_drained 3"), &c, &m));
	CHECK(gate_conf_unknown(&c, &v) && gate_conf_unknown(&c, &v)->line == 1);
	arena_done(&arena);
}

/* More lines than anybody writes are a mistake and not a loop without end. */
static void test_many(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct gate_mistake m = { 0 };
	struct arena arena = { 0 };
	struct gate_conf c;

	buf_text(&text, "max_drained 1\n");
	for (size_t i = 0; i <= GATE_CONF_ENFORCED; i++)
		buf_addf(&text, "enforce c%zu drain\n", i);
	CHECK(!gate_conf_parse(&arena, buf_get(&text), &c, &m));
	CHECK(m.line == GATE_CONF_ENFORCED + 2);
	arena_done(&arena);
}

int main(void)
{
	test_rows();
	test_apply();
	test_many();
	return check_end();
}
