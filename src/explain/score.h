#pragma once

/*
 * score - how often explanations are right, by the rules of the corpus
 *
 * One answer a record and presentation goes in; rates with their intervals,
 * gain, calibration and the confusion come out. Pure arithmetic.
 */

#include "base/buf.h"

#define SCORE_RANKS 3
#define SCORE_BANDS 3 /* belief of 90 and above, 60 to 90, below 60 */

enum score_group { SCORE_DECIDABLE, SCORE_RELEASE, SCORE_ALL, SCORE_GROUPS };

struct score_answer {
	const char *cause;         /* what was wrong */
	const char *const *others; /* causes that also apply */
	size_t other_count;
	const char *ranked[SCORE_RANKS]; /* what we named, NULL: nothing */
	double belief;                   /* in the first */
	bool decided;
};

struct score_rate {
	unsigned int hits, of;
};

struct score {
	struct score_rate hit1[SCORE_GROUPS], strict1[SCORE_GROUPS], hit3[SCORE_GROUPS];
	struct score_rate decided[SCORE_GROUPS], right[SCORE_GROUPS]; /* right of those decided */
	double gain[SCORE_GROUPS]; /* sum; by hit1[].of it is the mean */
	struct score_rate bands[SCORE_BANDS];
	double band_belief[SCORE_BANDS]; /* sum */
	double brier;                    /* sum over all */
	struct score_rate alarms;        /* of healthy logs and machines */
};

bool score_hits(const struct score_answer *a, const char *named);
bool score_is_release(const char *cause);
double score_gain(const struct score_answer *a);

void score_add(struct score *s, const struct score_answer *a);
void score_add_healthy(struct score *s, bool alarm);

/* Wilson's interval for 95 in a hundred. */
void score_interval(struct score_rate r, double *ret_low, double *ret_high);
