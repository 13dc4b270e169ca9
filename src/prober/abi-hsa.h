#pragma once

/*
 * abi-hsa - what we use of libhsa-runtime64
 *
 * See prober/abi.h. The numbers of hsa_ext_amd.h are attributes that AMD adds to
 * those of the HSA standard.
 */

#include <stdint.h>

#include "prober/abi.h"

#define ABI_HSA_NUMBERS(NUMBER)                  \
	NUMBER(HSA_STATUS_SUCCESS, 0)            \
	NUMBER(HSA_AGENT_INFO_NAME, 0)           \
	NUMBER(HSA_AGENT_INFO_DEVICE, 17)        \
	NUMBER(HSA_DEVICE_TYPE_GPU, 1)           \
	NUMBER(HSA_AMD_AGENT_INFO_BDFID, 0xa006) \
	NUMBER(HSA_AMD_AGENT_INFO_DOMAIN, 0xa00f)

#ifdef ABI_OF_VENDOR
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#else
typedef int hsa_status_t;
typedef int hsa_agent_info_t;
typedef struct {
	uint64_t handle;
} hsa_agent_t;
enum { ABI_HSA_NUMBERS(ABI_ENUMERATE) };
#endif

#define ABI_HSA_CALLS(CALL)                                                        \
	CALL(hsa_status_t, hsa_init, (void))                                       \
	CALL(hsa_status_t, hsa_iterate_agents,                                     \
	     (hsa_status_t(*callback)(hsa_agent_t agent, void *data), void *data)) \
	CALL(hsa_status_t, hsa_agent_get_info,                                     \
	     (hsa_agent_t agent, hsa_agent_info_t attribute, void *value))
