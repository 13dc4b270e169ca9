#pragma once

/*
 * explain-follow - a log that is still being written, until Ctrl-C or the end of a pipe
 */

#include "explain/log.h"

/* Each kind of failure is told on standard error when its first line appears. 0 or -errno. */
int explain_follow(struct scan *scan, const struct log_signatures *signatures, const char *path);
