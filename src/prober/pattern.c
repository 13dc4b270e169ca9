#include "prober/pattern.h"

#include <stdint.h>
#include <stdlib.h>

#include "prober/wire.h"

static unsigned char byte_at(size_t i)
{
	return (unsigned char)((uint64_t)i * 0x9e3779b97f4a7c15u >> 56);
}

unsigned char *pattern_new(size_t size)
{
	unsigned char *bytes = malloc(size ? size : 1);

	if (!bytes)
		wire_usage("no %zu bytes of memory on this host", size);
	for (size_t i = 0; i < size; i++)
		bytes[i] = byte_at(i);
	return bytes;
}

void pattern_check(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != byte_at(i))
			wire_wrong("byte %zu is 0x%02x, not 0x%02x", i, bytes[i], byte_at(i));
}
