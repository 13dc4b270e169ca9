#!/usr/bin/env bash
# ROCSTEADY_DEBUG: each part tells what it did, one escaped line each, on standard
# error; the answer on standard output stays the same; no line has a secret of the
# machine, of a log or of the environment; and switched off nothing is said at all.
. "$(dirname "$0")/../live/lib.sh"
. "$(dirname "$0")/../live/gpus.sh"
trap 'rm -rf "$WORK"' EXIT
unset ROCSTEADY_DEBUG
SNAP=$SOURCE/tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap
LINE='^rocsteady\[[0-9]+\] [0-9]+\.[0-9]{6} (archive|code|door|probe|run|scan|sql): '

# traced PARTS WORD...: the same twice, without the variable into plain.out and
# plain.err, with it into out and err.
traced() {
	local parts=$1 plain status
	shift
	"$ROCSTEADY" "$@" >"$WORK/plain.out" 2>"$WORK/plain.err" </dev/null
	plain=$?
	ROCSTEADY_DEBUG=$parts "$ROCSTEADY" "$@" >"$WORK/out" 2>"$WORK/err" </dev/null
	status=$?
	check "the same status: $*" [ "$status" = "$plain" ]
	check "every line has the form: $*" [ -z "$(grep -vE "$LINE" "$WORK/err" | diff - "$WORK/plain.err")" ]
	check "no control characters: $*" [ -z "$(tr -d '\n' <"$WORK/err" | grep -aP '[\x00-\x1f\x7f]')" ]
}

same_answer() {
	check "the same answer: $1" cmp -s "$WORK/out" "$WORK/plain.out"
	check "nothing is said without the variable: $1" [ ! -s "$WORK/plain.err" ]
}

tells() { # tells PATTERN...: each is met in the trace
	local pattern
	for pattern; do
		check "a line like '$pattern'" grep -qE "$LINE$pattern" "$WORK/err"
	done
}

# A recorded machine.
traced door,sql check --from "$SNAP"
same_answer check
tells 'read /proc/cmdline: [0-9]+ bytes \[[0-9]+ us\]' 'list /sys/[^:]+: [0-9]+ bytes' 'ask identity: [0-9]+ bytes' \
	'(read|list|stat|ask) .*: UNASKED, not in the record' '[a-z]+ .*: ENOENT' \
	'prepared: SELECT .* \[[0-9]+ us\]' 'ran, 0 rows: INSERT INTO "gap" VALUES \(\?1, ' 'ran, [1-9][0-9]* rows: SELECT'
check "a part that was not named is silent" [ -z "$(grep -E ' scan: ' "$WORK/err")" ]
traced sql query --from "$SNAP" 'DELETE FROM gpu'
tells 'query denies: '

# A live look: what the recording child does, and how it ended.
traced door facts
check "nothing is said without the variable: facts" [ ! -s "$WORK/plain.err" ]
tells 'host open /proc/cpuinfo: done \[' 'host read /proc/cpuinfo: done \[' 'host link /sys: EINVAL' \
	'recording child [0-9]+: ended, [0-9]+ bytes recorded \['
check "two processes tell" [ "$(sed 's/\].*//' "$WORK/err" | sort -u | wc -l)" = 2 ]

# Refusals.
make_gpus "$WORK/tree"
mkdir -p "$WORK/tree/sys/kernel/debug" "$WORK/tree/etc" "$WORK/tree/sys/devices/pci0000:00/0000:02:00.0/power"
echo suspended >"$WORK/tree/sys/devices/pci0000:00/0000:02:00.0/power/runtime_status"
ln -s ../sys/kernel/debug/x "$WORK/tree/etc/os-release"
traced door facts --host-root "$WORK/tree"
tells 'refuse /proc/self[^:]*: it is about a process' 'refuse /etc/os-release: it leads out' \
	'refuse /sys/.*/current_link_speed: /sys/.*0000:02:00.0 is asleep, and asking would wake it'

# A log that ends in a flood.
{
	printf 'Using device: cuda:0 (AMD Radeon RX 7900 XT)\nRuntimeError: HIP error: invalid device function\nhf_abcdefghijklmnopqrstuvwxyz0123456789\n'
	for i in $(seq 5000); do
		echo 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 19.98 GiB of which 1.00 GiB is free.'
	done
} >"$WORK/train.log"
traced scan explain --no-machine "$WORK/train.log"
same_answer explain
tells '[0-9]+ signatures with [0-9]+ literals \[' 'line 2: a literal of [a-z-]+, (the pattern matches|which is enough)' \
	'line 1: a literal of [a-z-]+, the pattern does not match' 'line [0-9]+: a flood of ' 'end: 5003 lines'

