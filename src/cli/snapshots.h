#pragma once

/*
 * snapshots - the recorded machines that a path names
 *
 * A snapshot, or a directory of them (*.snap, *.snap.gz), which are visited in
 * the order of their names until one visit does not return 0.
 */

int snapshots_each(const char *path, int (*visit)(void *user, const char *path), void *user);
