#pragma once

/*
 * mounts - which file systems a search must not enter
 *
 * A network file system may not answer and is somebody else's; an automounter
 * mounts what is looked at. The judged process's own table of mounts tells
 * them apart before anything is touched.
 */

#include "door/open-as-user.h"

struct mounts {
	struct buf text; /* of mountinfo */
	struct mounts_point {
		const char *path;
		const char *why; /* NULL: may be entered */
	} * points;
	size_t count;
	struct arena arena;
};

/* 0, or -errno. Nothing is known of a tree, or after an error: then everything may be entered. */
int mounts_read(struct as_user *u, struct mounts *ret);
void mounts_done(struct mounts *m);

/* "network", "automount", or NULL if a search may go there. */
const char *mounts_refusal(const struct mounts *m, const char *path);

/* The same by the type of a file system. */
const char *mounts_kind(struct span type);

/* The mount point that a path lies below; "/" if none. */
const char *mounts_point(const struct mounts *m, const char *path);
