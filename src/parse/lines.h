#pragma once

/*
 * lines - logical lines: a backslash before the newline goes on with the next
 *
 * The span of a joined line still holds the backslashes and newlines. Readers
 * take both for blanks; a word torn in its middle is read as two.
 */

#include "base/span.h"

struct lines {
	struct span rest;
	unsigned int count; /* physical lines read so far; start with 0 */
};

/* The number is that of the first physical line, from 1. */
bool lines_next(struct lines *lines, struct span *ret_line, unsigned int *ret_number);
