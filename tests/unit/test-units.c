#include "base/units.h"

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
	return check_end();
}
