#include "hip.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "plan.h"
#include "prober/abi-hip.h"

#define VERSION 60443484

ABI_HIP_CALLS(FAKE_DECLARE)

static int indices[FAKE_DEVICES], visible = -1, current;

static const struct fake_device *device_of(int index)
{
	int count;
	const struct fake_device *devices = fake_devices(&count);

	return &devices[indices[index]];
}

static int count_visible(void)
{
	if (visible >= 0)
		return visible;
	fake_devices(&visible);
	for (int i = 0; i < visible; i++)
		indices[i] = i;
	visible = fake_visible("ROCR_VISIBLE_DEVICES", indices, visible);
	visible = fake_visible("HIP_VISIBLE_DEVICES", indices, visible);
	return visible;
}

FAKE_PUBLIC const char *fake_hip_current(int *ret_visible)
{
	*ret_visible = count_visible();
	return *ret_visible ? device_of(current)->address : "";
}

FAKE_PUBLIC const char *fake_hip_gfx(void)
{
	return count_visible() ? device_of(current)->gfx : "";
}

/* Every call: the plan first; then nothing works without a device. */
#define BEGIN_FOR(name, bytes)                                  \
	int visible_, outcome_;                                 \
	const char *address_ = fake_hip_current(&visible_);     \
	outcome_ = fake_call(#name, address_, visible_, bytes); \
	if (outcome_ > 0)                                       \
		return (hipError_t)outcome_;                    \
	if (visible_ == 0)                                      \
	return hipErrorNoDevice
#define BEGIN(name) BEGIN_FOR(name, 0)

FAKE_PUBLIC hipError_t hipInit(unsigned int flags)
{
	BEGIN(hipInit);
	(void)flags;
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipRuntimeGetVersion(int *version)
{
	BEGIN(hipRuntimeGetVersion);
	*version = VERSION;
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipGetDeviceCount(int *count)
{
	BEGIN(hipGetDeviceCount);
	*count = FAKE_IS_WRONG ? 0 : count_visible();
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipSetDevice(int device)
{
	BEGIN(hipSetDevice);
	if (device < 0 || device >= count_visible())
		return hipErrorInvalidDevice;
	current = device;
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipDeviceGetPCIBusId(char *address, int size, int device)
{
	BEGIN(hipDeviceGetPCIBusId);
	snprintf(address, (size_t)size, "%s",
		 FAKE_IS_WRONG ? "nonsense" : device_of(device)->address);
	return hipSuccess;
}

/* Both, or the one that the vendor's header knows. */
#define PROPERTIES(type, name, arguments)                                                \
	FAKE_PUBLIC type name arguments                                                  \
	{                                                                                \
		BEGIN(name);                                                             \
		snprintf(properties->gcnArchName, sizeof(properties->gcnArchName), "%s", \
			 device_of(device)->gfx);                                        \
		return hipSuccess;                                                       \
	}

ABI_HIP_PROPERTIES_NEW(PROPERTIES)
ABI_HIP_PROPERTIES_OLD(PROPERTIES)

FAKE_PUBLIC hipError_t hipMemGetInfo(size_t *unused, size_t *total)
{
	BEGIN(hipMemGetInfo);
	*total = device_of(current)->total;
	*unused = *total - device_of(current)->used - memory_used(indices[current]);
	if (FAKE_IS_WRONG)
		*unused = *total + 1;
	return hipSuccess;
}

static hipError_t take(void **memory, size_t size, enum memory_kind kind, bool wrong)
{
	*memory = NULL;
	if (wrong)
		return hipSuccess;
	*memory = memory_take(indices[current], size, kind);
	return *memory ? hipSuccess : hipErrorOutOfMemory;
}

static hipError_t give(void *memory)
{
	return !memory || memory_give(memory) == 0 ? hipSuccess : hipErrorInvalidValue;
}

FAKE_PUBLIC hipError_t hipMalloc(void **memory, size_t size)
{
	BEGIN_FOR(hipMalloc, size);
	return take(memory, size, MEMORY_DEVICE, FAKE_IS_WRONG);
}

FAKE_PUBLIC hipError_t hipFree(void *memory)
{
	BEGIN(hipFree);
	return give(memory);
}

FAKE_PUBLIC hipError_t hipMallocAsync(void **memory, size_t size, hipStream_t stream)
{
	BEGIN_FOR(hipMallocAsync, size);
	(void)stream;
	return take(memory, size, MEMORY_DEVICE, FAKE_IS_WRONG);
}

FAKE_PUBLIC hipError_t hipFreeAsync(void *memory, hipStream_t stream)
{
	BEGIN(hipFreeAsync);
	(void)stream;
	return give(memory);
}

FAKE_PUBLIC hipError_t hipHostMalloc(void **memory, size_t size, unsigned int flags)
{
	BEGIN_FOR(hipHostMalloc, size);
	(void)flags;
	return take(memory, size, MEMORY_HOST, FAKE_IS_WRONG);
}

FAKE_PUBLIC hipError_t hipHostFree(void *memory)
{
	BEGIN(hipHostFree);
	return give(memory);
}

FAKE_PUBLIC hipError_t hipMallocManaged(void **memory, size_t size, unsigned int flags)
{
	BEGIN_FOR(hipMallocManaged, size);
	(void)flags;
	return take(memory, size, MEMORY_HOST, FAKE_IS_WRONG);
}

static hipError_t copy(void *to, const void *from, size_t size, bool wrong)
{
	memcpy(to, from, size);
	if (wrong && size > 0)
		((unsigned char *)to)[size / 2] ^= 0x10;
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipMemcpy(void *to, const void *from, size_t size, hipMemcpyKind kind)
{
	BEGIN_FOR(hipMemcpy, size);
	(void)kind;
	return copy(to, from, size, FAKE_IS_WRONG);
}

FAKE_PUBLIC hipError_t hipMemcpyPeer(void *to, int to_device, const void *from, int from_device,
				     size_t size)
{
	BEGIN_FOR(hipMemcpyPeer, size);
	(void)to_device;
	(void)from_device;
	return copy(to, from, size, FAKE_IS_WRONG);
}

FAKE_PUBLIC hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer)
{
	BEGIN(hipDeviceCanAccessPeer);
	*can = device != peer && !FAKE_IS_WRONG;
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags)
{
	BEGIN(hipDeviceEnablePeerAccess);
	(void)peer;
	(void)flags;
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipDeviceSynchronize(void)
{
	BEGIN(hipDeviceSynchronize);
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipStreamSynchronize(hipStream_t stream)
{
	BEGIN(hipStreamSynchronize);
	(void)stream;
	return hipSuccess;
}

/* The code objects of the fake hiprtc: a mark and the name of the one kernel that it knows. */
FAKE_PUBLIC hipError_t hipModuleLoadData(hipModule_t *module, const void *image)
{
	BEGIN(hipModuleLoadData);
	if (strncmp((const char *)image, "FAKE CODE ", 10) != 0)
		return hipErrorInvalidImage;
	*module = (hipModule_t)strdup((const char *)image + 10);
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
					    const char *name)
{
	BEGIN(hipModuleGetFunction);
	if (strcmp((const char *)module, name) != 0)
		return hipErrorNotFound;
	*function = (hipFunction_t)module;
	return hipSuccess;
}

FAKE_PUBLIC hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x,
					     unsigned int grid_y, unsigned int grid_z,
					     unsigned int block_x, unsigned int block_y,
					     unsigned int block_z, unsigned int shared_bytes,
					     hipStream_t stream, void **arguments, void **extra)
{
	float a;
	const float *x;
	float *y;
	int count;

	BEGIN(hipModuleLaunchKernel);
	(void)shared_bytes;
	(void)stream;
	if (!function || extra || grid_y * grid_z * block_y * block_z != 1)
		return hipErrorInvalidValue;
	a = *(float *)arguments[0];
	x = *(float **)arguments[1];
	y = *(float **)arguments[2];
	count = *(int *)arguments[3];
	for (unsigned i = 0; i < grid_x * block_x && i < (unsigned)count; i++)
		y[i] = a * x[i] + y[i] + (float)(FAKE_IS_WRONG && i == 900);
	return hipSuccess;
}
