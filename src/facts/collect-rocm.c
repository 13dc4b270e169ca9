#include "facts/collect.h"

void collect_rocm(struct collect *c)
{
	(void)c;
}
