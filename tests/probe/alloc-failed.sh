#!/usr/bin/env bash
# HIPBLAS_STATUS_ALLOC_FAILED at hipblasCreate: every real cause of it, told apart by a walk.
#
# A recorded machine, fake libraries that behave as that cause makes the real ones
# behave, and the same line of a log. `explain` must put the cause first; those that
# only a probe can show stay undecided without it; other failures at the same place
# are not taken for this one.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR"
: "${PROBE_WALK:?set PROBE_WALK to the built walk}"
prober=$(dirname "$ROCSTEADY")/rocsteady-probe
GiB=$((1 << 30))

bash "$SOURCE/tests/fakes/make-fakes" "$WORK/libraries" 7 >"$WORK/made" 2>&1 || {
	cat "$WORK/made"
	check "the fakes are made" false
	finish
}
printf '%s\n' 'Epoch 1/3' 'Batch 1/192 loss 0.6931' 'Traceback (most recent call last):' \
	'RuntimeError: CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `hipblasCreate(handle)`' >"$WORK/train.log"

library() { # library NAME: its file among the fakes
	ls "$WORK/libraries/lib$1.so".* | head -n 1
}

# walk PLAN [OPTION VALUE]...: the record of a walk with libraries that follow the plan
walk() {
	local plan=$1
	shift
	printf '%s\n' "$plan" >"$WORK/libraries/plan"
	echo 'ask probe'
	"$PROBE_WALK" level 2 layers memory,rocblas keep_going 1 library "hsa=$(library hsa-runtime64)" \
		library "hip=$(library amdhip64)" library "rocblas=$(library rocblas)" "$@" "$prober" 2>"$WORK/err" |
		sed 's/^/\t/'
}

# first CAUSE: explain names it first, and decides
first() {
	local said status=0
	said=$("$ROCSTEADY" explain --json --verbose --from "$WORK/machine.snap" "$WORK/train.log") || status=$?
	check "$row: $1 first, not: $status $(jq -r '[.causes[:3][] | .cause + " " + (.belief | tostring)] | join(", ")' <<<"$said")" \
		[ "$(jq -r '.causes[0].cause' <<<"$said") $status" = "$1 2" ]
}

# undecided: without a probe nobody knows, and it says so
undecided() {
	local status=0
	"$ROCSTEADY" explain --from "$WORK/machine.snap" "$WORK/train.log" >"$WORK/out" 2>&1 || status=$?
	check "$row: undecided without a walk, not: $status $(head -n 2 "$WORK/out")" [ "$status" = 3 ]
}

