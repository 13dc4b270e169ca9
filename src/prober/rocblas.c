#include "prober/abi-rocblas.h"

#include <string.h>

#include "prober/answers.h"
#include "prober/hip.h"
#include "prober/matrix.h"

struct rocblas_calls {
	ABI_ROCBLAS_CALLS(VENDOR_POINTER)
};

static struct rocblas_calls rocblas;
static const char *const names[] = { ABI_ROCBLAS_CALLS(VENDOR_NAME) NULL };

#define ROCBLAS(name, ...) wire_accept((long)VENDOR_CALL(rocblas, name, __VA_ARGS__))

static rocblas_handle open_handle(const struct ask *ask)
{
	rocblas_handle handle = NULL;

	hip_open(ask, VENDOR_ROCBLAS);
	vendor_fill(VENDOR_ROCBLAS, names, &rocblas);
	ROCBLAS(rocblas_create_handle, &handle);
	return handle;
}

void answer_rocblas_handle(const struct ask *ask)
{
	rocblas_handle handle = open_handle(ask);

	ROCBLAS(rocblas_destroy_handle, handle);
	wire_answered();
}

void answer_rocblas_sgemm(const struct ask *ask)
{
	rocblas_handle handle = open_handle(ask);
	const float one = 1, zero = 0;
	struct matrix_product p;

	matrix_upload(MATRIX_FLOAT, &p);
	ROCBLAS(rocblas_sgemm, handle, rocblas_operation_none, rocblas_operation_none, MATRIX_M,
		MATRIX_N, MATRIX_K, &one, p.a, MATRIX_M, p.b, MATRIX_K, &zero, p.c, MATRIX_M);
	matrix_check(&p);
	wire_answered();
}

void answer_rocblas_hgemm(const struct ask *ask)
{
	rocblas_handle handle = open_handle(ask);
	const rocblas_half one = { matrix_half(1) }, zero = { matrix_half(0) };
	struct matrix_product p;

	matrix_upload(MATRIX_HALF, &p);
	ROCBLAS(rocblas_hgemm, handle, rocblas_operation_none, rocblas_operation_none, MATRIX_M,
		MATRIX_N, MATRIX_K, &one, p.a, MATRIX_M, p.b, MATRIX_K, &zero, p.c, MATRIX_M);
	matrix_check(&p);
	wire_answered();
}
