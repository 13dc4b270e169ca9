#pragma once

/*
 * expect - what a machine is meant to have
 *
 *	# this node has eight
 *	gpus = 8
 *	compute_partition = CPX
 *	firmware.smc = 0x00557d00
 *	kernel_arg.iommu = pt
 *	sysctl.kernel.numa_balancing = 0
 *
 * A line each in /etc/rocsteady/expect.conf, and the value of --expect. Blank
 * lines and comments are skipped; a line of any other form is handed out as
 * one that is not understood, so that nobody relies on it.
 */

#include "base/span.h"

#define EXPECT_MAX       100000 /* of anything: more is a slip of the finger */
#define EXPECT_LINES_MAX 256    /* a node class has some thirty */

struct expect {
	struct span line;
	struct span name;  /* empty if the line is not understood */
	struct span text;  /* the value as it is written */
	bool is_number;    /* else a word */
	uint64_t tenths;   /* a number, ten times */
	bool may_be_again; /* a name that may stand in several lines */
};

bool expect_next(struct span *rest, struct expect *ret);

/*
 * Whether every line is understood and every name stands once. Who relied on half of
 * a file would take a node out of service for what its author did not mean.
 */
bool expect_check(struct span text, struct span *ret_line, const char **ret_why);
