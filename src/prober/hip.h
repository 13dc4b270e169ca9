#pragma once

/*
 * hip - the HIP runtime, which every layer above it rests on
 *
 * HIP(name, ...) says the call, makes it, and ends the process with `refused` if
 * its status is not 0. hip_open() has loaded the library and chosen the device.
 */

#include "prober/abi-hip.h"
#include "prober/ask.h"
#include "prober/vendor.h"

struct hip_calls {
	ABI_HIP_CALLS(VENDOR_POINTER)
};

extern struct hip_calls hip;

#define HIP(name, ...) wire_accept((long)VENDOR_CALL(hip, name, __VA_ARGS__))

/* Loads HIP and the library on top of it (VENDOR_HIP: only HIP), and chooses the device. */
void hip_open(const struct ask *ask, enum vendor_library top);

/* The name by which HIP chooses code for a device, such as gfx90a:sramecc+:xnack-. */
hipError_t hip_target(int device, const char **ret);

/* Ends with `wrong` if a call that gave no error gave no memory either. */
void hip_expect(const void *memory);

/* Memory of the current device; ends the process if there is none. */
void *hip_room(size_t size);
void *hip_upload(const void *data, size_t size);
void hip_download(void *data, const void *memory, size_t size);
