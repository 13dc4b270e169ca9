#!/usr/bin/env bash
# One GPU of eight never answers, in true D state: the look before the start is
# given up in time, the job runs as if bare, and its end does not wait for the
# reader that nobody can end.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/gpus.sh"

[ "$(id -u)" = 0 ] || skip "mounting the deaf file system needs root"
cc -O1 -o "$WORK/deaf-fs" "$SOURCE/tests/live/deaf-fs.c" || skip "no compiler"
TREE=$WORK/tree
make_gpus "$TREE"
SILENT=$TREE/sys/devices/pci0000:00/0000:03:00.0

"$WORK/deaf-fs" "$SILENT" >"$WORK/asked" 2>&1 &
DEAF=$!
trap 'kill $DEAF 2>/dev/null; umount -l "$SILENT" 2>/dev/null; rm -rf "$WORK"' EXIT
for _ in $(seq 50); do grep -q mounted "$WORK/asked" && break; sleep 0.1; done
grep -q mounted "$WORK/asked" || skip "no FUSE here: $(cat "$WORK/asked")"

cd "$WORK" || exit 1
timed() { # timed NAME OPTIONS...: in $took_ms and $status
	local name=$1 start
	shift
	start=$(date +%s%N)
	"$ROCSTEADY" run --dir "$WORK/$name" --host-root "$TREE" "$@" -- sh -c 'echo out; exit 7' >"$WORK/out" 2>"$WORK/err"
	status=$?
	took_ms=$((($(date +%s%N) - start) / 1000000))
	echo "$name: $took_ms ms, status $status, looked for $(grep -aoE 'took [0-9]+' "$WORK/$name/journal" | cut -d' ' -f2) ms"
}

timed quick
check "the deaf file system was asked" grep -q asked "$WORK/asked"
check "the job's status" [ "$status" = 7 ]
check "and its output" [ "$(cat "$WORK/out")" = out ]
check "within 1.5 s" [ "$took_ms" -lt 1500 ]
check "nothing of the job was left behind" [ "$(grep -acE '(left-behind|terminated|killed|stuck) [0-9]' quick/journal)" = 0 ]
timed thorough --heal
check "with --heal: the job's status" [ "$status" = 7 ]
check "within 5.5 s" [ "$took_ms" -lt 5500 ]
timed none --no-preflight
check "without a look it is not asked" [ "$took_ms" -lt 900 ]
finish
