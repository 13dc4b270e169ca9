#pragma once

/*
 * stacks - what every thread of the job was doing, as a file beside the journal
 *
 * Written by a process of its own: maps and stacks of one that hangs may hang
 * too. What it has written until it is killed stays.
 */

#include <sys/types.h>

#include "base/buf.h"

#define STACKS_BYTES   ((size_t)1 << 20)
#define STACKS_THREADS 512
#define STACKS_MS      5000 /* for /proc, and again for the stacks of Python */

struct stacks_order {
	const pid_t *pids;
	size_t count;
	struct span head;   /* lines that stand first */
	struct span kernel; /* lines of the kernel's log since the job began */
};

/* In the process that may be lost. */
void stacks_write(int fd, const struct stacks_order *order);

/* Copy the lines "thread PID TID STATE WCHAN" of such a file, without names; at most `most` bytes. */
void stacks_threads(struct span file, size_t most, struct buf *ret);
