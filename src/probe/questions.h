#pragma once

/*
 * questions - what a walk can ask, and in which order
 *
 * One row a question: the layer, who is asked together, from which level on,
 * for how long, and which questions must have been answered before. The order
 * of the table is the order of the walk, from the ground up: what a question
 * rests on stands above it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/span.h"

#define QUESTION_NEEDS_MAX 3
#define QUESTIONS_MAX      64

enum question_scope {
	QUESTION_ONCE,     /* the machine */
	QUESTION_EACH,     /* each device */
	QUESTION_PAIR,     /* each device with each other, both ways */
	QUESTION_GROUP,    /* all devices, a process for each */
	QUESTION_TOGETHER, /* all devices, one process */
};

struct question {
	const char *name, *layer;
	enum question_scope scope;
	int level;
	unsigned int deadline_ms;
	unsigned int long_ms;    /* if something is being compiled; 0: no compiler belongs here */
	const char *compiles_in; /* the one call that compiles; NULL: any may */
	unsigned int mib;        /* of the GPU's memory, for --bytes; 0: not given */
	unsigned int ranks;      /* a group of at most so many; 0: all */
	bool alone;              /* asked again with one device visible if it fails with several */
	const char *needs[QUESTION_NEEDS_MAX + 1];
};

/* NULL-terminated by name. */
extern const struct question questions[];

/* The row of this name, or NULL. */
const struct question *question_find(struct span name);

/*
 * Chooses the rows that are asked: of this level, or those of the named layers
 * ("a,b"; as at level 2 at least) and their needs. ret[i] belongs to questions[i].
 * False if a layer is not known.
 */
bool questions_choose(int level, const char *layers, bool ret[static QUESTIONS_MAX]);
