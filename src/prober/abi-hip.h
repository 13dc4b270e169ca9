#pragma once

/*
 * abi-hip - what we use of libamdhip64
 *
 * See prober/abi.h.
 */

#include <stddef.h>

#include "prober/abi.h"

#define ABI_HIP_NUMBERS(NUMBER)                       \
	NUMBER(hipSuccess, 0)                         \
	NUMBER(hipErrorInvalidValue, 1)               \
	NUMBER(hipErrorOutOfMemory, 2)                \
	NUMBER(hipErrorNoDevice, 100)                 \
	NUMBER(hipErrorInvalidDevice, 101)            \
	NUMBER(hipErrorInvalidImage, 200)             \
	NUMBER(hipErrorNotFound, 500)                 \
	NUMBER(hipErrorPeerAccessAlreadyEnabled, 704) \
	NUMBER(hipMemcpyHostToDevice, 1)              \
	NUMBER(hipMemcpyDeviceToHost, 2)              \
	NUMBER(hipMemcpyDeviceToDevice, 3)

/* Macros with the vendor. */
#define ABI_HIP_FLAGS(NUMBER)           \
	NUMBER(hipHostMallocDefault, 0) \
	NUMBER(hipMemAttachGlobal, 1)

#ifdef ABI_OF_VENDOR
#include <hip/hip_runtime_api.h>
#else
typedef int hipError_t;
typedef int hipMemcpyKind;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct {
	char before[1160];
	char gcnArchName[256];
	char behind[56];
} hipDeviceProp_tR0600;
typedef struct {
	char before[396];
	char gcnArchName[256];
	char behind[140];
} hipDeviceProp_t;
enum { ABI_HIP_NUMBERS(ABI_ENUMERATE) ABI_HIP_FLAGS(ABI_ENUMERATE) };
#endif

/*
 * HIP 6 changed the struct of properties, and with it the name of the call in the
 * library; a vendor's header knows one of the two.
 */
#if !defined(ABI_OF_VENDOR) || HIP_VERSION_MAJOR >= 6
#define ABI_HIP_PROPERTIES_NEW(CALL)                  \
	CALL(hipError_t, hipGetDevicePropertiesR0600, \
	     (hipDeviceProp_tR0600 * properties, int device))
#define ABI_HIP_LAYOUT_NEW(LAYOUT) LAYOUT(hipDeviceProp_tR0600, gcnArchName, 1160)
#define ABI_HIP_SIZES_NEW(SIZE)    SIZE(hipDeviceProp_tR0600, 1472)
#else
#define ABI_HIP_PROPERTIES_NEW(CALL)
#define ABI_HIP_LAYOUT_NEW(LAYOUT)
#define ABI_HIP_SIZES_NEW(SIZE)
#endif
#if !defined(ABI_OF_VENDOR) || HIP_VERSION_MAJOR < 6
#define ABI_HIP_PROPERTIES_OLD(CALL) \
	CALL(hipError_t, hipGetDeviceProperties, (hipDeviceProp_t * properties, int device))
#define ABI_HIP_LAYOUT_OLD(LAYOUT) LAYOUT(hipDeviceProp_t, gcnArchName, 396)
#define ABI_HIP_SIZES_OLD(SIZE)    SIZE(hipDeviceProp_t, 792)
#else
#define ABI_HIP_PROPERTIES_OLD(CALL)
#define ABI_HIP_LAYOUT_OLD(LAYOUT)
#define ABI_HIP_SIZES_OLD(SIZE)
#endif

#define ABI_HIP_CALLS(CALL)                                                                        \
	ABI_HIP_PROPERTIES_NEW(CALL)                                                               \
	ABI_HIP_PROPERTIES_OLD(CALL)                                                               \
	CALL(hipError_t, hipInit, (unsigned int flags))                                            \
	CALL(hipError_t, hipRuntimeGetVersion, (int *version))                                     \
	CALL(hipError_t, hipGetDeviceCount, (int *count))                                          \
	CALL(hipError_t, hipSetDevice, (int device))                                               \
	CALL(hipError_t, hipDeviceGetPCIBusId, (char *address, int size, int device))              \
	CALL(hipError_t, hipMemGetInfo, (size_t * unused, size_t * total))                         \
	CALL(hipError_t, hipMalloc, (void **memory, size_t size))                                  \
	CALL(hipError_t, hipFree, (void *memory))                                                  \
	CALL(hipError_t, hipMallocAsync, (void **memory, size_t size, hipStream_t stream))         \
	CALL(hipError_t, hipFreeAsync, (void *memory, hipStream_t stream))                         \
	CALL(hipError_t, hipHostMalloc, (void **memory, size_t size, unsigned int flags))          \
	CALL(hipError_t, hipHostFree, (void *memory))                                              \
	CALL(hipError_t, hipMallocManaged, (void **memory, size_t size, unsigned int flags))       \
	CALL(hipError_t, hipMemcpy, (void *to, const void *from, size_t size, hipMemcpyKind kind)) \
	CALL(hipError_t, hipMemcpyPeer,                                                            \
	     (void *to, int to_device, const void *from, int from_device, size_t size))            \
	CALL(hipError_t, hipDeviceCanAccessPeer, (int *can, int device, int peer))                 \
	CALL(hipError_t, hipDeviceEnablePeerAccess, (int peer, unsigned int flags))                \
	CALL(hipError_t, hipDeviceSynchronize, (void))                                             \
	CALL(hipError_t, hipStreamSynchronize, (hipStream_t stream))                               \
	CALL(hipError_t, hipModuleLoadData, (hipModule_t * module, const void *image))             \
	CALL(hipError_t, hipModuleGetFunction,                                                     \
	     (hipFunction_t * function, hipModule_t module, const char *name))                     \
	CALL(hipError_t, hipModuleLaunchKernel,                                                    \
	     (hipFunction_t function, unsigned int grid_x, unsigned int grid_y,                    \
	      unsigned int grid_z, unsigned int block_x, unsigned int block_y,                     \
	      unsigned int block_z, unsigned int shared_bytes, hipStream_t stream,                 \
	      void **arguments, void **extra))
