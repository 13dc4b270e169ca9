#pragma once

/*
 * abi-hipblas - what we use of libhipblas
 *
 * See prober/abi.h. hipblasStatus_t and hipblasOperation_t are also those of
 * hipBLASLt.
 */

#include "prober/abi.h"

#define ABI_HIPBLAS_NUMBERS(NUMBER)              \
	NUMBER(HIPBLAS_STATUS_SUCCESS, 0)        \
	NUMBER(HIPBLAS_STATUS_ALLOC_FAILED, 2)   \
	NUMBER(HIPBLAS_STATUS_INTERNAL_ERROR, 6) \
	NUMBER(HIPBLAS_OP_N, 111)

#ifdef ABI_OF_VENDOR
#include <hipblas/hipblas.h>
#else
typedef int hipblasStatus_t;
typedef int hipblasOperation_t;
typedef void *hipblasHandle_t;
enum { ABI_HIPBLAS_NUMBERS(ABI_ENUMERATE) };
#endif

#define ABI_HIPBLAS_CALLS(CALL)                                                                   \
	CALL(hipblasStatus_t, hipblasCreate, (hipblasHandle_t * handle))                          \
	CALL(hipblasStatus_t, hipblasDestroy, (hipblasHandle_t handle))                           \
	CALL(hipblasStatus_t, hipblasSgemm,                                                       \
	     (hipblasHandle_t handle, hipblasOperation_t of_a, hipblasOperation_t of_b, int m,    \
	      int n, int k, const float *alpha, const float *a, int lda, const float *b, int ldb, \
	      const float *beta, float *c, int ldc))
