#include "prober/abi-hipblas.h"

#include "hip.h"
#include "plan.h"
#include "prober/abi-rocblas.h"

ABI_HIPBLAS_CALLS(FAKE_DECLARE)
ABI_ROCBLAS_CALLS(FAKE_DECLARE)

/* As the real one translates. */
static hipblasStatus_t translate(rocblas_status status)
{
	if (status == rocblas_status_success)
		return HIPBLAS_STATUS_SUCCESS;
	return status == rocblas_status_memory_error ? HIPBLAS_STATUS_ALLOC_FAILED
						     : HIPBLAS_STATUS_INTERNAL_ERROR;
}

FAKE_PUBLIC hipblasStatus_t hipblasCreate(hipblasHandle_t *handle)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasCreate);
	return translate(rocblas_create_handle((rocblas_handle *)handle));
}

FAKE_PUBLIC hipblasStatus_t hipblasDestroy(hipblasHandle_t handle)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasDestroy);
	return translate(rocblas_destroy_handle((rocblas_handle)handle));
}

FAKE_PUBLIC hipblasStatus_t hipblasSgemm(hipblasHandle_t handle, hipblasOperation_t of_a,
					 hipblasOperation_t of_b, int m, int n, int k,
					 const float *alpha, const float *a, int lda,
					 const float *b, int ldb, const float *beta, float *c,
					 int ldc)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasSgemm);
	if (FAKE_IS_WRONG)
		m--;
	return translate(rocblas_sgemm((rocblas_handle)handle, (rocblas_operation)of_a,
				       (rocblas_operation)of_b, m, n, k, alpha, a, lda, b, ldb,
				       beta, c, ldc));
}
