#include "parse/gfx.h"

#include <errno.h>

#include "check-span.h"

static const struct {
	uint32_t version;
	int status;
	const char *name;
	const char *why;
} names[] = {
	{ 110000, 0, "gfx1100", "RX 7900 XTX" },
	{ 90402, 0, "gfx942", "MI300X" },
	{ 90010, 0, "gfx90a", "MI210: stepping ten is one digit" },
	{ 90012, 0, "gfx90c", "Renoir" },
	{ 110501, 0, "gfx1151", "Radeon 8060S" },
	{ 100306, 0, "gfx1036", "Raphael" },
	{ 80003, 0, "gfx803", "one digit of major" },
	{ 120500, 0, "gfx1250", "newest in the kernel's table" },
	{ 91515, 0, "gfx9ff", "the largest digits" },
	{ 0, -ENODEV, "kept", "a CPU node" },
	{ 110016, -EBADMSG, "kept", "stepping needs two digits" },
	{ 119901, -EBADMSG, "kept", "so does minor" },
	{ 501, -EBADMSG, "kept", "no major" },
	{ UINT32_MAX, -EBADMSG, "kept", "nonsense" },
};

static void test_names(void)
{
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char name[GFX_NAME_MAX] = "kept";
		uint32_t back = 0;

		ROW_CHECK(gfx_name(names[i].version, name) == names[i].status, names[i].why);
		ROW_SPAN(span_of(name), names[i].name, names[i].why);
		if (names[i].status == 0)
			ROW_CHECK(gfx_version(span_of(name), &back) && back == names[i].version,
				  names[i].why);
	}
}

static const struct {
	const char *name;
	const char *why;
} refused[] = {
	{ "gfx11-generic", "a family has no number" },
	{ "gfx9-4-generic", "nor has this one" },
	{ "gfx90a:xnack-", "features must be cut off first" },
	{ "gfx90A", "names are lower case" },
	{ "GFX90a", "names are lower case" },
	{ "gfx", "nothing behind" },
	{ "gfx90", "too short: major missing" },
	{ "gfx011", "a major does not begin with zero" },
	{ "gfx11511", "too long" },
	{ "gfx1a00", "a major is decimal" },
	{ "gfx11xx", "a family of AOTriton" },
	{ "gfx90g", "no digit" },
	{ "", "empty" },
};

static void test_refused(void)
{
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		uint32_t version = 7;

		ROW_CHECK(!gfx_version(span_of(refused[i].name), &version) && version == 7,
			  refused[i].why);
	}
}

static const struct {
	const char *text;
	const char *name; /* NULL: libhsakmt refuses it; "": no such target */
	const char *why;
} overrides[] = {
	{ "10.3.0", "gfx1030", "the commonest" },
	{ "11.0.0", "gfx1100", "second" },
	{ "9.0.10", "gfx90a", "decimal, not hexadecimal" },
	{ "9.0.a", NULL, "what people write for gfx90a" },
	{ "11.0.0\n", NULL, "one byte behind is enough to refuse" },
	{ "11.0.0 ", NULL, "a blank behind too" },
	{ " 11.0.0", "gfx1100", "%u skips blanks in front" },
	{ "11. 0.\t0", "gfx1100", "in front of each number" },
	{ "11 .0.0", NULL, "but not in front of a dot" },
	{ "+11.0.-0", "gfx1100", "%u takes signs" },
	{ "11.0.-1", NULL, "and wraps, so this is too large" },
	{ "4294967307.0.0", "gfx1100", "2^32 + 11 keeps its low half" },
	{ "99999999999999999999.0.0", NULL, "beyond 64 bits it saturates" },
	{ "11.0", NULL, "no stepping" },
	{ "1100", NULL, "the name's digits" },
	{ "gfx1100", NULL, "the name" },
	{ "\"11.0.0\"", NULL, "quotes that a unit file or docker --env kept" },
	{ "63.255.255", "", "the largest that is read, but no target" },
	{ "11.16.0", "", "fits no digit" },
	{ "64.0.0", NULL, "major too large" },
	{ "11.256.0", NULL, "minor too large" },
	{ "0.0.0", "", "well-formed, no target" },
	{ "", NULL, "set but empty: invalid, not unset" },
	{ "-", NULL, "a sign alone" },
};

static void test_overrides(void)
{
	for (size_t i = 0; i < COUNT_OF(overrides); i++) {
		struct gfx_override o;
		char name[GFX_NAME_MAX] = "";
		bool good = gfx_override_parse(span_of(overrides[i].text), &o);

		ROW_CHECK(good == (overrides[i].name != NULL), overrides[i].why);
		if (!good || !overrides[i].name)
			continue;
		ROW_CHECK(gfx_override_name(&o, name) == (overrides[i].name[0] ? 0 : -EBADMSG),
			  overrides[i].why);
		ROW_SPAN(span_of(name), overrides[i].name, overrides[i].why);
	}
}

int main(void)
{
	test_names();
	test_refused();
	test_overrides();
	return check_end();
}
