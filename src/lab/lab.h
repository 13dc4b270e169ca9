#pragma once

/*
 * lab - progress and messages of the measurements
 *
 * The measurements print nothing: what there is to say is added to `said`, a line each, and
 * whoever waits is told what is looked at.
 */

#include "base/buf.h"

struct lab {
	void (*step)(void *ctx, const char *what); /* or NULL */
	void *step_ctx;
	struct buf *said;
};

static inline void lab_step(const struct lab *lab, const char *what)
{
	if (lab->step)
		lab->step(lab->step_ctx, what);
}
