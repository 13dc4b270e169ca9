#pragma once

/*
 * fd - what is behind a descriptor that others opened
 *
 * Who reads closes it, too. One that is negative could not be opened.
 */

#include "base/buf.h"

/*
 * A small file of /proc, which answers in one read: as much of it as there is
 * room for, ended by a NUL. 0: nothing could be read.
 */
size_t fd_text(int fd, char *ret, size_t size);

/* A FIFO, a device or a directory under the name of a file is none. */
bool fd_is_regular(int fd);

/* 0 or -errno; what was read stands after what was there. */
int fd_all(int fd, size_t most, struct buf *ret);  /* -EFBIG: there is more */
int fd_head(int fd, size_t most, struct buf *ret); /* what is beyond `most` is left */

/* All of a regular file; -EINVAL for what is none, and errno of one that could not be opened. */
int fd_file(int fd, size_t most, struct buf *ret);

int fd_write(int fd, struct span bytes); /* all of them; 0 or -errno */