# Containers; one of them has a name that would colour a terminal.
mkdir "$WORK/made"
python3 "$SOURCE/tests/cli/targets_make.py" "$WORK/made" || exit 1
traced archive,code targets "$WORK/made/good.deb" "$WORK/made/escapes.tar" "$WORK/made/libpacked.so"
same_answer targets
if "$ROCSTEADY" --version --json | grep -q '"archives": *true'; then
	tells 'open data\.tar\.xz, 1 deep' 'skip pkg/__init__.py: ' 'sieve pkg/lib/libgood.so: [0-9]+ bytes \[' \
		'sieve pkg/\\x1b\[31mred' 'read the member '
fi
tells 'read .*/libpacked.so' 'bundle 1 at 0x[0-9a-f]+: [0-9]+ bytes unpacked of [0-9]+, (zstd|zlib) \[' \
	'shared-library of [0-9]+ bytes: [0-9]+ bundles, [0-9]+ targets, 0 problems \['

# A prober.
traced probe probe
tells 'nodes.open: process [0-9]+, uid [0-9]+, within [0-9]+ ms' 'process [0-9]+: [a-z]+ [0-9-]+ after [0-9]+ ms'

# A job: its bytes pass as they are, between the lines of the trace.
job='for i in 1 2 3; do echo "out $i"; echo "err $i" >&2; done; head -c 300000 /dev/zero; exit 3'
ROCSTEADY_DEBUG=run "$ROCSTEADY" run --no-preflight --dir "$WORK/journal" -- sh -c "$job" >"$WORK/out" 2>"$WORK/err"
check "the status of the job" [ $? = 3 ]
sh -c "$job" >"$WORK/plain.out" 2>"$WORK/plain.err"
check "the job's output is whole" cmp -s "$WORK/out" "$WORK/plain.out"
check "the job's errors are whole" diff -q <(grep -E '^err ' "$WORK/err") "$WORK/plain.err"
tells 'event: started [0-9]+' 'keeper: attempt 1, job [0-9]+, watcher [0-9]+' 'watcher: begins' 'event: ended 768' \
	'keeper: stage drain' 'watcher: over, ' 'keeper: over, wait status 768'

# Nobody reads standard error: the job runs on, and lines are dropped.
mkfifo "$WORK/pipe"
exec 7<>"$WORK/pipe" 8>"$WORK/pipe"
head -c 60000 /dev/zero >&8 # a pipe holds 65536
ROCSTEADY_DEBUG=all timeout 20 "$ROCSTEADY" run --no-preflight --dir "$WORK/journal-2" -- \
	sh -c 'sleep 3; echo done' >"$WORK/out" 2>&8
check "a job whose trace nobody reads ends well" [ $? = 0 ]
check "and has written what it wrote" [ "$(cat "$WORK/out")" = "done" ]
exec 7<&- 8>&-

# Secrets: in files and variables of a machine, in our environment, in a log, in a job's.
SECRET='hf_abcdefghijklmnopqrstuvwxyz0123456789|plainsecret[0-9]'
{
	cat "$SNAP"
	printf 'file /proc/cmdline\n\tquiet plainsecret1\nask environment\n\tHF_TOKEN=plainsecret2\n\tHSA_OVERRIDE_GFX_VERSION=plainsecret3\n'
	printf 'file /proc/sys/kernel/hostname\n\tplainsecret4\n'
} >"$WORK/planted.snap"
export HF_TOKEN=plainsecret5 HSA_OVERRIDE_GFX_VERSION=plainsecret6 PYTORCH_HIP_ALLOC_CONF=plainsecret7
: >"$WORK/everything"
for words in "check --from $WORK/planted.snap" "facts env" "snapshot" "check" "explain --from $WORK/planted.snap $WORK/train.log" \
	"fix --from $WORK/planted.snap" "run --dir $WORK/journal-3 -- sh -c :" "probe"; do
	# shellcheck disable=SC2086
	ROCSTEADY_DEBUG=all "$ROCSTEADY" $words 2>&1 >/dev/null </dev/null | grep -E "$LINE" >>"$WORK/everything"
done
check "there is a trace of all that" [ "$(wc -l <"$WORK/everything")" -gt 5000 ]
grep -E "$SECRET" "$WORK/everything" | head -n 3
check "and no secret in it" [ -z "$(grep -E "$SECRET" "$WORK/everything")" ]
unset HF_TOKEN HSA_OVERRIDE_GFX_VERSION PYTORCH_HIP_ALLOC_CONF

# Words.
ROCSTEADY_DEBUG=dor,,nonsense "$ROCSTEADY" check --from "$SNAP" >"$WORK/out" 2>"$WORK/err"
"$ROCSTEADY" check --from "$SNAP" >"$WORK/plain.out"
check "a wrong word is told once, with a better one and all of them" \
	[ "$(grep -c 'no part dor; did you mean door? Parts: all archive code door' "$WORK/err")" = 1 ]
check "and one that is like no other" grep -q 'no part nonsense\. Parts: all' "$WORK/err"
check "and nothing else" [ "$(wc -l <"$WORK/err")" = 2 ]
check "the answer is there all the same" cmp -s "$WORK/out" "$WORK/plain.out"
finish
