#!/usr/bin/env bash
# What a prober is given and what not, whose rights it has, and that it ends when the walk does.
. "$(dirname "$0")/../live/lib.sh"
trap 'chmod -R u+rwx "$WORK"; rm -rf "$WORK"' EXIT
chmod 755 "$WORK"
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR"
chmod 755 "$TMPDIR"
name=lim$$
prober=$WORK/$name
cp "$MISBEHAVER" "$prober"
d0='0000:00:00.0' d1='0000:01:00.0'

walk() { # walk ACTS OPTION...: the text in $WORK/out
	local acts=$1
	shift
	"$PROBE_WALK" variable "MISBEHAVE=$acts" "$@" "$prober" >"$WORK/out" 2>"$WORK/err"
	check "nothing is left in the temporary directory" [ -z "$(ls -A "$TMPDIR")" ]
}

told() { # told NAME VALUE: the first row of memory.info has it
	check "$1 is $2, not $(grep -m 1 "^ value $1 " "$WORK/out")" grep -qxE " value $1 $2" "$WORK/out"
}

# ---- what it is given ----

exec 7</etc/passwd
STRANGE=yes walk 'memory.info=tell' device 0 variable LD_LIBRARY_PATH=/opt/x variable LC_ALL=C layers memory
exec 7<&-
told stdin /dev/null
told fds 4
told core 0
grep -q fsanitize=address "${ROCSTEADY%/*}/build.ninja" || told data 1
told leader 1
told nnp 1
told uid "$(id -u)"
told cwd "$TMPDIR/rocsteady-probe-[^/]*/[0-9]+-[0-9]+"
told env "HOME=$TMPDIR/rocsteady-probe-.*"
told env "TMPDIR=$TMPDIR/rocsteady-probe-.*/tmp"
told env 'LD_LIBRARY_PATH=/opt/x'
told env 'LC_ALL=C'
check "nothing of ours" bash -c '! grep -qE "env (STRANGE|PWD|SHLVL|LC_ALL=C.UTF-8|ROCR_)" "$1"' - "$WORK/out"

# one device visible: the one that it was under the numbers of all
walk 'memory.async@1=refuse 2;memory.async@alone=tell' layers memory
told env 'ROCR_VISIBLE_DEVICES=1'
walk 'memory.async@1=refuse 2;memory.async@alone=tell' layers memory variable HIP_VISIBLE_DEVICES=4,2 keep_going 1
told env 'ROCR_VISIBLE_DEVICES=2'
check "and HIP counts anew" bash -c '! grep -q HIP_VISIBLE "$1"' - "$WORK/out"

# the ranks of a group find each other in a directory
walk 'rccl.allreduce=tell' layers rccl
told dir "$TMPDIR/rocsteady-probe-[^/]*/group-0"
walk 'rccl.allreduce@r0=tell;rccl.allreduce@r1=refuse 3' layers rccl
check "the one that failed is told" grep -qx " value member $d1" "$WORK/out"

# ---- whose rights ----

mkdir "$WORK/lib"
touch "$WORK/lib/libhip.so"
chmod 755 "$WORK/lib"
if [ "$(id -u)" = 0 ]; then
	walk 'memory.info=tell' device 0 library "hip=$WORK/lib/libhip.so" layers memory
	told uid 0
	chown 65534:65534 "$WORK/lib/libhip.so"
	walk 'memory.info=tell' device 0 library "hip=$WORK/lib/libhip.so" layers memory
	told uid 65534
	told groups '[01]'
	chown 0:0 "$WORK/lib/libhip.so"
	chown 65534:65534 "$WORK/lib"
	walk 'memory.info=litter;memory.async=tell' device 0 library "hip=$WORK/lib/libhip.so" layers memory
	told uid 65534
	walk 'memory.info=tell' device 0 variable "LD_LIBRARY_PATH=/usr/lib:$WORK/lib" layers memory
	told uid 65534
	ln -s "$WORK/lib/libhip.so" "$WORK/link.so"
	walk 'memory.info=tell' device 0 library "hip=$WORK/link.so" layers memory
	told uid 65534
	chown 1234:1234 "$WORK/lib/libhip.so"
	walk '' library "hip=$WORK/lib/libhip.so"
	check "two strangers: nobody is right" grep -q '^ said not asked: .*/libhip.so belongs to user 1234, and something else to user 65534$' "$WORK/out"
	check "so nothing is asked" [ "$(grep '^[a-z]' "$WORK/out" | grep -vc ' skipped 0$')" = 1 ]
	chown -R 0:0 "$WORK/lib"
	chmod 777 "$WORK/lib"
	walk '' library "hip=$WORK/lib/libhip.so"
	check "everybody may write: not loaded" grep -q '^ said not asked: .*/lib.* can be written by everybody$' "$WORK/out"
	chmod 775 "$WORK/lib"
	walk '' library "hip=$WORK/lib/libhip.so"
	check "a group may write: not loaded" grep -q ' can be written by a group$' "$WORK/out"
else
	chmod 777 "$WORK/lib"
	walk '' library "hip=$WORK/lib/libhip.so"
	check "who is not root risks only what is theirs" grep -q "^kernel.run $d0 all answered" "$WORK/out"
fi

# ---- the end of the walk ----

nobody() { # within a second; a zombie is init's to reap, and that may take its time
	for _ in $(seq 20); do
		ps -eo comm=,stat= | grep -q "^$name *[^Z ]" || return 0
		sleep 0.05
	done
	return 1
}

for act in sleep deaf spin 'fork 10' daemon 'flood 2' 'flood 3' litter; do
	walk "memory.info=$act;memory.async=sleep" cancel 400 layers memory
	check "$act: cancelled" grep -q '^Operation canceled$' "$WORK/err"
	check "$act: no text" [ ! -s "$WORK/out" ]
	check "$act: nothing is left" grep -q '^left 0 0$' "$WORK/err"
	# 10 to 40 ms behind the 400, but tests run side by side, and a deaf one would take 10 s
	check "$act: soon, not $(sed -n 's/^cost//p' "$WORK/err")" awk '/^cost/ { exit $2 > 4000 }' "$WORK/err"
	check "$act: nobody is left" nobody
done

"$PROBE_WALK" variable 'MISBEHAVE=nodes.open=sleep' "$prober" >/dev/null 2>&1 &
for _ in $(seq 50); do pgrep "$name" >/dev/null && break; sleep 0.02; done
check "a prober is there" [ -n "$(pgrep "$name")" ]
kill -9 $!
wait $! 2>/dev/null
check "a prober dies with its parent" nobody
rm -rf "$TMPDIR"/*
finish
