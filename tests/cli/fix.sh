#!/usr/bin/env bash
# What fix lists and shows; nothing was changed here.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
MACHINES=$SOURCE/tests/machines

# run STATUS ARGUMENT...: the output stays in $WORK/out and $WORK/err.
run() {
	local want=$1 status
	shift
	"$ROCSTEADY" fix "$@" >"$WORK/out" 2>"$WORK/err" </dev/null
	status=$?
	check "status $want of: rocsteady fix $* (got $status)" [ "$status" = "$want" ]
}
says() { check "stderr says '$1'" grep -qF -- "$1" "$WORK/err"; }
prints() { check "stdout has '$1'" grep -qF -- "$1" "$WORK/out"; }

outside="--from $MACHINES/rx7900xtx-ubuntu2404-rocm64-outside-render.snap"
mapfile -t some < <(some_of "$MACHINES"/*-healthy.snap)
for snap in "${some[@]}"; do
	run 0 --from "$snap"
	check "a healthy machine is told so in one or two lines: $snap" [ "$(wc -l <"$WORK/out")" -le 2 ]
	prints "Nothing to fix"
done
# An extension of another ROCm: each has a way of its own, and another torch is none.
old=$MACHINES/rx7900xtx-ubuntu2404-rocm64-old-extension.snap
while read -r package remedy file; do
	sed -E "s/^\t(package|requires|library) flash-attn /\t\1 $package /; s|flash_attn_2_cuda\.cpython-312-x86_64-linux-gnu\.so|$file|" "$old" >"$WORK/old.snap"
	run 2 --from "$WORK/old.snap"
	prints "1  $remedy: "
	check "one remedy for an old $package" [ "$(grep -cE '^     [0-9]  ' "$WORK/out")" = 1 ]
	run 0 --from "$WORK/old.snap" "$remedy"
	check "torch stays as it is, with an old $package" [ "$(grep -c 'pip install' "$WORK/out")" = "$(grep -c -- "--no-deps.*[ /]$package$" "$WORK/out")" ]
done <<'END'
flash-attn flash-attn-triton flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so
bitsandbytes extension-wheel bitsandbytes/libbitsandbytes_rocm64.so
vllm vllm-again vllm/_rocm_C.abi3.so
xformers rebuild-xformers xformers/_C.so
END
run 2 $outside
prints "1  join-render-group: "
run 0 $outside join-render-group
prints "dry run: nothing was changed"
prints "sudo usermod -aG render ada"
prints "sudo gpasswd -d ada render"
check "the command for this machine is the first" [ "$(grep -m 1 -o 'usermod.*' "$WORK/out")" = "usermod -aG render ada" ]
run 64 $outside join-rendergroup
says "unknown remedy join-rendergroup"
run 64 $outside join-render-group --yes
says "--yes does nothing without --apply"
run 64 $outside cool-gpu
says "cool-gpu does not apply to anything found here"
run 64 $outside join-render-group /dev/kfd third
run 64 $outside --json join-render-group
run 0 $outside join-render-group /dev/kfd
run 64 $outside join-render-group /dev/other
run 2 $outside --json
check "the JSON names the remedy, its steps and its finding" jq -e \
	'.remedies[0] | .id == "join-render-group" and (.steps[0].commands | length) > 0 and .findings[0].cause == "device-permission"' \
	"$WORK/out"
# The line to paste does the same thing again, whatever the file is called.
cp "${outside#--from }" "$WORK/a machine.snap"
run 2 --from "$WORK/a machine.snap" --no-open
line=$(grep -A 1 "To see the steps:" "$WORK/out" | tail -n 1)
rocsteady() { "$ROCSTEADY" "$@"; }
check "it names the snapshot: $line" grep -qF "a machine.snap' --no-open" <<<"$line"
eval "$line" >"$WORK/pasted" 2>&1
run 0 --from "$WORK/a machine.snap" --no-open join-render-group
check "it does what it says" cmp "$WORK/pasted" "$WORK/out"
prints "rocsteady can do this, on that machine; it asks first:"
prints "   sudo rocsteady fix join-render-group --no-open --apply"
run 64 --from "$WORK/a machine.snap" nosuchthing
says "a machine.snap'"
# The kernel says what firmware it wants: none does where that is 0.
sed 's/494<509/494<0/' "$MACHINES/rx7900xtx-ubuntu2204-k515-noatomics.snap" >"$WORK/no-firmware-helps.snap"
run 0 --from "$MACHINES/rx7900xtx-ubuntu2204-k515-noatomics.snap" update-gpu-firmware
run 64 --from "$WORK/no-firmware-helps.snap" update-gpu-firmware
run 0 --from "$WORK/no-firmware-helps.snap" gpu-to-cpu-slot
# The number is that of the card, not of what stands first.
run 0 --from "$MACHINES/rx7900xtx-gfx1036-ubuntu2404-rocm64-healthy.snap" hide-igpu
prints "export HIP_VISIBLE_DEVICES=0"
run 0 --from "$MACHINES/mi210-ubuntu2204-rocm62-hot.snap" cool-gpu
prints "112000000 (microwatts"
# A record that cannot be read is what was given to read, and no fault of ours.
mkdir -p "$WORK/tree/var/lib/rocsteady/fix" && echo nonsense >"$WORK/tree/var/lib/rocsteady/fix/0-join-render-group"
run 66 --root "$WORK/tree" --applied
says "the record is damaged"
check "text, JSON and schema agree" python3 -B "$SOURCE/tests/cli/fix_agree.py"
finish
