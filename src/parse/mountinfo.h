#pragma once

/*
 * mountinfo - /proc/PID/mountinfo
 *
 *	36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
 *
 * Blank, tab, newline and backslash inside a field are written as \040 and so
 * on. The spans are raw; mountinfo_decode makes a path of one.
 */

#include "base/buf.h"

struct mount {
	uint64_t id;
	uint64_t parent;
	uint32_t major;
	uint32_t minor;
	struct span root;  /* which directory of the file system is mounted */
	struct span point; /* where */
	struct span options;
	struct span fstype;
	struct span source;
	struct span super_options; /* may be empty */
};

/* Skips malformed lines. */
bool mountinfo_next(struct span *rest, struct mount *ret);

/* Append the field with its \ooo escapes decoded; anything else is kept. */
void mountinfo_decode(struct buf *out, struct span field);
