#pragma once

/*
 * abi-rccl - what we use of librccl
 *
 * See prober/abi.h. The unique id goes by value.
 */

#include <stddef.h>

#include "prober/abi-hip.h"

#define ABI_RCCL_NUMBERS(NUMBER) \
	NUMBER(ncclSuccess, 0)   \
	NUMBER(ncclFloat32, 7)   \
	NUMBER(ncclSum, 0)

#ifdef ABI_OF_VENDOR
#include <rccl/rccl.h>
#else
typedef int ncclResult_t;
typedef int ncclDataType_t;
typedef int ncclRedOp_t;
typedef struct ncclComm *ncclComm_t;
typedef struct {
	char internal[128];
} ncclUniqueId;
enum { ABI_RCCL_NUMBERS(ABI_ENUMERATE) };
#endif

#define ABI_RCCL_CALLS(CALL)                                                       \
	CALL(ncclResult_t, ncclGetUniqueId, (ncclUniqueId * id))                   \
	CALL(ncclResult_t, ncclCommInitRank,                                       \
	     (ncclComm_t * communicator, int ranks, ncclUniqueId id, int rank))    \
	CALL(ncclResult_t, ncclAllReduce,                                          \
	     (const void *from, void *to, size_t count, ncclDataType_t type,       \
	      ncclRedOp_t operation, ncclComm_t communicator, hipStream_t stream)) \
	CALL(ncclResult_t, ncclCommDestroy, (ncclComm_t communicator))
