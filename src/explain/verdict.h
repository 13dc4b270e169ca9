#pragma once

/*
 * verdict - what an answer is called once it is known how the text ends
 *
 * Belief alone calls a text without known lines ok. A failure that nobody knows
 * takes that back, and so does an error of which only the component is known.
 */

#include "explain/explain-internal.h"

void verdict_own_up(const struct belief_rules *rules, struct explanation *e);

/* Names the software that an error comes from. 0 or -EIO. */
int verdict_name_component(struct explainer *x);
