#pragma once

/*
 * annotations - notes that a forge shows beside a change
 *
 * Every report writes its notes as records, one line each, so that those of
 * several processes can be joined; one place makes a forge's words of them.
 */

#include "report/page.h"

/* GitHub shows so many of a step and no more. */
#define ANNOTATIONS_SHOWN 10

struct annotation {
	enum page_mark mark; /* of what is good, nothing is written */
	const char *title;
	const char *file; /* of the tree that is judged; NULL: none */
	const char *says; /* lines */
};

/* Append a record. */
void annotations_add(struct buf *records, const struct annotation *a);

/*
 * Problems first, then warnings, then notes: the first ten as workflow commands, and all as
 * Markdown for the summary of the step, as far as it has room. How many the commands leave out.
 */
size_t annotations_github(struct span records, struct buf *commands, struct buf *summary);
