#pragma once

/*
 * output-file - the file that the user named for an answer
 *
 * Every `-o` goes through here: the bytes take the name whole, and a link that
 * somebody has put under that name is replaced and not followed. A device, a
 * pipe or a FIFO of root's or of our own is written to, and so is a file that
 * cannot be replaced (a mount by itself, a directory of others). /dev/stdout is
 * what is open already. Root passes through no link of another user on the way
 * to the directory.
 */

#include "base/buf.h"

struct output_file {
	bool is_private;                         /* for its owner alone, as a snapshot is */
	int (*write)(int fd, struct span bytes); /* NULL: as they are */
	struct buf *why;                         /* why with -EPERM it was not written */
};

/* 0 or -errno; a file that could be replaced is still there then. `-` is the caller's. */
int output_file_write(const struct output_file *o, const char *path, struct span bytes);
