#include "parse/rdma.h"

#include "check-span.h"

static const struct {
	const char *text;
	bool good;
	struct rdma_rate rate;
	const char *why;
} rates[] = {
	{ "400 Gb/sec (4X NDR)\n", true, { 4000, 4 }, "a port of today" },
	{ "2.5 Gb/sec (1X)", true, { 25, 1 }, "the slowest has no name" },
	{ "800 Gb/sec (4X XDR)", true, { 8000, 4 }, "a faster one" },
	{ "400 Mb/sec (4X NDR)", false, { 0 }, "another unit" },
	{ "400 Gb/sec", false, { 0 }, "no lanes" },
	{ "400 Gb/sec (X NDR)", false, { 0 }, "no number of lanes" },
	{ "4.25 Gb/sec (1X)", false, { 0 }, "a form that does not exist" },
	{ "fast Gb/sec (4X)", false, { 0 }, "no number" },
	{ "99999999999999999999 Gb/sec (4X)", false, { 0 }, "more than 64 bits" },
	{ "1000000 Gb/sec (4X)", false, { 0 }, "more than can be" },
	{ "400 Gb/sec (", false, { 0 }, "cut" },
	{ "", false, { 0 }, "empty" },
};

static const struct {
	const char *text, *want, *why;
} states[] = {
	{ "4: ACTIVE\n", "ACTIVE", "a port at work" },
	{ "7: Phy Test", "Phy Test", "two words" },
	{ "9: <unknown>", "<unknown>", "one that the kernel does not know" },
	{ "ACTIVE", "", "no number" },
	{ "x: ACTIVE", "", "a word for the number" },
	{ "4:", "", "no word" },
	{ "", "", "empty" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rates); i++) {
		struct rdma_rate got = { 0 };

		ROW_CHECK(rdma_rate_parse(span_of(rates[i].text), &got) == rates[i].good,
			  rates[i].why);
		ROW_CHECK(got.tenths == rates[i].rate.tenths && got.lanes == rates[i].rate.lanes,
			  rates[i].why);
	}
	for (size_t i = 0; i < COUNT_OF(states); i++) {
		struct span got = { "", 0 };

		ROW_CHECK(rdma_state_parse(span_of(states[i].text), &got) ==
				  (states[i].want[0] != '\0'),
			  states[i].why);
		ROW_SPAN(got, states[i].want, states[i].why);
	}
	return check_end();
}
