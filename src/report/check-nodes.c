#include "report/check-nodes.h"

#include "base/json-write.h"
#include "diagnose/diagnose.h"
#include "report/check.h"

static void add_finding(struct json *j, const struct finding *f)
{
	json_open(j, NULL, '{');
	json_string(j, "cause", f->cause);
	json_string(j, "subject", f->subject);
	json_string(j, "severity", f->severity);
	json_string(j, "belief", belief_name(f->belief));
	json_string(j, "action", f->action);
	json_close(j, '}');
}

void check_nodes_json(const struct check_report *r, struct buf *ret)
{
	const struct diagnosis *d = r->diagnosis;
	enum section last =
		d->verdict == VERDICT_UNDECIDED ? SECTION_UNDECIDED : SECTION_CONSEQUENCE;
	struct json j = json_on(ret);

	j.compact = true;
	json_open(&j, NULL, '{');
	json_string(&j, "node", r->node);
	json_string(&j, "verdict", diagnose_verdict_name(d->verdict));
	json_string(&j, "knowledge", r->kb_version);
	json_open(&j, "findings", '[');
	for (size_t i = 0; i < d->finding_count; i++)
		if (d->findings[i].section <= last)
			add_finding(&j, &d->findings[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}

void check_nodes_line(const char *node, const char *sentence, struct buf *ret)
{
	buf_addf(ret, "%s  %s\n", node, sentence);
}

/* "120 nodes: 117 ready, 1 degraded, 2 not ready"; what there is none of is left out. */
void check_nodes_sum(const struct check_nodes *n, struct buf *ret)
{
	static const char *const words[CHECK_NODES_ANSWERS] = { "ready", "degraded", "not ready",
								"unclear", "not read" };
	const char *comma = ":";

	buf_addf(ret, "%zu %s", n->nodes, n->nodes == 1 ? "node" : "nodes");
	for (size_t i = 0; i < CHECK_NODES_ANSWERS; i++) {
		if (n->answers[i] == 0)
			continue;
		buf_addf(ret, "%s %zu %s", comma, n->answers[i], words[i]);
		comma = ",";
	}
	buf_char(ret, '\n');
}
