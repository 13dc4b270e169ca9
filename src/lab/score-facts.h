#pragma once

/*
 * score-facts - whether what is known of a machine makes an answer worse
 *
 * Of each record the text alone is explained, then the text with each fact of its
 * `env`, and with each pair of them, stated in both orders.
 */

#include "lab/scorer.h"

/* As scorer_run(), with records that were read; what is found lives as long as `s`. */
int score_facts_run(struct scorer *s, struct score_facts *ret);
