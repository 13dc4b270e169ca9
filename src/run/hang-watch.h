#pragma once

/*
 * hang-watch - the watcher's eye on hangs
 *
 * Once a second: looks at the job when it has been silent for long (hang.h), has
 * the evidence written before anything else (stacks.h), keeps a record, tells the
 * user (status-line.h), and asks the keeper to end the job if the user wants that.
 */

#include "door/descendants.h"
#include "gauges/connections.h"
#include "run/evidence.h"
#include "run/hang.h"
#include "run/timeline.h"

enum hang_watch_state { HANG_WATCH_CALM, HANG_WATCH_SLOW, HANG_WATCH_GATHERS, HANG_WATCH_TOLD };

struct hang_watch {
	const struct run_order *order;
	struct shared_memory *shared;
	struct evidence *evidence;
	struct timeline *timeline;
	struct hang_look looks[HANG_LOOKS];
	size_t count;
	uint64_t looked_ms;    /* when the last of them was made, needed or not */
	uint64_t watched_from; /* after the last standstill of the machine; 0: none yet */
	/* The members below are about the present silence, since the job's last step. */
	bool has_gpu; /* a process of the job has a GPU open; asked once */
	struct connections connections;
	enum hang_watch_state state;
	struct hang_verdict verdict;
	bool spoken;           /* that it computes for so long, or has not begun */
	struct buf means;      /* what it waits for, or empty */
	uint64_t last_step_ms; /* when the silence began */
	uint64_t again_ms;     /* in HANG_WATCH_TOLD: evidence is kept once more after so long */
	pid_t gatherer;        /* the process that writes the evidence */
	uint64_t gather_until; /* then it is killed */
	unsigned int file;     /* number of the last file of evidence */
	unsigned int kept;     /* how many such files there are in all */
	struct buf line;       /* for the user, and not yet said */
};

void hang_watch_open(struct hang_watch *w, const struct run_order *order,
		     struct shared_memory *shared, struct evidence *evidence,
		     struct timeline *timeline);

/* Once a second, after timeline_look(). */
void hang_watch_step(struct hang_watch *w, const struct descendants *descendants);

/* The job is gone: nobody is left to be looked at. */
void hang_watch_end(struct hang_watch *w);

/* ---- within hang-watch*.c ---- */

/* One more look at the job. */
void hang_watch_add_look(struct hang_watch *w, const struct descendants *descendants, uint64_t now);

/* Since the last step the kernel's log has told so of a GPU that may be the job's. */
bool hang_watch_heard(const struct hang_watch *w, enum timeline_alarm kind);
