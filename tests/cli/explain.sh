#!/usr/bin/env bash
# The word explain of the built program: whole reports of stories that people
# tell, every form of input, options, exit status, and memory.
#
# tests/explain/NAME.log with the options of NAME.args gives NAME.expected;
# ROCSTEADY_TEST_UPDATE=1 rewrites them: review the difference like code.
set -u
source=$ROCSTEADY_SOURCE program=$ROCSTEADY
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$source" || exit 1
unset ROCSTEADY_FROM COLUMNS
failed=0

# run WANTED COMMAND...: $out and $err, standard input from $work/in; complains about another exit status.
: >"$work/in"
run() {
	local wanted=$1 status=0
	shift
	out=$("$program" "$@" 2>"$work/err" <"$work/in") || status=$?
	err=$(<"$work/err")
	[ "$status" = "$wanted" ] || complain "rocsteady $*: exit status $status, not $wanted: $err$out"
}

complain() {
	printf 'FAIL %s\n' "$1"
	failed=1
}

says() {
	[[ $1 == *"$2"* ]] || complain "'$2' is not in: $1"
}

# ---- stories ----

# Answers that people were given and that are not true.
refuted=(
	"PREFER_HIPBLASLT=0" "requires ROCm 6.3" "requires ROCm >= 6.3" "upgrade to ROCm 6.3" "version gate" "Context.cpp"
	"expandable_segments:True" "HIPBLAS_LAYER" "HIP_MEMPOOL_DEBUG" "HIP_MEMORY_POOL_CHUNK_SIZE" "GPU_MAX_ALLOC_PERCENT"
	"PYTORCH_NO_HIP_MEMORY_CACHING=1" "HSA_OVERRIDE_GFX_VERSION=11.0.0" "MIOpenGEMM" "ppfeaturemask" "gartsize="
	"USE_ROCM_BLAS"
)

story() {
	local name=$1 status=0 claim
	local -a args
	read -r -a args <"tests/explain/$name.args"
	cp "tests/explain/$name.log" "$work/train.log"
	(cd "$work" && "$program" explain "${args[@]/#tests/$source/tests}" train.log) >"$work/out" 2>&1 </dev/null || status=$?
	echo "exit status $status" >>"$work/out"
	if [ -n "${ROCSTEADY_TEST_UPDATE:-}" ]; then
		cp "$work/out" "tests/explain/$name.expected"
	fi
	diff -u "tests/explain/$name.expected" "$work/out" || complain "$name"
	sed '/^  Settings$/,/^$/d' "$work/out" >"$work/claims" # these say what a setting does not do
	for claim in "${refuted[@]}"; do
		! grep -qF -- "$claim" "$work/claims" || complain "$name claims: $claim"
	done
	awk 'length($0) > 80 && !/^         |from the text/ { exit 1 }' "$work/out" || complain "$name: a line is wider than 80 columns"
}

