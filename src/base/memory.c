#include "base/memory.h"

#include <stdio.h>
#include <unistd.h>

#include "base/exit-status.h"

static int status = EXIT_OWN_FAULT;

void memory_ends_with(int other)
{
	status = other;
}

void memory_out(void)
{
	fputs("rocsteady: out of memory\n", stderr);
	_exit(status);
}
