#pragma once

/*
 * rehearsal - what the gate would have done on many machines
 *
 * Each machine has a verdict with the site's gate.conf put to it, and may have a
 * second one, by other knowledge or another gate.conf. Machines with the same
 * outcome share a line. Nothing is drained.
 */

#include "gate/node-verdict.h"

struct rehearsed {
	const char *node;
	const char *unread; /* why there is no verdict; NULL: there is one */
	const struct node_verdict *verdict;
	const struct node_verdict *against; /* NULL: nothing to compare with */
};

struct rehearsal {
	const struct rehearsed *nodes;
	size_t count;
	const char *conf;    /* the site's file; NULL: none was named */
	const char *against; /* the file that the second verdicts come from, or NULL */
};

enum rehearsed_outcome {
	REHEARSED_DRAIN,
	REHEARSED_OBSERVE,
	REHEARSED_UNCLEAR,
	REHEARSED_PASS,
	REHEARSED_UNREAD,
	REHEARSED_OUTCOMES,
};

enum rehearsed_outcome rehearsed_outcome(const struct rehearsed *node);

/* Whether the second verdict would have had another outcome, or named another cause. */
bool rehearsed_differs(const struct rehearsed *node);

void rehearsal_text(const struct rehearsal *r, struct buf *ret);
void rehearsal_json(const struct rehearsal *r, struct buf *ret); /* an object a line */
