#pragma once

/*
 * kernel-log - the lines of the kernel's log that can concern a GPU
 *
 * From the ring of this boot, from journal files and from text logs. Only
 * lines with one of a few words in them leave the door: the rest of a log is
 * nobody's business. Each source is bounded; of too many lines the first and
 * the last are kept, and a line "... N left out" stands between.
 */

#include "door/door.h"

int kernel_log_ring(struct door *d, struct span argument, struct buf *ret);
int kernel_log_journal(struct door *d, struct span argument, struct buf *ret);
int kernel_log_file(struct door *d, struct span argument, struct buf *ret);

/* Would the door let this line of the kernel log out? */
bool kernel_log_concerns(struct span text);
