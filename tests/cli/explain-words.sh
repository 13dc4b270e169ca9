#!/usr/bin/env bash
# Sentences of an explanation that must not contradict each other, repeat each
# other, or belong to another system or program than the log's.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

# explain FORM TEXT: the answer in that form.
explain() {
	local whole=()
	[ "$1" != json ] || whole=(--verbose)
	printf '%b\n' "$2" | "$ROCSTEADY" explain --no-machine --format "$1" "${whole[@]}" "${@:3}" 2>&1
}

# says and lacks TEXT: as a part of the file out.
says() { check "'$1' is said" grep -qF -- "$1" out; }
lacks() { check "'$1' is not said" [ "$(grep -cF -- "$1" out)" = 0 ]; }

none='RuntimeError: No HIP GPUs are available'
windows='  File "C:\\Users\\me\\app.py", line 2\n'

# ---- what would decide it ----

for form in text markdown html; do
	explain "$form" "$none" >out
	says "Compare the group of the device nodes"
	says "on the machine that failed"
	explain "$form" "$windows$none" >out
	lacks "on the machine that failed"
	explain "$form" "ModuleNotFoundError: No module named 'torchaudio'" >out
	says "on the machine that failed"
done
for command in /dev/kfd dmesg lspci "rocsteady facts"; do
	for text in "$none" "hipErrorInvalidImage" "error code 0xC0000005 in amdhip64.dll" "HIP error: unspecified launch failure"; do
		explain text "$windows$text" | sed -n "/^    1 /,/^    2 /p" >out
		lacks "$command"
	done
done

# ---- what is looked at first ----

# line WHAT: the number of its first line in the file out; 0: it is not there.
line() { grep -nF -- "$1" out | head -n 1 | sed 's/:.*//; s/^$/0/' | grep . || echo 0; }
for form in text markdown html; do
	explain "$form" "$none" >out
	look=$(line "Compare the group of the device nodes") steps=$(line "Do this")
	check "$form: a harmless command is the first step" [ "$look" -gt 0 ] && [ "$look" -gt "$steps" ]
	says "crw-rw-rw-" # what to read in its output
	explain "$form" "RuntimeError: Expected all tensors to be on the same device, but found at least two devices" >out
	lacks "To decide" # there is nothing to type
done
explain json "$none" >out
check "json has the look" [ "$(jq -r '.first_look.command' out)" = "ls -l /dev/kfd /dev/dri/render*; id" ]
explain text "$windows$none" >out
lacks "ls -l /dev/kfd /dev/dri/render" # a command of Linux

# ---- a general cause says what was seen, and in which program ----

bounds='Launch params (256, 1, 1) are larger than launch bounds (128) for kernel _Z3fooi'
explain text "$bounds" >out
says "The program has a bug: a kernel was launched with more threads"
explain text "Platform: ComfyUI version: 0.3.27\n$bounds" >out
says "ComfyUI has a bug: a kernel was launched with more threads"
for form in markdown html json; do
	explain "$form" "$bounds" >out
	says "The program has a bug: a kernel was launched with more threads"
done
explain text "[notice] vllm/attention/ops/triton_flash_attention.py:309:0: error: unsupported target: 'gfx906'\nRuntimeError: PassManager::run failed" >out
says "VLLM_USE_TRITON_FLASH_ATTN=0"
explain text "error: unsupported target: 'gfx906'\nRuntimeError: PassManager::run failed" >out
lacks "VLLM_USE_TRITON_FLASH_ATTN=0" # no vLLM in sight
explain text 'AMD arch: gfx1100\nMemory access fault by GPU node-1. Reason: Page not present or supervisor privilege.' >out
says "it may be a known bug (kernel not known here)"
printf 'AMD arch: gfx1100\nMemory access fault by GPU node-1. Reason: Page not present or supervisor privilege.\n' |
	"$ROCSTEADY" explain --no-machine --set kernel=6.18.2 >out
lacks "not known here"
explain text "OSError: [Errno 24] Too many open files" >out
says "no free file descriptor"
says "ulimit -n 65536"
explain text "bind: address already in use" >out
says "sudo ss -ltnp"
check "no sentence has an empty hole" [ "$(explain text 'rocBLAS error: Cannot read TensileLibrary.dat: Illegal seek' | grep -cE 'for \?|: \?$')" = 0 ]

# ---- the command of the log ----

