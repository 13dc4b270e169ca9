#!/usr/bin/env bash
# Steps are for the program that the text or a statement names: nobody who runs
# llama.cpp, TensorFlow or clinfo is told to install torch.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

# steps TEXT [OPTION...]: the names of the steps, in the file steps, and all of the answer in the file out.
steps() {
	printf '%b\n' "$1" | "$ROCSTEADY" explain --no-machine --json --verbose "${@:2}" - >out 2>&1
	jq -r '.steps[].remedy' out >steps
}
has() { check "$1 is a step" grep -qxF -- "$1" steps; }
lacks() { check "$1 is no step" [ "$(grep -cxF -- "$1" steps)" = 0 ]; }
first() { check "$1 is the first step" [ "$(head -n 1 steps)" = "$1" ]; }

# ---- programs that do not compute with torch ----

for program in llama.cpp ollama koboldcpp-rocm tensorflow-rocm JAX onnxruntime "OpenCL (clinfo)" "rocprof --hsa-trace"; do
	for text in "ROCm error" "Segmentation fault (core dumped)" "hipErrorNoBinaryForGpu" "miopenStatusUnknownError"; do
		steps "$text" --set framework="$program" --set gfx=gfx1151
		for torch in torch-device-package torch-wheel-for-gpu see-what-to-install other-framework-release newest-release other-rocm-release another-build; do
			lacks "$torch"
		done
	done
done
for program in torch vLLM "PyTorch, TensorFlow"; do
	steps "Segmentation fault (core dumped)" --set framework="$program"
	has other-framework-release
	lacks other-program-release
	lacks other-llama-release
done
steps "Segmentation fault (core dumped)" --set framework=ComfyUI # its own release, or that of torch
has other-framework-release
has other-program-release
lacks other-llama-release
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
check "the library that should have it is named" grep -qF "See whether libhsa-runtime64.so is asked for" out
steps "x.so: undefined symbol: cublasCreate"
lacks see-who-lacks-symbol

# ---- TensorFlow and its ROCm ----

steps "Error polling for event status: failed to query event: hipError_t(600)"
first tensorflow-of-this-rocm
check "600 is told for what it is" grep -qF "not finished yet" out
steps "Error polling for event status: failed to query event: hipError_t(700)"
lacks tensorflow-of-this-rocm

# ---- a tool library by its path ----

steps 'Tool lib "/opt/rocm/rocprofiler/lib/libroctracer64.so" failed to load.'
first see-tool-library
lacks find-library
steps 'Tool lib "librocprofiler64.so" failed to load.'
lacks see-tool-library
has find-library

# ---- libraries of another ROCm ----

steps "librocblas.so.3 => not found" --set rocm=6.1 --set framework=onnxruntime
first match-rocm
check "the headline names both releases" grep -qF "librocblas.so.3 belongs to ROCm 5.6 to 5.7, but ROCm 6.1 is installed" out
steps "librocblas.so.4 => not found" --set rocm=6.1 --set framework=onnxruntime
check "the library is of this ROCm" [ "$(grep -cF "but ROCm 6.1 is installed" out)" = 0 ]

# ---- MIOpen, bitsandbytes, shapes, another vendor ----

steps "RuntimeError: miopenStatusUnknownError"
first send-miopen-log
steps "RuntimeError: miopenStatusUnknownError\\nMemory access fault by GPU node-1"
lacks send-miopen-log
steps "RuntimeError: Configured ROCm binary not found at bitsandbytes/libbitsandbytes_rocm80.so"
first update-called-package
has bnb-name-library
steps "bitsandbytes binary at libbitsandbytes_rocm62.so\\nSegmentation fault"
lacks bnb-name-library
steps '  File "train.py", line 71, in <module>\\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 768x10)'
first make-shapes-agree
lacks read-own-traceback
check "both sizes are named" grep -qF "the input has 512 features, the layer expects 768" out
steps '  File "train.py", line 71, in <module>\\nRuntimeError: mat1 and mat2 must have the same dtype, but got Half and Float'
lacks make-shapes-agree

# ---- rocBLAS on Windows ----

tensile='rocBLAS error: Cannot read TensileLibrary.dat: No such file or directory for GPU arch : gfx1101'
steps "$tensile" --set os="Windows 11" --set framework=koboldcpp-rocm
first rocblas-files-on-windows
lacks rocblas-files-for-gpu
printf '%s\n' "$tensile" | "$ROCSTEADY" explain --no-machine --set os="Windows 11" - >out
check "no command of Linux stands in it" [ "$(grep -cF "# on Linux" out)" = 0 ]
steps "$tensile" --set os="Ubuntu 24.04" --set framework=koboldcpp-rocm
lacks rocblas-files-on-windows
has rocblas-files-for-gpu

finish
