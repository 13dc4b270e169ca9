#pragma once

/*
 * keeper - the process between the job and the world
 *
 * Starts the job as if it were bare, hands its output on, passes signals to it,
 * reaps it and what it has left behind. It thinks about nothing and allocates
 * nothing once the job runs; what there is to think about the watcher does
 * (watcher.h), and its death is not the keeper's.
 *
 * The entry is run_job() of run.h. keeper-start.c opens and starts, keeper-signals.c
 * passes signals and reaps, keeper-end.c ends what outlives the job, keeper.c goes
 * through the stages.
 */

#include "door/descendants.h"
#include "run/launch.h"
#include "run/relay.h"
#include "run/run.h"
#include "run/status-line.h"
#include "run/terminal.h"

enum stage { STAGE_RUNS, STAGE_GRACE, STAGE_TERM, STAGE_KILL, STAGE_DRAIN, STAGE_DONE };

struct keeper {
	const struct run_order *order;
	struct shared_memory *shared;
	struct terminal terminal;
	struct relay relays[2];
	struct status_line status_line;
	struct launch launch;
	struct descendants descendants;
	pid_t before[DESCENDANTS_MAX]; /* from before the start: not the job's */
	size_t before_count;
	int signals;        /* a descriptor */
	int over[2];        /* a relay has ended, or the watcher has something to say */
	int life;           /* the watcher's end of the pipe */
	pid_t job, watcher; /* 0: gone */
	enum stage stage;
	uint64_t deadline, quiet_since;
	unsigned int hurry;  /* signals that came when the job had ended */
	bool keyboard;       /* ours to read */
	bool stops;          /* we were asked to stop */
	uint64_t hung_until; /* 0: nobody has asked us to end the job */
	int status;
};

int keeper_open(struct keeper *k, bool first); /* 0 or -errno; `first` of several attempts */
int keeper_start(struct keeper *k, int *ret_error);

/*
 * As before the start, so that another attempt can follow. False: a thread still
 * reads what a stranger keeps open, and what it works with has to stay.
 */
bool keeper_close(struct keeper *k);

void keeper_take_signals(struct keeper *k);
void keeper_stop_job(struct keeper *k);
void keeper_ask_for_end(
	struct keeper *k); /* whatever the job makes of it: it is not started again */

void keeper_note_children(struct keeper *k); /* who is there before the job is not the job's */
void keeper_advance(struct keeper *k);       /* to the next stage, if it is time */