oom='torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 19.98 GiB of which 0.10 GiB is free. Of the allocated memory 18.92 GiB is allocated by PyTorch, and 0.20 GiB is reserved by PyTorch but unallocated.'
explain text "(venv) ada@box:~/ui\$ python main.py --listen 2>&1 | tee log\n$oom" >out
says "         python main.py --listen 2>&1 | rocsteady explain"
explain text "  File \"generate.py\", line 9, in <module>\n$oom" >out
says "         python generate.py 2>&1 | rocsteady explain"
for near in '$ python3 $(touch owned) train.py' '  File "/opt/lib/python3.12/site-packages/x.py", line 9, in <module>' 'the job is python main.py'; do
	explain text "$near\n$oom" >out
	says "         python train.py 2>&1 | rocsteady explain"
done
explain text "ada@box:~\$ python train.py --token hf_abcdefghijklmnopqrstuvwxyzABCDEFGH\n$oom" >out
lacks "hf_abcdefghijkl"

# ---- a family ----

for form in text markdown html; do
	explain "$form" "Unable to open /dev/kfd read-write: No such file or directory" >out
	lacks "Background"
	says "rocsteady kb show gpu-access"
done
explain text "Unable to open /dev/kfd read-write: No such file or directory" >out
sed -n '/^  One of these/,/^$/p' out | grep -oE '[a-z-]+$' | grep -- - >members
"$ROCSTEADY" kb show gpu-access >out
check "the family has causes" [ -s members ]
while read -r member; do says "$member"; done <members
says "To tell them apart"
"$ROCSTEADY" kb show gpu-acces >out 2>&1
check "a family that is misspelt" [ $? = 64 ]
says "gpu-access"

# ---- the step of this failure, not of its neighbour ----

explain json "ModuleNotFoundError: No module named 'xformers'" >out
check "xformers is not torch" [ "$(jq -r '.causes[0].cause' out)" = attention-kernel ]
explain json "ModuleNotFoundError: No module named 'torchvision'" >out
check "torchvision comes with torch" [ "$(jq -r '.causes[0].cause' out)" = companion-package-mismatch ]
explain json "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack+ - [Not Found]" >out
check "xnack+ comes from a variable" [ "$(jq -r '.steps[0].remedy' out)" = unset-hsa-xnack ]
explain json "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack- - [Not Found]" >out
check "xnack- does not" [ "$(jq '[.steps[] | select(.remedy == "unset-hsa-xnack")] | length' out)" = 0 ]
explain json "amdgcn-amd-amdhsa--gfx902:xnack+ - [Not Found]" >out
check "an APU has it without a variable" [ "$(jq '[.steps[] | select(.remedy == "unset-hsa-xnack")] | length' out)" = 0 ]

# ---- a program without PyTorch does not get its steps first ----

lacks_kernels='rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file or directory for GPU arch : gfx1032'
first() { explain json "$1" | jq -r '.steps[0].remedy'; }
check "PyTorch gets its own" [ "$(first "torch 2.6.0+rocm6.2.4\n[pip3] torch==2.6.0+rocm6.2.4\n$lacks_kernels")" = torch-device-package ]
check "the system's rocBLAS gets files" [ "$(first "$lacks_kernels")" = rocblas-files-for-gpu ]
while read -r line; do
	remedy=$(first "$line\n$lacks_kernels")
	check "'$line' gets $remedy" [ "$(grep -cE '^(torch-|reinstall-torch|see-what-to-install)' <<<"$remedy")" = 0 ]
	says_torch="torch 2.6.0+rocm6.2.4\n[pip3] torch==2.6.0+rocm6.2.4\n"
	check "'$line' beside torch may" [ "$(first "$says_torch$line\n$lacks_kernels")" = torch-device-package ]
done <<'END'
whisper_init_with_params_no_state: use gpu    = 1
[LMSInternal] LM Studio version 0.3.16
Welcome to KoboldCpp - Version 1.97
Blender 4.2.3 LTS (hash 0e22e4fcea03)
jaxlib.xla_extension.XlaRuntimeError: INTERNAL: Failed to load HSACO
tensorflow/core/common_runtime/gpu/gpu_device.cc:2344] Ignoring visible gpu device
[E:onnxruntime:Default, rocm_call.cc:119 RocmCall] ROCM failure 98: invalid device function
ggml_cuda_compute_forward: MUL_MAT failed
END
for line in 'msg="no compatible amdgpu devices detected"' 'Error: llama runner process has terminated: exit status 2' \
	'level=WARN source=amd_windows.go:138 msg="amdgpu is not supported (supported types:[gfx1030])" gpu_type=gfx1032 gpu=0'; do
	remedy=$(first "time=2025-01-01 $line")
	check "ollama: '$line' gets $remedy" [ "$(grep -cE '^(torch-|reinstall-torch|see-what-to-install)' <<<"$remedy")" = 0 ]
	check "ollama: '$line' has a step of its own" [ "$(explain json "time=2025-01-01 $line" | jq '[.steps[:3][] | select(.remedy // "" | test("ollama"))] | length')" -ge 1 ]
