#pragma once

/*
 * readers - one verdict in the words of each program that asks
 *
 * They differ in form and in exit status alone: which node is open, closed or
 * unclear is decided before, once, by what was found, or by what of it is enforced.
 */

#include "gate/acts.h"
#include "gate/node-verdict.h"
#include "gate/passed.h"

enum gate_state { GATE_OPEN, GATE_CLOSED, GATE_UNKNOWN };

struct gate_answer {
	enum gate_state state;
	const struct node_verdict *verdict; /* without a boot: there is none that counts */
	const char *why;                    /* of an unknown one */
	bool observed;                      /* it passes, and something was found and is observed */
	const char *off;                    /* the site's file that lets everything pass, or NULL */
	uint64_t passed[PASSED_KINDS];      /* how often a hook let pass in this boot */
	struct acts acts;                   /* what was done in Slurm in this boot */
	const char *latched;                /* why it waits for a person undrained, or NULL */
	uint64_t now_s;                     /* since 1970, for what expires */
	uint64_t age_s;                     /* of the verdict, also of one that is too old */
	bool aged;                          /* that is known */
};

/* A finding closes; without one, what could not be decided is told. */
struct gate_answer gate_judge(struct arena *a, const struct node_verdict *v);
struct gate_answer gate_blind(const char *why);              /* no verdict that counts */
void gate_pass(struct gate_answer *answer, const char *off); /* all the same; NULL: not so */

/* For a program that acts on a closed node: what is only observed closes nothing, and is told. */
void gate_leave_observed(struct arena *a, struct gate_answer *answer);

struct gate_reader {
	const char *name;
	int status[3]; /* exit status, by gate_state */
	bool acts;     /* others act on what it tells, and know nothing of the site's gate.conf */
	void (*write)(const struct gate_answer *a, struct buf *ret);
};

/* NULL: there is none of this name. The first one is for people. */
const struct gate_reader *reader_find(const char *name);

const char *gate_state_name(enum gate_state state);
