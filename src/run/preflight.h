#pragma once

/*
 * preflight - a quick look at the machine before a job starts
 *
 * Bounded in time: a machine that is stuck does not hold the job up. Says only
 * what will break the job, in three lines at most, and names variables that
 * nobody reads. With --heal the workarounds of what was found are set: each
 * change is told with its reason and its source. Prints nothing: what there is
 * to say to the user is added to `said`, a line each.
 */

#include "context/context.h"
#include "diagnose/workarounds.h"
#include "run/options.h"

struct preflight {
	struct context context;
	const struct run_options *options;
	struct arena arena;
	struct workaround *settings; /* that --heal has made, in our environment too */
	size_t setting_count;
	struct buf record;     /* for the journal */
	struct buf at_failure; /* what there is to say if the job fails */
	size_t left_out;       /* findings that it has no room for */
	bool refused;          /* --strict, and the job would break */
};

/*
 * 0, or an exit status if something is wrong with the options. A machine that
 * could not be looked at leaves no facts, and the job runs all the same.
 */
int preflight_make(const struct run_options *o, struct preflight *ret, struct buf *said);

/* GPUs and who holds their memory once more, after a failure; for run.h. */
bool preflight_again(void *preflight);

void preflight_done(struct preflight *p);
