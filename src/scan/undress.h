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

/* A part of a line that is too long to be searched whole; offsets in the text. */
struct stretch {
	size_t begin, end; /* of the places that belong to it */
	size_t overlap;    /* bytes that are looked at before and behind them */
};

/* The line around `at`, at most `reach` bytes to each side; its ends are newline, return or the text's. */
struct cut undress_cut(struct span text, size_t at, size_t reach);

/* The part of the line around `at` that a stretch shows; *ret_own are the places that belong to it. */
struct cut undress_stretch(struct span text, size_t at, const struct stretch *stretch,
			   struct span *ret_own);

/* The line without its dress: as it lies there, or in *room, which is emptied first. */
struct span undress(const struct cut *cut, struct buf *room);
