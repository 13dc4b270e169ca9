#pragma once

/*
 * pattern-steps - how much work a pattern has with a text
 *
 * Counted, not timed, so that two hosts agree: every item of the pattern that
 * PCRE2 tries, and every byte that it steps over, from every place at which it
 * begins. PCRE2's own match limit counts neither the bytes nor across places.
 * Counting makes PCRE2's compiled patterns five times as slow.
 */

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/span.h"

struct pattern_steps;

/* NULL if it does not compile, or memory is out. */
struct pattern_steps *pattern_steps_new(const char *pattern);
struct pattern_steps *pattern_steps_free(struct pattern_steps *s); /* accepts NULL, returns NULL */

/* At most `most`, where it stops. */
uint64_t pattern_steps_count(struct pattern_steps *s, struct span text, uint64_t most);

/* For the next matches PCRE2's own compiler is used. The steps are nearly the same. */
void pattern_steps_compile(struct pattern_steps *s);

/*
 * The same with an answer: what pcre2_match() gives, PCRE2_ERROR_CALLOUT where it stopped. The
 * groups of the match are in *match.
 */
int pattern_steps_match(struct pattern_steps *s, struct span text, uint64_t most,
			pcre2_match_data *match, uint64_t *ret_steps);
