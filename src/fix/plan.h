#pragma once

/*
 * plan (fix) - what can be done about the findings, in order
 *
 * A remedy stands once, with every finding it is for, best first: findings in
 * the order of the diagnosis, remedies in the order of the knowledge. What
 * follows from another finding, what is a mere note and what is acknowledged
 * comes last as optional. Its steps are numbered here, so that every report
 * counts alike.
 */

#include "diagnose/diagnose.h"
#include "kb/apply.h"

/* Prose, and the commands that belong to it; one of them may be empty. */
struct fix_step {
	const char *text;
	const char *commands; /* lines, without the indent */
};

struct fix_item {
	const struct remedy *remedy;     /* filled in for this machine */
	const struct finding **findings; /* the strongest first */
	size_t finding_count;
	bool optional;
	const struct fix_step *steps;
	size_t step_count;
	const char *subject;                /* that the actions are for; empty: the machine */
	const struct apply_action *actions; /* what can be done by itself; none: all by hand */
	size_t action_count;
	bool as_root;                /* they need it */
	const struct fix_step *then; /* what is left by hand afterwards */
	size_t then_count;
	const struct fix_step *after_undo; /* and what is left by hand after it was taken back */
	size_t after_undo_count;
};

struct fix_plan {
	struct arena arena;
	struct fix_item *items; /* what is optional comes last */
	size_t count;
	size_t optional;  /* of those */
	size_t undecided; /* findings that are not decided, so that nothing is proposed for them */
	const struct finding **bare; /* findings that need a remedy, and none is known */
	size_t bare_count;
};

/* The diagnosis must outlive the plan. Steps are written as bash has them. */
void fix_plan(const struct diagnosis *d, struct fix_plan *ret);
void fix_plan_done(struct fix_plan *p);

/* Items of a remedy, from `*at` on; NULL at the end. Two of one name differ in their subject. */
const struct fix_item *fix_plan_next(const struct fix_plan *p, const char *id, const char *subject,
				     size_t *at);

/*
 * Adds to each item the actions that the program can carry out here: the
 * knowledge's, filled in, if its statement has a row and none of them is refused.
 * `tree`: not this host, so that files can be its owner's.
 */
void fix_plan_actions(sqlite3 *db, struct fix_plan *p, bool tree);

/* Steps left to do by hand after a remedy was undone, whatever is found by then. */
size_t fix_plan_after_undo(sqlite3 *db, struct arena *a, const char *remedy, const char *subject,
			   const struct fix_step **ret);

/* Whether who carries them out must be root. */
bool fix_needs_root(const struct apply_action *list, size_t count, bool tree);

/* Pieces of a remedy's text, numbered from 1. */
size_t fix_steps(struct arena *a, const char *text, const struct fix_step **ret);
