#pragma once

/*
 * adversary - the texts that cost a signature most
 *
 * Made of what a signature itself looks for: its literals repeated, dense,
 * spaced and as nested prefixes, and mixed with runs of what patterns step
 * over (blanks, digits, words, paths) and with the words of its own pattern.
 * None of them has a newline. A pattern that is linear on all of these is
 * linear on a log.
 */

#include "base/buf.h"

struct adversary {
	const struct span *literals;
	size_t literal_count;
	const char *pattern; /* NULL: none */
};

/* How many texts there are. */
size_t adversary_count(const struct adversary *a);

/* One of them, `size` bytes long; *ret is emptied first. */
void adversary_text(const struct adversary *a, size_t which, size_t size, struct buf *ret);
