#pragma once

/*
 * tail - the end of what a job prints, for whoever did not keep the output
 *
 * The last TAIL_LINES of a stream, as a terminal would show them after the last carriage return.
 */

#include "base/span.h"
#include "story/run-journal.h"

#define TAIL_LINES 200

/* Records of lines, each "NAME TEXT". */
void tail_write(struct span text, const char *name, struct run_journal *j);
