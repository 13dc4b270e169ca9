#pragma once

/*
 * shelf - the temporary directories of one walk
 *
 * Probers of one user share a home with its caches, so that what one has
 * compiled the next need not compile again. After one that did not end by
 * itself the rest get a new one: nobody knows what it had half written.
 * Everything goes when the walk ends.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"

struct shelf {
	char *top;
	unsigned int generation;
	unsigned int groups;
};

int shelf_init(struct shelf *s);  /* 0 or -errno */
void shelf_done(struct shelf *s); /* removes all of it */

/* The home for a prober that runs as this user; NULL if it cannot be made. */
const char *shelf_home(struct shelf *s, struct arena *a, uid_t uid, gid_t gid);

/* A fresh directory in which the processes of one group find each other. */
const char *shelf_group(struct shelf *s, struct arena *a, uid_t uid, gid_t gid);
