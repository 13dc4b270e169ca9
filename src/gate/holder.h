#pragma once

/*
 * holder - in whose hands this node was in Slurm when the gate looked last
 *
 * The last line of a small file beside the trail, `gate CAUSE`, `person CAUSE` or
 * `nobody CAUSE`: so what a person does while the node boots is noticed, too.
 */

#include "base/arena.h"
#include "base/buf.h"

#define HOLDER_FILE "holder"
#define HOLDER_MAX  ((size_t)4096) /* bytes; then it becomes holder.1 */

enum holder {
	HOLDER_NOBODY,
	HOLDER_GATE,   /* it drained the node */
	HOLDER_PERSON, /* gave a reason of their own after that */
	HOLDERS
};

struct holding {
	enum holder by;
	const char *cause; /* of the gate's drain; empty: there was none */
};

void holder_read(const char *verdict, struct arena *a, struct holding *ret);

/* What cannot be written is said. */
void holder_keep(const char *verdict, enum holder by, const char *cause, struct buf *said);
