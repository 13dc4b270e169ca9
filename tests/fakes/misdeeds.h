/*
 * misdeeds.h - what vendor code has been seen to do to the process that calls it
 *
 * The words are those of plan.h.
 */
#pragma once

#include <stdbool.h>

bool misdeed_is_known(const char *word);

/* Returns only if the misdeed leaves the call alive. */
void misdeed_do(const char *word, long number);
