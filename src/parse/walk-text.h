#pragma once

/*
 * walk-text - what a walk of probes found, as text
 *
 *	walk 1 1763190000 system
 *	hip.init - all answered 31
 *	 file /opt/rocm/lib/libamdhip64.so.6
 *	memory.async 0000:03:00.0 all refused 22 2
 *	 call hipMallocAsync
 *	 said out of memory
 *
 * docs/design/0009-probe.md tells what the words are. Lines that are not of the
 * form are skipped: a later version may have written them, or anybody.
 */

#include "base/span.h"

enum walk_ending {
	WALK_ANSWERED,
	WALK_REFUSED, /* by the library, with a status */
	WALK_WRONG,   /* answered, and the numbers are wrong */
	WALK_MISSING, /* no such library, or no such call in it */
	WALK_CRASHED, /* of a signal */
	WALK_EXITED,  /* the library ended the process, with a status */
	WALK_TIMEOUT,
	WALK_SLOW,  /* past its deadline, and at work */
	WALK_STUCK, /* killed, and still there */
	WALK_SKIPPED,
	WALK_ENDINGS,
};

const char *walk_ending_name(enum walk_ending ending);

struct walk_head {
	uint64_t level;
	int64_t time;     /* seconds since 1970 */
	struct span like; /* system, torch@/path, pid@N; as written */
};

struct walk_answer {
	struct span question; /* "memory.async" */
	struct span layer;    /* "memory" */
	struct span subject;  /* PCI address, A>B, or empty: the machine */
	struct span variant;  /* all, alone */
	enum walk_ending ending;
	uint64_t ms;
	bool has_number;
	int64_t number;      /* status or signal */
	struct span details; /* its further lines */
};

/* The first line; false, and *rest untouched, if it is none. */
bool walk_head(struct span *rest, struct walk_head *ret);

/* The next answer; false at the end. */
bool walk_next(struct span *rest, struct walk_answer *ret);

/* The next further line: "file", and what stands behind it. False at the end. */
bool walk_detail(struct span *details, struct span *ret_key, struct span *ret_text);
