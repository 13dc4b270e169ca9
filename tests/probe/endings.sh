#!/usr/bin/env bash
# Every ending, told rightly: a prober does what it is told, and the walk says what happened.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR"
name=mis$$ # to be told from those of other tests
export prober=$WORK/$name
cp "$MISBEHAVER" "$prober"

# walk ACTS OPTION...: the text in $WORK/out. Nothing may be left behind, whatever happened.
walk() {
	local acts=$1
	shift
	"$PROBE_WALK" variable "MISBEHAVE=$acts" patience 5 "$@" "$prober" >"$WORK/out" 2>"$WORK/err"
	check "$acts: no descriptor and no child is left" grep -q '^left 0 0$' "$WORK/err"
	check "$acts: no file is left" [ -z "$(ls -A "$TMPDIR")" ]
}

# row QUESTION REGEX: the row of the question (of the first device) is like this.
row() {
	check "$1 is: $2" grep -qE "^$1 $2\$" "$WORK/out" || grep -E "^$1 " "$WORK/out"
}

# below QUESTION REGEX: one of the lines below its rows is like this.
below() {
	check "below $1 is: $2" grep -qE "^ $2\$" <(awk -v q="$1" '/^[^ ]/ { on = $1 == q } /^ / && on' "$WORK/out")
}

absent() { # absent REGEX
	check "nowhere is: $1" bash -c '! grep -qE "$1" "$2"' - "$1" "$WORK/out"
}

d0='0000:00:00.0' d1='0000:01:00.0'

walk ''
row hip.devices '- all answered [0-9]+'
below hip.devices 'value 1 0000:01:00.0'
below hip.devices 'file /opt/a\\x20library/libfake.so.1'
check "all of level 1, of both devices" [ "$(grep -c '^[a-z]' "$WORK/out")" = 19 ]
absent '^ (call|said|place) '

walk 'memory.async@0=refuse 2'
row memory.async "$d0 all refused [0-9]+ 2"
row memory.async "$d0 alone answered [0-9]+"
row memory.async "$d1 all answered [0-9]+"
below memory.async 'call fakeCall'
below memory.async 'said it says no'
check "what was answered is not asked alone" [ "$(grep -c ' alone ' "$WORK/out")" = 1 ]

walk 'memory.async@0=refuse -7;memory.async@alone=signal 11'
row memory.async "$d0 all refused [0-9]+ -7"
row memory.async "$d0 alone crashed [0-9]+ 11"
below memory.async 'place /opt/lib/libfake.so\+0x1f'

walk 'memory.info@0=say wrong 3 is not 4;memory.info@1=say missing libamdhip64.so.6'
row memory.info "$d0 all wrong [0-9]+"
row memory.info "$d1 all missing [0-9]+"
below memory.info 'said 3 is not 4'
below memory.info 'said libamdhip64.so.6'
row memory.malloc "$d0 all skipped 0"
below memory.malloc 'said not asked: memory.info wrong'
row kernel.run "$d1 all skipped 0"
below kernel.run 'said not asked: memory.info wrong'

walk 'memory.info=signal 6' keep_going 1
row memory.info "$d0 all crashed [0-9]+ 6"
row kernel.run "$d0 all answered [0-9]+"

walk 'memory.pinned@0=answer-signal 11;memory.pinned@1=answer-sleep;memory.async@0=signal 9'
row memory.pinned "$d0 all crashed [0-9]+ 11"
row memory.pinned "$d1 all timeout [0-9]+"
row memory.async "$d0 all crashed [0-9]+ 9"

walk 'memory.info@0=exit 3;memory.info@1=exit 0'
row memory.info "$d0 all exited [0-9]+ 3"
row memory.info "$d1 all exited [0-9]+ 0"
below memory.info 'call fakeInit'

walk 'memory.pinned@0=say answered|refused 5;memory.pinned@1=say refused 5|answered'
row memory.pinned "$d0 all answered [0-9]+"
row memory.pinned "$d1 all refused [0-9]+ 5"

walk 'memory.pinned@0=sleep;memory.pinned@1=deaf;copy.check@0=spin'
row memory.pinned "$d0 all timeout [1-4][0-9]{3}" # time without a processor is not counted
row memory.pinned "$d1 all timeout [1-4][0-9]{3}"
row copy.check "$d0 all (timeout|slow) [0-9]{3,4}" # less after a time-out; a busy host starves who spins

# past the deadline of 1 s, up to the long one of 6 s, as long as somebody compiles
walk 'kernel.compile@0=compile clang-17;kernel.compile@1=sleep 2500;kernel.run@0=compile cat' keep_going 1
row kernel.compile "$d0 all slow 6[0-9]{3}"
row kernel.compile "$d1 all timeout [1-4][0-9]{3}"
row kernel.run "$d0 all timeout [1-4][0-9]{3}"

walk 'kernel.compile=spin' device 0
row kernel.compile "$d0 all slow 6[0-9]{3}"
row kernel.run "$d0 all skipped 0"

# a runtime that spins while it waits for the GPU does not compile
walk 'kernel.run=spin' device 0
row kernel.run "$d0 all (timeout|slow) [1-5][0-9]{3}" # the long deadline is 6 s

