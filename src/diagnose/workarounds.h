#pragma once

/*
 * workarounds - what a job's environment alone can do about a cause
 *
 * A remedy may have a workaround: variables to set or to unset, and a statement that
 * must have rows on this machine, for this framework's version and after these
 * events. Its rows are the changes. Where something that it asks for is not
 * known there are none, and nothing is set.
 */

#include <sqlite3.h>

#include "base/arena.h"

struct workaround {
	const char *remedy;
	const char *name;   /* of a variable */
	const char *value;  /* NULL: it is unset */
	const char *says;   /* why, in words */
	const char *source; /* that it works for this version */
	const char *costs;  /* what the job loses: none, slower, fewer-gpus, cpu */
	const char *cause;  /* that it is for */
};

struct workarounds {
	struct workaround *list; /* the changes of one remedy stand together */
	size_t count;
};

/*
 * The workarounds of causes that apply now, in the order of the causes and of their
 * remedies; a remedy counts once. `db` holds facts and events, with the
 * knowledge beside them. 0, or -EIO if the knowledge cannot be read.
 */
int workarounds_find(sqlite3 *db, const char *const *causes, size_t count, struct arena *a,
		     struct workarounds *ret);

/* How many of the list, from `at` on, are of one remedy. */
size_t workarounds_together(const struct workarounds *l, size_t at);
