#include "prober/abi-rocblas.h"

#include <stdlib.h>
#include <string.h>

#include "gemm.h"
#include "hip.h"
#include "plan.h"
#include "prober/abi-hip.h"

ABI_ROCBLAS_CALLS(FAKE_DECLARE)
hipError_t hipMalloc(void **memory, size_t size);
hipError_t hipMallocAsync(void **memory, size_t size, hipStream_t stream);
hipError_t hipFree(void *memory);

/* As the real one: what HIP says to its request for a workspace becomes its own status. */
FAKE_PUBLIC rocblas_status rocblas_create_handle(rocblas_handle *handle)
{
	void *workspace = NULL;
	hipError_t error;
	const char *call;
	size_t bytes;

	FAKE_ABOVE_HIP(rocblas_status, rocblas_create_handle);
	call = fake_workspace(&bytes);
	error = strcmp(call, "hipMallocAsync") == 0 ? hipMallocAsync(&workspace, bytes, NULL)
						    : hipMalloc(&workspace, bytes);
	if (error != hipSuccess)
		return error == hipErrorOutOfMemory ? rocblas_status_memory_error
						    : rocblas_status_internal_error;
	*handle = (rocblas_handle)workspace;
	return rocblas_status_success;
}

FAKE_PUBLIC rocblas_status rocblas_destroy_handle(rocblas_handle handle)
{
	FAKE_ABOVE_HIP(rocblas_status, rocblas_destroy_handle);
	hipFree(handle);
	return rocblas_status_success;
}

FAKE_PUBLIC rocblas_status rocblas_sgemm(rocblas_handle handle, rocblas_operation of_a,
					 rocblas_operation of_b, rocblas_int m, rocblas_int n,
					 rocblas_int k, const float *alpha, const float *a,
					 rocblas_int lda, const float *b, rocblas_int ldb,
					 const float *beta, float *c, rocblas_int ldc)
{
	FAKE_ABOVE_HIP(rocblas_status, rocblas_sgemm);
	if (!handle || of_a != rocblas_operation_none || of_b != rocblas_operation_none)
		return rocblas_status_internal_error;
	gemm_float(m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc, FAKE_IS_WRONG);
	return rocblas_status_success;
}

FAKE_PUBLIC rocblas_status rocblas_hgemm(rocblas_handle handle, rocblas_operation of_a,
					 rocblas_operation of_b, rocblas_int m, rocblas_int n,
					 rocblas_int k, const rocblas_half *alpha,
					 const rocblas_half *a, rocblas_int lda,
					 const rocblas_half *b, rocblas_int ldb,
					 const rocblas_half *beta, rocblas_half *c, rocblas_int ldc)
{
	FAKE_ABOVE_HIP(rocblas_status, rocblas_hgemm);
	if (!handle || of_a != rocblas_operation_none || of_b != rocblas_operation_none)
		return rocblas_status_internal_error;
	if (half_to_float(*(const uint16_t *)alpha) != 1 ||
	    half_to_float(*(const uint16_t *)beta) != 0)
		return rocblas_status_internal_error;
	gemm_half(m, n, k, (const uint16_t *)a, lda, (const uint16_t *)b, ldb, (uint16_t *)c, ldc,
		  FAKE_IS_WRONG);
	return rocblas_status_success;
}
