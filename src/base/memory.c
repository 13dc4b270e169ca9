#include "base/memory.h"

#include <stdio.h>
#include <unistd.h>

#include "base/exit-status.h"

void memory_out(void)
{
	fputs("rocsteady: out of memory\n", stderr);
	_exit(EXIT_OWN_FAULT);
}
