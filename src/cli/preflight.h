#pragma once

/*
 * preflight - a quick look at the machine before a job starts
 *
 * Bounded in time: a machine that is stuck does not hold the job up. Says only
 * what will break the job, in three lines at most, and names variables that
 * nobody reads. With --heal the levers of what was found are pulled: each
 * change is told with its reason and its source.
 */

#include "cli/desk.h"
#include "diagnose/levers.h"

struct preflight {
	struct desk desk;
	const struct options *options;
	struct arena arena;
	struct lever *settings; /* that --heal has made, in our environment too */
	size_t setting_count;
	struct buf record; /* for the journal */
	bool refused;      /* --strict, and the job would break */
};

/*
 * 0, or an exit status after saying what is wrong with the options. A machine that
 * could not be looked at leaves no facts, and the job runs all the same.
 */
int preflight_make(const struct options *o, struct preflight *ret);

/* GPUs and who holds their memory once more, behind a failure; for run.h. */
bool preflight_again(void *preflight);

void preflight_done(struct preflight *p);
