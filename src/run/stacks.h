#pragma once

/*
 * stacks - what every thread of the job was doing, as a file beside the journal
 *
 * Written by a process of its own: maps and stacks of one that hangs may hang
 * too. What it has written until it is killed stays. Python comes first, since
 * most jobs are Python and its frames tell most.
 */

#include <sys/types.h>

#include "base/buf.h"

#define STACKS_BYTES   ((size_t)1 << 20)
#define STACKS_THREADS 512
#define STACKS_MS      5000 /* for /proc, and before for the stacks of Python */
#define STACKS_LOOK_MS 3000 /* for one look at what it waits for */

struct stacks_order {
	const pid_t *pids;
	size_t count;
	pid_t job;          /* whose waiting is looked at; 0: nobody's */
	struct span head;   /* lines that stand first */
	struct span kernel; /* lines of the kernel's log since the job began */
};

/* In the process that may be lost. */
void stacks_write(int fd, const struct stacks_order *order);

/* The file's Python frames and what its process waits for. Spans are of the file. */
struct stacks_found {
	struct span class; /* of data/process-classes.tsv, or empty */
	struct span
		python;   /* "absent", "untrusted", "failed", "none", or empty: there are frames */
	struct span main; /* lines of its main thread, the innermost frame first, or empty */
	struct span all;  /* of all its threads */
	struct span file;
};
void stacks_find(struct span file, struct stacks_found *ret);

/* Copy the lines "thread PID TID STATE WCHAN" of such a file, without names; at most `most` bytes. */
void stacks_threads(struct span file, size_t most, struct buf *ret);
