#pragma once

/*
 * setting-steps - steps that the settings of a text ask for
 *
 * What the program itself advises (the view setting_advised) is the first step where no
 * cause is decided, and the second where one is. Where none is decided, a feature that is on
 * and can be left out (feature_shown) is left out for one run before anything is replaced.
 */

#include "explain/explain-internal.h"

/* After the steps were found. 0 or -EIO. */
int setting_steps(struct explainer *x);