done

# ---- an empty list of GPUs: ROCr hides all, HIP ignores it, PyTorch counts none ----

explain text 'CUDA_VISIBLE_DEVICES="" python train.py\n'"$none" >out
lacks "does not hide"
"$ROCSTEADY" kb show visible-devices-wrong --verbose >out
lacks "or an empty value hides all"
says "torch.cuda.device_count() is then"

# ---- a GPU by its target ----

said=$(printf 'RuntimeError: HIP error: invalid device function\n' | "$ROCSTEADY" explain --no-machine --set gpu=gfx1151 --json --verbose | jq -r '.facts.gfx[0].value // .facts.gfx[0] // empty')
check "a target is a name of a GPU, too: $said" [ "$said" = gfx1151 ]

# ---- a warning about the machine, and a job that works ----

iommu='NCCL WARN Missing "iommu=pt" from kernel command line which can lead to system instablity or hang!'
check "a warning alone speaks for a fault of the machine" [ "$(explain json "$iommu" | jq -r '.causes[0].cause')" = multi-gpu-p2p-iommu ]
check "and makes nothing certain: jobs that work print it, too" [ "$(explain json "$iommu" | jq -r .answer)" = likely ]
check "above a job that works it is worth knowing" [ "$(explain json "$iommu\nstep 100 loss 0.3\nTraining finished" | jq -r .answer)" = nothing ]

# ---- what is handed on ----

for form in markdown html; do
	explain "$form" "$none" >out
	says "Known names, serial numbers and secrets are replaced by pseudonyms: read it before you send it."
	printf '%s\n' "$none" | "$ROCSTEADY" explain --no-machine --no-scrub --format "$form" >out
	lacks "pseudonyms"
done

# ---- a report in a person's own words ----

report='On my Radeon torch does not work: the wheel index of torchvision and torchaudio is not the one of torch'
for form in text markdown html; do
	explain "$form" "$report" >out
	says "Cause unclear"
	says "Possible causes, by the words of the text alone"
	says "companion-package-mismatch"
	says "Add what the program printed"
	explain "$form" 'After the update the server crashes as soon as I load a model' >out # no word of a GPU
	says "Not recognised"
	says "The report says"
	lacks "The last error is"
	lacks "Possible causes"
done
# A report is no log without an error, whatever its first words are.
while IFS= read -r line; do
	explain text "$line" >out
	lacks "No known error"
done <<'REPORTS'
[issue] the profiler fails to build on GCC 15 hosts
Build fails on this host.\nIt looks for the library under another directory, and the file can't be found there.
After the update ComfyUI froze at the start of sampling on my card
I use a Radeon, and my override is not working as expected
Ollama is very slow on my Radeon 780M, it uses the CPU and the fans are loud
When I start ComfyUI with my RX 6700 XT I get a black screen, and then the login screen comes back
Since the upgrade to Ubuntu 26.04 my RX 7900 XTX is gone for PyTorch
REPORTS
explain text 'Watchdog: process froze for 0 s in this epoch, all work is done.' >out
says "No known error"
explain text 'I ran the benchmark on my CPU and on my GPU: 3.2 and 41.0 tokens per second, all fine' >out
says "No known error"
# Words of advice, of success and of other things tell of no failure; whether anything worked they do not show either.
while IFS= read -r line; do
	explain text "$line" >out
	lacks "Possible causes"
	lacks "describes a failure"
done <<'CALM'
the older kernels work with fp32 only
The previous kernel in the pipeline works on tiles of 16
should I go back to an older kernel?
since the last Adrenalin update it runs well
libibverbs: Warning: Driver ionic does not support the kernel ABI of 1 (supports 4 to 4) for device /sys/class/infiniband/ionic_0\nTraining finished
AssertionError: Flash attention is not available, falling back to eager\nApplication startup complete.
[Regression] R2 = 0.93 on the validation set
we froze the vision tower
runpm=0 fixed my dock flicker
finished with no error message
On my Radeon the wheel index of torchvision and torchaudio is not the one of torch
amdgpu: ring buffer test passed
RCCL: ring topology matches, all ranks found
CALM
# A few lines earn an "ok" by what they show, and not by being unknown.
for text in 'Upscaling hangs' 'unknown symbol hipInit' 'device_count == 0' 'HIP builds will fail when built for CDNA'; do
	explain text "$text" >out
	lacks "No known error"
	says "Do this"
