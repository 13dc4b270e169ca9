#pragma once

/*
 * process-tree - the processes that a prober has started
 *
 * Looked at only when something is odd: a deadline has passed, a prober does
 * not die, somebody still holds its pipes. Each look reads /proc/N/stat of every
 * process there is, so it is kept out of the ordinary course of a walk.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"

/* Do the processes below a prober (and itself) compile, and what have they used so far? */
struct tree_work {
	bool compiles;  /* a compiler or a linker is alive */
	uint64_t ticks; /* of the CPU, all together */
};

void tree_work(pid_t prober, struct tree_work *ret);

/*
 * A thread of the process that sleeps uninterruptibly, told in words: where it
 * waits, in which system call. False if there is none.
 */
bool tree_waits(pid_t pid, struct buf *ret_words);

/*
 * Milliseconds that a process was ready to run and another had the processor: of its
 * threads the one that waited longest. 0 where the kernel does not count them.
 */
uint64_t tree_starved_ms(pid_t pid);

/*
 * End those who have lost their parent and were given to us. `is_spared` says
 * which children are to be left, by process id and session. Answers how many
 * were ended, and never waits. They are gone only when a further look finds
 * none: one that dies may have had a child that was not ours yet.
 */
size_t tree_sweep(bool (*is_spared)(void *ctx, pid_t pid, pid_t session), void *ctx);

/* The children that this process has now; answers how many. */
size_t tree_children(struct arena *a, pid_t **ret_pids);
