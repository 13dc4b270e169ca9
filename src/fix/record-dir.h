#pragma once

/*
 * record-dir - the directory of the records, held by one process at a time
 *
 * Applying and undoing look, decide and change: two of them at once would each
 * decide by what the other is changing. So each holds `.lock` in the directory from
 * its first look to its last change. It is a file of ours that others cannot
 * open; the kernel lets it go when the holder ends, also by a kill, and the
 * next one takes over the file that was left.
 */

#include "fix/writer.h"

struct record_dir {
	const struct writer *writer;
	const char *dir;
};

struct record_dir_hold {
	int lock;
	size_t kept; /* so much of the path was there before us */
};

/*
 * 0; -EAGAIN while another process holds it, with a sentence in `said`. Without
 * `make` the directory must be there: -ENOENT.
 */
int record_dir_hold(const struct record_dir *s, bool make, struct record_dir_hold *ret,
		    struct buf *said);

/* And remove the directory if nothing is in it. */
void record_dir_release(const struct record_dir *s, const struct record_dir_hold *hold);
