#pragma once

/*
 * host-gauges - memory of the host and of the control group, read again and again
 */

#include "door/door.h"

struct host_gauges {
	int meminfo;
	int used, max; /* of the group with the tightest limit; -1: none */
};

struct host_reading {
	int64_t used, total, swap; /* -1: not known */
	int64_t cgroup_used, cgroup_max;
};

/* Looks for the group of this process. */
void host_gauges_open(struct host_gauges *g, struct door *d);
void host_gauges_read(struct host_gauges *g, struct host_reading *ret);
void host_gauges_done(struct host_gauges *g);

/*
 * The number of processes that the kernel's OOM killer has killed since the start of the
 * machine, and in the control group of this process since that was made; -1: not known.
 */
struct oom_reading {
	int64_t host, group;
};

void host_gauges_oom(struct door *d, struct oom_reading *ret);
