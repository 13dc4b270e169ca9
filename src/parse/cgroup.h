#pragma once

/*
 * cgroup - /proc/PID/cgroup
 *
 *	0::/user.slice/user-1000.slice/session-2.scope		(version 2)
 *	4:cpu,cpuacct:/docker/3f8a...				(version 1)
 *	1:name=systemd:/init.scope				(version 1, no controller)
 */

#include "base/span.h"

struct cgroup_line {
	uint64_t hierarchy;
	struct span controllers; /* separated by commas; empty in version 2 */
	struct span path;        /* may hold colons; may end in " (deleted)" */
	bool unified;            /* the one line of version 2 */
};

bool cgroup_next(struct span *rest, struct cgroup_line *ret);
bool cgroup_has_controller(const struct cgroup_line *line, const char *controller);

/*
 * The path that governs a controller: its version 1 line if there is one,
 * otherwise the version 2 line. On a hybrid machine both kinds stand.
 */
bool cgroup_find(struct span text, const char *controller, struct cgroup_line *ret);