machine() { # machine NAME [LINE]...: recorded, with lines added; a tab begins a line of a body
	cat "$SOURCE/tests/machines/$1.snap" >"$WORK/machine.snap"
	shift
	[ $# = 0 ] || printf '%b\n' "$@" >>"$WORK/machine.snap"
}

two=rx7900xt-x2-ubuntu2204-rocm62-healthy
used=/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0/mem_info_vram_used
used_other=/sys/devices/pci0000:00/0000:00:03.1/0000:04:00.0/0000:05:00.0/0000:06:00.0/mem_info_vram_used
cards="device 0000:03:00.0 gfx1100 $((20 * GiB))
device 0000:06:00.0 gfx1100 $((20 * GiB))"
full="device 0000:03:00.0 gfx1100 $((20 * GiB)) $((20 * GiB - (16 << 20)))
device 0000:06:00.0 gfx1100 $((20 * GiB)) $((20 * GiB - (16 << 20)))"

row="1a, this process had filled the card"
machine $two
walk "$cards" >>"$WORK/machine.snap"
check "$row: a new process gets its handle" grep -q '	rocblas.handle 0000:03:00.0 all answered' "$WORK/machine.snap"
first job-too-large

row="1b, somebody outside holds it"
machine rx7900xt-x2-ubuntu2204-rocm62-docker-full
walk "$full" >>"$WORK/machine.snap"
check "$row: nothing is to be had" grep -qE '	memory.malloc 0000:03:00.0 alone refused [0-9]+ 2' "$WORK/machine.snap"
first vram-exhausted

row="1c, nobody is left who holds it"
machine $two "file $used" '\t21457000000' "file $used_other" '\t21457000000'
walk "$full" >>"$WORK/machine.snap"
first vram-orphaned

row="2, the driver lacks what pools of memory need"
machine $two
walk "$cards
hipMallocAsync refuse 2
workspace hipMallocAsync $((32 << 20))" >>"$WORK/machine.snap"
check "$row: the handle is refused" grep -qE '	rocblas.handle 0000:03:00.0 all refused [0-9]+ 5' "$WORK/machine.snap"
first driver-too-old

row="3, mapping for the other GPU is refused"
machine rx7900xt-x2-tumbleweed-k617-translated
undecided
walk "$cards
hipMalloc many refuse 2
hipMallocAsync many refuse 2" >>"$WORK/machine.snap"
check "$row: alone it works" grep -q '	memory.malloc 0000:03:00.0 alone answered' "$WORK/machine.snap"
first multi-gpu-p2p-iommu

row="4, the ceiling of an APU"
apu=/sys/devices/pci0000:00/0000:00:08.1/0000:c2:00.0
machine strixhalo-ubuntu2604-k70-gtt112 "file $apu/mem_info_gtt_used" '\t120200000000'
walk "device 0000:c2:00.0 gfx1151 $((112 * GiB)) $((112 * GiB - (16 << 20)))" >>"$WORK/machine.snap"
first apu-memory-limit

row="5, a limit set by hand"
machine $two 'ask environment' '\tHOME=/home/ada' '\tPATH=/usr/bin' '\tGPU_SINGLE_ALLOC_PERCENT=5'
walk "$cards
hipMalloc over $((16 << 20)) refuse 2" >>"$WORK/machine.snap"
first memory-limited-by-variable

row="6, descriptors run out"
machine $two 'file /proc/2417/limits' '\tLimit                     Soft Limit           Hard Limit           Units' \
	'\tMax open files            64                   64                   files' \
	'\tMax locked memory         unlimited            unlimited            bytes'
walk "$cards" >>"$WORK/machine.snap"
first host-memory-or-ulimit

row="7, the GPU is not well"
machine rx7900xtx-ubuntu2404-rocm64-reset
undecided
walk "device 0000:03:00.0 gfx1100 $((24 * GiB))
hipMalloc refuse 2" >>"$WORK/machine.snap"
first driver-defect

row="8, the host has no memory left"
machine $two 'file /proc/meminfo' '\tMemTotal:       32931840 kB' '\tMemFree:           40960 kB' \
	'\tMemAvailable:      81920 kB' '\tSwapTotal:             0 kB' '\tSwapFree:              0 kB'
walk "$cards" >>"$WORK/machine.snap"
first host-memory-or-ulimit

row="9, libraries of two releases"
torch=/home/ada/own/lib/python3.12/site-packages/torch/lib/libtorch_hip.so
machine rx7900xtx-ubuntu2404-rocm64-library-path "ask loads $torch /home/ada/own/bin/python3" \
	"\\tload runpath libamdhip64.so.6 /opt/rocm-6.4.1/lib/libamdhip64.so.6.4.60401 < $torch" \
	"\\tload ld_library_path librocblas.so.4 /opt/rocm-6.1.0/lib/librocblas.so.4.1.60100 < $torch"
undecided
walk "device 0000:03:00.0 gfx1100 $((24 * GiB))
rocblas_create_handle refuse 5" like torch@/home/ada/own >>"$WORK/machine.snap"
first mixed-rocm-libs

# ---- the same place, other failures ----

# other TEXT: not the memory, whatever it is
other() {
	local said
	printf '%s\n' "$2" >"$WORK/other.log"
	machine $two
	said=$("$ROCSTEADY" explain --json --verbose --from "$WORK/machine.snap" "$WORK/other.log" |
		jq -r '.causes[0].cause // "none"')
	check "$1 is not taken for ALLOC_FAILED: $said" [ "$said" != vram-exhausted ]
}
other INTERNAL_ERROR 'RuntimeError: CUDA error: HIPBLAS_STATUS_INTERNAL_ERROR when calling `hipblasCreate(handle)`'
other "missing Tensile files" \
	'rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file or directory for GPU arch : gfx1100'
other "a handle of hipBLASLt that ends the process" \
	"Hip error: 'no ROCm-capable device is detected'(100) at /build/hipblaslt.cpp:147"

finish
