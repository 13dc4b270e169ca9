#pragma once

/*
 * check-span - spans in table tests
 *
 * ROW_CHECK and ROW_SPAN print the row's own reason when they fail, so that a
 * table needs no names for its rows.
 */

#include "base/span.h"
#include "check.h"

#define ROW_CHECK(cond, why) check_note((cond), __FILE__, __LINE__, (why))

#define ROW_SPAN(got, want, why)                                                  \
	do {                                                                      \
		struct span got_ = (got);                                         \
		const char *want_ = (want);                                       \
		if (!check_note(span_is(got_, want_), __FILE__, __LINE__, (why))) \
			printf("  got  \"%.*s\"\n  want \"%s\"\n", (int)got_.len, \
			       got_.len ? got_.data : "", want_);                 \
	} while (0)

#define CHECK_SPAN(got, want) ROW_SPAN((got), (want), #got " == " #want)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
