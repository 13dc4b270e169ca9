#pragma once

/*
 * rank - which of several processes a line of output is from, or about
 *
 * As PyTorch and torchrun mark them: "[rank1]: ..." of a traceback, "[default1]:..."
 * of --tee (the role, and the rank on this machine), and torchrun's own words on
 * the one that ended first: "failed (exitcode: -9) local_rank: 1 (pid: 4242)".
 */

#include "base/span.h"

#define RANK_MAX 1000000

/* The rest after the marks is the line itself. With several marks the last one counts. */
bool rank_parse(struct span line, long *ret_rank, struct span *ret_rest);
