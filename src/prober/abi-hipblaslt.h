#pragma once

/*
 * abi-hipblaslt - what we use of libhipblaslt
 *
 * See prober/abi.h. As it is since ROCm 6.0; before, types of matrices had other
 * numbers. The vendor's header is C++.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef ABI_OF_VENDOR
#include <hipblaslt/hipblaslt.h>
#endif

#include "prober/abi-hip.h"

#define ABI_HIPBLASLT_NUMBERS(NUMBER)           \
	NUMBER(HIPBLAS_STATUS_SUCCESS, 0)       \
	NUMBER(HIPBLAS_STATUS_NOT_SUPPORTED, 7) \
	NUMBER(HIPBLAS_COMPUTE_32F, 2)          \
	NUMBER(HIP_R_32F, 0)                    \
	NUMBER(HIP_R_16F, 2)                    \
	NUMBER(HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, 1)

#ifndef ABI_OF_VENDOR
typedef int hipblasStatus_t;
typedef int hipblasComputeType_t;
typedef int hipDataType;
typedef int hipblasLtMatmulPreferenceAttributes_t;
typedef void *hipblasLtHandle_t;
typedef struct hipblasLtMatmulDescOpaque *hipblasLtMatmulDesc_t;
typedef struct hipblasLtMatrixLayoutOpaque *hipblasLtMatrixLayout_t;
typedef struct hipblasLtMatmulPreferenceOpaque *hipblasLtMatmulPreference_t;
typedef struct {
	uint8_t data[16];
	size_t max_workspace_bytes;
} hipblasLtMatmulAlgo_t;
typedef struct {
	hipblasLtMatmulAlgo_t algo;
	size_t workspaceSize;
	hipblasStatus_t state;
	float wavesCount;
	int reserved[4];
} hipblasLtMatmulHeuristicResult_t;
enum { ABI_HIPBLASLT_NUMBERS(ABI_ENUMERATE) };
#endif

#define ABI_HIPBLASLT_LAYOUT(LAYOUT)                                \
	LAYOUT(hipblasLtMatmulHeuristicResult_t, algo, 0)           \
	LAYOUT(hipblasLtMatmulHeuristicResult_t, workspaceSize, 24) \
	LAYOUT(hipblasLtMatmulHeuristicResult_t, state, 32)         \
	LAYOUT(hipblasLtMatmulHeuristicResult_t, reserved, 40)
#define ABI_HIPBLASLT_SIZES(SIZE)       \
	SIZE(hipblasLtMatmulAlgo_t, 24) \
	SIZE(hipblasLtMatmulHeuristicResult_t, 56)

#define ABI_HIPBLASLT_CALLS(CALL)                                                                  \
	CALL(hipblasStatus_t, hipblasLtCreate, (hipblasLtHandle_t * handle))                       \
	CALL(hipblasStatus_t, hipblasLtDestroy, (const hipblasLtHandle_t handle))                  \
	CALL(hipblasStatus_t, hipblasLtMatmulDescCreate,                                           \
	     (hipblasLtMatmulDesc_t * product, hipblasComputeType_t compute, hipDataType scale))   \
	CALL(hipblasStatus_t, hipblasLtMatrixLayoutCreate,                                         \
	     (hipblasLtMatrixLayout_t * layout, hipDataType type, uint64_t rows, uint64_t columns, \
	      int64_t ld))                                                                         \
	CALL(hipblasStatus_t, hipblasLtMatmulPreferenceCreate,                                     \
	     (hipblasLtMatmulPreference_t * preference))                                           \
	CALL(hipblasStatus_t, hipblasLtMatmulPreferenceSetAttribute,                               \
	     (hipblasLtMatmulPreference_t preference,                                              \
	      hipblasLtMatmulPreferenceAttributes_t attribute, const void *value, size_t size))    \
	CALL(hipblasStatus_t, hipblasLtMatmulAlgoGetHeuristic,                                     \
	     (hipblasLtHandle_t handle, hipblasLtMatmulDesc_t product,                             \
	      hipblasLtMatrixLayout_t of_a, hipblasLtMatrixLayout_t of_b,                          \
	      hipblasLtMatrixLayout_t of_c, hipblasLtMatrixLayout_t of_d,                          \
	      hipblasLtMatmulPreference_t preference, int wanted,                                  \
	      hipblasLtMatmulHeuristicResult_t *results, int *count))                              \
	CALL(hipblasStatus_t, hipblasLtMatmul,                                                     \
	     (hipblasLtHandle_t handle, hipblasLtMatmulDesc_t product, const void *alpha,          \
	      const void *a, hipblasLtMatrixLayout_t of_a, const void *b,                          \
	      hipblasLtMatrixLayout_t of_b, const void *beta, const void *c,                       \
	      hipblasLtMatrixLayout_t of_c, void *d, hipblasLtMatrixLayout_t of_d,                 \
	      const hipblasLtMatmulAlgo_t *algorithm, void *workspace, size_t workspace_size,      \
	      hipStream_t stream))
