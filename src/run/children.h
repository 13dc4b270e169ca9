#pragma once

/*
 * children - children of this process, where /proc does not list them
 *
 * waitid() says of a number whether it is a child of ours, and whoever has lost its
 * parent is one (PR_SET_CHILD_SUBREAPER). Those who still have theirs are found when
 * it is gone.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

bool children_are_listed(void); /* by /proc */

/* Those with the number `since` or one that was given later, but not `except`: how many. */
size_t children_since(pid_t since, pid_t except, pid_t *to, size_t room);
