#!/usr/bin/env bash
# `rocsteady check`: exit status, what is refused, acknowledgements, how it
# looks where, and that text and JSON agree on every recorded machine.
set -u
program=${ROCSTEADY:?} source=${ROCSTEADY_SOURCE:?}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0 count=0
unset NO_COLOR
export LC_ALL=C.UTF-8

# want STATUS WORDS... -- ARGUMENTS...: the status, and the words in the output.
want() {
	local status=$1 got out word words=()
	shift
	while [ "$1" != -- ]; do words+=("$1"); shift; done
	shift
	count=$((count + 1))
	out=$("$program" "$@" 2>&1 </dev/null)
	got=$?
	if [ "$got" != "$status" ]; then
		printf 'rocsteady %s: ended with %s, not %s\n%s\n' "$*" "$got" "$status" "$out"
		failed=$((failed + 1))
		return
	fi
	for word in "${words[@]}"; do
		case $word in
		not:*) grep -qF -- "${word#not:}" <<<"$out" || continue ;;
		*) ! grep -qF -- "$word" <<<"$out" || continue ;;
		esac
		printf 'rocsteady %s: expected %s in\n%s\n' "$*" "$word" "$out"
		failed=$((failed + 1))
	done
}

# ---- a small knowledge and a small machine ----

mkdir -p "$work/kb/causes" "$work/kb/remedies" "$work/kb/tables"
printf 'version: 2026-11-15\nneeds: 0.1.0\n' >"$work/kb/VERSION"
cat >"$work/kb/remedies/do-it.yaml" <<-'YAML'
	remedy: do-it
	title: "Do it"
	risk: none
	changes: "nothing"
	undo: "nothing"
	minutes: 1
	steps: |
	  Look first:
	      true
	verify: "true"
	sources:
	  - {class: inferred, ref: "this test", says: "nothing"}
YAML
# cause NAME SEVERITY WEIGHT WHERE [MORE]
cause() {
	cat >"$work/kb/causes/$1.yaml" <<-YAML
		cause: $1
		title: "{subject}: $1 has {value}"
		story: >
		  A story of $1.
		scope: gpu
		severity: $2
		action: none
		prior: -20
		evidence:
		  - id: seen
		    weight: $3
		    says: "{subject} {value} is seen"
		    when: |
		      SELECT name AS subject, value, source, origin FROM env WHERE $4
		${5:-}
		undecided: "a look at the log decides it"
		remedies: [do-it]
		sources:
		  - {class: inferred, ref: "this test", says: "nothing"}
	YAML
}
cause a-problem problem 45 "name = 'HIP_VISIBLE_DEVICES' AND value = 'problem'"
cause a-warning warning 30 "name = 'HIP_VISIBLE_DEVICES' AND value IN ('warning', 'problem')"
cause a-note info 45 "name = 'HIP_VISIBLE_DEVICES' AND value <> 'none'"
cause an-open problem 15 "name = 'HIP_VISIBLE_DEVICES' AND value = 'open'" \
"  - id: logged
    weight: 20
    says: \"{value}\"
    when: SELECT '' AS subject, text AS value, source, origin FROM kernel_log
never-alone: the variable and the log decide it together"
"$program-kb" build "$work/kb" -o "$work/kb.db" >"$work/out" 2>&1 || {
	cat "$work/out"
	exit 1
}

# machine VALUE: HIP_VISIBLE_DEVICES is it, and the kernel log may not be read.
machine() {
	printf 'rocsteady-snapshot 1\nask clock\n\twall 1794744000 2026-11-15T12:00:00Z\n\tuptime 100\n' >"$work/$1.snap"
	printf 'ask environment\n\tHIP_VISIBLE_DEVICES=%s\nask kernel-log !EPERM\n' "${2:-$1}" >>"$work/$1.snap"
	printf 'dir /sys/bus/pci/devices\ndir /sys/class/kfd/kfd/topology/nodes !ENOENT\n' >>"$work/$1.snap"
	printf 'node /dev/dxg !ENOENT\nnode /dev/kfd !ENOENT\nask open /dev/kfd !ENOENT\ndir /dev/dri !ENOENT\n' >>"$work/$1.snap"
}
for value in none note warning problem open; do machine $value; done
machine escape $'problem\033[31m\a'
check=(check --kb "$work/kb.db" --from)

# ---- the verdict is the exit status ----

