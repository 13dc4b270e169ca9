#pragma once

/*
 * symptom - what a person sees go wrong, where nothing tells why
 *
 * It hangs, it is slow, pictures are black: of such a text no cause is more than a guess, and
 * still there is something to look at first. Which lines tell of one is the matter of
 * data/symptoms.tsv, and what to do that of the causes of the kind symptom.
 */

#include "explain/explain-internal.h"

/* After the verdict by belief and ending: sets `symptom`, or leaves it NULL. */
void symptom_find(struct explainer *x);
