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

static const struct {
	const char *text;
	uint64_t count, before;
	const char *why;
} drained[] = {
	{ "", 0, 0, "none" },
	{ "n1|t|fan\nn2|t|NHC: rocsteady: x\n", 0, 0, "reasons of others" },
	{ "n1|t|rocsteady: a: drain\nn1|t|rocsteady: a: drain\n", 1, 0, "two partitions" },
	{ "n5|2|rocsteady: a: drain\nn7|1|rocsteady: a: drain\n", 2, 1, "one was earlier" },
	{ "n5|1|rocsteady: a: drain\nn4|1|rocsteady: a: drain\n", 2, 1, "at once: by name" },
	{ "n4|1|rocsteady: a: drain\nn3|1|rocsteady: a: drain\n", 2, 0, "we are not among them" },
	{ "n5\nn5|\n|||\n", 0, 0, "cut lines" },
};

static void test_drained(void)
{
	for (size_t i = 0; i < COUNT_OF(drained); i++) {
		struct slurm_drained d;

		slurm_drained_parse(span_of(drained[i].text), "n5", &d);
		ROW_CHECK(d.count == drained[i].count, drained[i].why);
		ROW_CHECK(d.before == drained[i].before, drained[i].why);
	}
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
	test_drained();
	test_reason();
	return check_end();
}
