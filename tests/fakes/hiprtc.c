#include "prober/abi-hiprtc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip.h"
#include "plan.h"

ABI_HIPRTC_CALLS(FAKE_DECLARE)

static const char log_text[] = "rocsteady_axpy.hip:1:1: error: the plan says so";
static const char code[] = "FAKE CODE rocsteady_axpy";

FAKE_PUBLIC hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *source,
					     const char *name, int header_count,
					     ABI_HIPRTC_TEXTS headers,
					     ABI_HIPRTC_TEXTS header_names)
{
	FAKE_ABOVE_HIP(hiprtcResult, hiprtcCreateProgram);
	(void)name;
	(void)header_count;
	(void)headers;
	(void)header_names;
	*program = (hiprtcProgram)strdup(source);
	return HIPRTC_SUCCESS;
}

/* As the real one where libamdhip64.so without a number is not installed: the device is to be named. */
static bool is_for_current_device(int option_count, ABI_HIPRTC_TEXTS options)
{
	static const char name[] = "--offload-arch=";

	for (int i = 0; i < option_count; i++)
		if (strncmp(options[i], name, sizeof(name) - 1) == 0)
			return strcmp(options[i] + sizeof(name) - 1, fake_hip_gfx()) == 0;
	return false;
}

/* It knows one program. */
FAKE_PUBLIC hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int option_count,
					      ABI_HIPRTC_TEXTS options)
{
	FAKE_ABOVE_HIP(hiprtcResult, hiprtcCompileProgram);
	return is_for_current_device(option_count, options) &&
			       strstr((const char *)program,
				      "void rocsteady_axpy(float a, const float *x, float *y, int count)")
		       ? HIPRTC_SUCCESS
		       : HIPRTC_ERROR_COMPILATION;
}

FAKE_PUBLIC hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *size)
{
	(void)program;
	*size = sizeof(log_text);
	return HIPRTC_SUCCESS;
}

FAKE_PUBLIC hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log)
{
	(void)program;
	memcpy(log, log_text, sizeof(log_text));
	return HIPRTC_SUCCESS;
}

FAKE_PUBLIC hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *size)
{
	FAKE_ABOVE_HIP(hiprtcResult, hiprtcGetCodeSize);
	(void)program;
	*size = FAKE_IS_WRONG ? 0 : sizeof(code);
	return HIPRTC_SUCCESS;
}

FAKE_PUBLIC hiprtcResult hiprtcGetCode(hiprtcProgram program, char *to)
{
	FAKE_ABOVE_HIP(hiprtcResult, hiprtcGetCode);
	(void)program;
	memcpy(to, code, sizeof(code));
	return HIPRTC_SUCCESS;
}
