#include "facts/collect.h"

void collect_health(struct collect *c)
{
	(void)c;
}
