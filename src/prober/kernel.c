#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "prober/abi-hiprtc.h"
#include "prober/answers.h"
#include "prober/hip.h"

#define BLOCK  64
#define BLOCKS 17
#define COUNT  (BLOCK * BLOCKS - 5) /* the last block is not full */

struct hiprtc_calls {
	ABI_HIPRTC_CALLS(VENDOR_POINTER)
};

static struct hiprtc_calls hiprtc;
static const char *const names[] = { ABI_HIPRTC_CALLS(VENDOR_NAME) NULL };

#define HIPRTC(name, ...) wire_accept((long)VENDOR_CALL(hiprtc, name, __VA_ARGS__))

/* tests/fakes/hiprtc.c knows it by the name of its function. */
static const char source[] =
	"extern \"C\" __global__ void rocsteady_axpy(float a, const float *x, float *y, int count)\n"
	"{\n"
	"\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	"\tif (i < count)\n"
	"\t\ty[i] = a * x[i] + y[i];\n"
	"}\n";

/* The compiler's words are evidence: the parent keeps standard error. */
static void say_log(hiprtcProgram program)
{
	size_t size = 0;
	char *log;

	if (VENDOR_CALL(hiprtc, hiprtcGetProgramLogSize, program, &size) != HIPRTC_SUCCESS ||
	    size < 2)
		return;
	log = calloc(1, size + 1);
	if (log && VENDOR_CALL(hiprtc, hiprtcGetProgramLog, program, log) == HIPRTC_SUCCESS)
		dprintf(STDERR_FILENO, "%s\n", log);
	free(log);
}

/*
 * A compiler that is not told the device asks HIP for it, through a libamdhip64.so
 * without a number, which distributions put into packages for developers alone. It
 * takes the name as HIP has it, features included. A HIP that does not tell leaves
 * the question to the compiler, whose refusal is the answer then.
 */
static int make_options(const struct ask *ask, const char *ret[static 1])
{
	static char option[512];
	const char *target = "";

	if ((!hip.hipGetDevicePropertiesR0600 && !hip.hipGetDeviceProperties) ||
	    hip_target(ask->device, &target) != hipSuccess || !target[0])
		return 0;
	snprintf(option, sizeof(option), "--offload-arch=%s", target);
	wire_value("option", "%s", option);
	ret[0] = option;
	return 1;
}

static char *compile(const struct ask *ask)
{
	const char *options[1] = { NULL };
	int option_count;
	hiprtcProgram program = NULL;
	hiprtcResult status;
	size_t size = 0;
	char *code;

	hip_open(ask, VENDOR_HIPRTC);
	vendor_fill(VENDOR_HIPRTC, names, &hiprtc);
	option_count = make_options(ask, options);
	HIPRTC(hiprtcCreateProgram, &program, source, "rocsteady_axpy.hip", 0, NULL, NULL);
	status = VENDOR_CALL(hiprtc, hiprtcCompileProgram, program, option_count, options);
	if (status != HIPRTC_SUCCESS) {
		say_log(program);
		wire_call("hiprtcCompileProgram");
		wire_refused((long)status);
	}
	HIPRTC(hiprtcGetCodeSize, program, &size);
	wire_value("bytes", "%zu", size);
	code = malloc(size ? size : 1);
	if (!code || size == 0)
		wire_wrong("%zu bytes of code", size);
	HIPRTC(hiprtcGetCode, program, code);
	return code;
}

void answer_kernel_compile(const struct ask *ask)
{
	free(compile(ask));
	wire_answered();
}

/* Small whole numbers: exact, fused or not. */
static void launch(hipFunction_t function, float *ret_y)
{
	static float x[COUNT];
	float a = 3;
	int count = COUNT;
	void *device_x, *device_y;

	for (int i = 0; i < COUNT; i++) {
		x[i] = (float)(i % 251);
		ret_y[i] = (float)(i % 7);
	}
	device_x = hip_upload(x, sizeof(x));
	device_y = hip_upload(ret_y, sizeof(x));
	HIP(hipModuleLaunchKernel, function, BLOCKS, 1, 1, BLOCK, 1, 1, 0, NULL,
	    (void *[]){ &a, &device_x, &device_y, &count }, NULL);
	hip_download(ret_y, device_y, sizeof(x));
}

void answer_kernel_run(const struct ask *ask)
{
	const char *code = compile(ask);
	hipModule_t module = NULL;
	hipFunction_t function = NULL;
	static float y[COUNT];

	HIP(hipModuleLoadData, &module, code);
	HIP(hipModuleGetFunction, &function, module, "rocsteady_axpy");
	launch(function, y);
	for (int i = 0; i < COUNT; i++)
		if (y[i] != (float)(3 * (i % 251) + i % 7))
			wire_wrong("element %d is %g, not %d", i, (double)y[i],
				   3 * (i % 251) + i % 7);
	wire_answered();
}
