#pragma once

/*
 * rdma - what a port below /sys/class/infiniband says of itself
 *
 *	state		"4: ACTIVE"
 *	phys_state	"5: LinkUp"
 *	rate		"400 Gb/sec (4X NDR)", "2.5 Gb/sec (1X)"
 *
 * A port without a link has a rate too, of the slowest kind: it means nothing.
 */

#include "base/span.h"

/* The word behind the number: "ACTIVE". */
bool rdma_state_parse(struct span text, struct span *ret);

struct rdma_rate {
	uint64_t tenths; /* of a Gb a second */
	uint64_t lanes;
};

bool rdma_rate_parse(struct span text, struct rdma_rate *ret);
