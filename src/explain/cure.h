#pragma once

/*
 * cure - what is to be typed for the cure of a known defect
 *
 * The first line of a cure is a sentence, and lines below it are its steps.
 * A cure of one sentence, "Use ROCm 7.2.1.", takes the steps of the remedy of
 * the same kind that its cause offers here, which knows the distribution.
 */

#include "explain/explain.h"

/* With the sentence as its title, and this job in its commands; NULL: nothing is to be typed. */
const struct remedy *cure_find(struct arena *a, const struct explain_cause *c, const char *job);
