#pragma once

/*
 * group - what a group file may have become since we read it
 *
 * After usermod, the lines of /etc/group and /etc/gshadow are those of before,
 * with the user at the end of the list of some groups. Anything else was done
 * by somebody else: that stays, and only the member that we added goes.
 */

#include "base/buf.h"

/* `groups` is blank- or comma-separated. True also if nothing was added. */
bool group_only_added(struct span old, struct span now, const char *user, const char *groups);

/* Returns `now` without the user in those of the groups that did not have them in `old`. */
void group_take_out(struct span old, struct span now, const char *user, const char *groups,
		    struct buf *ret);
