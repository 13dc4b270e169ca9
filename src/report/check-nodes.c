#include "report/check-nodes.h"

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
