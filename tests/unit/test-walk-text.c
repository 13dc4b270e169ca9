#include "parse/walk-text.h"

#include "check.h"

static const char walk[] = "walk 2 1763190000 torch@/home/u/venv\n"
			   " value of nobody\n"
			   "hip.init - all answered 31\n"
			   " file /opt/rocm/lib/libamdhip64.so.6\n"
			   "something that a later version says\n"
			   " about itself\n"
			   "memory.async 0000:03:00.0 all refused 22 2\n"
			   " call hipMallocAsync\n"
			   " said   out of memory\n"
			   " said\n"
			   "rocblas.handle 0000:43:00.0 alone crashed 40 11\n"
			   "peer.copy 0000:03:00.0>0000:43:00.0 all exited 3 -1";

static void read_whole(void)
{
	struct span rest = SPAN_LITERAL(walk), key, text;
	struct walk_head head;
	struct walk_answer a;

	CHECK(walk_head(&rest, &head));
	CHECK_INT(head.level, 2);
	CHECK_INT(head.time, 1763190000);
	CHECK(span_is(head.like, "torch@/home/u/venv"));

	CHECK(walk_next(&rest, &a)); /* the line of nobody is passed over */
	CHECK(span_is(a.question, "hip.init") && span_is(a.layer, "hip"));
	CHECK_INT(a.subject.len, 0);
	CHECK_INT(a.ending, WALK_ANSWERED);
	CHECK_INT(a.ms, 31);
	CHECK(!a.has_number);
	CHECK(walk_detail(&a.details, &key, &text));
	CHECK(span_is(key, "file") && span_is(text, "/opt/rocm/lib/libamdhip64.so.6"));
	CHECK(!walk_detail(&a.details, &key, &text));

	CHECK(walk_next(&rest, &a));
	CHECK(span_is(a.question, "memory.async") && span_is(a.subject, "0000:03:00.0"));
	CHECK(a.has_number && a.number == 2);
	CHECK(walk_detail(&a.details, &key, &text) && span_is(text, "hipMallocAsync"));
	CHECK(walk_detail(&a.details, &key, &text) && span_is(text, "  out of memory"));
	CHECK(walk_detail(&a.details, &key, &text) && text.len == 0);

	CHECK(walk_next(&rest, &a));
	CHECK(span_is(a.variant, "alone"));
	CHECK_INT(a.ending, WALK_CRASHED);
	CHECK_INT(a.number, 11);
	CHECK(!walk_detail(&a.details, &key, &text));

	CHECK(walk_next(&rest, &a));
	CHECK(span_is(a.subject, "0000:03:00.0>0000:43:00.0"));
	CHECK_INT(a.number, -1);
	CHECK(!walk_next(&rest, &a));
}

/* Each line is not an answer, for its own reason. */
static void refuse(void)
{
	static const char *const lines[] = {
		"",
		"hip.init - all",               /* cut short */
		"hip.init - all pleased 3",     /* no ending of ours */
		"hip.init - all answered soon", /* no milliseconds */
		"hip.init - all answered -3",   /* nor before it began */
		"hip - all answered 3",         /* no layer */
		".init - all answered 3",       /* an empty one */
		"hip. - all answered 3",        /* no question in it */
		" hip.init - all answered 3",   /* belongs to a line above */
	};
	static const char *const heads[] = { "", "walk", "walk one 3 system", "walk 1 3",
					     "Walk 1 3 x" };
	struct walk_answer a;
	struct walk_head head;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct span rest = span_of(lines[i]);

		CHECK(!walk_next(&rest, &a));
	}
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct span rest = span_of(heads[i]);

		CHECK(!walk_head(&rest, &head));
		CHECK(rest.data == heads[i]);
	}
}

static void name_endings(void)
{
	CHECK_TEXT(walk_ending_name(WALK_ANSWERED), "answered");
	for (int i = 0; i < WALK_ENDINGS; i++)
		CHECK(walk_ending_name(i) != NULL);
}

int main(void)
{
	read_whole();
	refuse();
	name_endings();
	return check_end();
}
