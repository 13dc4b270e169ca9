#pragma once

/*
 * explain-input - logs and statements that the user handed over
 *
 * Every log is scanned once; what was met can be told to more than one
 * database, since only the log itself tells whether this machine fits it.
 */

#include "cli/options.h"
#include "explain/log.h"

#define EXPLAIN_LOGS_MAX 16

struct explain_input {
	const struct options *options;
	const struct log_signatures *signatures;
	struct scan *scans[EXPLAIN_LOGS_MAX];
	const char *names[EXPLAIN_LOGS_MAX];
	size_t count;
	unsigned long long lines;
};

/* Every file named (- and none: standard input). 0 or an exit status. */
int explain_input_read(struct explain_input *in);

/* What was met and stated, as rows; `machine`: beside those of a machine. 0 or an exit status. */
int explain_input_tell(struct explain_input *in, struct facts *facts, bool machine);

void explain_input_done(struct explain_input *in);
