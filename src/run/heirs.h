#pragma once

/*
 * heirs - the processes below one, from the kernel's lists of children
 *
 * Costs one small file for each process. Allocates nothing: the keeper asks too.
 * Children of threads other than the first stand in a file of each thread, and a
 * job may have thousands: these are read when a process is new somewhere on the
 * machine, and no oftener than a four-hundredth of the time allows. What they told
 * is kept until then.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HEIRS_MAX  4096
#define HEIRS_BORN 1024 /* by threads other than the first */

struct heirs_born {
	pid_t pids[HEIRS_BORN], parents[HEIRS_BORN];
	size_t count;
	uint64_t last_number; /* that the kernel had given to a process */
	unsigned int looks;   /* at all threads that are still wanted */
	uint64_t next_ns;     /* and not before */
};

struct heirs {
	pid_t pids[HEIRS_MAX];
	size_t count;
	unsigned long long
		pipes[2];         /* inodes: whose output goes there belongs to the job; 0: none */
	unsigned long long ticks; /* of the kernel's clock, when they were looked for */
	struct heirs_born born;
};

/* Everything below `top`, without `except` and what is below that. All 0 before the first time. */
void heirs_below(pid_t top, pid_t except, struct heirs *h);

/*
 * End what a dead keeper has left: the members of the session `job`, those that
 * are known and not another process of the same number, those whose standard
 * output or error is the job's pipe, and all below them.
 * SIGTERM, and SIGKILL a second later. Returns when they are gone, or two seconds
 * after that; answers how many there were.
 */
size_t heirs_end(pid_t job, struct heirs *known);
