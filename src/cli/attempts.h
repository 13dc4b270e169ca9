#pragma once

/*
 * attempts - a job, and the same job again where that can help
 *
 * Whether it can is decided at the end of each attempt (run/ladder.h). Between
 * two of them one line tells what is changed and why.
 */

#include "cli/preflight.h"
#include "run/run.h"

struct attempts {
	const struct options *options;
	unsigned int most;
	enum run_hang on_hang;
	uint64_t hang_after_ms; /* 0: not said */
	struct preflight preflight;
	struct arena arena;
	struct lever *settings; /* in force */
	size_t setting_count;
	struct run_end end;    /* of the last one */
	const char *directory; /* of the journals, once it is known; or NULL */
};

/* 0, or -errno after saying that no job could be started. */
int attempts_run(struct attempts *a);
void attempts_done(struct attempts *a);
