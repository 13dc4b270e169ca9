#pragma once

/*
 * setters - the lines of a start-up file or a unit file that set a variable
 *
 * The door serves of such a file only the lines that matter, each after its
 * number: "12:export HSA_OVERRIDE_GFX_VERSION=10.3.0". What is given out are
 * variables that ROCm, a framework or the loader reads, and nothing else.
 */

#include "parse/assign.h"

/* The next line of an excerpt; without a number in front it is counted. */
bool setters_line(struct span *rest, unsigned int *number, struct span *ret_line);

struct setters {
	enum assign_dialect dialect;
	struct span rest;
	unsigned int number;         /* of the line that gave the assignment */
	struct assign_reader reader; /* private */
	bool reading;                /* private */
};

struct setters setters_start(enum assign_dialect dialect, struct span text);

/* Leaves out `A=b command`, which sets nothing for later. */
bool setters_next(struct setters *s, struct assign *ret);
