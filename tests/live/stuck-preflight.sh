#!/usr/bin/env bash
# One GPU of eight never answers, in true D state: the look before the start is
# given up in time, the job runs as if bare, and its end does not wait for the
# reader that nobody can end.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/gpus.sh"

TREE=$WORK/tree
make_deaf_gpu "$TREE"

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

# How long it takes without a look, here and now: the looks have their own time, and some of this.
timed none --no-preflight
check "without a look it is not waited for" [ "$took_ms" -lt 20000 ]
plain_ms=$took_ms

timed quick
check "the deaf file system was asked" grep -q asked "$WORK/asked"
check "the job's status" [ "$status" = 7 ]
check "and its output" [ "$(cat "$WORK/out")" = out ]
check "within the 0.9 s that a look has" [ "$took_ms" -lt $((1400 + 5 * plain_ms)) ]
check "nothing of the job was left behind" [ "$(grep -acE '(left-behind|terminated|killed|stuck) [0-9]' quick/journal)" = 0 ]
timed thorough --heal
check "with --heal: the job's status" [ "$status" = 7 ]
check "within the 4.5 s that a thorough look has" [ "$took_ms" -lt $((5400 + 5 * plain_ms)) ]
finish
