#include "gate/slurm-text.h"

#include <string.h>

#include "check-span.h"

static const struct {
	const char *text;
	bool known, draining;
	const char *reason, *why;
} nodes[] = {
	{ "NodeName=n1\n   State=IDLE ThreadsPerCore=1\n", true, false, "", "in service" },
	{ "   State=IDLE+DRAIN X=1\n   Reason=fan [root@2026-11-16T21:05:23]\n", true, true, "fan",
	  "drained by an administrator" },
	{ "   State=DOWN*+DRAIN X=1\n   Reason=a [b] c [root@t]\n", true, true, "a [b] c",
	  "brackets in the reason" },
	{ "   State=DRAINED X=1\n", true, true, "", "an old release" },
	{ "   State=MIXED+DRAIN+NOT_RESPONDING\n   Reason=Not responding\n", true, true,
	  "Not responding", "without an author" },
	{ "   State=IDLE\n   Reason=]\n", true, false, "]", "a bracket alone" },
	{ "   State=IDLE\n   Comment=State=DOWN+DRAIN\n", true, false, "",
	  "only the first word counts" },
	{ "   Reason=x\n", false, false, "", "no state" },
	{ "Node n1 not found\n", false, false, "", "no such node" },
	{ "", false, false, "", "nothing" },
};

static void test_nodes(void)
{
	for (size_t i = 0; i < COUNT_OF(nodes); i++) {
		struct slurm_node n = { 0 };

		ROW_CHECK(slurm_node_parse(span_of(nodes[i].text), &n) == nodes[i].known,
			  nodes[i].why);
		ROW_CHECK(n.draining == nodes[i].draining, nodes[i].why);
		ROW_SPAN(n.reason, nodes[i].reason, nodes[i].why);
	}
}

#define OURS "rocsteady: a: drain (boot 12345678)"
static const struct {
	const char *text;
	bool known, draining;
	const char *reason, *author, *why;
} lines[] = {
	{ "n1|idle|Unknown|Unknown|none\n", true, false, "", "", "in service" },
	{ "n1|idle*|Unknown|Unknown|none\nn1|idle*|Unknown|Unknown|none\n", true, false, "", "",
	  "in two partitions" },
	{ "n1|drained*|root|1795098226|" OURS "\n", true, true, OURS, "root", "drained by us" },
	{ "n1|draining|root|1795098226|" OURS "\n", true, true, OURS, "root", "a job runs" },
	{ "n1|drained|ann|1795098226|fan | broken\n", true, true, "fan | broken", "ann",
	  "a bar in the reason" },
	{ "n1|drained|ann|1795098226|none\n", true, true, "none", "ann",
	  "somebody wrote \"none\"" },
	{ "n1|reboot^|root|1795098226|" OURS "\n", false, false, "", "",
	  "a reboot hides whether it is drained" },
	{ "n1|down*|slurm|1795098226|Not responding\n", false, false, "", "",
	  "down, with a reason" },
	{ "n12|drained|root|1795098226|" OURS "\n", false, false, "", "", "another node" },
	{ "n1|idle\nn1|||\n|\n", false, false, "", "", "cut lines" },
	{ "", false, false, "", "", "in no partition" },
};

static void test_lines(void)
{
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct slurm_node n = { 0 };

		ROW_CHECK(slurm_line_parse(span_of(lines[i].text), "n1", &n) == lines[i].known,
			  lines[i].why);
		ROW_CHECK(n.draining == lines[i].draining, lines[i].why);
		ROW_SPAN(n.reason, lines[i].reason, lines[i].why);
		ROW_SPAN(n.author, lines[i].author, lines[i].why);
	}
}

