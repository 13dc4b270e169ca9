#pragma once

/*
 * unheard - what a failure most often is that no rule knows
 *
 * A text about an AMD GPU fails, and no line of it speaks for a cause. Such failures are mostly
 * faults of a release that nothing has written down. The knowledge says how much more (`unheard-CAUSE`
 * of the table belief), and these causes are named as unclear, with the steps that often cure.
 * An error whose origin says what happened, and one of the asker's own code, gets no guess.
 */

#include "explain/explain-internal.h"

/* Names them and sets the word, where the text is not recognised and the guess is wanted. */
void unheard_name(struct explainer *x);
