#pragma once

/*
 * status-line - a line from the watcher to the user while the job runs
 *
 * The watcher leaves it in the shared memory and nudges the keeper, where a
 * thread of its own writes it: a standard error that nobody reads holds up that
 * thread, not the signals. It takes turns with the relay that writes to the same
 * place, so that no piece of the job's output is cut, and begins on a new line.
 */

#include <semaphore.h>

#include "base/buf.h"
#include "run/relay.h"

#define STATUS_LINE_PAUSE_MS 10000 /* at least, between two lines */

/* ---- the keeper's side ---- */

struct status_line {
	struct shared_memory *shared;
	struct relay *beside; /* writes where we write */
	bool terminal;        /* that is one */
	sem_t ready;
	pthread_t thread;
	_Atomic bool ends;
};

/* 0 or -errno. Nothing is allocated after this. */
int status_line_start(struct status_line *s, struct shared_memory *shared, struct relay *beside,
		      bool terminal);

/* Look into the mailbox; never waits. */
void status_line_look(struct status_line *s);

/* False: it still writes, and what it works with has to stay. */
bool status_line_end(struct status_line *s);

/* ---- the watcher's side ---- */

/* False: the last line is too young, or nobody has taken it. Longer text is cut. */
bool status_line_say(struct shared_memory *s, struct span text, uint64_t now);

/* The line that nobody has taken, and will not: the job is over. False: there is none. */
bool status_line_back(struct shared_memory *s, struct buf *ret);
