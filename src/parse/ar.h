#pragma once

/*
 * ar - the members of a static library
 *
 * Members lie one after the other with a head of 60 bytes in decimal text, on
 * even places. A thin archive holds names alone: its members are elsewhere.
 */

#include "base/source.h"

#define AR_HEAD 8

struct ar_member {
	uint64_t at, size; /* of its content, inside the file */
};

/* By the first eight bytes; false for a thin one. */
bool ar_is(struct span bytes);
bool ar_is_thin(struct span bytes);

/*
 * The member whose head stands at *place (begin with AR_HEAD), and go on to the
 * next: 1, 0 at the end, -EBADMSG for what is no head or ends past the file.
 */
int ar_next(struct source *s, uint64_t *place, struct ar_member *ret);
