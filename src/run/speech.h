#pragma once

/*
 * speech - a line from the watcher to the user while the job runs
 *
 * The watcher leaves it in the shared memory and nudges the keeper, where a
 * thread of its own writes it: a standard error that nobody reads holds up that
 * thread, not the signals. It takes turns with the relay that writes to the same
 * place, so that no piece of the job's output is cut, and begins on a new line.
 */

#include <semaphore.h>

#include "base/buf.h"
#include "run/relay.h"

#define SPEECH_PAUSE_MS 10000 /* at least, between two lines */

/* ---- the keeper's side ---- */

struct speech {
	struct share *share;
	struct relay *beside; /* writes where we write */
	bool terminal;        /* that is one */
	sem_t ready;
	pthread_t thread;
	_Atomic bool ends;
};

/* 0 or -errno. Nothing is allocated behind this. */
int speech_start(struct speech *s, struct share *share, struct relay *beside, bool terminal);

/* Look into the mailbox; never waits. */
void speech_look(struct speech *s);

/* False: it still writes, and what it works with has to stay. */
bool speech_end(struct speech *s);

/* ---- the watcher's side ---- */

/* False: the last line is too young, or nobody has taken it. Longer text is cut. */
bool speech_say(struct share *s, struct span text, uint64_t now);

/* The line that nobody has taken, and will not: the job is over. False: there is none. */
bool speech_back(struct share *s, struct buf *ret);
