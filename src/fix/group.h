#pragma once

/*
 * group - what a group file may have become since we read it
 *
 * After usermod, the lines of /etc/group and /etc/gshadow are those of before,
 * with the user at the end of the list of some groups. Anything else was done
 * by somebody else, and is not ours to take back.
 */

#include "base/span.h"

/* `groups` is blank- or comma-separated. True also if nothing was added. */
bool group_only_added(struct span old, struct span now, const char *user, const char *groups);
