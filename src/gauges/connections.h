#pragma once

/*
 * connections - what the TCP connections of some processes have moved
 *
 * send() and recv() do not stand in /proc/PID/io. The kernel counts the bytes of
 * each connection (sock_diag(7)); which are whose, /proc/PID/fd tells. Only those
 * of this network namespace are seen, and neither UDP, local sockets nor RDMA. What
 * opens and closes between two rounds is not counted.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CONNECTIONS_MAX 1024

struct connection {
	uint64_t inode;
	int64_t bytes; /* sent and acknowledged, and received; below 0: not told */
};

struct connections {
	struct connection list[CONNECTIONS_MAX]; /* by inode, of the last round */
	size_t count;
	bool full;     /* there were more: what all of them moved is not known */
	int64_t moved; /* since the first; below 0: not known */
};

/* All 0 before the first round. Answers `moved`. */
int64_t connections_look(struct connections *c, const pid_t *pids, size_t count);
