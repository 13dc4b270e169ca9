#pragma once

/*
 * allowed - the directories of --allow, outside of which nothing is opened
 *
 * A client names paths that a model made up, by their whole names. Without
 * --allow none is touched; with it only what lies below, whatever links are on
 * the way. Of what lies elsewhere nothing is told, not even whether it is there.
 * A path is judged here, and opened from the descriptor of its directory later:
 * if it was exchanged for a link in between, it is refused then.
 */

#include "door/below.h"

struct allowed_root {
	const char *named; /* by the user */
	const char *real;  /* without links */
	struct below top;  /* open, after allowed_enter() */
};

struct allowed {
	struct arena arena;
	struct allowed_root *roots;
	size_t count;
	size_t missing; /* that were named and are no directories */
};

/* "a:b"; `missing` is told of those that are no directories, which are left out. */
void allowed_read(struct allowed *a, const char *directories,
		  void (*missing)(const char *directory, int error));

/* Opens all of them, for whoever works below them: 0 or -errno. */
int allowed_enter(struct allowed *a);
void allowed_done(struct allowed *a);

/* The directory in which a path lies, and the path without links; NULL if there is none. */
const struct allowed_root *allowed_find(const struct allowed *a, const char *path,
					struct arena *arena, const char **ret_real);

/* A descriptor of a regular file for reading, or -EACCES if it is not below, or -errno. */
int allowed_open(const struct allowed *a, const char *path);
