#!/usr/bin/env bash
# `rocsteady probe --like-pid`, by root, on a process of somebody who wants to be root: its
# loader's variables lead to a library that writes down who loads it.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
[ "$(id -u)" = 0 ] || skip "another user's process needs root"
command -v setpriv >/dev/null || skip "no setpriv"
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR" "$WORK/theirs" "$WORK/proof"
chmod 755 "$WORK"
chmod 777 "$WORK/proof"
bash "$SOURCE/tests/fakes/make-fakes" "$WORK/libraries" 7 >"$WORK/made" 2>&1 || {
	cat "$WORK/made"
	check "the fakes are made" false
	finish
}
echo 'device 0000:03:00.0 gfx1100 21474836480' >"$WORK/libraries/plan"
hip=$(ls "$WORK"/libraries/libamdhip64.so.* | head -n 1)
cat >"$WORK/spy.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void note(void)
{
	char name[64] = "";
	FILE *comm = fopen("/proc/self/comm", "r"), *out = fopen(PROOF, "a");

	if (comm && fgets(name, sizeof(name), comm) && strncmp(name, "rocsteady-probe", 15) == 0 && out)
		fprintf(out, "%d\n", (int)geteuid());
	if (out)
		fclose(out);
}
C
${CC:-cc} -shared -fPIC -DPROOF="\"$WORK/proof/who\"" -o "$WORK/theirs/spy.so" "$WORK/spy.c"
chown -R nobody "$WORK/theirs"

# like VARIABLE COMMAND...: probes like a process of nobody that has mapped HIP; what it says in $out
like() {
	local variable=$1 pid
	shift
	rm -f "$WORK/proof/who"
	setpriv --reuid nobody --clear-groups env "$variable" "$@" python3 -c 'import ctypes, sys, time
ctypes.CDLL(sys.argv[1]); open(sys.argv[2], "w"); time.sleep(60)' "$hip" "$WORK/proof/up" >"$WORK/err" 2>&1 &
	pid=$!
	for _ in $(seq 100); do
		[ -e "$WORK/proof/up" ] && break
		sleep 0.05
	done
	rm -f "$WORK/proof/up"
	out=$("$ROCSTEADY" probe --keep-going --layer nodes -v --like-pid "$pid" 2>&1)
	kill "$pid"
	wait "$pid" 2>>"$WORK/err"
}

nobody=$(id -u nobody)
like "LD_PRELOAD=$WORK/theirs/spy.so"
check "its library is loaded, by its user: $out" [ "$(sort -u "$WORK/proof/who")" = "$nobody" ]
up=../../../../../../../../../..
for value in "LD_PRELOAD=/usr/lib/none.so $WORK/theirs/spy.so" "LD_PRELOAD=$up$WORK/theirs/spy.so" \
	"LD_PRELOAD=/usr/\$LIB/$up$WORK/theirs/spy.so" "LD_PRELOAD=/none:$WORK/theirs/spy.so"; do
	like "$value"
	check "$value: never by root: $out" bash -c '! grep -qx 0 "$1"' - "$WORK/proof/who"
	check "$value: it was walked, or is told why not: $out" grep -qE 'nodes.open|not asked' <<<"$out"
done
like LD_LIBRARY_PATH=lib
check "a relative path is refused: $out" grep -q 'not asked: lib is not an absolute path' <<<"$out"

like A=B unshare -rm sh -c 'mount -t tmpfs none "$1" && mkdir "$1/x" 2>/dev/null; shift; exec "$@"' - /mnt
check "a process that shares our files is walked: $out" grep -q 'nodes.open' <<<"$out"
check "there is no process 4194305" bash -c '! "$1" probe --like-pid 4194305 2>&1 | grep -q works' - "$ROCSTEADY"
check "nothing is left behind" [ -z "$(ls -A "$TMPDIR")" ]
finish
