#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/exit-status.h"

static int status = EXIT_OWN_FAULT;
static void (*instead)(void *ctx);
static void *instead_ctx;

void memory_ends_with(int other)
{
	status = other;
}

void memory_instead(void (*act)(void *ctx), void *ctx)
{
	instead = act;
	instead_ctx = ctx;
}

void memory_out(void)
{
	void (*act)(void *ctx) = instead;

	instead = NULL; /* it may need memory itself */
	if (act)
		act(instead_ctx);
	fputs("rocsteady: out of memory\n", stderr);
	_exit(status);
}

void *memory_new(size_t count, size_t size)
{
	void *bytes = calloc(count, size);

	if (!bytes && count > 0 && size > 0)
		memory_out();
	return bytes;
}
