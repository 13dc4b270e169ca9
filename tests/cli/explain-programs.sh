#!/usr/bin/env bash
# Steps are for the program that the text or a statement names: nobody who runs
# llama.cpp, TensorFlow or clinfo is told to install torch.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

# steps TEXT [OPTION...]: the names of the steps, in the file steps, and all of the answer in the file out.
steps() {
	printf '%b\n' "$1" | "$ROCSTEADY" explain --no-machine --json "${@:2}" - >out 2>&1
	jq -r '.steps[].remedy' out >steps
}
has() { check "$1 is a step" grep -qxF -- "$1" steps; }
lacks() { check "$1 is no step" [ "$(grep -cxF -- "$1" steps)" = 0 ]; }
first() { check "$1 is the first step" [ "$(head -n 1 steps)" = "$1" ]; }

# ---- programs that do not compute with torch ----

for program in llama.cpp ollama koboldcpp-rocm tensorflow-rocm JAX onnxruntime "OpenCL (clinfo)" "rocprof --hsa-trace"; do
	for text in "ROCm error" "Segmentation fault (core dumped)" "hipErrorNoBinaryForGpu" "miopenStatusUnknownError"; do
		steps "$text" --set framework="$program" --set gfx=gfx1151
		for torch in torch-device-package torch-wheel-for-gpu see-what-to-install other-framework-release newest-release; do
			lacks "$torch"
		done
	done
done
for program in torch ComfyUI vLLM "PyTorch, TensorFlow"; do
	steps "Segmentation fault (core dumped)" --set framework="$program"
	has other-framework-release
	lacks other-program-release
	lacks other-llama-release
done
steps "Segmentation fault (core dumped)" --set framework=llama.cpp
has other-llama-release
lacks other-program-release
steps "Segmentation fault (core dumped)" --set framework=tensorflow-rocm
has other-program-release
lacks other-llama-release
steps "RuntimeError: Memory access fault\\njaxlib.xla_extension.XlaRuntimeError: INTERNAL: failed\\nSegmentation fault"
lacks other-framework-release

# ---- llama.cpp without the reason ----

steps "ROCm error\\nI load_tensors: offloaded 41/41 layers to GPU"
first send-llama-error
check "the headline says what is missing" grep -qF "the line with the reason is missing" out
steps "ROCm error: unspecified launch failure"
lacks send-llama-error
steps "ROCm error\\nhipErrorNoBinaryForGpu"
lacks send-llama-error

# ---- OpenCL ----

clinfo='Thread 1 "clinfo" received signal SIGSEGV, Segmentation fault.'
steps "$clinfo"
first see-opencl-drivers
lacks see-where-it-crashed
steps "Segmentation fault (core dumped)" --set framework="OpenCL (clpeak)"
first see-opencl-drivers
steps "Segmentation fault (core dumped)"
lacks see-opencl-drivers
steps "ERROR: clGetPlatformIDs(-1001)"
lacks see-opencl-drivers

# ---- a symbol that is not there ----

steps "AttributeError: /opt/rocm-7.0.1/lib/libamd_smi.so: undefined symbol: amdsmi_get_gpu_partition_metrics_info"
first amdsmi-of-one-release
lacks see-who-lacks-symbol
steps "libamdhip64.so.7: undefined symbol: hsa_amd_enable_logging, version ROCR_1"
first see-who-lacks-symbol
lacks amdsmi-of-one-release
check "the library that should have it is named" grep -qF "See which libhsa-runtime64.so is loaded" out
steps "x.so: undefined symbol: cublasCreate"
lacks see-who-lacks-symbol

finish