#define NOW        10000
#define OF(action) "rocsteady: a: " action " (boot 12345678)\n"
static const struct {
	const char *text;
	uint64_t count, before, last_hour, age_s;
	const char *why;
} drained[] = {
	{ "", 0, 0, 0, UINT64_MAX, "none" },
	{ "n1|t|fan\nn2|t|NHC: rocsteady: x\n", 0, 0, 0, UINT64_MAX, "reasons of others" },
	{ "n1|t|" OF("drain") "n1|t|" OF("drain"), 1, 0, 1, UINT64_MAX, "two partitions" },
	{ "n5|9990|" OF("drain") "n7|9980|" OF("drain"), 2, 1, 2, 10, "one was earlier" },
	{ "n5|9990|" OF("drain") "n4|9990|" OF("drain"), 2, 1, 2, 10, "at once: by name" },
	{ "n4|1|" OF("drain") "n3|1|" OF("drain"), 2, 0, 0, UINT64_MAX, "we are not among them" },
	{ "n5\nn5|\n|||\n", 0, 0, 0, UINT64_MAX, "cut lines" },
	{ "n5|6400|" OF("drain"), 1, 0, 0, 3600, "an hour ago" },
	{ "n5|6401|" OF("drain"), 1, 0, 1, 3599, "nearly" },
	{ "n5|2026-11-16T21:05:23|" OF("drain"), 1, 0, 1, UINT64_MAX,
	  "a time of another form is of the last hour" },
	{ "n5|10005|" OF("drain"), 1, 0, 1, 0, "the controller's clock is ahead" },
	{ "n5|9990|" OF("drain") "n7|9990|" OF("replace"), 2, 1, 2, 10,
	  "at once: what has to be replaced is worse, and goes first" },
	{ "n5|9990|" OF("replace") "n4|9990|" OF("drain"), 2, 0, 2, 10, "the same of ours" },
	{ "n5|9990|" OF("drain") "n7|9991|" OF("replace"), 2, 0, 2, 10,
	  "what was counted a second ago keeps its place" },
};

static void test_drained(void)
{
	for (size_t i = 0; i < COUNT_OF(drained); i++) {
		struct slurm_drained d;

		slurm_drained_parse(span_of(drained[i].text), "n5", NOW, &d);
		ROW_CHECK(d.count == drained[i].count, drained[i].why);
		ROW_CHECK(d.before == drained[i].before, drained[i].why);
		ROW_CHECK(d.last_hour == drained[i].last_hour, drained[i].why);
		ROW_CHECK(d.age_s == drained[i].age_s, drained[i].why);
	}
}

/* The rate counts those of the last hour alone, also of those that were first. */
static void test_hour(void)
{
	struct slurm_drained d;

	slurm_drained_parse(span_of("n5|9990|" OF("drain") "n7|5000|" OF("drain") "n8|9000|" OF(
				    "drain") "n9|9999|" OF("drain")),
			    "n5", NOW, &d);
	CHECK(d.before == 2 && d.before_in_hour == 1 && d.last_hour == 3);
}

/* What we write we read again; what others wrote behind our leader is no claim. */
static void test_reason(void)
{
	struct node_finding f = { .cause = "gpu-missing",
				  .subject = "0000:c5:00.0",
				  .action = "drain" };
	struct node_verdict v = NODE_VERDICT_EMPTY;
	struct buf reason BUF_SCOPED = { 0 };
	struct slurm_claim c;

	v.boot = "3d4c8f0e-1111";
	slurm_reason_write(&v, &f, &reason);
	slurm_reason_parse(buf_get(&reason), &c);
	ROW_SPAN(c.cause, "gpu-missing", "cause");
	ROW_SPAN(c.subject, "0000:c5:00.0", "subject");
	ROW_SPAN(c.boot, "3d4c8f0e", "boot");
	f.subject = "";
	buf_clear(&reason);
	slurm_reason_write(&v, &f, &reason);
	slurm_reason_parse(buf_get(&reason), &c);
	ROW_SPAN(c.cause, "gpu-missing", "of the node");
	CHECK(c.subject.len == 0);
	slurm_reason_parse(span_of("rocsteady: edited by hand"), &c);
	CHECK(c.cause.len == 0 && c.boot.len == 0);
	CHECK(!slurm_reason_is_ours(span_of("rocsteady")));
	CHECK(!slurm_reason_is_ours(span_of("see rocsteady: x")));
}

int main(void)
{
	test_nodes();
	test_lines();
	test_drained();
	test_hour();
	test_reason();
	return check_end();
}