want 0 'ok ready' 'not:a-note' -- "${check[@]}" "$work/none.snap"
want 0 'ok ready' '-  HIP_VISIBLE_DEVICES: a-note has note' 'a-note - certain' -- "${check[@]}" "$work/note.snap"
want 1 '!  HIP_VISIBLE_DEVICES: a-warning has warning' 'a-warning - likely' -- "${check[@]}" "$work/warning.snap"
want 2 '!! HIP_VISIBLE_DEVICES: a-problem has problem' 'a-problem - certain' 'A story of a-problem' \
	'1  Do it' '          true' '1 problem, 1 warning' -- "${check[@]}" "$work/problem.snap"
want 3 '?? Unclear: ' 'an-open - unclear' 'Not known: kernel_log' 'a look at the log decides it' \
	-- "${check[@]}" "$work/open.snap"
want 3 '"verdict": "undecided"' '"exit_status": 3' -- "${check[@]}" "$work/open.snap" --json --verbose
want 2 -- "${check[@]}" "$work/problem.snap" --quiet
# No GPU: not ready, unless somebody said so; and what was not read is not known.
none=$source/tests/machines/nogpu-debian12-k61-guest.snap eight=$source/tests/machines/mi300x-x8-ubuntu2204-rocm63-healthy.snap
sed 's|^dir /sys/bus/pci/devices$|& !EACCES|' "$none" >"$work/unread.snap"
want 2 'No AMD GPU on the PCI bus' 'no-gpu - certain' 'rocsteady check --expect gpus=0' -- check --verbose --from "$none"
want 0 'ok ready' 'no AMD GPU on the PCI bus' -- check --from "$none" --expect gpus=0
want 2 'No AMD GPU on the PCI bus' '2' -- check --from "$none" --expect gpus=2
want 3 'Unclear' 'lspci -nn -d 1002:' 'not:no AMD GPU on the PCI bus' -- check --from "$work/unread.snap"
want 0 'ok ready' -- check --from "$eight" --expect gpus=8
want 2 '8 AMD GPUs on the PCI bus, 9 expected' -- check --from "$eight" --expect gpus=9
want 2 '8 AMD GPUs on the PCI bus, 0 expected' -- check --from "$eight" --expect gpus=0
want 64 '--expect takes gpus=NUMBER' -- check --from "$eight" --expect gpu=8
# Not to know which GPUs there are is not to be ready.
(cat "$work/none.snap"; echo 'dir /sys/bus/pci/devices !EACCES') >"$work/blind.snap"
want 3 '?? Unclear which GPUs this machine has: gpu denied' -- "${check[@]}" "$work/blind.snap"
want 3 '"verdict": "undecided"' -- "${check[@]}" "$work/blind.snap" --json --verbose
want 2 '!! ' -- --kb "$work/kb.db" --from "$work/problem.snap"
[ -z "$("$program" "${check[@]}" "$work/problem.snap" --quiet 2>&1)" ] || { echo '--quiet speaks'; failed=$((failed + 1)); }

# ---- every line of a sum, also of one that did not win ----

want 3 'an-open - unclear' '-20 dB  prior' '+15 dB  seen' 'unknown  logged' 'to +15' \
	-- "${check[@]}" "$work/open.snap" --why an-open
want 0 'an-open - not reported' '     no  seen' -- "${check[@]}" "$work/none.snap" --why an-open
want 64 'unknown cause nothing' -- "${check[@]}" "$work/none.snap" --why nothing

# ---- GPUs have the number that programs give them, which is not the order of the bus ----

want 0 '{"subject": "0000:03:00.0", "name": "GPU 2 (MI210, 0000:03:00.0)"}' '{"subject": "0000:63:00.0", "name": "GPU 0 (MI210, 0000:63:00.0)"}' \
	-- query --json "SELECT subject, name FROM gpu_name" --from "$source/tests/machines/mi210-x8-rhel9-rocm63-healthy.snap"
want 0 'GPUs 8-15 (MI300X, 0000:27:00.0)' 'GPU 9 (MI300X, 0000:27:00.0/1)' \
	-- query "SELECT name FROM gpu_name" --from "$source/tests/machines/mi300x-x8-ubuntu2404-rocm64-cpx.snap"
want 2 'GPU 2 (MI300X, 0000:47:00.0, serial INVENTED0002) has lost an xGMI link' '"subject": "0000:47:00.0"' \
	-- check --json --verbose --from "$source/tests/machines/mi300x-x8-ubuntu2204-rocm63-xgmi.snap"
