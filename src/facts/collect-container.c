#include "facts/collect.h"

void collect_container(struct collect *c)
{
	(void)c;
}
