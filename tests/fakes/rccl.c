#include "prober/abi-rccl.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hip.h"
#include "plan.h"

#define MOST 4096

ABI_RCCL_CALLS(FAKE_DECLARE)

/* A file beside the plan that the ranks share: what they give, and how many have come to each point. */
struct meeting {
	int arrived[4];
	float sums[MOST];
	char lock;
};

struct ncclComm {
	struct meeting *meeting;
	int ranks;
	char path[4200];
};

static void meet(struct ncclComm *comm, int point)
{
	__atomic_add_fetch(&comm->meeting->arrived[point], 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&comm->meeting->arrived[point], __ATOMIC_SEQ_CST) < comm->ranks)
		usleep(1000);
}

FAKE_PUBLIC ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
	FAKE_ABOVE_HIP(ncclResult_t, ncclGetUniqueId);
	memset(id, 0, sizeof(*id));
	snprintf(id->internal, sizeof(id->internal), "rccl-%d", getpid());
	return ncclSuccess;
}

FAKE_PUBLIC ncclResult_t ncclCommInitRank(ncclComm_t *communicator, int ranks, ncclUniqueId id,
					  int rank)
{
	struct ncclComm *comm;
	int fd;

	FAKE_ABOVE_HIP(ncclResult_t, ncclCommInitRank);
	if (rank < 0 || rank >= ranks)
		return (ncclResult_t)4; /* invalid argument */
	comm = (struct ncclComm *)calloc(1, sizeof(*comm));
	comm->ranks = ranks;
	fake_beside(id.internal, comm->path, sizeof(comm->path));
	fd = open(comm->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || ftruncate(fd, sizeof(struct meeting)) < 0)
		return (ncclResult_t)2; /* system error */
	comm->meeting = (struct meeting *)mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE,
					       MAP_SHARED, fd, 0);
	close(fd);
	meet(comm, 0);
	*communicator = comm;
	return ncclSuccess;
}

FAKE_PUBLIC ncclResult_t ncclAllReduce(const void *from, void *to, size_t count,
				       ncclDataType_t type, ncclRedOp_t operation,
				       ncclComm_t communicator, hipStream_t stream)
{
	struct meeting *m = communicator->meeting;

	FAKE_ABOVE_HIP(ncclResult_t, ncclAllReduce);
	(void)stream;
	if (type != ncclFloat32 || operation != ncclSum || count > MOST)
		return (ncclResult_t)4;
	while (__atomic_test_and_set(&m->lock, __ATOMIC_ACQUIRE))
		usleep(100);
	for (size_t i = 0; i < count; i++)
		m->sums[i] += ((const float *)from)[i];
	__atomic_clear(&m->lock, __ATOMIC_RELEASE);
	meet(communicator, 1);
	memcpy(to, m->sums, count * sizeof(float));
	if (FAKE_IS_WRONG)
		((float *)to)[count / 3] += 1;
	return ncclSuccess;
}

FAKE_PUBLIC ncclResult_t ncclCommDestroy(ncclComm_t communicator)
{
	FAKE_ABOVE_HIP(ncclResult_t, ncclCommDestroy);
	unlink(communicator->path);
	free(communicator);
	return ncclSuccess;
}
