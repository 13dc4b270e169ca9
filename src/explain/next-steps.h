#pragma once

/*
 * next-steps - what to do about an explanation
 *
 * Where a cause is decided, its steps. Where it is not, the first step of each
 * that it may be, then the second of each: whoever follows them from the top has
 * tried the likeliest ways first. A step is offered once, and computing on the
 * CPU comes last.
 */

#include "diagnose/steps.h"
#include "explain/explain.h"

/* Causes that an undecided answer takes steps from, as many as it names. */
#define RIVALS 4

/* Sets `steps`; after belief was shared. The shell is that of the reader's system. */
void next_steps(struct explanation *e, enum shell shell);

/* Whether it takes steps from the remedies of this cause, one of those of `causes`. */
bool next_steps_takes(const struct explanation *e, const struct explain_cause *c);
