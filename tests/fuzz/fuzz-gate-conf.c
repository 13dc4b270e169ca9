#include "gate/gate-conf.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is accepted is bounded and whole; what is not has a line and a reason, and enforces nothing. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gate_conf c = { .scontrol = "untouched" };
	struct gate_mistake m = { .why = NULL };
	struct arena arena = { 0 };

	if (gate_conf_parse(&arena, (struct span){ (const char *)data, size }, &c, &m)) {
		must(!m.why && c.count <= GATE_CONF_ENFORCED);
		must(c.max_drained <= GATE_CONF_DRAINED);
		must(strlen(c.scontrol) <= GATE_CONF_PATH);
		must(!c.scontrol[0] || c.scontrol[0] == '/');
		for (size_t i = 0; i < c.count; i++)
			must(c.enforced[i].cause[0] && c.enforced[i].action[0] &&
			     c.enforced[i].line > 0);
	} else {
		must(m.why && c.count == 0 && strcmp(c.scontrol, "untouched") == 0);
	}
	arena_done(&arena);
	return 0;
}
