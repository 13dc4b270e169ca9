#include "facts/collect.h"

void collect_kfd(struct collect *c)
{
	(void)c;
}
