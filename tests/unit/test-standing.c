#include "door/standing.h"

#include "check.h"

/* A word for each, and back; the words of the gap table. */
static const struct {
	int error;
	const char *name;
	const char *standing;
} cases[] = {
	{ -ENOENT, "ENOENT", "absent" },
	{ -ENODEV, "ENODEV", "absent" },
	{ -EACCES, "EACCES", "denied" },
	{ -EPERM, "EPERM", "denied" },
	{ -EIO, "EIO", "broken" },
	{ -EFAULT, "EFAULT", "broken" },
	{ -EXDEV, "EXDEV", "broken" },
	{ -EBUSY, "EBUSY", "busy" },
	{ DOOR_STUCK, "STUCK", "stuck" },
	{ DOOR_SKIPPED, "SKIPPED", "stuck" },
	{ DOOR_ASLEEP, "ASLEEP", "unasked" },
	{ DOOR_UNASKED, "UNASKED", "unasked" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_TEXT(standing_error_name(cases[i].error), cases[i].name);
		CHECK_INT(standing_error(span_of(cases[i].name)), cases[i].error);
		CHECK_TEXT(standing_of(cases[i].error), cases[i].standing);
	}
	CHECK_TEXT(standing_error_name(-99999), "EIO");
	CHECK_TEXT(standing_of(-99999), "broken");
	CHECK_INT(standing_error(SPAN_LITERAL("EWHAT")), 0);
	CHECK_INT(standing_error(SPAN_LITERAL("")), 0);
	return check_end();
}
