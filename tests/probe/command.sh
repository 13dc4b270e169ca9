#!/usr/bin/env bash
# `rocsteady probe` as a user types it: fake libraries, and device nodes that open, in a
# mount namespace of its own. Text, JSON, exit status, what check and snapshot make of it.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
[ "$(id -u)" = 0 ] || skip "device nodes need root"
unshare -m true 2>"$WORK/err" || skip "no mount namespaces: $(head -n 1 "$WORK/err")"
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR"
bash "$SOURCE/tests/fakes/make-fakes" "$WORK/libraries" 7 >"$WORK/made" 2>&1 || {
	cat "$WORK/made"
	check "the fakes are made" false
	finish
}
for file in "$WORK"/libraries/lib*.so.*; do
	ln -s "${file##*/}" "${file%.so.*}.so"
done
unset COLUMNS

# plan LINE...: what the libraries do
plan() {
	printf '%s\n' "$@" >"$WORK/libraries/plan"
}

# run WANTED WORD...: in $out; complains about another exit status
run() {
	local wanted=$1 status=0
	shift
	out=$(unshare -m bash -c 'mount -t tmpfs none /mnt && cp -a /dev/null /dev/zero /dev/urandom /dev/random /mnt &&
		mknod -m 666 /mnt/kfd c 1 3 && mkdir /mnt/dri && mknod -m 666 /mnt/dri/renderD128 c 1 3 &&
		mount --bind /mnt /dev && umount -l /mnt && exec "$@"' - "$ROCSTEADY" "$@" --libraries "$WORK/libraries" \
		2>"$WORK/err") || status=$?
	check "rocsteady $*: status $status, not $wanted: $(head -n 3 "$WORK/err") $out" [ "$status" = "$wanted" ]
}

says() { # says TEXT...: each stands in the answer
	local text
	for text in "$@"; do
		check "it says: $text, not: $out" grep -qF -- "$text" <<<"$out"
	done
}

says_not() {
	check "it does not say: $1" bash -c '! grep -qF -- "$1" <<<"$2"' - "$1" "$out"
}

one="device 0000:03:00.0 gfx1100 21474836480"
two="device 0000:06:00.0 gfx1100 21474836480"

plan "$one" "$two"
run 0 probe
says "works   2 GPUs answered" "level 1" "answered: nodes, hsa, hip, memory, copy, kernel" "rocsteady probe -l 2"
check "calm: five lines at most" [ "$(wc -l <<<"$out")" -le 5 ]
run 0 probe -l 2 --quiet
check "quiet is quiet" [ -z "$out" ]
run 0 probe -l 2 -v
says "rocblas.sgemm" "miopen.convolution" "rccl.allreduce" "peer.copy" "$WORK/libraries/librocblas.so"

plan "$one" "$two" 'rocblas_create_handle on 0000:06:00.0 refuse 5' 'hipMallocAsync alone ok'
run 2 probe -l 2
says "rocblas breaks on 0000:06:00.0" "rocblas_create_handle answers rocblas_status_memory_error (5)" \
	"the same with only this GPU visible: refused" "again: rocsteady probe --layer rocblas --device 0000:06:00.0" \
	"to explain it: rocsteady check --probe --libraries $WORK/libraries -l 2"
says_not "works"
run 2 probe -l 2 --json
check "JSON: what breaks" [ "$(jq -r '.walk.verdict, .breaks[0].question, .breaks[0].name' <<<"$out" | paste -sd' ')" = \
	"breaks rocblas.handle rocblas_status_memory_error" ]
check "JSON: the fields of docs/probe.schema.json" [ "$(jq -c '.probes[0] | keys' <<<"$out")" = \
	"$(jq -c '.definitions.probe.required | sort' "$SOURCE/docs/probe.schema.json")" ]

plan "$one" "$two" 'hipMalloc segv'
run 2 probe
says "memory breaks on 0000:03:00.0 and 1 more" "hipMalloc is killed by signal 11 in" "$WORK/libraries/libamdhip64.so.7+0x"

plan "$one" 'hipMalloc segv'
run 2 probe -l 3 --layer memory
says "memory breaks on 0000:03:00.0" "hipMalloc is killed by signal 11"
says_not "and 1 more"
plan "$one"
run 0 probe -l 3 --layer memory
says "ROCm Validation Suite"

plan "$one" 'hipblasLtCreate exit 1'
run 2 probe --layer hipblaslt
says "hipblaslt breaks" "hipblasLtCreate exits the process with code 1"

plan "$one" "$two" 'hipMalloc many refuse 2'
run 2 probe --layer memory
says "hipMalloc answers hipErrorOutOfMemory (2)" "works with only this GPU visible"

plan ''
run 2 probe
says "breaks" "hsa"

# what the others make of a walk
plan "$one" "$two"
run 0 snapshot --probe
check "a snapshot keeps the walk" grep -q '^	memory.malloc 0000:03:00.0 all answered' <<<"$out"
printf '%s\n' "$out" >"$WORK/walked.snap"
out=$("$ROCSTEADY" probe --from "$WORK/walked.snap")
check "and shows it again, status $?" grep -q 'works   2 GPUs answered' <<<"$out"
run 0 check --probe --expect gpus=0 # no GPU is on the bus of a host that runs this test
says "ready"

# the command that is printed walks in the same way
plan "$one" 'hipblasLtCreate exit 1'
run 2 probe --layer hipblaslt
says "again: rocsteady probe --layer hipblaslt --device 0000:03:00.0 --libraries $WORK/libraries" \
	"to explain it: rocsteady check --probe --libraries $WORK/libraries -l 2"

# a layer below the GPUs is verified without one; what is not asked is told
plan "$one" "$two"
run 0 probe --layer nodes
says "works" "answered: nodes"
run 3 probe --device 9
says "no GPU was tested" "not asked: no such device"
plan "$one 20971520000" "$two"
run 0 probe --layer rocblas
says "works" "(rocblas on 0000:03:00.0)"

# an environment is found where it is, however its path is written
python3 -m venv --without-pip "$WORK/venv"
site=$(echo "$WORK"/venv/lib/python3*/site-packages)
mkdir -p "$site/torch" "$site/torch-2.4.1+rocm6.1.dist-info"
printf 'Metadata-Version: 2.1\nName: torch\nVersion: 2.4.1+rocm6.1\n' >"$site/torch-2.4.1+rocm6.1.dist-info/METADATA"
printf 'raise ImportError("none of it")\n' >"$site/torch/__init__.py"
plan "$one"
cd "$WORK" || exit
run 2 probe --layer torch --like torch@venv/
says "torch breaks" "again: rocsteady probe --layer torch --like torch@$WORK/venv"
cd / || exit
run 64 probe --layer torch

# words that are wrong
run 64 probe -l 4
run 64 probe --layer nonsense
run 64 probe --like torch@/nowhere
"$ROCSTEADY" probe --from "$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap" >"$WORK/out" 2>"$WORK/err"
check "a machine without a walk: status 3, and what to do" bash -c '[ "$1" = 3 ] && grep -q "snapshot --probe" "$2"' - $? "$WORK/err"

# the prober: where a package puts it, nowhere, and one whose loader is missing, as on musl
mkdir -p "$WORK/usr/bin"
cp "$ROCSTEADY" "$WORK/usr/bin/rocsteady"
plan "$one"
built=$(dirname "$ROCSTEADY")/rocsteady-probe
ROCSTEADY=$WORK/usr/bin/rocsteady
run 70 probe --layer nodes
check "a prober that is nowhere" grep -q "install the whole package" "$WORK/err"
for place in bin libexec lib/rocsteady; do
	install -D "$built" "$WORK/usr/$place/rocsteady-probe"
	run 0 probe --layer nodes
	says "answered: nodes"
	rm "$WORK/usr/$place/rocsteady-probe"
done
printf '#!/lib/ld-linux-of-nowhere.so.2\n' >"$WORK/usr/bin/rocsteady-probe" && chmod 755 "$WORK/usr/bin/rocsteady-probe"
run 70 probe --layer nodes
check "a prober without its loader: $(cat "$WORK/err")" grep -q "needs glibc 2.17 or later" "$WORK/err"

check "nothing is left behind" [ -z "$(ls -A "$TMPDIR")" ]
finish
