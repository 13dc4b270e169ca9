#pragma once

/*
 * kernel-news - lines that the kernel writes into its log from now on
 *
 * Only lines that can concern a GPU leave the door (kernel-log.h), and only
 * those of the kernel itself: programs may write there too.
 */

#include "door/door.h"

struct kernel_news {
	int fd; /* -1: none */
};

/* 0, or -errno: -EPERM without the right to read it, -ENOENT in many containers. */
int kernel_news_open(struct kernel_news *n, struct door *d);

/* The next line, without its prefix. False: none now. Never waits. */
bool kernel_news_next(struct kernel_news *n, struct buf *ret_line);
