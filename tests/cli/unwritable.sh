#!/usr/bin/env bash
# An answer that could not be written is status 70 and never a success, also
# where nobody reads what stderr says of it; `run` has 125 for it.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
[ -w /dev/full ] || skip "no /dev/full here"
SNAP=$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap
ILL=$SOURCE/tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap
printf 'HIP error: invalid device function\n' >"$WORK/error.log"
"$ROCSTEADY" run --no-preflight --dir "$WORK/journal" -- true || exit 1

# A small knowledge: to judge all of ours takes ten seconds, and other tests do it.
mkdir -p "$WORK/kb/causes" && cp "$SOURCE/kb/VERSION" "$WORK/kb/"
cat >"$WORK/kb/causes/small.yaml" <<'END'
cause: small
title: small
story: small
scope: node
severity: info
action: none
prior: 0
evidence:
  - id: small
    weight: 7
    says: small
    when: SELECT address AS subject, 1 AS value, 'x' AS source, origin FROM agent WHERE node < 0
sources:
  - {class: inferred, ref: test}
END
"$ROCSTEADY-kb" build "$WORK/kb" -o "$WORK/kb.db" || exit 1

# A pipe that nobody reads any more.
mkfifo "$WORK/pipe"
exec 8<>"$WORK/pipe" 9>"$WORK/pipe" 8<&-

# unwritten STDERR WORD...
unwritten() {
	local stderr=$1 want=70 status which=
	shift
	[ "$1" = run ] && want=125
	[ "$1" = -kb ] && which=-kb && shift
	"$ROCSTEADY$which" "$@" >/dev/full 2>&"$stderr"
	status=$?
	check "status $want of: rocsteady $* (got $status)" [ "$status" = "$want" ]
}

while IFS= read -r line; do
	eval "words=($line)"
	exec 7>"$WORK/said"
	unwritten 7 "${words[@]}"
	check "it is said: rocsteady ${words[*]}" grep -q "could not write.*No space left" "$WORK/said"
	unwritten 9 "${words[@]}"
done <<END
--help
--version
--version --json
check --help
check --from $SNAP
check --from $SNAP --json
check --from $SNAP --format html
check --from $SNAP --format markdown
check --from $ILL --why device-permission
explain --no-machine $WORK/error.log
explain --no-machine --json $WORK/error.log
advise --gpu gfx1100
advise --gpu gfx1100 --json
facts --from $SNAP
facts --from $SNAP --json
facts --from $SNAP gpus
facts --paths
fix --from $ILL
fix --from $ILL --json
fix --from $ILL join-render-group
fix --applied
completion bash
completion -- facts --
kb list
kb show vram-exhausted
kb version
-kb build $WORK/kb -o -
-kb build $WORK/kb -o /dev/full
-kb lint $WORK/kb
-kb test $SOURCE/kb gpu-missing --tests $SOURCE/tests/causes --machines $SOURCE/tests/machines
kb try $WORK/kb.db --from $SNAP
-kb score $SOURCE/tests/data/score/records.jsonl
probe
query --from $SNAP 'SELECT 1'
query --from $SNAP --json 'SELECT 1'
run --report $WORK/journal
run --report $WORK/journal --json
run --report $WORK/journal --verbose
snapshot --from $SNAP
snapshot --from $SNAP -o -
snapshot --from $SNAP -o /dev/full
targets $ROCSTEADY
targets --json $ROCSTEADY
targets --format sarif $ROCSTEADY
targets --format github --require gfx1100 $ROCSTEADY
facts --from $SNAP -o /dev/full
END
# ---- where an answer goes that can be written ----

answer() { "$ROCSTEADY" explain --no-machine "$WORK/error.log" "$@" 2>"$WORK/said"; }
answer >"$WORK/wanted"

# A file below /dev is a file like any other.
if shm=$(mktemp -p /dev/shm 2>/dev/null); then
	head -c 100000 /dev/zero | tr '\0' X >"$shm"
	answer -o "$shm"
	check "a file below /dev is replaced whole" cmp "$shm" "$WORK/wanted"
	rm -f "$shm"
fi

# Standard output is where it is, and goes on there.
{ echo before; answer -o /dev/stdout; echo after; } >"$WORK/both"
{ echo before; cat "$WORK/wanted"; echo after; } >"$WORK/both.wanted"
check "/dev/stdout is written on, not anew" cmp "$WORK/both" "$WORK/both.wanted"
answer -o /dev/fd/5 5>"$WORK/five"
check "/dev/fd/5" cmp "$WORK/five" "$WORK/wanted"

long=$(printf '%0250d' 7)
answer -o "$WORK/$long"
check "a name as long as a name can be" cmp "$WORK/$long" "$WORK/wanted"
answer -o "$WORK"
check "a directory is no file: $(<"$WORK/said")" grep -q "Is a directory" "$WORK/said"

# A file that may be written and not replaced: one that is a mount by itself.
echo old >"$WORK/mounted" && echo below >"$WORK/below"
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	ROCSTEADY=$ROCSTEADY WORK=$WORK unshare -m bash -c 'mount --bind "$WORK/below" "$WORK/mounted" &&
		"$ROCSTEADY" explain --no-machine "$WORK/error.log" -o "$WORK/mounted"'
	check "a file that is a mount" cmp "$WORK/below" "$WORK/wanted"
fi

finish
