#pragma once

/*
 * allowed - files below the directories that the user named with --allow
 *
 * A client names paths that a model made up, by their whole names. Without
 * --allow none is touched; with it only what lies below, whatever links are on
 * the way. Of what lies elsewhere nothing is told, not even whether it is there.
 */

#include "base/arena.h"

/* A descriptor of a regular file for reading, or -EACCES if it is not below, or -errno. */
int allowed_open(const char *directories, const char *path);

/* The path behind all links, for a command that opens it itself; NULL and errno. */
const char *allowed_path(const char *directories, const char *path, struct arena *arena);
