#include "prober/hip.h"

#include <stdio.h>

#include "prober/answers.h"

#define ADDRESS_BYTES 64

struct hip_calls hip;

static const char *const names[] = { ABI_HIP_CALLS(VENDOR_NAME) NULL };

/* Loads HIP and the library on top of it (VENDOR_HIP: only HIP). */
static void load(enum vendor_library top)
{
	vendor_load(top);
	vendor_fill(VENDOR_HIP, names, &hip);
}

void hip_open(const struct ask *ask, enum vendor_library top)
{
	load(top);
	/* Device 0 is current from the beginning: then the question's own call is the first to fail. */
	if (ask->device != 0)
		HIP(hipSetDevice, ask->device);
}

void hip_expect(const void *memory)
{
	if (!memory)
		wire_wrong("no memory and no error");
}

void *hip_room(size_t size)
{
	void *memory = NULL;

	HIP(hipMalloc, &memory, size);
	hip_expect(memory);
	return memory;
}

void *hip_upload(const void *data, size_t size)
{
	void *memory = hip_room(size);

	HIP(hipMemcpy, memory, data, size, hipMemcpyHostToDevice);
	return memory;
}

void hip_download(void *data, const void *memory, size_t size)
{
	wire_accept((long)VENDOR_CALL_PLAIN(hip, hipDeviceSynchronize));
	HIP(hipMemcpy, data, memory, size, hipMemcpyDeviceToHost);
}

void answer_hip_init(const struct ask *ask)
{
	int version = 0;

	(void)ask;
	load(VENDOR_HIP);
	HIP(hipInit, 0);
	HIP(hipRuntimeGetVersion, &version);
	wire_value("version", "%d", version);
	wire_answered();
}

hipError_t hip_target(int device, const char **ret)
{
	static hipDeviceProp_tR0600 properties;
	static hipDeviceProp_t old_properties;
	bool is_new = hip.hipGetDevicePropertiesR0600 != NULL;
	hipError_t status =
		is_new ? VENDOR_CALL(hip, hipGetDevicePropertiesR0600, &properties, device)
		       : VENDOR_CALL(hip, hipGetDeviceProperties, &old_properties, device);
	char *target = is_new ? properties.gcnArchName : old_properties.gcnArchName;

	target[sizeof(properties.gcnArchName) - 1] = '\0';
	if (status == hipSuccess)
		*ret = target;
	return status;
}

static void say_target(int device)
{
	const char *target = "";
	char name[32];

	wire_accept((long)hip_target(device, &target));
	snprintf(name, sizeof(name), "gfx.%d", device);
	wire_value(name, "%s", target);
}

void answer_hip_devices(const struct ask *ask)
{
	int count = 0;

	(void)ask;
	load(VENDOR_HIP);
	HIP(hipGetDeviceCount, &count);
	if (count < 1)
		wire_refused(hipErrorNoDevice);
	for (int i = 0; i < count; i++) {
		char address[ADDRESS_BYTES] = "", index[16];

		HIP(hipDeviceGetPCIBusId, address, sizeof(address), i);
		address[sizeof(address) - 1] = '\0';
		snprintf(index, sizeof(index), "%d", i);
		wire_value(index, "%s", address);
		say_target(i);
	}
	wire_answered();
}
