#pragma once

/*
 * watcher - the process that reads, remembers and explains
 *
 * Sees the job's output in the shared rings, scans it, and keeps the journal.
 * It may lag or die and the job does not notice. When the keeper dies without a
 * word it gives the terminal back and ends what the job has started; or, if the
 * job is to survive, takes over its output.
 */

#include "run/relay.h"
#include "run/run.h"

struct watcher {
	const struct run_order *order;
	struct shared_memory *shared;
	int life;               /* bytes wake us; its end is the keeper's */
	int terminal;           /* ours, or -1 */
	struct relay relays[2]; /* to take over; in: -1 */
};

__attribute__((noreturn)) void watcher_be(struct watcher *w); /* in the child */
