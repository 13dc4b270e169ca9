#pragma once

/*
 * belief - from lines of evidence to one belief, shared among causes
 *
 * A cause's sum is its share and its lines, of which each further one counts
 * less and of a group only the strongest. The odds of all causes that something
 * speaks for, and of none that we know, are put to one. The numbers come with
 * the knowledge (table belief).
 */

#include "explain/explain.h"

#define BELIEF_UNHEARD_MAX 64
struct belief_rules {
	double sharpness; /* of a deciban */
	double echo;      /* of each further line */
	double unknown;   /* decibans */
	double bare;      /* decibans less where only a description speaks */
	double decided, certain;
	double family; /* belief in all of its causes from which on one is named */
	double warning_speaks, warning_noted, warning_founds, hint_leads, ruled_out; /* decibans */
	struct belief_unheard {
		char cause[64];
		int more; /* decibans, where no line of the log shows anything */
	} unheard[BELIEF_UNHEARD_MAX];
	size_t unheard_count;
};

/* Of the attached knowledge; what it does not say is the plain arithmetic. 0 or -EIO. */
int belief_load(sqlite3 *db, struct belief_rules *ret);

/* Sums, order and belief; the causes have their lines. */
void belief_share(const struct belief_rules *rules, struct explanation *e);

/* Of a sum. */
double belief_odds(const struct belief_rules *rules, double decibans);

/* After belief_share(): whether the log, or a fault that was stated, speaks for any cause. */
bool belief_is_heard(const struct belief_rules *rules, const struct explanation *e);
