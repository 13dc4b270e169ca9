#include "parse/kernel-version.h"

#include "check-span.h"

static const struct {
	const char *text;
	bool good;
	struct kernel_version version;
	const char *why;
} rows[] = {
	{ "6.8.0-45-generic", true, { 6, 8, 0 }, "Ubuntu" },
	{ "6.12.107+deb13-amd64", true, { 6, 12, 107 }, "Debian" },
	{ "5.14.0-427.13.1.el9_4.x86_64", true, { 5, 14, 0 }, "Red Hat" },
	{ "7.3~rc7", true, { 7, 3, 0 }, "no patch level" },
	{ "6.10.5\n", true, { 6, 10, 5 }, "DKMS module version" },
	{ "6.8.rc1", true, { 6, 8, 0 }, "a dot without a number" },
	{ "6", false, { 0 }, "one number says too little" },
	{ "6.", false, { 0 }, "cut off" },
	{ "v6.8", false, { 0 }, "a tag" },
	{ "", false, { 0 }, "empty" },
	{ "4294967296.1", false, { 0 }, "too large" },
};

static const struct {
	const char *a;
	const char *b;
	int order;
	const char *why;
} pairs[] = {
	{ "6.8.0", "6.10.5", -1, "numbers, not letters" },
	{ "6.10.5", "6.8.99", 1, "minor before patch" },
	{ "7.0", "6.99.99", 1, "major first" },
	{ "6.8.0-45-generic", "6.8.0-60-generic", 0, "the distribution's own number is no order" },
	{ "6.8.1", "6.8.2", -1, "patch" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct kernel_version v = { 0 };

		ROW_CHECK(kernel_version_parse(span_of(rows[i].text), &v) == rows[i].good,
			  rows[i].why);
		ROW_CHECK(kernel_version_compare(&v, &rows[i].version) == 0, rows[i].why);
	}
	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		struct kernel_version a = { 0 }, b = { 0 };

		ROW_CHECK(kernel_version_parse(span_of(pairs[i].a), &a) &&
				  kernel_version_parse(span_of(pairs[i].b), &b),
			  pairs[i].why);
		ROW_CHECK(kernel_version_compare(&a, &b) == pairs[i].order, pairs[i].why);
	}
	return check_end();
}
