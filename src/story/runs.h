#pragma once

/*
 * runs - the runs whose journals lie right below a directory
 */

#include "base/arena.h"

struct runs_one {
	const char *directory;
	uint64_t at_ms; /* when its journal was last written to */
};

struct runs {
	struct runs_one *list; /* the newest first */
	size_t count;
};

/* A directory that cannot be read has none. */
void runs_below(const char *directory, struct arena *a, struct runs *ret);
