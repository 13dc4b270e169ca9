#include "facts/collect.h"

void collect_driver(struct collect *c)
{
	(void)c;
}
