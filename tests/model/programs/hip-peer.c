/*
 * hip-peer - several GPUs, as programs that spread over them begin
 *
 * Names each device and copies there and back, then copies from each to its neighbours: by the peer's
 * own way where HIP says that there is one, by way of the host where it says no. Of up to eight devices
 * every pair is asked, of more each with the next.
 */
/* HIP leaves up to ROC_P2P_SDMA_SIZE, 1 MiB, to code of the GPU, which has to be run then. */
#define SIZE (4 << 20)

#include "hip.h"

#include <stdbool.h>

enum { MOST = 256, EVERY_PAIR_UP_TO = 8 };

static unsigned char *wanted, *found;
static void *memory[MOST];

static void choose(int device)
{
	HIP(hipSetDevice, (int), device);
}

static void use_alone(int device)
{
	char name[256] = "";

	choose(device);
	HIP(hipDeviceGetName, (char *, int, int), name, sizeof(name), device);
	printf("device %d: %s\n", device, name);
	HIP(hipMalloc, (void **, size_t), &memory[device], SIZE);
	hip_fill(wanted, (unsigned)device);
	hip_copy(memory[device], wanted, TO_DEVICE);
	memset(found, 0, SIZE);
	hip_copy(found, memory[device], TO_HOST);
	hip_compare(wanted, found, name);
}

/* Leaves the bytes of `from` in the memory of `to`. */
static bool use_pair(int from, int to)
{
	char what[64];
	int can = 0;

	snprintf(what, sizeof(what), "device %d to %d", from, to);
	HIP(hipDeviceCanAccessPeer, (int *, int, int), &can, from, to);
	choose(from);
	if (can)
		HIP(hipDeviceEnablePeerAccess, (int, unsigned), to, 0);
	hip_fill(wanted, (unsigned)(1000 + from * MOST + to));
	hip_copy(memory[from], wanted, TO_DEVICE);
	HIP(hipMemcpyPeer, (void *, int, const void *, int, size_t), memory[to], to, memory[from],
	    from, SIZE);
	HIP(hipStreamSynchronize, (void *), NULL);
	if (can)
		HIP(hipDeviceDisablePeerAccess, (int), to);
	choose(to);
	memset(found, 0, SIZE);
	hip_copy(found, memory[to], TO_HOST);
	hip_compare(wanted, found, what);
	return can;
}

int main(void)
{
	int count = hip_begin(), pairs = 0, direct = 0;

	wanted = malloc(SIZE);
	found = malloc(SIZE);
	if (!wanted || !found || count > MOST)
		return 1;
	for (int i = 0; i < count; i++)
		use_alone(i);
	for (int i = 0; i < count; i++)
		for (int k = 1; k < count && (k == 1 || count <= EVERY_PAIR_UP_TO); k++, pairs++)
			direct += use_pair(i, (i + k) % count);
	printf("%d devices, %d pairs, %d with peer access\nPASSED!\n", count, pairs, direct);
	return 0;
}
