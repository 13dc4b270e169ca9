#pragma once

/*
 * owner - whose code would a prober load
 *
 * Root does not run strangers' code. If a file, or a directory or link on the
 * way to it, belongs to somebody else, that one could put anything there, and
 * the prober runs as them. If there are two of them, or everybody could write
 * there, nobody is right.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

struct owner {
	uid_t uid; /* of the one who is not root; 0: none so far */
	gid_t gid;
};

/*
 * Adds the owners of a path, from / to the file, links followed. False if it is
 * not to be loaded at all; ret_why says why.
 */
bool owner_add(struct owner *o, const char *path, struct buf *ret_why);

/*
 * The same for every absolute path in `NAME=/a:/b`. For the loader's own
 * variables (LD_) whatever else it would take for a path is refused.
 */
bool owner_add_variable(struct owner *o, const char *variable, struct buf *ret_why);
