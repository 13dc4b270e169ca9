#!/usr/bin/env bash
# A prober that not even SIGKILL ends, in true D state: as a reader of a file
# system that never answers, and as a writer of one that is frozen. The walk names
# it, asks nothing more of that GPU, asks the other, and does not wait.
. "$(dirname "$0")/lib.sh"

[ "$(id -u)" = 0 ] || skip "mounting needs root"
WALK=${ROCSTEADY%/*}/tests/probe-walk
NAME=mis$$
PROBER=$WORK/$NAME
cp "${ROCSTEADY%/*}/tests/misbehave" "$PROBER" || skip "the build has no tests/misbehave"
cc -O1 -o "$WORK/deaf-fs" "$SOURCE/tests/live/deaf-fs.c" || skip "no compiler"
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR" "$WORK/deaf" "$WORK/frozen"
trap 'kill $DEAF 2>/dev/null; umount -l "$WORK/deaf" 2>/dev/null
	fsfreeze -u "$WORK/frozen" 2>/dev/null; umount -l "$WORK/frozen" 2>/dev/null; rm -rf "$WORK"' EXIT

# walk ACTS OPTION...: with the text in $WORK/out, through a pipe: what is stuck must not hold its other end
walk() {
	local start
	start=$(date +%s%N)
	"$WALK" variable "MISBEHAVE=$1" patience 5 "${@:2}" "$PROBER" 2>"$WORK/err" | cat >"$WORK/out"
	took_ms=$((($(date +%s%N) - start) / 1000000))
	echo "walked in $took_ms ms: $(grep -A9 ' stuck ' "$WORK/out" | grep said)"
}

judge() { # judge WHO: the process that is left, and what is said of it
	check "$1: stuck is what it is" grep -qE '^memory.info 0000:00:00.0 all stuck [0-9]{4,5}$' "$WORK/out"
	check "$1: named, with its state" grep -qE '^ said process [0-9]+ was killed and is still there: state D' "$WORK/out"
	check "$1: nothing more is asked of it" grep -q '^memory.malloc 0000:00:00.0 all skipped 0$' "$WORK/out"
	check "$1: the other GPU is asked" grep -q '^kernel.run 0000:01:00.0 all answered' "$WORK/out"
	check "$1: nobody waits" [ "$took_ms" -lt 15000 ]
	check "$1: no directory is left" [ -z "$(ls -A "$TMPDIR")" ]
	pid=$(sed -n 's/^ said process \([0-9]*\) was killed.*/\1/p' "$WORK/out")
	check "$1: it sleeps uninterruptibly, and is init's now" grep -qE '^State:\s+D' "/proc/$pid/status"
	check "$1: nobody else is left" [ "$(pgrep -c "$NAME")" = 1 ]
}

nobody() { # within 5 s: it is init's to reap, and that may take its time
	for _ in $(seq 50); do pgrep "$NAME" >/dev/null || return 0; sleep 0.1; done
	return 1
}

"$WORK/deaf-fs" "$WORK/deaf" >"$WORK/asked" 2>&1 &
DEAF=$!
for _ in $(seq 50); do grep -q mounted "$WORK/asked" && break; sleep 0.1; done
if grep -q mounted "$WORK/asked"; then
	walk "memory.info@0=read $WORK/deaf/sensor"
	judge reader
	# of a group, the one that is stuck and not the one that waited for it
	walk "rccl.allreduce@r0=sleep;rccl.allreduce@r1=read $WORK/deaf/sensor" layers rccl,peer
	check "a member of a group is stuck" grep -qE '^rccl.allreduce - all stuck [0-9]+$' "$WORK/out"
	check "it is told which" grep -q '^ value member 0000:01:00.0$' "$WORK/out"
	check "which is not asked any more" grep -q '^peer.copy 0000:00:00.0>0000:01:00.0 all skipped 0$' "$WORK/out"
	kill $DEAF
	wait $DEAF 2>/dev/null
	umount -l "$WORK/deaf"
	check "it goes when the file system does" nobody
else
	echo "no FUSE here: $(cat "$WORK/asked")"
fi

truncate -s 16M "$WORK/image"
if mkfs.ext4 -q "$WORK/image" && mount -o loop "$WORK/image" "$WORK/frozen" && fsfreeze -f "$WORK/frozen"; then
	walk "memory.info@0=write $WORK/frozen/file"
	judge writer
	fsfreeze -u "$WORK/frozen"
	check "it goes when the file system thaws" nobody
else
	echo "no loop-mounted ext4 here"
fi

[ "$CHECKS" -gt 0 ] || skip "neither FUSE nor a loop-mounted ext4"
finish
