#pragma once

/*
 * child - one prober, from its start to its end
 *
 * Drained so that it can never block on us, kept to its deadline, killed with
 * its whole process group, and never waited for: what SIGKILL does not end is
 * called stuck, and left. Whoever owns it polls its descriptors and calls
 * child_step() now and then until that says that it is over.
 */

#include <poll.h>
#include <sys/types.h>

#include "probe/answer.h"
#include "probe/spawn.h"

#define CHILD_FDS 3

struct child;

/* As in questions.h. */
struct child_times {
	unsigned int deadline_ms, long_ms;
	const char *compiles_in;
};

/* NULL and *ret_error = -errno if there is none. */
struct child *child_new(const struct spawn_order *order, const struct child_times *times,
			int *ret_error);

/* Kills what is still alive; the answer goes too. Accepts NULL, returns NULL. */
struct child *child_free(struct child *c);

pid_t child_pid(const struct child *c);
struct answer *child_answer(struct child *c);

/* The descriptors to wait for, and for how many milliseconds at most. */
int child_wait(const struct child *c, uint64_t now_ms, struct pollfd ret_fds[static CHILD_FDS]);

/* Reads, looks, kills. True when it is over and its answer complete. */
bool child_step(struct child *c, uint64_t now_ms);

/* Ends it before its time, as if its deadline were now. */
void child_end(struct child *c, uint64_t now_ms);

/* It is over, but somebody has its pipes: it has left processes behind. */
bool child_left_processes(const struct child *c);

/* It did not end by itself. */
bool child_was_killed(const struct child *c);
