#pragma once

/*
 * limits - /proc/PID/limits
 *
 *	Max locked memory         8388608              unlimited            bytes
 *	Max nice priority         0                    0
 *
 * Names hold blanks and the unit may be missing, so the two numbers in the
 * middle are what a line is recognised by. The heading has none.
 */

#include "base/span.h"

struct limit {
	struct span name; /* "Max locked memory" */
	struct span unit; /* may be empty */
	uint64_t soft;    /* UINT64_MAX when unlimited */
	uint64_t hard;
	bool soft_unlimited;
	bool hard_unlimited;
};

bool limits_next(struct span *rest, struct limit *ret);
bool limits_find(struct span text, const char *name, struct limit *ret);
