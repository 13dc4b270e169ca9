#pragma once

/*
 * run-time - packages that compile for the GPU while they run
 *
 * A wheel of theirs without device code lacks nothing; data/run-time-compilers.tsv names them.
 */

#include "targets/targets.h"

/*
 * Says so of each of them among the paths without device code; if all of those are such, the
 * requirement binds none of them. Called by targets_judge().
 */
void targets_run_time(struct targets *t);
