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

#define LAST_MOMENT 253402300799u /* of the year 9999: the form has no room for more */

int64_t units_day(int64_t year, int64_t month, int64_t day)
{
	int64_t years = year - (month <= 2);
	int64_t of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;

	return years * 365 + years / 4 - years / 100 + years / 400 + of_year - 719468;
}

/* Years begin in March here, so that the day that not every year has is a year's last one. */
void units_moment(uint64_t seconds, char ret[static UNITS_MAX])
{
	uint64_t at = seconds < LAST_MOMENT ? seconds : LAST_MOMENT;
	unsigned int days = (unsigned int)(at / 86400) + 719468; /* since March of the year 0 */
	unsigned int day = days % 146097; /* of 400 years, which are all of the same length */
	unsigned int year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	unsigned int of_year = day - (365 * year + year / 4 - year / 100);
	unsigned int month = (5 * of_year + 2) / 153; /* March is 0 */
	unsigned int of_day = (unsigned int)(at % 86400);

	snprintf(ret, UNITS_MAX, "%04u-%02u-%02uT%02u:%02u:%02uZ",
		 (days / 146097 * 400 + year + (month >= 10)) % 10000,
		 (month < 10 ? month + 3 : month - 9) % 100,
		 (of_year - (153 * month + 2) / 5 + 1) % 100, of_day / 3600 % 100, of_day / 60 % 60,
		 of_day % 60);
}
