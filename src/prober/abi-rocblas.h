#pragma once

/*
 * abi-rocblas - what we use of librocblas
 *
 * See prober/abi.h. rocblas_int is 32 bits wide in every package that we know;
 * an ILP64 build has other names.
 */

#include <stdint.h>

#include "prober/abi.h"

#define ABI_ROCBLAS_NUMBERS(NUMBER)              \
	NUMBER(rocblas_status_success, 0)        \
	NUMBER(rocblas_status_memory_error, 5)   \
	NUMBER(rocblas_status_internal_error, 6) \
	NUMBER(rocblas_operation_none, 111)

#ifdef ABI_OF_VENDOR
#include <rocblas/rocblas.h>
#else
typedef int rocblas_status;
typedef int rocblas_operation;
typedef int32_t rocblas_int;
typedef struct {
	uint16_t data;
} rocblas_half;
typedef struct _rocblas_handle *rocblas_handle;
enum { ABI_ROCBLAS_NUMBERS(ABI_ENUMERATE) };
#endif

#define ABI_ROCBLAS_GEMM(CALL, name, real)                                                   \
	CALL(rocblas_status, name,                                                           \
	     (rocblas_handle handle, rocblas_operation of_a, rocblas_operation of_b,         \
	      rocblas_int m, rocblas_int n, rocblas_int k, const real *alpha, const real *a, \
	      rocblas_int lda, const real *b, rocblas_int ldb, const real *beta, real *c,    \
	      rocblas_int ldc))

#define ABI_ROCBLAS_CALLS(CALL)                                                \
	CALL(rocblas_status, rocblas_create_handle, (rocblas_handle * handle)) \
	CALL(rocblas_status, rocblas_destroy_handle, (rocblas_handle handle))  \
	ABI_ROCBLAS_GEMM(CALL, rocblas_sgemm, float)                           \
	ABI_ROCBLAS_GEMM(CALL, rocblas_hgemm, rocblas_half)
