#pragma once

/*
 * install-file - a file and what belongs to it, replaced so that one can be killed
 *
 * Both are written beside, brought to the disk, and then take their names; the
 * file itself by one rename. Whoever reads meanwhile, and whoever reads after
 * a crash, gets the old file or the new one.
 */

#include "base/span.h"

#define INSTALL_FILE_NEW  ".new"  /* behind the name, while it is written */
#define INSTALL_FILE_LOCK ".lock" /* held by whoever replaces it */

struct install_file {
	int dir;
	int lock;
	const char *name; /* in that directory */
};

/*
 * The directory is made if it is missing, and locked. -EWOULDBLOCK: somebody else
 * is at it. -EPERM: others may write there.
 */
int install_file_open(const char *path, struct install_file *ret);
void install_file_close(struct install_file *p);

/* One more that belongs to it, under its name with `end` after it. 0 or -errno: as before. */
int install_file_add(const struct install_file *p, const char *end, struct span bytes);

/* `beside` belongs to the file, under its name with `end` after it. 0 or -errno: as before. */
int install_file_put(const struct install_file *p, const char *end, struct span beside,
		     struct span bytes);
