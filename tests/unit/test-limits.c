#include "parse/limits.h"

#include "check-span.h"

/* Column widths as the kernel prints them. */
static const char text[] =
	"Limit                     Soft Limit           Hard Limit           Units     \n"
	"Max cpu time              unlimited            unlimited            seconds   \n"
	"Max open files            1024                 1048576              files     \n"
	"Max locked memory         8388608              unlimited            bytes     \n"
	"Max nice priority         0                    0                    \n"
	"Max realtime timeout      unlimited            unlimited            us        \n";

static const struct {
	const char *name;
	uint64_t soft;
	uint64_t hard;
	bool soft_unlimited;
	bool hard_unlimited;
	const char *unit;
	const char *why;
} want[] = {
	{ "Max cpu time", UINT64_MAX, UINT64_MAX, true, true, "seconds", "both unlimited" },
	{ "Max open files", 1024, 1048576, false, false, "files", "both numbers" },
	{ "Max locked memory", 8388608, UINT64_MAX, false, true, "bytes", "one of each" },
	{ "Max nice priority", 0, 0, false, false, "", "no unit" },
	{ "Max realtime timeout", UINT64_MAX, UINT64_MAX, true, true, "us", "last" },
};

static void test_next(void)
{
	struct span rest = SPAN_LITERAL(text);
	struct limit limit;

	for (size_t i = 0; i < COUNT_OF(want); i++) {
		if (!CHECK(limits_next(&rest, &limit)))
			return;
		ROW_SPAN(limit.name, want[i].name, want[i].why);
		ROW_SPAN(limit.unit, want[i].unit, want[i].why);
		ROW_CHECK(limit.soft == want[i].soft && limit.hard == want[i].hard, want[i].why);
		ROW_CHECK(limit.soft_unlimited == want[i].soft_unlimited &&
				  limit.hard_unlimited == want[i].hard_unlimited,
			  want[i].why);
	}
	CHECK(!limits_next(&rest, &limit));
}

static void test_odd(void)
{
	struct span only_numbers = span_of("1 2 3\n");
	struct span one = span_of("Max x 1 bytes\n");
	struct limit limit = { .soft = 7 };

	CHECK(!limits_next(&only_numbers, &limit)); /* no name */
	CHECK(!limits_next(&one, &limit));          /* one number is no limit */
	CHECK(!limits_find(SPAN_LITERAL(text), "Max", &limit));
	CHECK(limit.soft == 7);
	CHECK(limits_find(SPAN_LITERAL(text), "Max locked memory", &limit));
	CHECK(limit.soft == 8388608);
}

int main(void)
{
	test_next();
	test_odd();
	return check_end();
}
