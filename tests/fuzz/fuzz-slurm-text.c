#include "gate/slurm-text.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NOW 1763546400 /* seconds since 1970 */

/* Whatever Slurm prints: parts lie in it, and nobody comes before us who is not counted. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span all = { (const char *)data, size };
	struct slurm_drained d;
	struct slurm_claim c;
	struct slurm_node n;

	if (slurm_node_parse(all, &n))
		must_lie_in(n.reason, all);
	if (slurm_line_parse(all, "n1", &n)) {
		must_lie_in(n.reason, all);
		must_lie_in(n.author, all);
		must_lie_in(n.since, all);
	}
	slurm_drained_parse(all, "n1", NOW, &d);
	must(d.before == 0 || d.before < d.count);
	must(d.last_hour <= d.count);
	slurm_reason_parse(all, &c);
	must_lie_in(c.cause, all);
	must_lie_in(c.subject, all);
	must_lie_in(c.action, all);
	must_lie_in(c.boot, all);
	return 0;
}
