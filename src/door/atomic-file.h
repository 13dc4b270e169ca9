#pragma once

/*
 * atomic-file - new content for a name, whole or not at all
 *
 * The bytes go to a file beside the name, are brought to the disk, and then the
 * file takes the name: whoever reads meanwhile, or after a crash, has the old
 * content or the new. The directory is a descriptor, so that nobody who changes
 * names above it leads us elsewhere; no link is followed, and what is not whole
 * yet is private.
 */

#include <stdbool.h>

#include "base/span.h"

struct atomic_file {
	int dir;          /* the caller's, O_PATH will do */
	const char *temp; /* the name beside; the caller's, or `own` */
	char own[24];
	int fd; /* to be written, and given its mode and owner */
};

/*
 * A file under the name beside; what somebody who was killed has left there is
 * removed. Where several may replace one file at once they would remove each
 * other's: with NULL the file gets a name of its own, and signals that ask us to
 * end wait until it is renamed or dropped.
 */
int atomic_file_begin(int dir, const char *temp, struct atomic_file *ret);

/* The whole of a file that everybody may read, under the name beside and on the disk; 0 or -errno. */
int atomic_file_public(int dir, const char *temp, struct span bytes, struct atomic_file *ret);

/* `r` says how the writing went. Synced and closed; with an error the file beside is gone. */
int atomic_file_end(struct atomic_file *f, int r);

/*
 * Rename it. Without `replace`, -EEXIST where something is. With an error the
 * file is still beside, until atomic_file_drop(). The name is on the disk after
 * atomic_file_sync().
 */
int atomic_file_rename(const struct atomic_file *f, const char *name, bool replace);
void atomic_file_drop(const struct atomic_file *f);
int atomic_file_sync(int dir);
