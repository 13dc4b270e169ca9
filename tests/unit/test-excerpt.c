#include "facts/excerpt.h"

#include "check-span.h"

int main(void)
{
	struct span rest = SPAN_LITERAL(
		"12:export A=1:2\nno number\n:x\n4294967296:too large\n-1:x\n7:\n40:last");
	struct span line;
	unsigned int number = 0;

	CHECK(excerpt_next(&rest, &line, &number));
	CHECK_SPAN(line, "export A=1:2");
	CHECK_INT(number, 12);
	CHECK(excerpt_next(&rest, &line, &number)); /* what has no number is nobody's line */
	CHECK_SPAN(line, "");
	CHECK_INT(number, 7);
	CHECK(excerpt_next(&rest, &line, &number));
	CHECK_SPAN(line, "last");
	CHECK_INT(number, 40);
	CHECK(!excerpt_next(&rest, &line, &number));
	return check_end();
}
