#pragma once

/*
 * pattern-steps - how much work a pattern has with a text
 *
 * Counted, not timed, so that two hosts agree: every item of the pattern that
 * PCRE2 tries, and every byte that it steps over, from every place at which it
 * begins. PCRE2's own match limit counts neither the bytes nor across places.
 */

#include "base/span.h"

struct pattern_steps;

/* NULL if it does not compile, or memory is out. */
struct pattern_steps *pattern_steps_new(const char *pattern);
struct pattern_steps *pattern_steps_free(struct pattern_steps *s); /* accepts NULL, returns NULL */

/* At most `most`, where it stops. */
uint64_t pattern_steps_count(struct pattern_steps *s, struct span text, uint64_t most);