done
for text in 'test_add (tests.T) ... ok' 'process exited with code 0' "make: Leaving directory '/src'" 'all 12 tests passed: done'; do
	explain text "$text" >out
	says "No known error"
done
# ... but none of these takes back an error that stands before it.
for text in "make: *** [Makefile:12: all] Error 2\nmake: Leaving directory '/src'" 'trainer-1 exited with code 1\ndb-1 exited with code 0' 'ERROR: cannot reach the store\nROCk module version 6.12.12 is loaded'; do
	explain text "$text" >out
	lacks "No known error"
done
# A job that works may speak of what people report.
for text in 'WARNING: running without flash attention, training will be slower' 'Using CPU-only torch for the data loader process' 'this only happens with --debug' 'MESA-LOADER: failed to open /dev/dri/card0: Permission denied'; do
	explain text "step 1 loss 0.5\nstep 2 loss 0.4\n$text\nstep 3 loss 0.3\nTraining finished" >out
	says "No known error"
done
# The output of a tool is no report.
explain json '03:00.0 VGA compatible controller: Advanced Micro Devices, Inc. [AMD/ATI] Navi 31 [Radeon RX 7900 XT/7900 XTX] (rev c8)' >out
check "a line of lspci names no cause" [ "$(jq -r '.causes[0].cause // "none"' out)" = none ]
# A machine is an iGPU, a container or Windows in good days too: alone that names no cause.
explain json 'gfx1151 reports (11, 5)' --set gfx=gfx1151 >out
check "an iGPU alone is no memory limit" [ "$(jq -r .answer out)" = not-recognised ]
explain text 'docker run --device=/dev/dri -p 8080:8080 llama.cpp:server-vulkan -m m.gguf\nserver is listening on http://0.0.0.0:8080' >out
lacks "device nodes"
explain text 'It works inside WSL2 Ubuntu. On my bare-metal Ubuntu:\nUnable to open /dev/kfd read-write: Permission denied' >out
lacks "WSL cannot"
explain text 'Error! Could not locate dkms.conf file.\nFile: /var/lib/dkms/nvidia/415.18/source/dkms.conf does not exist.' >out
says "Not recognised"
lacks "amdgpu"
explain json "$report" >out
says '"answer": "undecided"'
says '"id": "report-words"'
check "a report is undecided" [ "$(explain text "$report" >/dev/null; echo $?)" = 3 ]
# Two words that fit are chance, also if the GPU is named.
explain text 'ValueError: too many values to unpack' --set gpu=gfx1151 >out
says "Not recognised"
lacks "Possible causes"
# What is known of the origin of an error says more than words.
explain text 'torch 2.9.1+rocm6.4\nTraceback (most recent call last):\n  File "/home/u/train.py", line 41, in main\nValueError: too many values to unpack' >out
says "your own code (/home/u/train.py:41)"
lacks "Possible causes"
explain text 'I installed ROCm, and pip installed my torch. Everything works, 12 tests passed.' >out
says "No known error"

# ---- commands that print what the sentence above them promises ----

for remedy in triton-of-this-torch run-without-compile; do
	"$ROCSTEADY" kb show "$remedy" | grep -oE 'python -c ".*"' >commands
	check "$remedy: two lines of Python" [ "$(wc -l <commands)" = 2 ]
	sed -i 's/^python /python3 /; s/torch/pip/; s/triton/pip/' commands
	check "$remedy: they run" bash -e commands >printed
	check "$remedy: and print a version" grep -qE 'pip [0-9]+\.' printed
done

# ---- no line is known ----

unheard='vllm.zorks.ZorkError: the third zork of amdgpu went away'
explain text "Traceback (most recent call last):\n  File \"/v/lib/python3.12/site-packages/vllm/zorks.py\", line 4, in zork\n$unheard" --set framework=vllm --set gpu="RX 7900 XTX" >out
says "such failures are most often"
says "framework-bug"
explain text "ModuleNotFoundError: No module named 'zorklib'" --set framework=vllm --set gpu="RX 7900 XTX" >out
lacks "such failures are most often"

finish
