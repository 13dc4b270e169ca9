#pragma once

/*
 * sign - one thing that speaks for or against a cause, and how far a cause is believed
 *
 * A line of a log, a known defect and a fact of a machine are the same to whoever
 * weighs them: `check` asks the facts, `explain` reads a text and may ask them too.
 */

#include <stdbool.h>
#include <stddef.h>

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN, ANSWER_FAILED };

struct sign {
	const char *id;     /* evidence, signature or defect */
	enum answer answer; /* yes of all that a text says */
	int weight;         /* as the knowledge has it */
	int counted;        /* what went into the sum: 0 if no, unknown or outdone in its group */
	const char *group;  /* or NULL */
	const char *says;   /* filled in, if yes */
	const char *value;  /* of a fact */
	const char *source; /* path, question or line of a text, if yes */
	const char *origin; /* of a fact */
	const char *why;    /* of unknown: the gap; of failed: the error */
	size_t rows;        /* of this subject, of which the sign tells one */
	bool describes;     /* the machine, as it was said to be: no sign of illness */
	bool in_doubt;      /* a defect of which not all conditions are known */
	bool is_unproven; /* a defect that is not checked, or whose range has an end that nothing confirms */
	bool seen; /* a fact of this machine */
};

/* How far a cause is believed; of a text, whether there is a failure at all. */
enum belief {
	BELIEF_NOTHING,        /* not at all: no cause, and of a text no failure in it */
	BELIEF_NOT_RECOGNISED, /* a failure that nothing is known of, or no text to look at */
	BELIEF_UNDECIDED,
	BELIEF_LIKELY,
	BELIEF_CERTAIN,
};

const char *sign_answer_name(enum answer answer);
const char *belief_name(enum belief belief);
