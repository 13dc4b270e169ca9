#pragma once

/*
 * kin - the processes that a prober has brought into the world, from /proc
 *
 * Looked at only when something is odd: a deadline has passed, a prober does
 * not die, somebody still holds its pipes. Each look reads /proc/N/stat of every
 * process there is, so it is kept out of the ordinary course of a walk.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

/* Do the processes below a prober (and itself) compile, and what have they used so far? */
struct kin_work {
	bool compiles;  /* a compiler or a linker is alive */
	uint64_t ticks; /* of the processor, all together */
};

void kin_work(pid_t prober, struct kin_work *ret);

/*
 * A thread of the process that sleeps uninterruptibly, told in words: where it
 * waits, in which system call. False if there is none.
 */
bool kin_waits(pid_t pid, struct buf *ret_words);

/*
 * End those who have lost their parent and were given to us. `is_ours` says
 * which children are to be left, by process id and session. Answers how many
 * there were, and never waits. They are gone only when a further look finds
 * none: one that dies may have had a child that was not ours yet.
 */
size_t kin_sweep(bool (*is_ours)(void *ctx, pid_t pid, pid_t session), void *ctx);

/* The children that this process has now; at most `most`, answers how many. */
size_t kin_children(pid_t *ret_pids, size_t most);
