#pragma once

/*
 * follow (explain) - a log that is still being written
 *
 * Reads what is there and waits for more, until it is stopped or a pipe ends.
 * A file that is cut off is read from its beginning; one that was renamed away
 * is read to its end, and then the one that has taken its name.
 */

#include <signal.h>

#include "explain/log.h"

struct follow {
	void (*say)(void *ctx, const char *line); /* a failure, when its first line appears */
	void (*waiting)(void *ctx, unsigned long long lines); /* that were read so far */
	void *ctx;
	const volatile sig_atomic_t *stopped;
};

/* 0 or -errno. */
int follow_log(struct scan *scan, const struct log_signatures *signatures, const char *path,
	       const struct follow *how);
