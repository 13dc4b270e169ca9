#pragma once

/*
 * targets-words (report) - what a row lacks, in one sentence, for SARIF and annotations
 */

#include "targets/targets.h"

/* "libfoo.so has no code for gfx1151."; false, and no words, if the row covers the i-th device. */
bool targets_lack(const struct targets *t, const struct targets_row *row, size_t i,
		  struct buf *ret);
