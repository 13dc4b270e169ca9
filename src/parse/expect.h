#pragma once

/*
 * expect - what a machine is meant to have
 *
 *	# this node has eight
 *	gpus = 8
 *
 * A line each in /etc/rocsteady/expect.conf, and the value of --expect. Blank
 * lines and comments are skipped; a line of any other form is handed out as
 * one that is not understood, so that nobody relies on it.
 */

#include "base/span.h"

#define EXPECT_NAMES "gpus" /* with blanks between */
#define EXPECT_MAX   100000 /* of anything: more is a slip of the finger */

struct expect {
	struct span line;
	struct span name; /* empty if the line is not understood */
	uint64_t value;
};

bool expect_next(struct span *rest, struct expect *ret);
