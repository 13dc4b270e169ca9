#include "facts/collect.h"

void collect_frameworks(struct collect *c)
{
	static const char *const tables[] = { "environment", "framework", "package" };

	for (size_t i = 0; c->environments_error < 0 && i < 3; i++)
		facts_gap(c->facts, tables[i], "", c->environments_error, "environments");
}
