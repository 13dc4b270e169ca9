#pragma once

/*
 * verdict - what an answer is called: certain, likely, undecided, not recognised, or ok
 *
 * Belief alone calls a text without known lines ok, and one in which two causes look alike
 * undecided. A family takes the second back; a failure that nobody knows, and an error of which
 * only the component is known, take the first back.
 */

#include "explain/explain-internal.h"

/* After belief was shared: sets `word`, `family`, `basis`, and the component of `failure`. 0 or -EIO. */
int verdict(struct explainer *x);

/* The word that belief alone gives. */
enum belief verdict_by_belief(const struct belief_rules *rules, const struct explanation *e);
