#pragma once

/*
 * explain-scrub - an explanation before it is written: names and secrets replaced
 *
 * In forms that are made to be handed on, pseudonyms for names, hosts, serials
 * and secrets, and commands with ~ and "$USER"; in all others secrets alone are
 * withheld, because people paste what a terminal shows.
 */

#include <sqlite3.h>

#include "explain/explain.h"

struct explain_scrub {
	bool leaves;               /* made to be handed on */
	const char *key;           /* of the pseudonyms; NULL: a random one */
	const char **file, **used; /* said beside the explanation: its text, and what was joined */
	const char **left_out;     /* and files that are not in it */
	size_t left_out_count;
	struct scrubber **withholder; /* one that is kept for the next text, or NULL */
};

/*
 * The explanation itself is changed; `db` tells whose machine was joined.
 * False: it could not be, and must not be written.
 */
bool explain_scrub(struct explanation *e, sqlite3 *db, const struct explain_scrub *how);

/* The text itself, as one that is handed on; NULL key as above. 0, or -EIO: no key could be had. */
int explain_scrub_text(struct span text, const char *key, struct buf *ret);
