#pragma once

/*
 * progress-bar - counts and percents that a bar, or brackets, tell from others
 */

#include "parse/progress.h"

/* Sets only keys that are not known yet; with a known epoch, a count is batches. */
void progress_bar(const char *text, struct progress *p);

/* "86 of 192" as epoch, batch or step; 0: of how many is not known. */
void progress_set(struct progress *p, enum progress_key key, long of, long all);
