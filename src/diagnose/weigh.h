#pragma once

/*
 * weigh - from answers to a belief, for each subject of a cause
 *
 * Plain arithmetic. Yes counts its weight, of a group only the strongest, and
 * what is only stated or read from a log at most ten decibans. What is unknown
 * counts nothing, but it is remembered how far it could lift or sink the sum:
 * a belief needs a sum that no unknown can sink, so taking answers away from a
 * healthy machine never makes it ill.
 */

#include "diagnose/ask.h"

/*
 * Findings of the cause, one a candidate subject, into ret (of the arena), and
 * their number. With `everything` also those without a belief.
 */
size_t weigh_cause(struct arena *a, const struct gaps *gaps, const struct cause *cause,
		   const struct asked *asked, bool everything, struct finding **ret);
