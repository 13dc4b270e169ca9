#pragma once

/*
 * devices - the GPUs that a walk is about, as HIP has named them
 *
 * HIP's names are a prober's words, so only what looks like a PCI address is
 * taken. Where it has named none, one device stands in for them: what is said
 * of it is said of the machine.
 */

#include "base/arena.h"
#include "probe/answer.h"
#include "probe/probe.h"

#define DEVICES_MAX 256

struct device {
	int index; /* as HIP counts */
	const char *address;
	const char *barred;  /* why questions of level 2 are not put to it, or NULL */
	const char *unasked; /* why nothing is asked of it, or NULL */
	bool chosen;         /* by --device */
	bool busy;           /* a prober is at it */
	bool is_none;        /* stands in */
	bool timed_out;      /* a question to it did */
	uint64_t slowest_ms; /* of those that were answered */
};

/*
 * From the answer to hip.devices, which is told if there are more than DEVICES_MAX. At
 * least one, and at least one of them is chosen.
 */
struct device *devices_read(struct arena *a, const struct probe_options *options,
			    struct answer *answer, size_t *ret_count);
