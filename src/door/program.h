#pragma once

/*
 * program - somebody else's program, with a deadline
 *
 * It has an environment of ours and not of the job, leads a process group of its
 * own that is killed when the time is over, and is not waited for after that.
 */

#include "base/buf.h"

#define PROGRAM_OUT_MAX ((size_t)4 << 20) /* bytes of its output */

struct program_order {
	const char *const *arguments; /* the first one is its path */
	const char *const *environment;
	uint64_t until_ms; /* of clock_ms() */
};

/*
 * Its exit status, with what it wrote to both streams in `ret`; or -ETIME, -EFBIG,
 * -EINTR if a signal ended it, or -errno if it could not be started.
 */
int program_run(const struct program_order *o, struct buf *ret);
