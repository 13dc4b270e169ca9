#include "base/units.h"

#include <string.h>
#include <time.h>

#include "check-span.h"

static const struct {
	uint64_t bytes;
	const char *text;
	const char *why;
} sizes[] = {
	{ 0, "0 B", "nothing" },
	{ 1023, "1023 B", "bytes have no decimal" },
	{ 1024, "1.0 KiB", "first of its unit" },
	{ 25753026560, "24.0 GiB", "VRAM of an RX 7900 XTX" },
	{ 536870912, "512 MiB", "no decimal from a hundred on" },
	{ 120259084288, "112 GiB", "GTT of a Strix Halo" },
	{ 2147483648, "2.0 GiB", "its carve-out" },
	{ 21474836480, "20.0 GiB", "the header's example" },
	{ 1081864880128, "1008 GiB", "below 1024 the unit stays" },
	{ 1048575, "1.0 MiB", "1023.999 KiB must not become 1024 KiB" },
	{ 102399, "100 KiB", "99.999 rounds to a hundred, which has no decimal" },
	{ 102348, "99.9 KiB", "just below" },
	{ 1588, "1.6 KiB", "1.55 rounds up" },
	{ 1587, "1.5 KiB", "1.5498 rounds down" },
	{ UINT64_MAX, "16.0 EiB", "the largest" },
};

static const struct {
	uint64_t seconds;
	const char *text;
	const char *why;
} times[] = {
	{ 0, "0 s", "nothing" },
	{ 59, "59 s", "one unit only" },
	{ 60, "1 min", "no empty second unit" },
	{ 200, "3 min 20 s", "two units" },
	{ 11520, "3 h 12 min", "the header's example" },
	{ 11521, "3 h 12 min", "never three units" },
	{ 3601, "1 h", "a second beside an hour is not told" },
	{ 187200, "2 d 4 h", "days" },
	{ UINT64_MAX, "213503982334601 d 7 h", "the largest" },
};

static const struct {
	uint64_t seconds;
	const char *text;
	const char *why;
} moments[] = {
	{ 0, "1970-01-01T00:00:00Z", "the first" },
	{ 68169600, "1972-02-29T00:00:00Z", "a leap day" },
	{ 951782399, "2000-02-28T23:59:59Z", "the second before one" },
	{ 951868800, "2000-03-01T00:00:00Z", "a century that has one" },
	{ 1794863123, "2026-11-16T21:05:23Z", "the header's example" },
	{ 4107542399, "2100-02-28T23:59:59Z", "the end of February" },
	{ 4107542400, "2100-03-01T00:00:00Z", "a century that has none" },
	{ UINT64_MAX, "9999-12-31T23:59:59Z", "the last that the form can hold" },
};

/* Every day of four centuries, as the C library has it. */
static void check_days(void)
{
	for (time_t at = 0; at < (time_t)400 * 366 * 86400; at += 86400 + 61) {
		char ours[UNITS_MAX], theirs[UNITS_MAX];
		struct tm tm;

		units_moment((uint64_t)at, ours);
		strftime(theirs, sizeof(theirs), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &tm));
		if (strcmp(ours, theirs) != 0) {
			ROW_SPAN(span_of(ours), theirs, "every day");
			return;
		}
	}
}

int main(void)
{
	char text[UNITS_MAX];

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		units_bytes(sizes[i].bytes, text);
		ROW_SPAN(span_of(text), sizes[i].text, sizes[i].why);
	}
	for (size_t i = 0; i < COUNT_OF(times); i++) {
		units_seconds(times[i].seconds, text);
		ROW_SPAN(span_of(text), times[i].text, times[i].why);
	}
	for (size_t i = 0; i < COUNT_OF(moments); i++) {
		units_moment(moments[i].seconds, text);
		ROW_SPAN(span_of(text), moments[i].text, moments[i].why);
	}
	check_days();
	return check_end();
}
