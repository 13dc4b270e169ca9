#pragma once

/*
 * options (run) - which command is run, and how
 *
 * What a command line says of it, read as numbers and found to go together.
 */

#include "context/options.h"
#include "run/run.h"

struct run_options {
	struct context_options context; /* the machine that is looked at before */
	const char *const *words;       /* the command */
	size_t word_count;
	const char *directory; /* of the journal; NULL: one with the time in its name */
	bool no_preflight;     /* the machine is not looked at */
	bool strict;           /* refuse to start */
	bool heal;             /* set what helps */
	unsigned int attempts; /* how many at most */
	bool allow_cpu;        /* as the last one */
	const char *resume;    /* words for the command, from the second attempt on; or NULL */
	bool leave;            /* what the job has left behind */
	bool survive;          /* our death */
	enum run_hang on_hang;
	uint64_t hang_after_ms; /* 0: not said */
};
