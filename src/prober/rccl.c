#include "prober/abi-rccl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "prober/answers.h"
#include "prober/hip.h"

#define COUNT 1024

struct rccl_calls {
	ABI_RCCL_CALLS(VENDOR_POINTER)
};

static struct rccl_calls rccl;
static const char *const names[] = { ABI_RCCL_CALLS(VENDOR_NAME) NULL };

#define RCCL(name, ...) wire_accept((long)VENDOR_CALL(rccl, name, __VA_ARGS__))

/* In a file of the group's own directory, under its name only when it is whole. */
static void give_id(const char *dir, const ncclUniqueId *id)
{
	char path[4096], half[4096 + 8];
	int fd;

	snprintf(path, sizeof(path), "%s/rccl-id", dir);
	snprintf(half, sizeof(half), "%s.half", path);
	fd = open(half, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, id, sizeof(*id)) != (ssize_t)sizeof(*id) || close(fd) < 0 ||
	    rename(half, path) < 0)
		wire_usage("%s: %s", path, strerror(errno));
}

/* The parent's deadline ends it if rank 0 never comes. */
static void take_id(const char *dir, ncclUniqueId *ret)
{
	const struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/rccl-id", dir);
	wire_call("wait");
	while ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		nanosleep(&pause, NULL);
	if (read(fd, ret, sizeof(*ret)) != (ssize_t)sizeof(*ret))
		wire_usage("%s: not an id", path);
	close(fd);
}

void answer_rccl_allreduce(const struct ask *ask)
{
	static float numbers[COUNT];
	ncclComm_t communicator = NULL;
	ncclUniqueId id;
	void *from, *to;

	hip_open(ask, VENDOR_RCCL);
	vendor_fill(VENDOR_RCCL, names, &rccl);
	if (ask->rank == 0) {
		RCCL(ncclGetUniqueId, &id);
		give_id(ask->dir, &id);
	} else {
		take_id(ask->dir, &id);
	}
	RCCL(ncclCommInitRank, &communicator, ask->ranks, id, ask->rank);
	for (int i = 0; i < COUNT; i++)
		numbers[i] = (float)(ask->rank + i % 5);
	from = hip_upload(numbers, sizeof(numbers));
	to = hip_room(sizeof(numbers));
	RCCL(ncclAllReduce, from, to, COUNT, ncclFloat32, ncclSum, communicator, NULL);
	hip_download(numbers, to, sizeof(numbers));
	for (int i = 0; i < COUNT; i++) { /* rank r gave r + i % 5, so sums are whole numbers */
		int ranks = ask->ranks, wanted = ranks * (ranks - 1) / 2 + ranks * (i % 5);

		if (numbers[i] != (float)wanted)
			wire_wrong("element %d is %g, not %d", i, (double)numbers[i], wanted);
	}
	RCCL(ncclCommDestroy, communicator);
	wire_answered();
}
