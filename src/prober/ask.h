#pragma once

/*
 * ask - the question that this process is there for
 *
 * From the command line, which is the parent's: docs/design/0009-probe.md.
 */

#include <stddef.h>

struct ask {
	const char *question; /* memory.malloc */
	int device, peer;     /* as HIP counts the visible ones */
	int rank, ranks;
	size_t bytes; /* of GPU memory, at most; 0: what the question usually takes */
	const char *dir;
	const char *python;
};

/* The number of bytes that the question may take. */
static inline size_t ask_bytes(const struct ask *ask, size_t usual)
{
	return ask->bytes ? ask->bytes : usual;
}

/* The same where more would prove no more. */
static inline size_t ask_bytes_up_to(const struct ask *ask, size_t most)
{
	return ask->bytes && ask->bytes < most ? ask->bytes : most;
}
