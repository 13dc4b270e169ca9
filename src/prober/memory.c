#include <stdint.h>
#include <string.h>

#include "prober/answers.h"
#include "prober/hip.h"

#define MIB          ((size_t)1 << 20)
#define USUAL        (32 * MIB) /* what rocBLAS asks for when it makes a handle */
#define TOUCHED      ((size_t)64 << 10)
#define LEFT_TO_JOBS (1024 * MIB)

static void read_info(size_t *ret_unused, size_t *ret_total)
{
	HIP(hipMemGetInfo, ret_unused, ret_total);
}

void answer_memory_info(const struct ask *ask)
{
	size_t unused = 0, total = 0;

	hip_open(ask, VENDOR_HIP);
	read_info(&unused, &total);
	wire_value("free", "%zu", unused);
	wire_value("total", "%zu", total);
	if (unused > total)
		wire_wrong("more is free than there is");
	wire_answered();
}

void answer_memory_malloc(const struct ask *ask)
{
	void *memory;

	hip_open(ask, VENDOR_HIP);
	memory = hip_room(ask_bytes(ask, USUAL));
	HIP(hipFree, memory);
	wire_answered();
}

/* On the default stream, as rocBLAS does it. */
void answer_memory_async(const struct ask *ask)
{
	void *memory = NULL;

	hip_open(ask, VENDOR_HIP);
	HIP(hipMallocAsync, &memory, ask_bytes(ask, USUAL), NULL);
	hip_expect(memory);
	HIP(hipStreamSynchronize, NULL);
	HIP(hipFreeAsync, memory, NULL);
	HIP(hipStreamSynchronize, NULL);
	wire_answered();
}

/* Memory that host and GPU share: written and read here, a byte in each 64 KiB. */
static void touch(void *memory, size_t size)
{
	volatile unsigned char *bytes = memory;

	hip_expect(memory);
	wire_call("touch");
	for (size_t i = 0; i < size; i += TOUCHED)
		bytes[i] = (unsigned char)(i / TOUCHED * 7);
	for (size_t i = 0; i < size; i += TOUCHED)
		if (bytes[i] != (unsigned char)(i / TOUCHED * 7))
			wire_wrong("byte %zu", i);
}

void answer_memory_pinned(const struct ask *ask)
{
	size_t size = ask_bytes(ask, USUAL);
	void *memory = NULL;

	hip_open(ask, VENDOR_HIP);
	HIP(hipHostMalloc, &memory, size, hipHostMallocDefault);
	touch(memory, size);
	HIP(hipHostFree, memory);
	wire_answered();
}

void answer_memory_managed(const struct ask *ask)
{
	size_t size = ask_bytes(ask, USUAL);
	void *memory = NULL;

	hip_open(ask, VENDOR_HIP);
	HIP(hipMallocManaged, &memory, size, hipMemAttachGlobal);
	touch(memory, size);
	HIP(hipFree, memory);
	wire_answered();
}

/* 0 or the status of the refusal. */
static hipError_t try_block(size_t size)
{
	void *memory = NULL;
	hipError_t status = VENDOR_CALL(hip, hipMalloc, &memory, size);

	if (status == hipSuccess)
		HIP(hipFree, memory);
	return status;
}

/* The largest single block, to a 64th of what is free; what jobs may want is left. */
void answer_memory_largest(const struct ask *ask)
{
	size_t unused = 0, total = 0, good = 0, most;
	hipError_t status;

	hip_open(ask, VENDOR_HIP);
	read_info(&unused, &total);
	most = unused > LEFT_TO_JOBS ? unused - LEFT_TO_JOBS : 0;
	if (ask->bytes && most > ask->bytes)
		most = ask->bytes;
	wire_value("tried", "%zu", most);
	status = try_block(most);
	if (status == hipSuccess)
		good = most;
	for (size_t step = most / 2; status != hipSuccess && step >= most / 64 + 1; step /= 2)
		if (try_block(good + step) == hipSuccess)
			good += step;
	wire_value("largest", "%zu", good);
	if (good == 0)
		wire_accept((long)status);
	wire_answered();
}
