#pragma once

/*
 * heirs - the processes below one, from the kernel's lists of children
 *
 * Costs one small file for each process. Allocates nothing: the keeper asks too.
 * Children of threads other than the first are not seen; they come to the
 * keeper when their parent ends.
 */

#include <stddef.h>
#include <sys/types.h>

#define HEIRS_MAX 4096

struct heirs {
	pid_t pids[HEIRS_MAX];
	size_t count;
	unsigned long long
		pipes[2];         /* inodes: whose output goes there belongs to the job; 0: none */
	unsigned long long ticks; /* of the kernel's clock, when they were looked for */
};

/* Everything below `top`, without `except` and what is below that. */
void heirs_below(pid_t top, pid_t except, struct heirs *ret);

/*
 * End what a dead keeper has left: the members of the session `job`, those that
 * are known and not another process of the same number, those whose standard
 * output or error is the job's pipe, and all below them.
 * SIGTERM, and SIGKILL a second later. Returns when they are gone, or two seconds
 * after that; answers how many there were.
 */
size_t heirs_end(pid_t job, struct heirs *known);
