#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "prober/answers.h"
#include "prober/wire.h"

/* 0 or errno. */
static int open_node(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* The render nodes, all of them: ENOENT if there is none, 0 if one opens, else errno of the last. */
static int open_render_nodes(void)
{
	DIR *directory = opendir("/dev/dri");
	int outcome = directory ? ENOENT : errno;
	const struct dirent *entry;

	wire_call("/dev/dri/renderD*");
	while (directory && (entry = readdir(directory))) {
		int error;

		if (strncmp(entry->d_name, "renderD", strlen("renderD")) != 0)
			continue;
		wire_call(entry->d_name);
		error = open_node(dirfd(directory), entry->d_name);
		wire_value(entry->d_name, "%d", error);
		if (outcome != 0)
			outcome = error;
	}
	return outcome;
}

void answer_nodes_open(const struct ask *ask)
{
	int error;

	(void)ask;
	wire_call("/dev/kfd");
	error = open_node(AT_FDCWD, "/dev/kfd");
	wire_value("kfd", "%d", error);
	wire_accept(error);
	wire_accept(open_render_nodes());
	wire_answered();
}
