#include "prober/pattern.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "prober/wire.h"

static uint64_t word_at(size_t i)
{
	return ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
}

unsigned char *pattern_new(size_t size)
{
	uint64_t *words = calloc(size / sizeof(*words) + 1, sizeof(*words));

	if (!words)
		wire_usage("no %zu bytes of memory on this host", size);
	for (size_t i = 0; i < size / sizeof(*words); i++)
		words[i] = word_at(i);
	return (unsigned char *)words;
}

void pattern_check(const unsigned char *bytes, size_t size)
{
	const uint64_t *words = (const uint64_t *)bytes;

	for (size_t i = 0; i < size / sizeof(*words); i++)
		if (words[i] != word_at(i))
			wire_wrong("bytes from %zu are %016" PRIx64 ", not %016" PRIx64,
				   i * sizeof(*words), words[i], word_at(i));
}
