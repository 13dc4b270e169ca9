/* What differs between two reports of one failure does not change its name; another failure does. */

#include "explain/fingerprint.h"

#include "check-span.h"

static const struct {
	const char *line, *words;
} cases[] = {
	{ "RuntimeError: HIP error: invalid device function",
	  "runtimeerror hip error invalid device function" },
	{ "[rank7]: RuntimeError: HIP error: invalid device function",
	  "runtimeerror hip error invalid device function" },
	{ "2026-11-15 10:00:00,123 [worker 3] RuntimeError: HIP error: invalid device function",
	  "runtimeerror hip error invalid device function" },
	{ "[  812.113] amdgpu 0000:0b:00.0: amdgpu: ring gfx_0.0.0 timeout",
	  "amdgpu amdgpu ring gfx_ timeout" },
	{ "Memory access fault by GPU node-1 (Agent handle: 0x55d0) on address 0x7f2a000. Reason: Unknown.",
	  "memory access fault by gpu node agent handle on address reason unknown" },
	{ "/home/ada/venv/lib/libamdhip64.so.4: undefined symbol: rocblas_create_handle",
	  "libamdhip.so undefined symbol rocblas_create_handle" },
	{ "/opt/venv/lib/libamdhip64.so.6: undefined symbol: rocblas_create_handle",
	  "libamdhip.so undefined symbol rocblas_create_handle" },
	{ "C:\\Users\\ada\\x.dll is missing", "x.dll is missing" },
	{ "/tmp/tmp0q3u5h9c/tmp4a8b1c9.so is missing", "is missing" },
	{ "ggml-cuda.cu:2932: ROCm error", "ggml-cuda.cu rocm error" },
	{ "HIP out of memory. Tried to allocate 2.00 GiB.", "hip out of memory tried to allocate" },
	{ "HIP out of memory. Tried to allocate 512.00 MiB.",
	  "hip out of memory tried to allocate" },
	{ "Nov 15 10:22:07 node17 kernel: amdgpu 0000:0b:00.0: ring gfx_0.0.0 timeout",
	  "amdgpu ring gfx_ timeout" },
	{ "(EngineCore_DP0 pid=123) ERROR 11-19 04:00:01 [core.py:123] RuntimeError: boom",
	  "runtimeerror boom" },
	{ "2026-11-15 10:00:00 ERROR train: torch.cuda.OutOfMemoryError: boom",
	  "torch.cuda.outofmemoryerror boom" },
	{ "\"quoted\" (words), 'here'!", "quoted words here" },
	{ "[open and never closed", "" },
	{ "a [b c] d", "a b c d" },
	{ "12 34 / --", "" },
	{ "", "" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf words BUF_SCOPED = { 0 };

		fingerprint_words(span_of(cases[i].line), &words);
		CHECK_TEXT(words.len > 0 ? words.data : "", cases[i].words);
	}
	return check_end();
}
