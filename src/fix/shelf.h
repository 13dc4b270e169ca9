#pragma once

/*
 * shelf - the directory of the records, held by one process at a time
 *
 * Applying and undoing look, decide and change: two of them at once would each
 * decide by what the other is changing. So each holds `.lock` in the shelf from
 * its first look to its last change. It is a file of ours that others cannot
 * open; the kernel lets it go when the holder ends, also by a kill, and the
 * next one takes over the file that was left.
 */

#include "fix/hand.h"

struct record_shelf {
	const struct hand *hand;
	const char *dir;
};

struct shelf_hold {
	int lock;
	size_t kept; /* so much of the path was there before us */
};

/*
 * 0; -EAGAIN while another process holds it, with a sentence in `said`. Without
 * `make` the shelf must be there: -ENOENT.
 */
int shelf_hold(const struct record_shelf *s, bool make, struct shelf_hold *ret, struct buf *said);

/* And remove the shelf if nothing is on it. */
void shelf_release(const struct record_shelf *s, const struct shelf_hold *hold);
