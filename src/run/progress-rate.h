#pragma once

/*
 * progress-rate - the rhythm of a job, learnt from what it prints
 *
 * A step is a line that tells a place beyond those told before: a redrawn bar,
 * the same batch from another rank, or a rank that lags is none. A bar that
 * starts again is one. Lines that look alike share a track, so that a bar
 * within a bar is not taken for a restart.
 * Time is handed in, in milliseconds of a clock that never jumps.
 */

#include "parse/progress.h"

#define PROGRESS_RATE_TRACKS    8
#define PROGRESS_RATE_INTERVALS 64
#define PROGRESS_RATE_LINE      1024
#define PROGRESS_RATE_TAIL      8192

struct progress_rate_track {
	uint64_t shape;                    /* 0: free */
	double major, minor;               /* the furthest place */
	double behind_major, behind_minor; /* a place that may be a restart */
	bool doubts;
	uint64_t used;
};

/* Behind the last line of a stream. */
struct progress_rate_rest {
	char text[PROGRESS_RATE_LINE];
	size_t count, tried;
	uint64_t at_ms;
	bool torn; /* some of it is missing */
};

struct progress_rate {
	unsigned int steps;     /* seen */
	uint64_t last_step_ms;  /* when; 0: none yet */
	double usual_ms;        /* median of the last intervals between steps; 0: none yet */
	double slowest_ms;      /* of all */
	struct progress first;  /* where it began */
	struct progress newest; /* with the epoch and the loss that other lines have told */
	int stream;             /* of the newest */
	uint64_t lines;         /* that told a place or a loss */
	uint64_t told_ms;       /* when the last of them came */
	double loss;            /* the last one ... */
	bool has_loss;          /* ... since whoever uses it has set this back */
	bool was_finite;        /* the loss, once */
	bool is_lost;           /* and then it was no number any more, ... */
	struct progress lost;   /* ... first here */

	/* how it is learnt */
	struct progress_rate_track tracks[PROGRESS_RATE_TRACKS];
	float intervals[PROGRESS_RATE_INTERVALS];
	unsigned int interval_count;
	uint64_t looked_ms;
	struct progress_rate_rest rest[2];
	struct {
		char bytes[PROGRESS_RATE_TAIL];
		size_t count;
	} tails[2]; /* the newest bytes, for progress_rate_catch_up() */
};

/* Bytes of a stream. Only their last whole lines are looked at, and 50 in a second taken. */
void progress_rate_bytes(struct progress_rate *p, int stream, struct span bytes, uint64_t now_ms);

/* Takes an unfinished line, as a bar leaves between two updates; call it now and then. */
void progress_rate_rest(struct progress_rate *p, uint64_t now_ms);

/*
 * The last line that tells something, however fast the job wrote and whatever came
 * after it: when something has failed, the place must not depend on our haste.
 */
void progress_rate_catch_up(struct progress_rate *p);

/* A line. True: it was a step. */
bool progress_rate_line(struct progress_rate *p, int stream, struct span line, uint64_t now_ms);
