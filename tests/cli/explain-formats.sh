#!/usr/bin/env bash
# Text, JSON, Markdown and HTML of an explanation: the same answer, valid, and
# nothing of a hostile log or file name obeyed by a terminal, a tracker or a page.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
AGREE=$SOURCE/tests/cli/explain_agree.py PAGE=$SOURCE/tests/cli/page.py

# ---- logs that would like to be more ----

mkdir hostile
evil='<script>alert(1)</script> & "q" `id` $(id) @everyone #12 |x| **b** [l](http://evil.example) www.evil.example'
printf 'ValueError: %s\n' "$evil" >hostile/unknown.log
printf 'ValueError: \e]0;title\a\e[31mred\e[0m \x9b31m \xff\xfe \u202e %s\n' "$evil" >hostile/bytes.log
printf 'RuntimeError: HIP error: no kernel image is available for execution on the device %s\n' "$evil" >hostile/known.log
printf 'Memory access fault by GPU node-1 (Agent handle: 0x55<b>) on address (nil)<img src=x>. Reason: Unknown.\n' >hostile/fault.log
printf 'ValueError: x\n' >'hostile/<img src=x onerror=alert(1)>.log'
printf 'ValueError: x\n' >$'hostile/\e[31mred`|*.log'
# shellcheck disable=SC2016
printf 'ValueError: x\n' >'hostile/$(touch owned);`touch owned`.log'

