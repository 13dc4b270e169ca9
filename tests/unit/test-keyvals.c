#include "parse/keyvals.h"

#include "check-span.h"

/* A gfx1100 node, shortened; values as captured. */
static const char rx7900xtx[] = "cpu_cores_count 0\n"
				"simd_count 192\n"
				"simd_id_base 2147488032\n"
				"gfx_target_version 110000\n"
				"location_id 34304\n"
				"local_mem_size 0\n"
				"unique_id 11673270660693242239\n"
				"num_xcc 1\n";

static const struct {
	const char *text;
	const char *key;
	bool found;
	uint64_t value;
	const char *why;
} numbers[] = {
	{ rx7900xtx, "simd_count", true, 192, "plain" },
	{ rx7900xtx, "simd_id_base", true, 2147488032, "above 2^31" },
	{ rx7900xtx, "unique_id", true, 11673270660693242239u, "above 2^63" },
	{ rx7900xtx, "local_mem_size", true, 0, "zero is a value" },
	{ rx7900xtx, "num_xcc", true, 1, "last line" },
	{ rx7900xtx, "simd", false, 0, "a prefix of a key is no key" },
	{ rx7900xtx, "gpu_id", false, 0, "a file of its own, not a property" },
	{ "a 1\na 2\n", "a", true, 1, "the first one counts" },
	{ "a 1", "a", true, 1, "no newline at the end" },
	{ "a   1  \n", "a", true, 1, "more blanks than expected" },
	{ "a\n", "a", false, 0, "no value is no number" },
	{ "a 0x10\n", "a", false, 0, "not decimal" },
	{ "a -1\n", "a", false, 0, "negative" },
	{ "a 18446744073709551616\n", "a", false, 0, "does not fit 64 bits" },
	{ "", "a", false, 0, "an empty file, as a masked node may give" },
};

static void test_numbers(void)
{
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		uint64_t value = 0;

		ROW_CHECK(keyvals_u64(span_of(numbers[i].text), numbers[i].key, &value) ==
				  numbers[i].found,
			  numbers[i].why);
		ROW_CHECK(value == numbers[i].value, numbers[i].why);
	}
}

static void test_next(void)
{
	struct span rest = span_of("\n  \nfirst 1\nname ip discovery\nlonely\n");
	struct span key, value;

	CHECK(keyvals_next(&rest, &key, &value));
	CHECK_SPAN(key, "first");
	CHECK_SPAN(value, "1");
	CHECK(keyvals_next(&rest, &key, &value));
	CHECK_SPAN(value, "ip discovery");
	CHECK(keyvals_next(&rest, &key, &value));
	CHECK_SPAN(key, "lonely");
	CHECK_SPAN(value, "");
	CHECK(!keyvals_next(&rest, &key, &value));
	CHECK_SPAN(key, "lonely"); /* untouched at the end */
}

int main(void)
{
	test_numbers();
	test_next();
	return check_end();
}
