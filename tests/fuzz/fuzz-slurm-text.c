#include "gate/slurm-text.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever Slurm prints: parts lie in it, and nobody comes before us who is not counted. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span all = { (const char *)data, size };
	struct slurm_drained d;
	struct slurm_claim c;
	struct slurm_node n;

	if (slurm_node_parse(all, &n))
		must_lie_in(n.reason, all);
	slurm_drained_parse(all, "n1", &d);
	must(d.before == 0 || d.before < d.count);
	slurm_reason_parse(all, &c);
	must_lie_in(c.cause, all);
	must_lie_in(c.subject, all);
	must_lie_in(c.boot, all);
	return 0;
}
