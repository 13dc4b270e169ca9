#pragma once

/*
 * explain-follow - a log that is still being written
 *
 * Reads what is there and waits for more, until Ctrl-C or the end of a pipe.
 * A file that is cut off is read from its beginning; one that was renamed away
 * is read to its end, and then the one that has taken its name.
 */

#include "explain/log.h"

/* Each kind of failure is told on standard error when its first line appears. 0 or -errno. */
int explain_follow(struct scan *scan, const struct log_signatures *signatures, const char *path);
