#pragma once

/*
 * launch - the job's process, as if it had been started bare
 *
 * It leads a session of its own, has the signals and the mask that we were
 * started with, and no descriptor that is ours. The call returns when the
 * program has been executed, or could not be.
 */

#include <signal.h>
#include <sys/types.h>

#include "base/span.h"

#define LAUNCH_SIGNALS 3

struct launch {
	char *const *arguments;
	int fds[3];   /* what becomes 0, 1 and 2; -1: ours */
	int terminal; /* of its session, or -1 */
	sigset_t mask;
	struct sigaction actions[LAUNCH_SIGNALS]; /* what they did when we were started */
	_Atomic int *pid;                         /* told to the watcher before anything else */
	bool survives;                            /* our death */
	pid_t watcher;                            /* may look at its stacks; 0: there is none */
};

/* Save the mask and what the signals do that we handle ourselves. */
void launch_note(struct launch *l);

/* The same, and install our handlers. */
void launch_set_aside(struct launch *l);

/* The process id, -errno if there is none; *ret_error is why the program was not executed, or 0. */
pid_t launch(const struct launch *l, int *ret_error);

/* The job in the place of this process, with its signals as they were; returns only -errno. */
int launch_bare(const struct launch *l);
