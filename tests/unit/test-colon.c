#include "parse/colon.h"

#include "check-span.h"

static const char meminfo[] = "MemTotal:       127098456 kB\n"
			      "MemFree:        98304000 kB\n"
			      "HugePages_Total:       0\n";

static const char status[] = "Name:\tpython3\n"
			     "State:\tD (disk sleep)\n"
			     "Groups:\t27 44 109 1000 \n"
			     "VmLck:\t       0 kB\n"
			     "Seccomp:\t0\n";

static const char cpuinfo[] = "processor\t: 0\n"
			      "model name\t: AMD EPYC 9474F 48-Core Processor\n"
			      "power management: ts ttp\n"
			      "\n"
			      "processor\t: 1\n"
			      "model name\t: AMD EPYC 9474F 48-Core Processor\n"
			      "\n";

static const struct {
	const char *text;
	const char *key;
	const char *value; /* NULL: not found */
	const char *why;
} finds[] = {
	{ status, "Name", "python3", "first line" },
	{ status, "State", "D (disk sleep)", "blanks inside" },
	{ status, "Groups", "27 44 109 1000", "blank at the end" },
	{ status, "VmLck", "0 kB", "padded" },
	{ status, "Seccomp", "0", "last line" },
	{ status, "Seccomp_filters", NULL, "absent" },
	{ cpuinfo, "model name", "AMD EPYC 9474F 48-Core Processor", "tab before the colon" },
	{ cpuinfo, "processor", "0", "the first one counts" },
	{ "drm-pdev:\t0000:03:00.0\n", "drm-pdev", "0000:03:00.0", "only the first colon divides" },
	{ "a:\n", "a", "", "an empty value is a value" },
	{ ":b\n", "", NULL, "no key" },
	{ "no colon\n", "no colon", NULL, "no value" },
	{ "", "a", NULL, "empty" },
};

static void test_find(void)
{
	for (size_t i = 0; i < COUNT_OF(finds); i++) {
		struct span value = SPAN_LITERAL("untouched");
		bool found = colon_find(span_of(finds[i].text), finds[i].key, &value);

		ROW_CHECK(found == (finds[i].value != NULL), finds[i].why);
		ROW_SPAN(value, found && finds[i].value ? finds[i].value : "untouched",
			 finds[i].why);
	}
}

static const struct {
	const char *value;
	bool good;
	uint64_t bytes;
	const char *why;
} sizes[] = {
	{ "127098456 kB", true, 130148818944, "meminfo of a Strix Halo box" },
	{ "20464 KiB", true, 20955136, "drm fdinfo" },
	{ "20464 MiB", true, 21458059264, "drm fdinfo, larger unit" },
	{ "3 GiB", true, 3221225472, "not seen yet, but unambiguous" },
	{ "4096", true, 4096, "no unit is bytes" },
	{ "4096 B", true, 4096, "spelled out" },
	{ "0 kB", true, 0, "zero" },
	{ " 1\tkB ", true, 1024, "any blanks" },
	{ "1 KB", false, 0, "which one is meant is not certain" },
	{ "1 kB more", false, 0, "trailing words" },
	{ "kB", false, 0, "no number" },
	{ "-1 kB", false, 0, "negative" },
	{ "18446744073709551615 kB", false, 0, "the product overflows" },
	{ "18446744073709551615", true, UINT64_MAX, "the largest" },
	{ "", false, 0, "empty" },
};

static void test_bytes(void)
{
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		uint64_t bytes = 0;

		ROW_CHECK(colon_bytes(span_of(sizes[i].value), &bytes) == sizes[i].good,
			  sizes[i].why);
		ROW_CHECK(bytes == sizes[i].bytes, sizes[i].why);
	}
}

static void test_numbers(void)
{
	uint64_t value = 7;

	CHECK(colon_find_bytes(span_of(meminfo), "MemTotal", &value));
	CHECK(value == 130148818944);
	CHECK(colon_find_u64(span_of(meminfo), "HugePages_Total", &value));
	CHECK(value == 0);
	CHECK(!colon_find_u64(span_of(meminfo), "MemFree", &value)); /* has a unit */
	CHECK(!colon_find_bytes(span_of(status), "State", &value));
	CHECK(value == 0);
}

int main(void)
{
	test_find();
	test_bytes();
	test_numbers();
	return check_end();
}