"$program" snapshot --from "$source/tests/machines/mi300x-x8-ubuntu2204-rocm63-xgmi.snap" -o "$work/scrubbed.snap"
want 2 'GPU 0 (MI300X, 0000:05:00.0) has lost an xGMI link' 'not:serial' -- check --from "$work/scrubbed.snap"
want 2 'No kernel driver is loaded for RX 9070 XT (0000:03:00.0)' -- check --from "$(grep -l 'No kernel driver is loaded for RX 9070' "$source"/tests/machines/expected/*.check | head -1 | sed 's,expected/,,; s,check$,snap,')"

# ---- some checks alone ----

machine=$source/tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap
want 2 'device-permission' 'not:left out' -- check --from "$machine"
want 2 'device-permission' '1 check, ' ' left out' -- check --from "$machine" --only device-permission
want 0 'not:device-permission' '1 left out' -- check --from "$machine" --skip device-permission
want 0 'chosen checks passed' 'left out' 'not:ready' -- check --from "$machine" --only gpu,link
want 2 '"left_out": 1' -- check --from "$machine" --skip xgmi-link-down --json --verbose
want 64 'unknown check device-permision; did you mean device-permission?' -- check --from "$machine" --only device-permision
want 64 'leave no check' -- check --from "$machine" --only gpu --skip gpu
want 2 '--skip framework-bug: nothing to skip' -- check --from "$machine" --skip framework-bug
want 2 'not:nothing to skip' -- check --from "$machine" --skip xgmi-link-down
want 0 'device-permission' 'xgmi-link-down' 'severity' 'not:user-code' -- check --list-checks
want 0 'xgmi-link-down' 'not:device-permission' -- check --list-checks --only link
want 0 '"check": "xgmi-link-down"' -- check --list-checks --json
want 64 'text or JSON' -- check --list-checks --format html

# ---- what is refused ----

want 64 'takes no arguments' -- check something
want 64 'use only one of' -- check --json --quiet
want 64 'unknown option' -- check --nonsense
want 66 'no such snapshot' 'not:ready' -- check --from "$work/no such snapshot"
want 66 -- check --from "$work/none.snap" --kb "$work/none.snap"
want 66 -- check --from "$work/none.snap" --kb "$work/missing.db"

# ---- a rule that fails or runs on is told, and changes no verdict ----

for sql in 'SELECT nonsense' 'DELETE FROM env' \
	"SELECT '' AS subject, '' AS value, '' AS source, 'observed' AS origin FROM $(
		printf 'visible_devices v%d, ' 1 2 3 4 5 6 7 8)visible_devices v9 WHERE v1.state || v9.state = 'x'" \
	"SELECT '' AS subject, '' AS value, '' AS source, 'observed' AS origin FROM $(
		printf 'visible_devices v%d, ' 1 2 3 4 5)visible_devices v6"; do
	cp "$work/kb.db" "$work/bad.db"
	sqlite3 "$work/bad.db" "UPDATE evidence SET sql = '$(sed "s/'/''/g" <<<"$sql")' WHERE cause = 'a-warning'"
	want 2 '!! HIP_VISIBLE_DEVICES: a-problem' 'not:a-warning - likely' 'This check could not run' \
		-- check --kb "$work/bad.db" --from "$work/problem.snap"
done
cp "$work/kb.db" "$work/bad.db"
sqlite3 "$work/bad.db" "UPDATE evidence SET sql = 'SELECT nonsense' WHERE cause = 'a-problem'"
want 3 'Not every check was made' 'This check could not run' 'a-problem' 'not:ok ready' -- check --kb "$work/bad.db" --from "$work/none.snap"
want 1 'This check could not run' -- check --kb "$work/bad.db" --from "$work/problem.snap"
want 1 '"state": "crashed"' -- check --kb "$work/bad.db" --from "$work/problem.snap" --json --verbose
want 1 'failed  seen' -- check --kb "$work/bad.db" --from "$work/problem.snap" --why a-problem

# ---- acknowledgements ----

mkdir "$work/ack"
acked=("${check[@]}" "$work/problem.snap" --ack "$work/ack")
want 2 -- "${acked[@]}"
echo 'a-problem HIP_* until 2026-11-15 by ada: known' >"$work/ack/a.conf"
want 1 'Acknowledged until 2026-11-15 by ada: known' '1 acknowledged' 'a-problem - certain' -- "${acked[@]}"
want 1 '"state": "used"' '"severity": "problem"' -- "${acked[@]}" --json --verbose
printf 'date 2026-11-01\na-warning * by bob: too\n' >"$work/ack/b.conf"
want 0 'ok ready' '2 acknowledged' -- "${acked[@]}"
echo 'a-warning * until soon by bob: too' >"$work/ack/b.conf"
want 1 'b.conf:1: ' 'nothing in this file is acknowledged' -- "${acked[@]}"
echo 'a-problem * until 2026-11-14 by ada: known' >"$work/ack/a.conf"
want 2 'a.conf:1: the acknowledgement of a-problem expired on 2026-11-14' -- "${acked[@]}"
rm "$work/ack/"*.conf
mkfifo "$work/ack/fifo.conf"
want 2 'fifo.conf' 'nothing in it is acknowledged' -- "${acked[@]}"
want 2 'nowhere' 'nothing is acknowledged' -- "${check[@]}" "$work/problem.snap" --ack "$work/nowhere"
echo 'gone-away - until 2027-11-14 by ada: known' >"$work/ack/c.conf"
want 2 'no such cause: gone-away' -- "${acked[@]}"

