#!/usr/bin/env bash
# `rocsteady gate`: the same words as check for every recorded machine, one verdict for
# all readers, and a verdict that is missing, old, foreign or damaged closes nothing.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
MACHINES=$SOURCE/tests/machines
V=$WORK/run/verdict

run() {
	local want=$1 status
	shift
	"$ROCSTEADY" gate "$@" >"$WORK/out" 2>"$WORK/err"
	status=$?
	check "status $want of: gate $* (got $status)" [ "$status" = "$want" ]
}
says() { check "stderr says '$1'" grep -qF -- "$1" "$WORK/err"; }
prints() { check "stdout has '$1'" grep -qF -- "$1" "$WORK/out"; }

# Cause, subject and action of what check finds, and what each reader says of the same machine.
agree() {
	local snap=$1 closes
	closes='.findings[] | select((.belief | IN("likely", "certain")) and .kind == "cause" and .because_of == null)
		| select((.scope | IN("node", "gpu", "link", "nic")) and (.action | IN("reset-gpu", "reboot", "drain", "replace")))
		| select(.acknowledged == null)'
	"$ROCSTEADY" check --from "$snap" --json --verbose | jq -r "$closes | \"\(.cause) \(.subject) \(.action)\"" | sort >"$WORK/check"
	"$ROCSTEADY" gate --from "$snap" --for textfile |
		sed -n 's/^rocsteady_gate_finding{cause="\(.*\)",subject="\(.*\)",action="\(.*\)",mode="observe"} 1$/\1 \2 \3/p' | sort >"$WORK/gate"
	cmp -s "$WORK/check" "$WORK/gate"
}
ill=0
mapfile -t some < <(some_of "$MACHINES"/*.snap)
for snap in "${some[@]}"; do
	check "gate and check agree on $(basename "$snap")" agree "$snap"
	[ ! -s "$WORK/gate" ] || ill=$((ill + 1))
	if [ -s "$WORK/gate" ]; then
		first=$("$ROCSTEADY" gate --from "$snap" --for npd --observed)
		cause=${first%%[ :]*}
		check "its label names the same cause" grep -qx "rocsteady.io/cause=$cause" <("$ROCSTEADY" gate --from "$snap" --for nfd)
		check "and so does the monitor" grep -qF "CRITICAL - $first" <("$ROCSTEADY" gate --from "$snap" --for nagios)
		check "and the text" grep -qF "($cause" <("$ROCSTEADY" gate --from "$snap")
	fi
done
check "at least one in twenty is closed (got $ill of ${#some[@]})" [ $((ill * 20)) -ge ${#some[@]} ]

# Two files of one GPU hang. The gate asks little, so little is left that could be skipped behind them.
A7=/sys/devices/pci0000:a0/0000:a0:01.1/0000:a3:00.0/0000:a4:00.0/0000:a5:00.0/0000:a6:00.0/0000:a7:00.0
cp "$MACHINES/mi300x-x8-ubuntu2204-rocm63-stuck.snap" "$WORK/stuck.snap"
echo "file $A7/ras/gpu_vram_bad_pages !STUCK" >>"$WORK/stuck.snap"
run 2 --from "$WORK/stuck.snap"
prints "(gpu-stuck 0000:a7:00.0): reboot"

ECC=$MACHINES/mi300x-x8-ubuntu2204-rocm63-ecc.snap
HEALTHY=$MACHINES/mi300x-x8-ubuntu2204-rocm63-healthy.snap
run 0 --from "$HEALTHY"
check "a healthy node is one line" [ "$(cat "$WORK/out")" = "ok       This node may take jobs." ]
run 2 --from "$ECC"
prints "The steps for each: sudo rocsteady check"
run 1 --from "$ECC" --for npd --observed
run 0 --from "$ECC" --for npd
prints "observed only: ecc-uncorrectable 0000:47:00.0: "
check "one line of at most 80 bytes" [ "$(wc -lc <"$WORK/out" | awk '{ print ($1 == 1 && $2 <= 81) }')" = 1 ]

# What the journal or a file has told stays for the boot as well.
"$ROCSTEADY" gate --from "$MACHINES/mi300x-x7-ubuntu2204-rocm63-missing.snap" --verdict "$V" >"$WORK/out"
check "a finding of the journal stands on a log: $(grep finding "$V")" grep -qE '^finding gpu-missing [^ ]+ drain [0-9]+ log ' "$V"
rm -f "$V"

# A healthy node costs a monitor few series, and a file that nobody renews can be told from a new one.
now=$(date +%s)
run 0 --from "$HEALTHY" --for textfile
series=$(grep -vc '^#' "$WORK/out")
check "at most 40 series a healthy node (got $series)" [ "$series" -le 40 ]
check "no series has a date" [ "$(grep -vcE '^(#.*|[a-z_]+({[^}]*})? [0-9]+)$' "$WORK/out")" = 0 ]
written=$(sed -n 's/^rocsteady_gate_written_timestamp_seconds //p' "$WORK/out")
check "when it was written ($written, now $now)" [ "$written" -ge "$now" ]
prints 'rocsteady_gate_findings 0'
prints 'rocsteady_gate_undecided_causes 0'
check "the knowledge that judged" grep -qE '^rocsteady_gate_knowledge_info\{version="[^"]+"\} 1$' "$WORK/out"

# What the site enforces is written into the verdict, finding by finding; everything else is observed.
C=$WORK/etc/gate.conf
mkdir "$WORK/etc"
modes() { "$ROCSTEADY" gate --from "$ECC" --config "$C" --for textfile >"$WORK/out" 2>"$WORK/err"; }
cause=$("$ROCSTEADY" gate --from "$ECC" --for npd --observed) cause=${cause%%[ :]*}
modes
prints 'rocsteady_gate_mode{mode="observe"} 1'
prints 'rocsteady_gate_conf_ignored 0'
printf '# one cause\nmax_drained 5\nenforce %s replace\n' "$cause" >"$C"
modes
prints 'rocsteady_gate_mode{mode="enforce"} 1'
check "this cause is enforced" grep -q "^rocsteady_gate_finding{cause=\"$cause\",.*,mode=\"enforce\"} 1" "$WORK/out"
run 2 --from "$ECC" --config "$C" --verdict "$V"
check "the verdict says so" grep -q "^finding $cause .* enforce [a-z-]*$" "$V"
check "and how many nodes may be drained" grep -qx "max_drained 5" "$V"
run 1 --from "$ECC" --config "$C" --for npd
prints "$cause 0000:47:00.0: "
printf 'max_drained 5\nenforce %s reset-gpu\n' "$cause" >"$C"
modes
check "a harsher action than the site agreed to is observed" grep -q "^rocsteady_gate_finding{cause=\"$cause\",.*,mode=\"observe\"} 1" "$WORK/out"
run 2 --from "$ECC" --config "$C"
prints ", observed only"
run 0 --from "$ECC" --config "$C" --for npd
prints "observed only: $cause 0000:47:00.0: "
run 1 --from "$ECC" --config "$C" --for npd --observed
prints ", observed only"

# Two faults, of which the site enforces one: whoever names a cause names that one, and it is the first of the verdict.
BOTH=$MACHINES/mi300x-x8-ubuntu2204-rocm63-pcie-errors.snap
"$ROCSTEADY" gate --from "$BOTH" --for textfile | sed -n 's/^rocsteady_gate_finding{cause="\([^"]*\)".*/\1/p' >"$WORK/found"
check "two faults: $(tr '\n' ' ' <"$WORK/found")" [ "$(wc -l <"$WORK/found")" = 2 ]
while read -r other; do
	printf 'max_drained 5\nenforce %s replace\n' "$other" >"$C"
	rm -f "$V"
	run 2 --from "$BOTH" --config "$C" --verdict "$V"
	check "$other is enforced, so it is first" [ "$(sed -n 's/^finding \([^ ]*\) .*/\1/p' "$V" | head -n 1)" = "$other" ]
	check "and first of the text" [ "$(head -n 1 "$WORK/out" | grep -c "($other")" = 1 ]
	run 1 --from "$BOTH" --config "$C" --for npd
	check "npd: $(cat "$WORK/out")" grep -qE "^$other( [^ ]+)?: [a-z-]+, and 1 more$" "$WORK/out"
	run 2 --from "$BOTH" --config "$C" --for nagios
	check "nagios: $(cat "$WORK/out")" grep -qE "CRITICAL - $other( [^ ]+)?: [a-z-]+, and 1 more" "$WORK/out"
	run 0 --from "$BOTH" --config "$C" --for nfd
	prints "rocsteady.io/cause=$other"
	prints "rocsteady.io/mode=enforce"
done <"$WORK/found"
rm -f "$V"
ignored() {
	modes
	prints 'rocsteady_gate_conf_ignored 1'
	prints 'rocsteady_gate_mode{mode="observe"} 1'
	check "nothing is enforced" [ "$(grep -c 'mode="enforce"} 1' "$WORK/out")" = 0 ]
	says "nothing is enforced: "
	says "$1"
}
printf 'max_drained 5\nenforce %s replace\nenforce no-such-cause drain\n' "$cause" >"$C"
ignored "gate.conf:3: the gate does not judge no-such-cause"
printf 'max_draind 5\nenforce %s replace\n' "$cause" >"$C"
ignored "gate.conf:1: the keys are"
printf 'max_drained 5\nenforce %s replace\n' "$cause" >"$C"
chmod 666 "$C"
ignored "can be written by everybody"
chmod 644 "$C"
head -c 70000 /dev/zero >"$C"
ignored "File too large"
rm -f "$C" && mkfifo "$C"
ignored "Invalid argument"
rm -f "$C"
run 64 --config etc/gate.conf

# A test of the GPUs: only of this host, and a host that has none says so.
run 64 --with probe --from "$ECC"
says "leave out --from"
run 64 --with wishes
says "--with"
run 64 --with probe --every 60
if [ ! -e /dev/kfd ]; then
	run "$("$ROCSTEADY" gate --verdict "$V" >/dev/null 2>&1; echo $?)" --with probe --verdict "$V"
	says "the GPUs were not tested: "
	check "and the verdict tells of none" [ "$(grep -c '^test' "$V")" = 0 ]
	rm -f "$V"
fi

# gate.off lets everything pass at once, and every reader says so.
touch "$WORK/etc/gate.off"
run 0 --from "$ECC" --config "$C"
prints "gate.off lets everything pass"
run 0 --from "$ECC" --config "$C" --for npd
prints "everything passes: ${WORK:0:40}" # npd takes 80 bytes, and some have long paths
run 0 --from "$ECC" --config "$C" --for nagios
run 0 --from "$ECC" --config "$C" --for nfd
prints "rocsteady.io/gate=open"
modes
prints 'rocsteady_gate_mode{mode="off"} 1'
prints 'rocsteady_gate_finding{'
rm -f "$WORK/etc/gate.off" "$V"

# A verdict is kept whole, readable for all, and for this boot.
run 2 --from "$ECC" --verdict "$V"
check "it is at most 4 kB" [ "$(stat -c %s "$V")" -le 4096 ]
check "everybody may read it" [ "$(stat -c %a "$V")" = 644 ]
check "only the trail is left beside it: $(ls -A "$WORK/run")" [ "$(ls -A "$WORK/run" | tr "\n" " ")" = "gate.jsonl verdict " ]
run 2 --for npd --verdict "$V"
prints "another boot"
run 3 --for nagios --verdict "$V"
prints "ROCSTEADY UNKNOWN - the verdict is of another boot"
run 0 --for nfd --verdict "$V"
prints "rocsteady.io/gate=unknown"

# As if this boot had written it. An earlier finding stays if it stands on the log.
boot=$(cat /proc/sys/kernel/random/boot_id)
second=$(awk '{ print int($1) }' /proc/uptime)
made() { printf 'rocsteady-verdict 1\nboot %s\nsecond %s\nknowledge x\nfinding xgmi-link-down 0000:05:00.0 drain 1 %s lost\n' "$boot" "$1" "$2" >"$V"; }
made "$second" log
run 1 --for npd --observed --verdict "$V"
prints "xgmi-link-down 0000:05:00.0: drain"
run 0 --for npd --verdict "$V"
prints "observed only: xgmi-link-down 0000:05:00.0: drain"
run 2 --verdict "$V" # this host is looked at, and has no such fault
prints "xgmi-link-down"
check "when it was first seen is kept" grep -qE '^finding xgmi-link-down 0000:05:00.0 drain 1 log' "$V"
run 1 --for npd --observed --verdict "$V"
if [ "$second" -gt 700 ]; then
	made "$((second - 700))" log
	run 2 --for npd --verdict "$V"
	prints "older than 10 minutes"
else
	echo "not asked: a verdict older than this boot, which is younger than 12 minutes"
fi
made "$((second + 7000))" log
run 2 --for npd --verdict "$V"

# Missing, damaged, foreign, a link, a directory, a pipe: it is told, and closes nothing.
unclear() {
	run 2 --for npd --verdict "$V"
	run 3 --for nagios --verdict "$V"
	run 0 --for textfile --verdict "$V"
	prints 'rocsteady_gate_state{state="unknown"} 1'
}
rm -f "$V" && unclear
printf 'rocsteady-verdict 1\nfinding\n' >"$V" && unclear
head -c 5000 /dev/zero >"$V" && unclear
rm -f "$V" && ln -s /etc/passwd "$V" && unclear
rm -f "$V" && mkdir "$V" && unclear
rmdir "$V" && mkfifo "$V" && unclear
rm -f "$V"
if [ "$(id -u)" = 0 ]; then
	made "$second" log
	chown 65534 "$V"
	unclear
	made "$second" log
	chmod 666 "$V"
	unclear
	rm -f "$V"
fi

# A counter that is there and cannot be read: not healthy by silence, and no fault. Heat closes nothing, so it is not missed.
sed 's#^\(file .*/ras/umc_err_count\)$#\1 !EIO#' "$HEALTHY" >"$WORK/lost.snap"
run 3 --from "$WORK/lost.snap"
prints "not decided: ecc-uncorrectable"
sed 's#^\(\ttemp[0-9]*_input\) .*#\1 !EIO#' "$HEALTHY" >"$WORK/lost.snap"
check "its heat is lost" grep -q 'temp2_input !EIO' "$WORK/lost.snap"
run 0 --from "$WORK/lost.snap"
# The kernel log is refused to a user, which only says that sudo was left out.
run 0 --from "$MACHINES/rx6600-debian12-k61-healthy.snap"
# Root without CAP_SYSLOG, as in a pod, is refused where the kernel restricts its log: this host is not called healthy.
refused() { # refused COMMAND...: without that capability, and without a journal that has the same lines
	unshare -m sh -c 'for dir in /var/log/journal /run/log/journal; do [ ! -d $dir ] || mount -t tmpfs none $dir; done
		exec setpriv --bounding-set -syslog --inh-caps -syslog "$@"' - "$@"
}
if [ "$(id -u)$(cat /proc/sys/kernel/dmesg_restrict)" = 01 ] && refused true 2>/dev/null; then
	refused "$ROCSTEADY" gate --verdict "$WORK/refused" >"$WORK/out" 2>"$WORK/err"
	check "without CAP_SYSLOG it is unclear: $(cat "$WORK/out")" grep -qF "root may not read the kernel log" "$WORK/out"
fi

# What cannot be read at all is unclear, and never a fault.
mkdir "$WORK/empty"
run 3 --root "$WORK/empty"
prints "See what is not decided, and why: sudo rocsteady check"
run 2 --root "$WORK/empty" --for npd
# A place that cannot be written is told; the answer is still given.
run 2 --from "$ECC" --verdict /proc/nowhere/verdict
says "was not written"
# Health check, epilog and timer may look at once: each writes its verdict, and none another's.
rm -f "$V"
writers=()
for _ in 1 2 3 4; do
	for _ in 1 2 3 4 5 6 7 8 9 10; do "$ROCSTEADY" gate --from "$ECC" --verdict "$V"; done >/dev/null 2>>"$WORK/together" &
	writers+=($!)
done
wait "${writers[@]}"
check "four writers at once: $(head -n 1 "$WORK/together")" [ ! -s "$WORK/together" ]
check "nothing is left beside it" [ "$(find "${V%/*}" -name '.*' -type f | wc -l)" = 0 ]
run 64 --verdict run/verdict
run 64 --for slurm
# A reader takes the kept verdict: one that should tell of another machine too would pass over it.
for reader in npd nagios nfd textfile text; do
	run 64 --for "$reader" --from "$ECC" --verdict "$V"
	says "leave out --verdict to hear of $ECC"
	run 64 --for "$reader" --root "$WORK/empty" --verdict "$V"
done
run 64 now
run 66 --from "$WORK/none"
finish
