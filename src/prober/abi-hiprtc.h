#pragma once

/*
 * abi-hiprtc - what we use of libhiprtc
 *
 * See prober/abi.h.
 */

#include <stddef.h>

#include "prober/abi.h"

#define ABI_HIPRTC_NUMBERS(NUMBER) \
	NUMBER(HIPRTC_SUCCESS, 0)  \
	NUMBER(HIPRTC_ERROR_COMPILATION, 6)

#ifdef ABI_OF_VENDOR
#include <hip/hip_version.h>
#include <hip/hiprtc.h>
#else
typedef int hiprtcResult;
typedef struct _hiprtcProgram *hiprtcProgram;
enum { ABI_HIPRTC_NUMBERS(ABI_ENUMERATE) };
#endif

/* ABI_HIPRTC_TEXTS: `const char *const *` since HIP 7, `const char **` before. */
#if defined(ABI_OF_VENDOR) && HIP_VERSION_MAJOR < 7
#define ABI_HIPRTC_TEXTS const char **
#else
#define ABI_HIPRTC_TEXTS const char *const *
#endif

#define ABI_HIPRTC_CALLS(CALL)                                                                 \
	CALL(hiprtcResult, hiprtcCreateProgram,                                                \
	     (hiprtcProgram * program, const char *source, const char *name, int header_count, \
	      ABI_HIPRTC_TEXTS headers, ABI_HIPRTC_TEXTS header_names))                        \
	CALL(hiprtcResult, hiprtcCompileProgram,                                               \
	     (hiprtcProgram program, int option_count, ABI_HIPRTC_TEXTS options))              \
	CALL(hiprtcResult, hiprtcGetProgramLogSize, (hiprtcProgram program, size_t * size))    \
	CALL(hiprtcResult, hiprtcGetProgramLog, (hiprtcProgram program, char *log))            \
	CALL(hiprtcResult, hiprtcGetCodeSize, (hiprtcProgram program, size_t * size))          \
	CALL(hiprtcResult, hiprtcGetCode, (hiprtcProgram program, char *code))
