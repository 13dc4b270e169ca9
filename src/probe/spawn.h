#pragma once

/*
 * spawn - a process with limits, and the ends of its pipes
 *
 * It leads a session of its own, dies with us, is the first that the kernel
 * takes when memory runs out, leaves no core file, and inherits nothing but
 * /dev/null and its pipes.
 */

#include <stdint.h>
#include <sys/types.h>

struct spawn_order {
	char **arguments, **environment;
	const char *directory;
	uint64_t data_bytes; /* most of its data segment; 0: no limit */
	uid_t uid;           /* to become this user, if we are root; 0: stay */
	gid_t gid;           /* the group of one who has no entry in /etc/passwd */
};

struct spawned {
	pid_t pid;
	int pidfd;   /* readable when it has ended; -1 on a kernel without */
	int answers; /* its descriptor 3 */
	int noise;   /* its standard output and error */
};

/*
 * 0 or -errno. Both read ends are non-blocking. If the program cannot be executed,
 * the line `unstarted ERRNO` comes on `answers`.
 */
int spawn(const struct spawn_order *order, struct spawned *ret);
