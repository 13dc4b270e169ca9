#include "scan/watch.h"

#include "check.h"

/* A stranger's knowledge may have a pattern that does not compile: that is found out once. */
static void test_broken_below(void)
{
	const struct signature signature = { .id = "x", .below = "(" };
	struct watch w = { .event.signature = &signature };
	struct watch_tools tools;

	watch_tools_open(&tools);
	for (int i = 0; i < 2; i++)
		CHECK(!watch_holds_below(&w, &tools, SPAN_LITERAL("False")));
	CHECK(!w.below && w.below_broken);
	CHECK_INT(tools.given_up, 0);
	watch_done(&w);
	watch_tools_close(&tools);
}

int main(void)
{
	test_broken_below();
	return check_end();
}
