#pragma once

/*
 * acts - what the gate has done to this node in Slurm in this boot
 *
 * One file beside the verdict, a line for each act: `drain CAUSE`, `release CAUSE`
 * for a drain that the gate took back, and `taken CAUSE` for one that a person ended
 * or took over.
 */

#include "base/arena.h"
#include "base/buf.h"

#define ACTS_FILE "acts"
#define ACTS_MAX  ((size_t)256 * 1024) /* bytes: when it is full, that is said */

enum act { ACT_DRAIN, ACT_RELEASE, ACT_TAKEN, ACT_KINDS };

struct act_count {
	const char *cause;
	uint64_t counts[ACT_KINDS];
};

struct acts {
	struct act_count *causes;
	size_t count;
};

/* What cannot be written is said, a line each. */
void acts_add(const char *verdict, enum act act, const char *cause, struct buf *said);

void acts_read(const char *verdict, struct arena *a, struct acts *ret);
