#pragma once

/*
 * place - a file and what belongs to it, replaced so that one can be killed
 *
 * Both are written beside, brought to the disk, and then take their names; the
 * file itself by one rename. Whoever reads meanwhile, and whoever reads after
 * a crash, gets the old file or the new one.
 */

#include "base/span.h"

#define PLACE_NEW  ".new"  /* behind the name, while it is written */
#define PLACE_LOCK ".lock" /* held by whoever replaces it */

struct place {
	int dir;
	int lock;
	const char *name; /* in that directory */
};

/*
 * The directory is made if it is missing, and locked. -EWOULDBLOCK: somebody else
 * is at it. -EPERM: others may write there.
 */
int place_open(const char *path, struct place *ret);
void place_close(struct place *p);

/* `beside` belongs to the file, under its name with `end` behind. 0 or -errno: as before. */
int place_put(const struct place *p, const char *end, struct span beside, struct span bytes);
