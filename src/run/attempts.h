#pragma once

/*
 * attempts - a job, and the same job again where that can help
 *
 * Whether it can is decided at the end of each attempt (run/retry.h). Between
 * two of them one line tells what is changed and why. Prints nothing: lines go
 * to whoever asked, one by one, since a job may run for days after the first.
 */

#include "run/preflight.h"
#include "run/run-dir.h"
#include "run/run.h"

struct attempts {
	const struct run_options *options;
	void (*say)(const char *line); /* to the user */
	struct preflight preflight;
	struct run_dir dir;
	struct arena arena;
	struct workaround *settings; /* in force */
	size_t setting_count;
	struct run_end end;    /* of the last one */
	const char *directory; /* of the journals, once it is known; or NULL */
};

/* Until the last one has ended. */
void attempts_run(struct attempts *a);
void attempts_done(struct attempts *a);
