#pragma once

/*
 * keeper - the process between the job and the world
 *
 * Starts the job as if it were bare, hands its output on, passes signals to it,
 * reaps it and what it has left behind. It thinks about nothing and allocates
 * nothing once the job runs; what there is to think about the watcher does
 * (watcher.h), and its death is not the keeper's.
 */

#include "run/run.h"

/* 0, or -errno if no job could be started for a reason of ours. */
int keeper_run(const struct run_order *order, struct run_end *ret);
