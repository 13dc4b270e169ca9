/* C, and C++ with the vendor's header, which is C++. */
#include "prober/abi-hipblaslt.h"

#include <stdio.h>
#include <stdlib.h>

#include "gemm.h"
#include "hip.h"
#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

ABI_HIPBLASLT_CALLS(FAKE_DECLARE)

/* The opaque structs of the vendor are ours to fill. */
struct layout {
	uint64_t rows, columns;
	int64_t ld;
};

/* As the real one: without a device it ends the process. */
FAKE_PUBLIC hipblasStatus_t hipblasLtCreate(hipblasLtHandle_t *handle)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasLtCreate);
	if (visible_ == 0) {
		fprintf(stderr, "Hip error: 'no ROCm-capable device is detected'(100)\n");
		exit(1);
	}
	*handle = malloc(1);
	return HIPBLAS_STATUS_SUCCESS;
}

FAKE_PUBLIC hipblasStatus_t hipblasLtDestroy(const hipblasLtHandle_t handle)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasLtDestroy);
	free(handle);
	return HIPBLAS_STATUS_SUCCESS;
}

FAKE_PUBLIC hipblasStatus_t hipblasLtMatmulDescCreate(hipblasLtMatmulDesc_t *product,
						      hipblasComputeType_t compute,
						      hipDataType scale)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasLtMatmulDescCreate);
	if (compute != HIPBLAS_COMPUTE_32F || scale != HIP_R_32F)
		return HIPBLAS_STATUS_NOT_SUPPORTED;
	*product = (hipblasLtMatmulDesc_t)malloc(1);
	return HIPBLAS_STATUS_SUCCESS;
}

FAKE_PUBLIC hipblasStatus_t hipblasLtMatrixLayoutCreate(hipblasLtMatrixLayout_t *layout,
							hipDataType type, uint64_t rows,
							uint64_t columns, int64_t ld)
{
	struct layout *made = (struct layout *)malloc(sizeof(*made));

	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasLtMatrixLayoutCreate);
	if (type != HIP_R_16F || !made)
		return HIPBLAS_STATUS_NOT_SUPPORTED;
	made->rows = rows;
	made->columns = columns;
	made->ld = ld;
	*layout = (hipblasLtMatrixLayout_t)made;
	return HIPBLAS_STATUS_SUCCESS;
}

FAKE_PUBLIC hipblasStatus_t hipblasLtMatmulPreferenceCreate(hipblasLtMatmulPreference_t *preference)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasLtMatmulPreferenceCreate);
	*preference = (hipblasLtMatmulPreference_t)malloc(1);
	return HIPBLAS_STATUS_SUCCESS;
}

FAKE_PUBLIC hipblasStatus_t hipblasLtMatmulPreferenceSetAttribute(
	hipblasLtMatmulPreference_t preference, hipblasLtMatmulPreferenceAttributes_t attribute,
	const void *value, size_t size)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasLtMatmulPreferenceSetAttribute);
	(void)value;
	if (!preference || attribute != HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ||
	    size != sizeof(uint64_t))
		return HIPBLAS_STATUS_NOT_SUPPORTED;
	return HIPBLAS_STATUS_SUCCESS;
}

/* `wrong`: no algorithm fits, and no error. */
FAKE_PUBLIC hipblasStatus_t hipblasLtMatmulAlgoGetHeuristic(
	hipblasLtHandle_t handle, hipblasLtMatmulDesc_t product, hipblasLtMatrixLayout_t of_a,
	hipblasLtMatrixLayout_t of_b, hipblasLtMatrixLayout_t of_c, hipblasLtMatrixLayout_t of_d,
	hipblasLtMatmulPreference_t preference, int wanted,
	hipblasLtMatmulHeuristicResult_t *results, int *count)
{
	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasLtMatmulAlgoGetHeuristic);
	if (!handle || !product || !of_a || !of_b || !of_c || !of_d || !preference || wanted < 1)
		return HIPBLAS_STATUS_NOT_SUPPORTED;
	results[0].workspaceSize = 0;
	results[0].state = HIPBLAS_STATUS_SUCCESS;
	results[0].algo.data[0] = 42;
	*count = FAKE_IS_WRONG ? 0 : 1;
	return HIPBLAS_STATUS_SUCCESS;
}

FAKE_PUBLIC hipblasStatus_t hipblasLtMatmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t product,
					    const void *alpha, const void *a,
					    hipblasLtMatrixLayout_t of_a, const void *b,
					    hipblasLtMatrixLayout_t of_b, const void *beta,
					    const void *c, hipblasLtMatrixLayout_t of_c, void *d,
					    hipblasLtMatrixLayout_t of_d,
					    const hipblasLtMatmulAlgo_t *algorithm, void *workspace,
					    size_t workspace_size, hipStream_t stream)
{
	const struct layout *la = (const struct layout *)of_a, *lb = (const struct layout *)of_b,
			    *ld = (const struct layout *)of_d;

	FAKE_ABOVE_HIP(hipblasStatus_t, hipblasLtMatmul);
	(void)workspace;
	(void)workspace_size;
	(void)stream;
	if (!handle || !product || !of_c || c != d || algorithm->data[0] != 42 ||
	    *(const float *)alpha != 1 || *(const float *)beta != 0)
		return HIPBLAS_STATUS_NOT_SUPPORTED;
	gemm_half((int)ld->rows, (int)ld->columns, (int)la->columns, (const uint16_t *)a,
		  (int)la->ld, (const uint16_t *)b, (int)lb->ld, (uint16_t *)d, (int)ld->ld,
		  FAKE_IS_WRONG);
	return HIPBLAS_STATUS_SUCCESS;
}

#ifdef __cplusplus
}
#endif
