#pragma once

/*
 * passed - how often the gate let a node pass although it could not tell, or may not act
 *
 * One file beside the verdict, a letter for each time: many prologs may add to it
 * at once, none waits for another, and the sh shim can do it too. It is of this
 * boot, as everything below /run.
 */

#include "base/buf.h"

#define PASSED_FILE "passed"
#define PASSED_MAX  ((size_t)1 << 20) /* letters: when it is full, that is said */

enum passed {
	PASSED_NO_VERDICT,
	PASSED_OLD_VERDICT,
	PASSED_BAD_VERDICT,
	PASSED_OFF,
	PASSED_BRAKE,
	PASSED_OTHER_REASON,
	PASSED_SLURM_SILENT,
	PASSED_HOOK, /* the program did not start, was killed or late: counted by rocsteady-hook */
	PASSED_KINDS,
};

const char *passed_name(enum passed why);

/* The file of a verdict is its neighbour. What cannot be counted is said, a line each. */
void passed_add(const char *verdict, enum passed why, struct buf *said);

/* All 0 if there is none. */
void passed_read(const char *verdict, uint64_t ret[static PASSED_KINDS]);