echo "Unable to open /dev/kfd read-write: No such file or directory" >family.log
check "a family is named" [ "$("$ROCSTEADY" explain --no-machine --json --verbose family.log | jq -r '.family.causes | length')" -ge 2 ]
check "the four forms of a family agree" python3 "$AGREE" family.log
mapfile -t some < <(some_of "$SOURCE"/tests/explain/*.log)
check "the four forms of the stories agree" python3 "$AGREE" "${some[@]}"
check "those of hostile logs agree" python3 "$AGREE" hostile/unknown.log hostile/known.log hostile/fault.log

for form in text markdown html json; do
	"$ROCSTEADY" explain --no-machine --format "$form" hostile >"all.$form" 2>/dev/null
	check "$form: all files, exit status" [ $? = 2 ]
	check "$form: no control byte" [ "$(LC_ALL=C tr -d '\n\040-\176\200-\377' <"all.$form" | wc -c)" = 0 ]
	check "$form: is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "all.$form"
	check "$form: no direction is turned" [ "$(grep -c $'\u202e' "all.$form")" = 0 ]
	check "$form: every file is named" [ "$(grep -c 'unknown.log' "all.$form")" -ge 1 ]
done
"$ROCSTEADY" explain --no-machine --format html "$SOURCE/tests/explain" -o stories.html
check "html: a page that needs nobody" python3 "$PAGE" stories.html
check "html: no tag of the log" [ "$(grep -ciE '<(script|img|b)[ >]' all.html)" = 0 ]
check "markdown: no tag outside of code" [ "$(sed 's/^    .*//; s/`[^`]*`//g' all.markdown | grep -ciE '<(script|img)')" = 0 ]
check "markdown: nobody is called" [ "$(sed 's/^    .*//; s/`[^`]*`//g' all.markdown | grep -c '@everyone')" = 0 ]
check "the counts are the same in all" [ "$(grep -ho '7 files: 1 broken, [a-z0-9 ,]*' all.text all.markdown all.html | sed 's/ *$//' | sort -u | wc -l)" = 1 ]

# A printed command is one word where the name is.
"$ROCSTEADY" explain --no-machine 'hostile/$(touch owned);`touch owned`.log' | sed -n 's/^         //p' >commands
(PATH=$WORK:$PATH; ln -sf /bin/true rocsteady; . ./commands) >/dev/null 2>&1
check "a name in a command runs nothing" [ ! -e owned ]

# What an answer does not cover, and where to read on, stand in every form.
printf 'step 1\nstep 2' >open.log
echo "hipErrorNoBinaryForGpu: Unable to find code object for all current devices!" >decided.log
echo "HSA_STATUS_ERROR_OUT_OF_RESOURCES" >unclear.log
for form in text markdown html; do
	"$ROCSTEADY" explain --no-machine --format "$form" open.log >open.out
	check "$form: a text that may be cut short" grep -q "does not end in a newline" open.out
	"$ROCSTEADY" explain --no-machine --format "$form" unclear.log >unclear.out
	check "$form: where to look next" grep -q "If that does not help, on the machine that failed" unclear.out
	"$ROCSTEADY" explain --no-machine --format "$form" decided.log >decided.out
	check "$form: where to read on" grep -q "rocsteady kb show" decided.out
done
"$ROCSTEADY" explain --no-machine --json --verbose family.log >family.json
check "a step that tells causes apart belongs to none" [ "$(jq -r '.steps[0].cause' family.json)" = null ]

# ---- what JSON has besides ----

cat >facts.log <<'END'
OS: Ubuntu 24.04.2 LTS (x86_64)
[pip3] torch==2.6.0+rocm6.2.4
Linux host 6.14.0-1018-oem #18-Ubuntu SMP PREEMPT_DYNAMIC x86_64 GNU/Linux
GPU models and configuration: AMD Radeon 8060S Graphics (gfx1151)
docker run -it rocm/pytorch:rocm6.4.1_ubuntu24.04_py3.12_pytorch_release_2.6.0
llama_model_load: error loading model: unable to allocate ROCm0 buffer
ggml_backend_cuda_buffer_type_alloc_buffer: allocating 65536.00 MiB on device 0: cudaMalloc failed: out of memory
amdgpu 0000:c2:00.0: amdgpu: MES failed to respond to msg=REMOVE_QUEUE
END
"$ROCSTEADY" explain --no-machine --json --verbose facts.log >facts.json
fact() { jq -r ".facts.$1[0] | [.value, .version, .source] | map(. // \"-\") | join(\" \")" facts.json; }
check "gfx: $(fact gfx)" [ "$(fact gfx)" = "gfx1151 - facts.log:4" ]
check "GPU: $(fact gpu)" [ "$(fact gpu)" = "AMD Radeon 8060S Graphics - facts.log:4" ]
check "torch: $(fact torch)" [ "$(fact torch)" = "2.6.0+rocm6.2.4 2.6.0 facts.log:2" ]
check "ROCm of torch: $(fact torch_rocm)" [ "$(fact torch_rocm)" = "6.2.4 6.2.4 facts.log:2" ]
check "ROCm: $(fact rocm)" [ "$(fact rocm)" = "6.4.1 6.4.1 facts.log:5" ]
check "kernel: $(fact kernel)" [ "$(fact kernel)" = "6.14.0-1018-oem 6.14.0 facts.log:3" ]
check "OS: $(fact os)" [ "$(fact os)" = "Ubuntu 24.04.2 LTS 24.04.2 facts.log:1" ]
check "container: $(fact container)" [ "$(fact container)" = "docker - facts.log:5" ]
check "defect: $(jq -c '.defects[0]' facts.json)" [ "$(jq -r '.defects[0].url' facts.json)" = "https://github.com/ROCm/legacy-rocm-build/issues/5151" ]
check "the text names the issue" grep -q "Upstream: https://github.com/ROCm/legacy-rocm-build/issues/5151" <("$ROCSTEADY" explain --no-machine facts.log)

# ---- what a text is about ----

about() { "$ROCSTEADY" explain --no-machine --json | jq -r .about; }
while IFS='|' read -r expected text; do
	said=$(printf '%b\n' "$text" | about)
	check "about $expected: $text (said $said)" [ "$said" = "$expected" ]
done <<'END'
amd|GPU: Radeon RX 7900 XTX\nRuntimeError: too many values to unpack
amd|RuntimeError: HIP error: invalid device function
amd|it works on my NVIDIA GeForce RTX 4090 and fails on an AMD Radeon RX 7900 XTX\nRuntimeError: CUDA error: out of memory
other-gpu|### GPU\n\nNVIDIA GeForce RTX 4090\n\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
other-gpu|[pip3] torch==2.5.1+cu124\nROCM used to build PyTorch: N/A\nRuntimeError: CUDA error: an illegal memory access was encountered
not-gpu|GPU: Radeon RX 7900 XTX\nOSError: [Errno 28] No space left on device
not-gpu|srun: error: n07: task 3: Exited with exit code 1
null|TypeError: 'NoneType' object is not subscriptable
null|ImportError: cannot import name 'x' from 'y' (y.py)
null|Training finished
END

# ---- a comment ----

mapfile -t some < <(some_of "$SOURCE"/tests/explain/*.log "$SOURCE"/tests/logs/healthy/*)
for log in "${some[@]}" hostile/*.log; do
	"$ROCSTEADY" explain --no-machine --format comment "$log" >comment.md 2>/dev/null
	lines=$(wc -l <comment.md)
	[ "$lines" -lt 40 ] && [ "$lines" -gt 5 ] || check "$log: a comment has fewer than 40 lines (has $lines)" false
	[ "$(grep -c '^<details>' comment.md)/$(grep -c '^</details>' comment.md)" = 1/1 ] || check "$log: its details are folded" false
	[ $(($(grep -c '````' comment.md) % 2)) = 0 ] || check "$log: every fence is closed" false
	sed '/````/,/````/d; s/`` .* ``//g; s/`[^`]*`//g' comment.md | grep -qE '@[a-z]|<(script|img|b)[ >]|\]\((javascript|http://)|(^| )#[0-9]' && check "$log: nothing of the log calls anybody" false
done
"$ROCSTEADY" explain --no-machine --format comment <facts.log >comment.md
check "a comment names the cause" grep -q '^\*\*.*\*\* (`[a-z-]*`, \(certain\|likely\))$' comment.md
check "it links the known issue by a host that forwards" grep -qF '[`ROCm/legacy-rocm-build#5151`](https://redirect.github.com/ROCm/legacy-rocm-build/issues/5151)' comment.md
check "and tells what it is based on, and who wrote it" grep -q '^<sub>Written by a program, .* Based on the text alone; no person has checked it. Fingerprint `[0-9a-f]*`.</sub>$' comment.md
echo "HIP error: no kernel image is available for execution on the device" | "$ROCSTEADY" explain --no-machine --format comment >comment.md
check "its first step has its command" grep -q '^   rocsteady advise' comment.md
printf '### Steps to reproduce\n\nx\n' >form.md
check "a heading of a form has no fingerprint" [ "$("$ROCSTEADY" explain --no-machine --json form.md | jq .fingerprint)" = null ]

# ---- the option ----

echo "ValueError: x" >a.log
said() { "$ROCSTEADY" explain --no-machine a.log "$@" 2>&1; }
check "--format text is the text" [ "$(said --format text)" = "$(said)" ]
check "--format json is --json" [ "$(said --format json)" = "$(said --json)" ]
check "a wrong word is not taken" grep -q 'did you mean markdown?' <<<"$(said --format markdwon)"
for form in markdown html; do
	said --format "$form" -o "alone.$form" >/dev/null
	check "$form: one file alone" grep -q 'ValueError: x' "alone.$form"
done
check "html: one file alone is a page" python3 "$PAGE" alone.html

finish
