#include "prober/abi-hipblaslt.h"

#include "prober/answers.h"
#include "prober/hip.h"
#include "prober/matrix.h"

#define WORKSPACE ((uint64_t)4 << 20)

struct hipblaslt_calls {
	ABI_HIPBLASLT_CALLS(VENDOR_POINTER)
};

static struct hipblaslt_calls hipblaslt;
static const char *const names[] = { ABI_HIPBLASLT_CALLS(VENDOR_NAME) NULL };

#define HIPBLASLT(name, ...) wire_accept((long)VENDOR_CALL(hipblaslt, name, __VA_ARGS__))

struct matmul_plan {
	hipblasLtMatmulDesc_t product;
	hipblasLtMatrixLayout_t of_a, of_b, of_c;
	hipblasLtMatmulHeuristicResult_t choice;
};

static hipblasLtHandle_t open_handle(const struct ask *ask)
{
	hipblasLtHandle_t handle = NULL;

	hip_open(ask, VENDOR_HIPBLASLT);
	vendor_fill(VENDOR_HIPBLASLT, names, &hipblaslt);
	HIPBLASLT(hipblasLtCreate, &handle);
	return handle;
}

void answer_hipblaslt_handle(const struct ask *ask)
{
	hipblasLtHandle_t handle = open_handle(ask);

	HIPBLASLT(hipblasLtDestroy, handle);
	wire_answered();
}

/* Half precision summed in single: what frameworks ask it for. */
static void make_plan(hipblasLtHandle_t handle, struct matmul_plan *p)
{
	hipblasLtMatmulPreference_t preference = NULL;
	uint64_t workspace = WORKSPACE;
	int count = 0;

	HIPBLASLT(hipblasLtMatmulDescCreate, &p->product, HIPBLAS_COMPUTE_32F, HIP_R_32F);
	HIPBLASLT(hipblasLtMatrixLayoutCreate, &p->of_a, HIP_R_16F, MATRIX_M, MATRIX_K, MATRIX_M);
	HIPBLASLT(hipblasLtMatrixLayoutCreate, &p->of_b, HIP_R_16F, MATRIX_K, MATRIX_N, MATRIX_K);
	HIPBLASLT(hipblasLtMatrixLayoutCreate, &p->of_c, HIP_R_16F, MATRIX_M, MATRIX_N, MATRIX_M);
	HIPBLASLT(hipblasLtMatmulPreferenceCreate, &preference);
	HIPBLASLT(hipblasLtMatmulPreferenceSetAttribute, preference,
		  HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof(workspace));
	HIPBLASLT(hipblasLtMatmulAlgoGetHeuristic, handle, p->product, p->of_a, p->of_b, p->of_c,
		  p->of_c, preference, 1, &p->choice, &count);
	/* No kernel fits, and no error: that is how it says that it has none for this GPU. */
	if (count < 1)
		wire_refused(HIPBLAS_STATUS_NOT_SUPPORTED);
	if (p->choice.workspaceSize > workspace)
		wire_wrong("a workspace of %zu bytes", p->choice.workspaceSize);
}

void answer_hipblaslt_matmul(const struct ask *ask)
{
	hipblasLtHandle_t handle = open_handle(ask);
	const float one = 1, zero = 0;
	struct matmul_plan plan = { 0 };
	struct matrix_product p;
	void *workspace;

	make_plan(handle, &plan);
	matrix_upload(MATRIX_HALF, &p);
	workspace = hip_room(WORKSPACE);
	HIPBLASLT(hipblasLtMatmul, handle, plan.product, &one, p.a, plan.of_a, p.b, plan.of_b,
		  &zero, p.c, plan.of_c, p.c, plan.of_c, &plan.choice.algo, workspace, WORKSPACE,
		  NULL);
	matrix_check(&p);
	wire_answered();
}
