#pragma once

/*
 * scratch-dir - the temporary directories of one walk
 *
 * Probers of one user share a home with its caches, so that what one has
 * compiled the next need not compile again. After one that did not end by
 * itself the rest get a new one: nobody knows what it had half written.
 * Everything goes when the walk ends.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"

struct scratch_dir {
	char *top;
	unsigned int generation;
	unsigned int groups;
};

int scratch_dir_init(struct scratch_dir *s);  /* 0 or -errno */
void scratch_dir_done(struct scratch_dir *s); /* removes all of it */

/* The home for a prober that runs as this user; NULL if it cannot be made. */
const char *scratch_dir_home(struct scratch_dir *s, struct arena *a, uid_t uid, gid_t gid);

/* A fresh directory in which the processes of one group find each other. */
const char *scratch_dir_group(struct scratch_dir *s, struct arena *a, uid_t uid, gid_t gid);
