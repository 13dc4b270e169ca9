#include "base/units.h"

#include <stddef.h>
#include <stdio.h>

static const char *const sizes[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };

#define SIZE_COUNT (sizeof(sizes) / sizeof(sizes[0]))

/* Tenths in that unit, rounded to what will be shown. */
static uint64_t tenths_of(uint64_t bytes, unsigned int shift)
{
	uint64_t whole = bytes >> shift;
	uint64_t part = bytes & (((uint64_t)1 << shift) - 1);
	uint64_t half = (uint64_t)1 << (shift - 1);
	uint64_t tenths = whole * 10 + ((part * 10 + half) >> shift);

	return tenths < 1000 ? tenths : (whole + (part >= half)) * 10;
}

void units_bytes(uint64_t bytes, char ret[static UNITS_MAX])
{
	unsigned int unit = 1;
	uint64_t tenths;

	if (bytes < 1024) {
		snprintf(ret, UNITS_MAX, "%u B", (unsigned int)bytes);
		return;
	}
	tenths = tenths_of(bytes, 10);
	while (tenths >= 10240 && unit + 1 < SIZE_COUNT)
		tenths = tenths_of(bytes, ++unit * 10);
	if (tenths < 1000)
		snprintf(ret, UNITS_MAX, "%u.%u %s", (unsigned int)(tenths / 10),
			 (unsigned int)(tenths % 10), sizes[unit]);
	else
		snprintf(ret, UNITS_MAX, "%u %s", (unsigned int)(tenths / 10), sizes[unit]);
}

static const struct {
	uint64_t seconds;
	const char *name;
} times[] = {
	{ 86400, "d" },
	{ 3600, "h" },
	{ 60, "min" },
	{ 1, "s" },
};

#define TIME_COUNT (sizeof(times) / sizeof(times[0]))

void units_seconds(uint64_t seconds, char ret[static UNITS_MAX])
{
	size_t i = 0;
	uint64_t large, small = 0;

	while (i + 1 < TIME_COUNT && seconds < times[i].seconds)
		i++;
	large = seconds / times[i].seconds;
	if (i + 1 < TIME_COUNT)
		small = seconds % times[i].seconds / times[i + 1].seconds;
	if (small > 0)
		snprintf(ret, UNITS_MAX, "%llu %s %u %s", (unsigned long long)large, times[i].name,
			 (unsigned int)small, times[i + 1].name);
	else
		snprintf(ret, UNITS_MAX, "%llu %s", (unsigned long long)large, times[i].name);
}