# ---- nothing from the machine reaches a terminal as it is ----

esc=$'\033'
want 0 "not:$esc" 'problem\x1b[31m\x07' -- "${check[@]}" "$work/escape.snap" --verbose
want 0 "not:$esc" -- "${check[@]}" "$work/escape.snap" --json --verbose

# ---- colours and symbols only where they can be shown ----

# look WORD ENVIRONMENT...: the report on a terminal has the word; "not:" as above.
look() {
	local word=$1 out
	shift
	count=$((count + 1))
	out=$(env "$@" script -qec "stty cols 100; '$program' check --kb '$work/kb.db' --from '$work/problem.snap'" /dev/null </dev/null)
	case $word in
	not:*) ! grep -qF -- "${word#not:}" <<<"$out" && return ;;
	*) grep -qF -- "$word" <<<"$out" && return ;;
	esac
	printf 'on a terminal with %s: expected %s in\n%s\n' "$*" "$word" "$out"
	failed=$((failed + 1))
}
if command -v script >/dev/null; then
	look '✗' TERM=xterm LC_ALL=C.UTF-8
	look "$esc[31m" TERM=xterm LC_ALL=C.UTF-8
	look "not:$esc" TERM=xterm LC_ALL=C.UTF-8 NO_COLOR=1
	look '✗' TERM=xterm LC_ALL=C.UTF-8 NO_COLOR=1
	look '!! HIP' TERM=dumb LC_ALL=C.UTF-8
	look "not:$esc" TERM=dumb LC_ALL=C.UTF-8
	look 'not:✗' TERM=xterm LC_ALL=C
fi

# ---- more environments than anybody wants to read ----

# many_environments OPEN: a machine with 25 of them, 23 of which run; OPEN is how /dev/kfd answers.
many_environments() {
	python3 - "$source/tests/machines/rx7900xtx-ubuntu2404-rocm64-five-environments.snap" "$1" <<-'PY'
		import re, sys
		copies = [f"/home/ada/venv{i}/" for i in range(20)]
		for record in re.split(r"(?m)^(?=\S)", open(sys.argv[1]).read()):
		    name, _, body = record.partition("\n")
		    if name == "ask environments":
		        for copy in copies:
		            body += f"\tenv venv {copy[:-1]} 3.12\n\tsite {copy}lib/python3.12/site-packages\n"
		            body += f"\tprogram {copy}bin/python3\n"
		        record = f"{name}\n{body}"
		    if name == "ask open /dev/kfd":
		        record = sys.argv[2] + "\n"
		    print(record, end="")
		    if "/home/ada/venv/" in name:
		        for copy in copies:
		            print(record.replace("/home/ada/venv/", copy), end="")
	PY
}
many_environments $'ask open /dev/kfd\n\topened' >"$work/many.snap"
many_environments 'ask open /dev/kfd !EACCES' >"$work/many-ill.snap"
want 0 "venv19 has code" -- check --from "$work/many.snap" --verbose
want 2 "13 more environments: --verbose" "not:venv19" -- check --from "$work/many-ill.snap"
want 2 "venv19" "not:more environments" -- check --from "$work/many-ill.snap" --verbose
want 0 "/venv19" -- check --from "$work/many.snap" --json --verbose
want 0 "/venv19" -- check --from "$work/many.snap" --format html
count=$((count + 1))
if [ "$("$program" check --json --verbose --from "$work/many.snap" | jq '.environments | length')" != 25 ]; then
	echo "check --json --verbose: not all of 25 environments"
	failed=$((failed + 1))
fi

# ---- this host, whatever it is ----

"$program" >"$work/out" 2>&1 </dev/null
[ $? -le 3 ] && [ -s "$work/out" ] || { echo "rocsteady alone:"; cat "$work/out"; failed=$((failed + 1)); }
count=$((count + 1))

python3 "$source/tests/cli/check_agree.py" || failed=$((failed + 1))

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