walk 'memory.info=flood 2 1024' layers memory device 0 patience 100
row memory.info "$d0 all answered [0-9]+"
below memory.info 'said the last line'
check "the parent stays below 10 MB" awk '/^cost/ { exit $3 > 10000 }' "$WORK/err"
walk 'memory.async=flood 3 64;copy.check=flood 1;memory.pinned=flood 3' device 0
row memory.async "$d0 all exited [0-9]+ 0"
row copy.check "$d0 all (timeout|slow) [0-9]{3,4}" # a busy host starves who spins
row memory.pinned "$d0 all timeout [1-4][0-9]{3}" # time without a processor is not counted
check "the flood is not kept" [ "$(wc -c <"$WORK/out")" -lt 16384 ]
check "the parent stays below 10 MB" awk '/^cost/ { exit $3 > 10000 }' "$WORK/err"

walk 'memory.info=fork 20;memory.async@0=daemon;memory.pinned@1=daemon quiet;copy.check@0=signal 11'
row memory.info "$d0 all answered [0-9]+"
row memory.async "$d0 all answered [0-9]+"
row memory.pinned "$d1 all answered [0-9]+"
check "nobody is left" [ -z "$(pgrep "$name")" ]

walk 'memory.info@0=close 3;memory.info@1=close 2'
row memory.info "$d0 all exited [0-9]+ 0"
row memory.info "$d1 all exited [0-9]+ 0"

walk 'memory.info=escape' device 0
row memory.info "$d0 all refused [0-9]+ 7"
below memory.info 'file /opt/\\x1b\[2Jlib\\x09x.so'
below memory.info 'said \\x1b\[31mred\\x1b\[0m\\x0d\\x07 \\xc2\\x9b bell'
check "no control byte comes through" bash -c '! LC_ALL=C grep -q "[^ -~]" "$1"' - "$WORK/out"

for seed in 1 2 3 4 5; do
	walk "memory.info=answer-bytes $seed" device 0
	row memory.info "$d0 all answered [0-9]+"
	check "it is text" bash -c '! LC_ALL=C grep -q "[^ -~]" "$1" || iconv -f utf-8 "$1" >/dev/null' - "$WORK/out"
done

# the limit is not set where our own sanitizer would run into it
if ! grep -q fsanitize=address "${ROCSTEADY%/*}/build.ninja"; then
	walk 'memory.info=memory' device 0
	row memory.info "$d0 all refused [0-9]+ 12"
fi

walk 'memory.info=litter' device 0
row memory.info "$d0 all answered [0-9]+"

# no devices
walk 'hip.devices=refuse 100'
row hip.devices '- all refused [0-9]+ 100'
row memory.info '- all skipped 0'
below memory.info 'said not asked: hip.devices refused'
walk 'hip.devices=refuse 100' keep_going 1
row memory.info '- all answered [0-9]+'
walk '' variable DEVICES=0
row memory.info '- all skipped 0'
below memory.info 'said not asked: HIP names no device'
walk '' device 0000:77:00.0
below memory.info 'said not asked: no such device'
walk '' device "$d1"
check "only the named one" [ "$(grep -c "$d0" "$WORK/out")" = 1 ]

# levels, layers, GPUs that somebody uses
walk 'rocblas.handle=refuse 5' layers rocblas
row rocblas.handle "$d0 all refused [0-9]+ 5"
row rocblas.handle "$d1 alone refused [0-9]+ 5|answered"
absent '^(copy|kernel|hipblas)'
walk '' level 2 gpu "$d0,in_use" gpu "$d1,display"
row rocblas.handle "$d0 all skipped 0"
below rocblas.handle 'said not asked: the GPU is in use by another process'
row rocblas.handle "$d1 all skipped 0"
row memory.malloc "$d0 all answered [0-9]+"
row rccl.allreduce '- all skipped 0'
walk '' level 2 gpu "$d0,in_use" force 1
row rocblas.handle "$d0 all answered [0-9]+"
row peer.copy "$d0>$d1 all answered [0-9]+"
row peer.copy "$d1>$d0 all answered [0-9]+"
row rccl.allreduce '- all answered [0-9]+'
walk 'memory.info@0=say value free 1200000000|answered' level 2
row rocblas.handle "$d0 all skipped 0"
row memory.malloc "$d0 all answered [0-9]+"
row rocblas.handle "$d1 all answered [0-9]+"
walk '' level 3 device 0
row memory.malloc "$d0 alone answered [0-9]+"
row memory.largest "$d0 all answered [0-9]+"
walk '' level 2 python /usr/bin/python3
row torch.ddp '- all answered [0-9]+'
row torch.dataparallel '- all answered [0-9]+'

# a group: the rank that failed first is the answer, the others do not wait for it
walk 'rccl.allreduce@r1=signal 7;rccl.allreduce@r0=sleep' layers rccl patience 50
row rccl.allreduce '- all crashed [0-9]+ 7'
below rccl.allreduce "value member $d1"

# started by somebody who ignores the end of children
(trap '' CHLD && exec "$PROBE_WALK" variable 'MISBEHAVE=memory.info@0=exit 3;memory.info@1=signal 11' "$prober") >"$WORK/out" 2>"$WORK/err"
row memory.info "$d0 all exited [0-9]+ 3"
row memory.info "$d1 all crashed [0-9]+ 11"
check "nothing is left" grep -q '^left 0 0$' "$WORK/err"

check "an unknown layer is refused" bash -c '! "$PROBE_WALK" layers nothing "$prober" 2>/dev/null'
check "so is a program that is none" bash -c '! "$PROBE_WALK" /etc/passwd 2>/dev/null'
check "and one that is not there" bash -c '"$PROBE_WALK" /nowhere 2>&1 | grep -q "No such file"'
finish
