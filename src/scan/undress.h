#pragma once

/*
 * undress - a line of a log without what terminals and collectors put around it
 *
 * Colours and cursor movements go; in a line of JSON the escapes of its
 * strings are taken back, so that a traceback sent as one string has lines
 * again. What stands before the text ([rank0]:, a container's name, a time)
 * stays: patterns are not anchored.
 */

#include "base/buf.h"

struct cut {
	struct span raw; /* in a line of JSON, what stands between two escaped newlines */
	bool json;
	bool whole; /* both its ends were within reach */
};

/* The line around `at`, at most `reach` bytes to each side; its ends are newline, return or the text's. */
struct cut undress_cut(struct span text, size_t at, size_t reach);

/* The line without its dress: as it lies there, or in *room, which is emptied first. */
struct span undress(const struct cut *cut, struct buf *room);
