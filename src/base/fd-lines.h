#pragma once

/*
 * fd-lines - the lines of a descriptor, one at a time and as they come
 *
 * A line is handed out as soon as its newline is there; the last one may have
 * none. A line that is too long is passed over and told.
 */

#include "base/buf.h"

struct fd_lines {
	int fd;
	size_t most; /* bytes of a line */
	struct buf text;
	size_t at; /* where the next line begins */
	bool ended;
};

/* 1 and a line without its newline, which lives until the next call; 0 end; -EFBIG too long; -errno. */
int fd_lines_next(struct fd_lines *l, struct span *ret);
void fd_lines_done(struct fd_lines *l);