logs=(tests/explain/*.log)
every=${ROCSTEADY_TEST_EVERY:-1} # 7 in a build with sanitizers
for ((i = every - 1; i < ${#logs[@]}; i += every)); do
	story "$(basename "${logs[i]}" .log)"
done
[ ${#logs[@]} -ge 10 ] || complain "only ${#logs[@]} stories"

# not_first NAME CAUSE...: the first cause named is none of these.
not_first() {
	local name=$1 cause first
	local -a args
	shift
	read -r -a args <"tests/explain/$name.args"
	first=$("$program" explain --json --verbose "${args[@]}" "tests/explain/$name.log" | jq -r '.causes[0].cause')
	for cause in "$@"; do
		[ "$first" != "$cause" ] || complain "$name: named $cause"
	done
}
not_first alloc-failed-cards-full driver-too-old driver-defect framework-runtime-mismatch framework-lacks-arch
not_first rccl-invalid-kernel-file library-lacks-arch framework-lacks-arch vram-exhausted
not_first alloc-failed-cards-empty-now driver-too-old driver-defect framework-runtime-mismatch framework-lacks-arch
not_first windows-access-violation vram-exhausted

# "No HIP GPUs" on a host without any: that is the cause. For another failure such a host is left out.
echo 'RuntimeError: No HIP GPUs are available' >"$work/in"
run 2 explain --from tests/machines/nogpu-debian12-k61-guest.snap
says "$out" "No AMD GPU on the PCI bus"
echo 'RuntimeError: HIP error: out of memory' >"$work/in"
run 2 explain --from tests/machines/nogpu-debian12-k61-guest.snap
says "$out" "the snapshot has no AMD GPU"

# The firmware of a defect is named where it is known, and not for a GPU that may have another.
echo 'Memory access fault by GPU node-1 (Agent handle: 0x5) on address 0x7f00. Reason: Page not present or supervisor privilege.' >"$work/in"
run 3 explain --no-machine --set gfx=gfx1151 --json --verbose
[ "$(jq '[.steps[].cure // empty | select(test("MES"))] | length' <<<"$out")" = 0 ] || complain "a firmware that nobody named is blamed"

# A ROCm tool that is not installed is no missing library.
echo 'bash: rocminfo: command not found' >"$work/in"
run 3 explain --no-machine --json --verbose
[ "$(jq '[.causes[] | select(.cause == "missing-shared-library")] | length' <<<"$out")" = 0 ] || complain "rocminfo is taken for a library"
: >"$work/in"

# A log of another machine leaves this one out, and says so.
run 2 explain --from tests/machines/rx7900xt-x2-ubuntu2204-rocm62-healthy.snap tests/explain/gfx1151-log-on-gfx1100.log
says "$out" "Based on the text alone: the log is from gfx1151, the snapshot has gfx1100"

# ---- forms of input ----

traceback='RuntimeError: HIP error: no kernel image is available for execution on the device'
plain=$("$program" explain --no-machine --json --verbose <<<"$traceback" | jq -c '[.answer, .causes[0].cause]')

# same NAME: standard input gives the same answer as the plain line.
same() {
	local got
	got=$("$program" explain --no-machine --json --verbose - | jq -c '[.answer, .causes[0].cause]')
	[ "$got" = "$plain" ] || complain "$1: $got instead of $plain"
}

printf '%s' "$traceback" | same "without a newline"
printf '[rank0]: %s\r\n' "$traceback" | same "rank and CRLF"
printf '\e[31m%s\e[0m\n' "$traceback" | same "colours"
printf '\repoch 1 10%%\repoch 1 50%%\r%s\repoch 1 100%%\n' "$traceback" | same "progress bars"
printf '{"level":"error","msg":"Traceback:\\n  File \\"a.py\\"\\n%s\\n"}\n' "$traceback" | same "JSON lines"
printf 'Nov 12 07:15:41 host python[12]: %s\n' "$traceback" | same "the journal"
printf '\xef\xbb\xbf%s\n' "$traceback" | same "a byte order mark"
{ printf '\xff\xfe' && printf 'PS C:\\> python a.py\r\n%s\r\n' "$traceback" | iconv -t UTF-16LE; } | same "UTF-16"
{ head -c 300000 /dev/urandom; printf '\n%s\n' "$traceback"; } | same "behind binary garbage"
{ head -c 300000 /dev/zero | tr '\0' 'x'; printf '\n%s\n' "$traceback"; } | same "behind a long line"

head -c 300000 /dev/zero >"$work/zero"
run 3 explain --no-machine "$work/zero"
says "$out" "This is a binary file"
run 3 explain --no-machine
says "$out" "the input is empty"
printf 'epoch 1 loss 0.5' >"$work/in"
run 0 explain --no-machine
says "$out" 'No known error in this line (last line: "epoch 1 loss 0.5")'
[ -z "$err" ] || complain "a line without its newline: $err"
: >"$work/in"

# ---- failures that nobody knows ----

# unknown TEXT WORDS: not recognised, exit 3, with these words and a step.
unknown() {
	printf '%b' "$1" >"$work/in"
	run 3 explain --no-machine
	[[ $out == "?? "* ]] || complain "a mark is missing: $out"
	says "$out" "$2"
	says "$out" "    1  "
	run 3 explain --no-machine --json --verbose
	[ "$(jq -r '.schema, .answer, (.ending.step == .steps[0].title)' <<<"$out" | tr '\n' ' ')" = "2 not-recognised true " ] || complain "JSON of $1: $out"
	: >"$work/in"
}
# A line longer than what is kept is no end of the text, a bell no binary, and a name no command.
{ printf 'frob\n'; head -c 70000 /dev/zero | tr '\0' x; printf ' fatal error: quux\n'; } >"$work/in"
run 3 explain --no-machine
{ printf 'frob\nRuntimeError: quux '; head -c 700000 /dev/zero | tr '\0' x; printf '\nbye\n'; } >"$work/in"
run 3 explain --no-machine
says "$out" "line 2  RuntimeError: quux"
printf 'Training finished\a\n' >"$work/in"
run 0 explain --no-machine
: >"$work/in"
printf 'PK\003\004xx' >"$work/a;id b.zip"
run 66 explain "$work/a;id b.zip"
grep -qF "unzip -p '$work/a;id b.zip' |" "$work/err" || complain "a name is not quoted: $(<"$work/err")"
# The step is for the program that failed, not for torch.
program_step() { # TEXT STEP
	printf '%b' "$1" >"$work/in"
	run 2 explain --no-machine
	says "$out" "$2"
	: >"$work/in"
}
program_step 'GGML_ASSERT: ggml-cuda.cu:9198: !"CUDA error"\nROCm error: invalid device function\n' 'rocsteady advise --for llama.cpp'
program_step '  Device 0: AMD Radeon RX 6600, gfx1032 (0x1032)\nRuntimeError: HIP error: invalid device function\n' 'HSA_OVERRIDE_GFX_VERSION=10.3.0'
program_step '  File "/v/onnxruntime/capi/_ld_preload.py", line 12\nOSError: libcublas.so.10: cannot open shared object file: No such file or directory\n' 'pip install onnxruntime-migraphx'
program_step 'faster_whisper - ERROR - RuntimeError: CUDA failed with error CUDA driver version is insufficient for CUDA runtime version\n' 'pip install --force-reinstall --no-deps --no-index'
program_step 'CMake Error at CMakeLists.txt:46 (find_package):\n  By not providing "Findhip.cmake" in CMAKE_MODULE_PATH this project has\n' 'CMAKE_PREFIX_PATH'
printf "RuntimeError: Unable to initialize backend 'rocm': Backend 'rocm' is not in the list of known backends: ['cpu']\n" >"$work/in"
run 3 explain --no-machine
says "$out" 'jax[rocm7-local]'
printf 'NCCL error: unhandled cuda error (run with NCCL_DEBUG=INFO for details)\n' >"$work/in"
run 3 explain --no-machine
says "$out" 'NCCL_DEBUG=INFO COMMAND'
printf 'n1:8:8 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>\nNCCL error: unhandled cuda error (run with NCCL_DEBUG=INFO for details)\n' >"$work/in"
run 3 explain --no-machine
case $out in *"with RCCL's own log"*) complain "the log of RCCL is on, and asked for" ;; esac
: >"$work/in"
# Of a long text only the end is looked at for what no signature knows, and ok says so.
seq 1 20000 | sed 's/^/step /' >"$work/in"
run 0 explain --no-machine
says "$out" "Unknown errors were looked for from line 1"
printf 'step 1\n' >"$work/in"
run 0 explain --no-machine
case $out in *"Unknown errors"*) complain "a short text is told to be looked at in part" ;; esac
unknown 'RuntimeError: foo' 'line 1  RuntimeError: foo'
unknown 'Killed\n' 'OOM killer'
unknown 'ERROR: Could not find a version that satisfies the requirement foo==9\n' 'installer'
unknown 'frob: fatal: quux\n' 'Not recognised. The last error is'
unknown 'SyntaxError: invalid syntax\n' 'Python cannot read the script'
unknown "Error: Cannot find module 'express'\n" 'npm install express'
unknown "nvcc fatal   : Unsupported gpu architecture 'compute_100'\nninja: build stopped: subcommand failed.\n" 'this builds for CUDA'
unknown 'TERM_RUNLIMIT: job killed after reaching LSF run time limit.\n' 'LSF ended the job: it reached its run limit'
unknown '=>> PBS: job killed: walltime 3621 exceeded limit 3600\n' 'qsub -l walltime=08:00:00 JOB.sh'
unknown 'Error: podman: image not known\n' 'podman logs'
unknown 'Traceback (most recent call last):\n  File "train.py", line 41, in main\n    a, b = f()\nValueError: too many values to unpack (expected 2)\n' 'your own code (train.py:41)'
unknown 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n  File "/v/lib/python3.11/site-packages/foo/bar.py", line 7, in g\nfoo.Odd: x\n' 'package foo'
unknown 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n' 'ends inside a traceback'
unknown '[rank1]: ValueError: bad shard\nstep 1 loss 0.5\nstep 2 loss 0.4\nstep 3 loss 0.3\n' '[rank1]: ValueError'
printf 'ValueError: caught\nretrying\nstep 1 loss 0.5\nstep 2 loss 0.4\nTraining finished\n' >"$work/in"
run 0 explain --no-machine
says "$out" 'No known error in these 5 lines, but 1 failure that the work survived (last'
says "$out" 'Work went on after line 1: ValueError: caught'
run 0 explain --no-machine --json --verbose
[ "$(jq -c '[.headline, .ending.survived, .ending.survived_lines]' <<<"$out")" = '["No known error in 5 lines, but 1 failure that the work survived",1,[{"line":1,"text":"ValueError: caught"}]]' ] || complain "JSON of a failure that was survived: $out"
# Of many the first are shown and all are counted; an error of a logger is none of them.
for i in $(seq 1 20); do printf 'ValueError: caught %s\nstep %s loss 0.5\nstep %s loss 0.4\n' "$i" "$i" "$i$i"; done >"$work/in"
printf '2026-11-15 10:00:00 ERROR worker: no answer\nstep 98 loss 0.4\nstep 99 loss 0.4\nTraining finished\n' >>"$work/in"
run 0 explain --no-machine
says "$out" 'but 20 failures that the work survived'
says "$out" 'Work went on after 17 more failures.'
run 0 explain --no-machine --json --verbose
[ "$(jq -c '.ending | [.survived, (.survived_lines | length), .survived_lines[15].line]' <<<"$out")" = '[20,16,46]' ] || complain "JSON of 20 failures: $out"
# Without work behind it, it is a failure.
printf 'ValueError: caught\nretrying\nstep 1 loss 0.5\n' >"$work/in"
run 3 explain --no-machine
printf 'ValueError: caught\nretrying\nstep 1 loss 0.5\nstep 2 loss 0.4\nTraining finished\n' >"$work/in"
run 0 explain --no-machine
printf "OSError: it's odd\n" >"$work/in"
run 3 explain --no-machine -v
says "$out" "examples: ['OSError: it''s odd']"
: >"$work/in"

# ---- files ----

undecided='RuntimeError: CUDA error: HIPBLAS_STATUS_INTERNAL_ERROR when calling `hipblasGemmEx(handle)`'
echo "$undecided" >"$work/one.log"
echo "epoch 1 loss 0.5" >"$work/two.log"
run 3 explain --no-machine --together "$work/one.log" "$work/two.log"
says "$out" "one.log:1"
says "$out" "Based on the text alone"
run 3 explain --no-machine --together "$work/two.log" "$work/one.log"
many=()
for i in {1..40}; do
	cp "$work/two.log" "$work/many-$i.log"
	many+=("$work/many-$i.log")
done
run 3 explain --no-machine --together "${many[@]}" "$work/one.log"
says "$out" "one.log:1"
run 66 explain --no-machine "$work/none.log"
says "$err" "none.log: No such file"
run 66 explain --no-machine --together "$work/two.log" "$work/none.log"

# ---- texts in place of files ----

# Quoted, unquoted, a bare status, a message that begins with a path, and one longer than a name may be.
cd "$work" || exit 1
lacks="framework-lacks-arch"
run 2 explain --no-machine 'RuntimeError: HIP error: invalid device function'
says "$out" "$lacks"
[[ $out != *newline* ]] || complain "a typed text is told to be cut short: $out"
run 2 explain --no-machine RuntimeError: HIP error: invalid device function
says "$out" "$lacks"
run 2 explain --no-machine hipErrorNoBinaryForGpu
says "$out" "$lacks"
run 2 explain --no-machine "/opt/rocm/lib/librocblas.so.4: undefined symbol: hipFoo"
says "$out" mixed-rocm-libs
run 2 explain --no-machine ImportError: /opt/rocm/lib/librocblas.so.4: undefined symbol: hipFoo
says "$out" mixed-rocm-libs
run 2 explain --no-machine "$(seq 1 2000 | sed 's/^/step /')
RuntimeError: HIP error: invalid device function"
says "$out" "line 2001"
run 2 explain --no-machine --json --verbose "RuntimeError: HIP error: invalid device function"
[ "$(jq -r '.causes[0].cause' <<<"$out")" = "$lacks" ] || complain "JSON of a text: $out"
run 0 explain --no-machine 'epoch 1 loss 0.5'
# A text with blanks may begin as a path does; if an error is known in it, it is a text.
run 3 explain --no-machine '/dev/kfd permission denied'
says "$out" device-permission
run 66 explain --no-machine /dev/kfd-of-nobody
says "$err" "to explain a text, give it in quotes"
# What is there is a file, whatever its name; the other word is a text beside it.
echo "epoch 1 loss 0.5" >"HIP error: out of memory"
run 0 explain --no-machine "HIP error: out of memory"
run 2 explain --no-machine two.log "RuntimeError: HIP error: out of memory"
says "$out" "2 files: 1 broken, 1 ok"
# A name that is missing stays an error: nothing may call it fine.
for name in missing.log nohup.out slurm-17 train logs/train '' 'my run.log' '/data/my runs/job 7' ./job\ 7 TRAIN.LOG; do
	run 66 explain --no-machine "$name"
	says "$err" "$name: No such file or directory"
done
run 66 explain --no-machine missing.log slurm-17
run 66 explain --no-machine two.log slurm-17
run 66 explain --no-machine slurm-17 slurm-18
run 66 explain --no-machine -f train
run 64 explain --no-machine -f 'HIP error: invalid device function'
says "$err" "-f follows a file"
cd "$source" || exit 1

# ---- what is stated ----

echo '{"gfx": "gfx1036", "rocm": "6.4", "gpu": null, "env_vars": {"HIP_VISIBLE_DEVICES": "7"}, "more": [1]}' >"$work/facts.json"
run 3 explain --no-machine --facts "$work/facts.json" "$work/one.log"
says "$out" "Based on the text and what you stated"
run 3 explain --no-machine --set gfx=gfx1036 --set env:HIP_VISIBLE_DEVICES=7 "$work/one.log"
stated=()
for i in {1..40}; do stated+=(--set "env:HSA_$i=1"); done
run 64 explain --no-machine "${stated[@]}" --set weather=fine "$work/one.log"
says "$err" "weather"
run 64 explain --no-machine --set gfx "$work/one.log"
says "$err" "NAME=VALUE"
run 64 explain --no-machine --set weather=fine "$work/one.log"
says "$err" "weather"
run 64 explain --no-machine --set =x "$work/one.log"
echo "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB." >"$work/memory.log" # a pipe is read once
run 2 explain --from tests/machines/gfx90c-ubuntu2404-k68-healthy.snap --facts <(echo '{"rocm": 6.2}') "$work/memory.log"
says "$out" "Based on the text, what you stated and the snapshot"
echo "rocprof: error while loading shared libraries: libamdhip64.so.5: cannot open shared object file: No such file or directory" >"$work/native.log"
run 2 explain --no-machine "$work/native.log"
says "$out" "COMMAND 2>&1 | rocsteady explain"
echo "ROCm error" >"$work/bare.log"
run 3 explain --no-machine "$work/bare.log"
[[ $out != *"llama.cpp:"* ]] || complain "a headline ends in a colon"
run 66 explain --no-machine --facts "$work/none.json" "$work/one.log"
echo '[1]' >"$work/facts.json"
run 66 explain --no-machine --facts "$work/facts.json" "$work/one.log"
says "$err" "not a JSON object"
run 66 explain --no-machine --facts "$work/one.log" "$work/one.log"
run 64 explain --set
run 64 explain --dance

# ---- a flood ----

{ for i in {1..5000}; do echo "HIP out of memory. Tried to allocate 2.00 GiB"; done; echo "out of memory. Tried to allocate and so on"; } >"$work/flood.log"
run 2 explain --no-machine --json --verbose "$work/flood.log"
[ "$(jq '.events[] | select(.signature == "torch-out-of-memory") | .count' <<<"$out")" = 5000 ] ||
	complain "5000 lines are counted as $(jq -c '[.events[] | [.signature, .count]]' <<<"$out")"

# ---- JSON ----

if python3 -c 'import jsonschema' 2>/dev/null; then
	logs=(tests/explain/*.log tests/logs/healthy/*.log /dev/null)
	for ((i = every - 1; i < ${#logs[@]}; i += every)); do
		"$program" explain --json --verbose --no-machine "${logs[i]}" | jq -c .
	done >"$work/all.json"
	python3 - "$work/all.json" "$every" <<'PY' || complain "JSON"
import json, jsonschema, sys

def strict(schema):
    if isinstance(schema, dict):
        out = {k: strict(v) for k, v in schema.items()}
        if "properties" in out:
            out["additionalProperties"] = False
        return out
    return [strict(x) for x in schema] if isinstance(schema, list) else schema

validator = jsonschema.Draft7Validator(strict(json.load(open("docs/explain.schema.json"))))
bad = 0
lines = open(sys.argv[1]).read().splitlines()
for line in lines:
    answer = json.loads(line)
    for error in validator.iter_errors(answer):
        print(error.json_path, error.message)
        bad = 1
    # Causes that are believed less than 0.02 are not listed.
    if not 0.96 < sum(c["belief"] for c in answer["causes"]) + answer["unknown"] < 1.001:
        print("beliefs do not add up to one")
        bad = 1
sys.exit(bad or len(lines) * int(sys.argv[2]) < 100)
PY
else
	complain "jsonschema is missing"
fi

# ---- memory: 300 MB without a newline ----

if [ -z "${ROCSTEADY_SANITIZED:-}" ] && ! nm -D "$program" 2>/dev/null | grep -q __asan; then
	{ head -c 150000000 /dev/zero | tr '\0' 'y'; printf '%s' "$traceback"; head -c 150000000 /dev/zero | tr '\0' 'y'; } |
		/usr/bin/env bash -c 'ulimit -v 400000; exec "$0" "$@"' "$program" explain --no-machine --json --verbose - >"$work/long.json"
	[ "$(jq -r '.first_failure' "$work/long.json")" = hip-no-kernel-image ] || complain "a line of 300 MB"
	if command -v /usr/bin/time >/dev/null; then
		head -c 300000000 /dev/zero | tr '\0' 'y' |
			/usr/bin/time -f %M -o "$work/rss" "$program" explain --no-machine - >/dev/null
		[ "$(tail -n 1 "$work/rss")" -lt 65536 ] || complain "$(tail -n 1 "$work/rss") KB for a line of 300 MB"
	fi
fi

exit "$failed"
