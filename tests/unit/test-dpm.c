#include "parse/dpm.h"

#include "check-span.h"

static const struct {
	const char *line;
	bool good;
	struct dpm_level level;
	const char *why;
} rows[] = {
	{ "0: 500Mhz *", true, { 0, 500, false, true }, "active" },
	{ "1: 2482Mhz ", true, { 1, 2482, false, false }, "not active; the driver leaves a blank" },
	{ "S: 19Mhz *", true, { 0, 19, true, true }, "deep sleep has no number" },
	{ "2: 16.0GT/s, x16 1143Mhz *", true, { 2, 1143, false, true }, "pp_dpm_pcie" },
	{ "1: 1000MHz*", true, { 1, 1000, false, true }, "other spelling" },
	{ "OD_SCLK:", false, { 0 }, "heading of another file" },
	{ "0: *", false, { 0 }, "no clock" },
	{ "500Mhz *", false, { 0 }, "no index" },
	{ "0: 99999999999Mhz", false, { 0 }, "too large" },
	{ "", false, { 0 }, "empty" },
};

int main(void)
{
	struct span text = span_of("0: 500Mhz \n1: 1250Mhz *\n2: 2482Mhz \n");
	struct dpm_level level = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span rest = span_of(rows[i].line);
		struct dpm_level got = { 0 };

		ROW_CHECK(dpm_next(&rest, &got) == rows[i].good, rows[i].why);
		ROW_CHECK(got.index == rows[i].level.index && got.mhz == rows[i].level.mhz &&
				  got.asleep == rows[i].level.asleep &&
				  got.active == rows[i].level.active,
			  rows[i].why);
	}
	CHECK(dpm_find_active(text, &level));
	CHECK_INT(level.mhz, 1250);
	CHECK(!dpm_find_active(SPAN_LITERAL("0: 500Mhz \n"), &level));
	CHECK_INT(level.mhz, 1250);
	return check_end();
}
