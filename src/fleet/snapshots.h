#pragma once

/*
 * snapshots - the recorded machines that a path names
 *
 * A snapshot, or a directory of them (*.snap, *.snap.gz), which are visited in
 * the order of their names until one visit does not return 0.
 */

#include "base/buf.h"

/* 0, what a visit returned, or an exit status with its reason added to `said`. */
int snapshots_each(const char *path, int (*visit)(void *user, const char *path), void *user,
		   struct buf *said);
