#include "prober/abi-hipblas.h"

#include "prober/answers.h"
#include "prober/hip.h"
#include "prober/matrix.h"

struct hipblas_calls {
	ABI_HIPBLAS_CALLS(VENDOR_POINTER)
};

static struct hipblas_calls hipblas;
static const char *const names[] = { ABI_HIPBLAS_CALLS(VENDOR_NAME) NULL };

#define HIPBLAS(name, ...) wire_accept((long)VENDOR_CALL(hipblas, name, __VA_ARGS__))

static hipblasHandle_t open_handle(const struct ask *ask)
{
	hipblasHandle_t handle = NULL;

	hip_open(ask, VENDOR_HIPBLAS);
	vendor_fill(VENDOR_HIPBLAS, names, &hipblas);
	HIPBLAS(hipblasCreate, &handle);
	return handle;
}

void answer_hipblas_handle(const struct ask *ask)
{
	hipblasHandle_t handle = open_handle(ask);

	HIPBLAS(hipblasDestroy, handle);
	wire_answered();
}

void answer_hipblas_sgemm(const struct ask *ask)
{
	hipblasHandle_t handle = open_handle(ask);
	const float one = 1, zero = 0;
	struct matrix_product p;

	matrix_upload(MATRIX_FLOAT, &p);
	HIPBLAS(hipblasSgemm, handle, HIPBLAS_OP_N, HIPBLAS_OP_N, MATRIX_M, MATRIX_N, MATRIX_K,
		&one, p.a, MATRIX_M, p.b, MATRIX_K, &zero, p.c, MATRIX_M);
	matrix_check(&p);
	wire_answered();
}
