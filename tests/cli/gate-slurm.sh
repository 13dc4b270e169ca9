#!/usr/bin/env bash
# The gate's hooks for Slurm, with programs in place of scontrol and sinfo: what they are asked, in which order, and
# that nothing but an accepted drain has another status than 0. A real Slurm is asked by tests/slurm/lab.sh.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
chmod 755 "$WORK"
MACHINES=$SOURCE/tests/machines
ECC=$MACHINES/mi300x-x8-ubuntu2204-rocm63-ecc.snap
HEALTHY=$MACHINES/mi300x-x8-ubuntu2204-rocm63-healthy.snap
V=$WORK/run/verdict C=$WORK/etc/gate.conf S=$WORK/slurm
mkdir "$WORK/run" "$WORK/etc" "$WORK/bin" "$S"
printf 'slurm_ms 10000\nscontrol %s/bin/scontrol\n' "$WORK" >"$C" # patient: a busy host is no subject here
boot=$(cat /proc/sys/kernel/random/boot_id)

# A controller: a file for the state, one for the reason, one with a line for each node that is drained.
cat >"$WORK/bin/scontrol" <<FAKE
#!/bin/sh
echo "\$*" >>$S/asked
env | sort >$S/env
[ ! -e $S/down ] || { echo \$\$ >$S/down; exec sleep 60; }
case "\$1 \$3" in
"show n1")
	echo "NodeName=n1 Arch=x86_64"
	echo "   State=\$(cat $S/state) ThreadsPerCore=1"
	[ ! -s $S/reason ] || echo "   Reason=\$(cat $S/reason) [root@2026-11-16T21:05:23]"
	;;
"update NodeName=n1")
	[ ! -e $S/refuse ] || { echo "slurm_update error: Invalid user id" >&2; exit 1; }
	;;
*)
	case "\$1 \$2" in
	"update NodeName=n1")
		[ ! -e $S/refuse ] || { echo "slurm_update error: Invalid user id" >&2; exit 1; }
		case \$3 in
		State=DRAIN) echo IDLE+DRAIN >$S/state; echo "\${4#Reason=}" >$S/reason
			echo "n1|2026-11-16T21:05:23|\${4#Reason=}" >>$S/drained
			[ ! -e $S/raced ] || echo "gate ecc-uncorrectable" >>$WORK/run/holder
			[ ! -e $S/unheard ] || { rm $S/unheard; exec sleep 60; } ;;
		State=UNDRAIN) echo IDLE >$S/state; : >$S/reason; sed -i '/^n1|/d' $S/drained ;;
		esac
		;;
	*) echo "Node \$3 not found"; exit 1 ;;
	esac
	;;
esac
FAKE
cat >"$WORK/bin/sinfo" <<FAKE
#!/bin/sh
echo "sinfo \$*" >>$S/asked
env | sort >$S/env
[ ! -e $S/down ] || { echo \$\$ >$S/down; exec sleep 60; }
case "\$*" in
*--nodes=n1*)
	[ ! -e $S/alone ] || exit 0 # a node in no partition
	case \$(cat $S/state) in *+DRAIN) state=drained ;; *) state=\$(tr A-Z a-z <$S/state) ;; esac
	if [ -s $S/reason ]; then echo "n1|\$state|root|1794863123|\$(cat $S/reason)"; else echo "n1|\$state|Unknown|Unknown|none"; fi
	;;
*)
	[ ! -e $S/deaf ] || ! grep -q '^n1|' $S/drained || exec sleep 60
	cat $S/drained
	[ ! -e $S/late ] || cat $S/late >>$S/drained
	;;
esac
FAKE
chmod 755 "$WORK/bin/scontrol" "$WORK/bin/sinfo"

fresh() { # a cluster in which nothing happened
	rm -rf "$S" && mkdir "$S"
	echo IDLE >"$S/state"
	: >"$S/reason"
	: >"$S/drained"
	: >"$S/asked"
}
verdict() { # verdict BOOT SECOND LINE...
	printf 'rocsteady-verdict 1\nboot %s\nsecond %s\nknowledge x\nmode enforce\nmax_drained %s\nscontrol %s\nslurm_ms %s\n' \
		"$1" "$2" "${MAX:-2}" "$WORK/bin/scontrol" "${MS:-10000}" >"$V"
	shift 2
	[ $# = 0 ] || printf '%s\n' "$@" >>"$V"
}
now() { awk '{ print int($1) }' /proc/uptime; }
ill() { verdict "$boot" "$(now)" 'finding ecc-uncorrectable 0000:c5:00.0 drain 1 log GPU\x206 enforce'; }
hook() { # hook STATUS READER OPTION...
	local want=$1 status
	shift
	SLURMD_NODENAME=n1 LD_LIBRARY_PATH=/nowhere HOME=/home/nobody SLURM_TIME_FORMAT=%Y "$ROCSTEADY" gate --verdict "$V" --config "$C" --for "$@" >"$WORK/out" 2>"$WORK/err"
	status=$?
	check "status $want of $* (got $status): $(cat "$WORK/err")" [ "$status" = "$want" ]
}
says() { check "stderr says '$1'; it says $(cat "$WORK/err")" grep -qF -- "$1" "$WORK/err"; }
asked() { check "Slurm was asked $1 times for '$2': $(cat "$S/asked")" [ "$(grep -c -- "$2" "$S/asked")" = "$1" ]; }
drained() { check "the reason is '$1', not '$(cat "$S/reason")'" [ "$(cat "$S/reason")" = "$1" ]; }
counted() { check "$2 counted for $1" grep -qx "rocsteady_gate_passed_total{why=\"$1\"} $2" <("$ROCSTEADY" gate --verdict "$V" --config "$C" --for textfile); }
OURS="rocsteady: ecc-uncorrectable 0000:c5:00.0: drain (boot ${boot:0:8})"

# The first prolog of a boot may come before any verdict, and is counted all the same.
fresh && rm -rf "$WORK/run"
hook 0 slurm-prolog
says "there is no verdict yet"
counted no-verdict 1
rm -f "$WORK/run/passed"

# An enforced finding: asked for the state, counted, drained, counted again; then the job is refused.
fresh && ill
hook 1 slurm-prolog
drained "$OURS"
check "the word for the shim" [ "$(cat "$WORK/out")" = drained ]
asked 1 "--nodes=n1" && asked 0 "show node" && asked 2 "--states=drain" && asked 1 "State=DRAIN"
check "the order: state, count, drain, count" [ "$(cut -d' ' -f1 "$S/asked" | tr '\n' ' ')" = "sinfo sinfo update sinfo " ]
check "the environment is ours: $(cat "$S/env")" [ "$(grep -cvE '^(PATH=/usr/bin:/bin|LC_ALL=C|SLURM_TIME_FORMAT=%s|PWD=/|_=.*)$' "$S/env")" = 0 ]
: >"$S/asked"
hook 1 slurm-prolog # drained already
asked 0 "update"

# A node in no partition is not listed by sinfo: then scontrol is asked, for all of them.
fresh && ill && touch "$S/alone"
hook 1 slurm-prolog
drained "$OURS"
asked 1 "show node n1"

# Slurm drains and answers too late: the node passes, and the next hook finds the drain and keeps it.
rm -rf "$WORK/run" && mkdir "$WORK/run"
fresh && MS=2000 ill && touch "$S/unheard"
hook 0 slurm-prolog
says "it was not drained: "
check "nothing was kept" [ ! -e "$WORK/run/gate.jsonl" ]
check "it is drained all the same" [ "$(cat "$S/state")" = IDLE+DRAIN ]
ill
hook 1 slurm-prolog
check "the drain is in the trail: $(cat "$WORK/run/gate.jsonl")" [ "$(jq -r '[.event, .cause, .why] | join(", ")' "$WORK/run/gate.jsonl")" = "drained, ecc-uncorrectable, found in Slurm, without a line of the trail before" ]
hook 1 slurm-prolog
check "once" [ "$(wc -l <"$WORK/run/gate.jsonl")" = 1 ]
rm -rf "$WORK/run" && mkdir "$WORK/run"

# Observed, healthy, switched off: a prolog does not even call Slurm.
quiet() {
	fresh
	"$1"
	hook 0 slurm-prolog
	check "$1: Slurm was not asked" [ ! -s "$S/asked" ]
}
observed() { verdict "$boot" "$(now)" 'finding ecc-uncorrectable 0000:c5:00.0 drain 1 log GPU\x206 observe'; }
healthy() { verdict "$boot" "$(now)"; }
off() { ill && touch "$WORK/etc/gate.off"; }
quiet observed
quiet healthy
quiet off
says "gate.off"
counted gate-off 1
rm -f "$WORK/etc/gate.off"

# No verdict that counts: it passes, says why and is counted.
none() { rm -f "$V"; }
old() { verdict "$boot" "$(($(now) - 700))" 'finding ecc-uncorrectable 0000:c5:00.0 drain 1 log GPU enforce'; }
other_boot() { verdict 00000000-0000 "$(now)" 'finding ecc-uncorrectable 0000:c5:00.0 drain 1 log GPU enforce'; }
damaged() { ill && echo finding >>"$V"; }
quiet none && says "there is no verdict yet" && counted no-verdict 1
expired=0
if [ "$(now)" -gt 700 ]; then
	expired=1
	quiet old && says "older than 10 minutes" && counted old-verdict 1
else
	echo "not asked: a verdict of more than 10 minutes, for this boot is younger than 12"
fi
quiet other_boot && says "another boot" && counted old-verdict $((expired + 1))
quiet damaged && says "is damaged" && counted bad-verdict 1

# A reason that is not ours stays, drained or not.
for state in IDLE IDLE+DRAIN DOWN; do
	fresh && ill
	echo $state >"$S/state"
	echo "fan broken, see ticket 7" >"$S/reason"
	hook 0 slurm-prolog
	says "a reason that is not ours: fan broken, see ticket 7"
	drained "fan broken, see ticket 7"
	hook 0 slurm-health --from "$HEALTHY"
	drained "fan broken, see ticket 7"
	asked 0 update
done
counted other-reason 3

# Slurm gives what somebody wrote: megabytes of it do not reach syslog.
fresh && ill
head -c 1000000 /dev/zero | tr '\0' x >"$S/reason"
hook 0 slurm-prolog
says "a reason that is not ours: xxx"
check "a long reason is cut: $(wc -c <"$WORK/err") bytes" [ "$(wc -c <"$WORK/err")" -lt 1000 ]

# The brake: a number of nodes, counted before, and again after.
fresh && ill
printf 'n7|2026-11-16T20:00:00|rocsteady: a: drain (boot 1)\nn7|2026-11-16T20:00:00|rocsteady: a: drain (boot 1)\nn8|2026-11-16T20:00:00|fan\n' >"$S/drained"
hook 1 slurm-prolog # one node of two partitions, and one that is not ours
fresh && ill
printf 'n7|2026-11-16T20:00:00|rocsteady: a: drain (boot 1)\nn8|2026-11-16T20:00:00|rocsteady: a: drain (boot 1)\n' >"$S/drained"
hook 0 slurm-prolog
says "2 nodes are drained by the gate, max_drained is 2"
asked 0 update
counted max-drained 1
fresh && ill
printf 'n7|2026-11-16T20:00:00|rocsteady: a: drain (boot 1)\nn8|2026-11-16T20:00:00|rocsteady: a: drain (boot 1)\n' >"$S/late"
hook 0 slurm-prolog # others were as quick as we, and first
says "2 other nodes were first"
drained ""
fresh && MAX=0 ill
hook 0 slurm-prolog
asked 0 update

# Nobody can say how many there are after the drain: it is given back.
fresh && MS=2000 ill && touch "$S/deaf"
hook 0 slurm-prolog
says "it was drained and released, for the limits could not be checked: $WORK/bin/sinfo did not answer within 2000 ms"
drained ""
rm -rf "$WORK/run" && mkdir "$WORK/run"

# Slurm refuses, is silent, is not there, is somebody else's: no drain, and soon.
fresh && ill && touch "$S/refuse"
hook 0 slurm-prolog
says "Invalid user id"
fresh && MS=300 ill && touch "$S/down"
began=$(date +%s%N)
hook 0 slurm-prolog
took=$((($(date +%s%N) - began) / 1000000))
says "did not answer within 300 ms"
check "it took $took ms, of 60,000 that Slurm would wait" [ "$took" -lt 50000 ]
counted slurm-silent 2
check "nobody is left that waits" bash -c 'for i in {1..100}; do kill -0 $0 2>/dev/null || exit 0; sleep 0.1; done; exit 1' "$(cat "$S/down")"
rm -f "$S/down"
ill && sed -i 's,^scontrol .*,scontrol /nowhere/scontrol,' "$V"
hook 0 slurm-prolog
says "/nowhere/scontrol: No such file"
ill && chmod 777 "$WORK/bin/scontrol"
hook 0 slurm-prolog
says "can be written by everybody"
chmod 755 "$WORK/bin/scontrol"
for name in "" "n1,n2" "-n" 'n[1-9]'; do
	SLURMD_NODENAME=$name "$ROCSTEADY" gate --verdict "$V" --config "$C" --for slurm-prolog >"$WORK/out" 2>"$WORK/err"
	check "'$name' is no node" [ $? = 0 ]
	says "SLURMD_NODENAME"
done

# Health and epilog look first. A finding drains, its end releases, and only by us.
printf 'slurm_ms 10000\nmax_drained 2\nenforce ecc-uncorrectable replace\nscontrol %s/bin/scontrol\n' "$WORK" >"$C"
rm -f "$V" && fresh
hook 0 slurm-health --from "$ECC"
check "drained by a health check: $(cat "$S/reason")" grep -q '^rocsteady: ecc-uncorrectable 0000:..:00.0: [a-z-]* (boot ' "$S/reason"
: >"$S/asked"
hook 0 slurm-epilog --from "$ECC"
asked 0 update
rm -f "$V"
hook 0 slurm-epilog --from "$HEALTHY"
says "is released"
check "in service again" [ "$(cat "$S/state")" = IDLE ]
# What could not be looked for is not gone: the counters of the node that is drained fail, with and without a reboot.
LOST=$WORK/lost.snap
sed 's#^\(file .*/ras/[a-z0-9_]*_err_count\)$#\1 !EIO#' "$HEALTHY" >"$LOST"
QUIET=$WORK/quiet.snap # counted, and nothing in the log
grep -v "^	.*uncorrectable hardware" "$ECC" >"$QUIET"
rm -f "$V" && fresh
hook 0 slurm-health --from "$QUIET"
sed 's#^\(file .*/ras/[a-z0-9_]*_err_count\)$#\1 !EIO#' "$QUIET" >"$WORK/quiet-lost.snap"
hook 0 slurm-health --from "$WORK/quiet-lost.snap"
check "it stays drained" [ "$(cat "$S/state")" = IDLE+DRAIN ]
mkdir "$WORK/empty"
rm -f "$V" && fresh && echo IDLE+DRAIN >"$S/state" && echo "rocsteady: ecc-uncorrectable 0000:c5:00.0: drain (boot 12345678)" >"$S/reason"
hook 0 slurm-health --root "$WORK/empty"
asked 1 "--nodes=n1" && asked 0 update
rm -f "$V"
hook 0 slurm-health --from "$LOST" # nor in another boot
asked 0 update
rm -f "$V"
hook 0 slurm-health --from "$HEALTHY"
asked 1 "State=UNDRAIN"
# A reason with our leader that somebody else wrote has no boot: then it is this one, and a healthy look releases it.
rm -f "$V" && fresh && echo IDLE+DRAIN >"$S/state" && echo "rocsteady: hands off" >"$S/reason"
hook 0 slurm-health --from "$HEALTHY"
asked 1 "State=UNDRAIN"
# A config with a mistake enforces nothing, and releases nobody that is still ill.
rm -f "$V" && fresh
hook 0 slurm-health --from "$ECC"
echo "typo" >>"$C"
before=$(cat "$S/reason")
hook 0 slurm-health --from "$ECC"
says "nothing is enforced"
drained "$before"
sed -i '/^typo$/d' "$C"
touch "$WORK/etc/gate.off"
hook 0 slurm-health --from "$ECC"
drained "$before"
rm -f "$WORK/etc/gate.off"

# The rate: what was drained in the last hour, beside the level.
T=$(date +%s)
limits() { # limits LINE...: a verdict of an ill node under these
	ill
	printf '%s\n' "$@" >>"$V"
}
others() { for n in $(seq "$1"); do echo "m$n|$(($2 + n))|rocsteady: a: drain (boot 12345678)"; done >"$S/drained"; }
fresh && MAX=9 limits "max_per_hour 3" && others 3 $((T - 600))
hook 0 slurm-prolog
says "3 nodes were drained by the gate in an hour, max_per_hour is 3"
asked 0 update
fresh && MAX=9 limits "max_per_hour 3" && others 3 $((T - 4000))
hook 1 slurm-prolog # they were drained earlier
fresh && MAX=9 limits "max_per_hour 2" && others 2 $((T - 600)) && mv "$S/drained" "$S/late"
hook 0 slurm-prolog # others were as quick as we, and first
says "2 other nodes were first, 2 of them in this hour"
drained ""

# The latch: a node that met the brake is not drained when there is room again, until a person resets it.
rm -f "$WORK/run/latched"*
fresh && MAX=2 limits "latch 1" "conf aaaa" && others 2 $((T - 600))
hook 0 slurm-prolog
says "max_drained is 2"
check "the trail says why an ill node takes jobs" [ "$(jq -r '[.event, .cause, .why] | join(" ")' "$WORK/run/gate.jsonl" | grep -c '^latched ecc-uncorrectable 2 nodes are drained')" = 1 ]
check "and the metrics" grep -qx 'rocsteady_gate_latched 1' <("$ROCSTEADY" gate --for textfile --verdict "$V" --config "$C")
check "and the words for people" grep -q 'latched until a person resets it: 2 nodes are' <("$ROCSTEADY" gate --for text --verdict "$V" --config "$C")
: >"$S/drained"
hook 0 slurm-prolog
says "it is latched until a person resets it; 2 nodes are drained by the gate, max_drained is 2"
asked 0 update
check "once" [ "$(grep -c '"event": "latched"' "$WORK/run/gate.jsonl")" = 1 ]
fresh && MAX=2 limits "latch 1" "conf bbbb"
check "that is no latch of this gate.conf" grep -qx 'rocsteady_gate_latched 0' <("$ROCSTEADY" gate --for textfile --verdict "$V" --config "$C")
hook 1 slurm-prolog # another gate.conf resets it
fresh && MAX=2 limits "latch 1" "conf aaaa"
rm "$WORK/run/latched"
hook 1 slurm-prolog # so does removing the file

# Another hook of this node was quicker by a moment: its line of the trail is enough.
rm -rf "$WORK/run" && fresh && mkdir "$WORK/run" && ill && touch "$S/raced"
hook 1 slurm-prolog
check "a drain that another hook has told is told once" [ ! -e "$WORK/run/gate.jsonl" ]

# One that stands above the limit, since its second count was late, counts again in its first minutes, and not later.
printf 'slurm_ms 10000\nmax_drained 2\nenforce ecc-uncorrectable replace\nscontrol %s/bin/scontrol\n' "$WORK" >"$C"
above() { # above SECONDS: it was drained so long ago, two others before it
	rm -f "$V" && fresh
	hook 0 slurm-health --from "$ECC"
	others 2 $((T - 5000))
	echo "n1|$(($(date +%s) - $1))|$(cat "$S/reason")" >>"$S/drained"
	hook 0 slurm-health --from "$ECC"
}
above 120
says "2 other nodes were first"
check "it takes jobs again" [ "$(cat "$S/state")" = IDLE ]
above 1000
check "one that is settled stays" [ "$(cat "$S/state")" = IDLE+DRAIN ]

# The trail: from healthy to ill, drained, repaired and released, for somebody who was not there.
rm -rf "$WORK/run" && fresh
hook 0 slurm-health --from "$HEALTHY"
hook 0 slurm-health --from "$HEALTHY" # nothing changes, nothing is written
hook 0 slurm-health --from "$ECC"
check "a hook says it, too: $(cat "$WORK/err")" grep -q '^{"time": ' "$WORK/err"
hook 0 slurm-health --from "$ECC"
hook 0 slurm-health --from "$HEALTHY"
trail() { jq -c "$1" "$WORK/run/gate.jsonl"; }
check "a line for each change: $(cut -c1-200 "$WORK/run/gate.jsonl")" [ "$(trail .event | tr '\n' ' ')" = '"verdict" "verdict" "drained" "verdict" "released" ' ]
check "from and to" [ "$(trail 'select(.event == "verdict") | [.from, .to]' | tr '\n' ' ')" = '["none","open"] ["open","closed"] ["closed","open"] ' ]
check "which node, and when" [ "$(trail 'select(.node == "n1" and (.time | fromdate) >= '"$T"')' | wc -l)" = 5 ]
found='select(.to == "closed") | .findings[0]'
check "for which cause" [ "$(trail "$found | [.cause, .subject, .action, .enforced, .change]")" = '["ecc-uncorrectable","0000:47:00.0","drain",true,"new"]' ]
check "by which evidence: $(trail "$found.evidence")" grep -q "kernel-\|/sys/" <(trail "$found.evidence[]")
check "under which versions" [ "$(trail 'select(.to == "closed") | [.program != "", .knowledge != "", (.gate_conf | length), .mode]')" = '[true,true,12,"enforce"]' ]
check "the drain has its evidence, too" [ "$(trail 'select(.event == "drained") | [.repair, .title != "", (.evidence | length > 0)]')" = '["drain",true,true]' ]
check "released by whom" [ "$(trail 'select(.event == "released") | [.by, .cause, .reason[:10]]')" = '["gate","ecc-uncorrectable","rocsteady:"]' ]
"$ROCSTEADY" gate --verdict "$V" --config "$C" --for textfile >"$WORK/out"
check "drains are counted" grep -qx 'rocsteady_gate_drains_total{cause="ecc-uncorrectable"} 1' "$WORK/out"
check "releases are counted" grep -qx 'rocsteady_gate_releases_total{cause="ecc-uncorrectable"} 1' "$WORK/out"
"$ROCSTEADY" gate --from "$ECC" --config "$C" --for textfile >"$WORK/out"
check "the digest of gate.conf" grep -qx "rocsteady_gate_conf_info{digest=\"$(sha256sum "$C" | cut -c1-12)\"} 1" "$WORK/out"
check "the program" grep -qE '^rocsteady_gate_program_info\{version="[0-9.]+"\} 1$' "$WORK/out"
# A drain that somebody else ended: resumed, or given another reason, whose author Slurm knows.
hook 0 slurm-health --from "$ECC"
echo IDLE >"$S/state" && : >"$S/reason" && : >"$S/drained"
: >"$S/refuse"
hook 0 slurm-health --from "$ECC"
rm "$S/refuse"
check "resumed: $(trail 'select(.event == "taken")')" [ "$(trail 'select(.event == "taken") | [.cause, .why, .by]')" = '["ecc-uncorrectable","somebody resumed the node","not said by Slurm"]' ]
hook 0 slurm-health --from "$ECC"
echo "fan broken" >"$S/reason"
hook 0 slurm-health --from "$ECC"
check "taken over" [ "$(trail 'select(.event == "taken") | [.why, .by, .reason]' | tail -n 1)" = '["somebody gave another reason","root@2026-11-16T21:05:23Z","fan broken"]' ]
rm "$V" "$WORK/run/acts" # it is mended and boots, and then the person brings it back
hook 0 slurm-health --from "$HEALTHY"
check "not yet returned" [ "$(trail .event | tail -n 1)" = '"verdict"' ]
echo IDLE >"$S/state" && : >"$S/reason"
hook 0 slurm-health --from "$HEALTHY"
hook 0 slurm-health --from "$HEALTHY"
check "returned by a person" [ "$(trail 'select(.event == "returned") | [.cause, .why, .by]')" = '["ecc-uncorrectable","somebody took their reason back","not said by Slurm"]' ]
hook 0 slurm-health --from "$ECC"
echo IDLE >"$S/state" && : >"$S/reason" && : >"$S/drained"
rm "$V" "$WORK/run/acts" # a person resumes it while it boots
hook 0 slurm-health --from "$HEALTHY"
check "a resume beside a boot" [ "$(trail 'select(.event == "taken") | .why' | tail -n 1)" = '"somebody resumed the node"' ]
hook 0 slurm-health --from "$ECC"
# Another configuration is a change by itself.
lines=$(wc -l <"$WORK/run/gate.jsonl")
echo "# a comment" >>"$C"
hook 0 slurm-health --from "$ECC"
check "a line for another gate.conf" [ "$(trail '[.event, .from, .to]' | tail -n +$((lines + 1)))" = '["verdict","closed","closed"]' ]
# The file is bounded: one of before is kept.
head -c 600000 /dev/zero | tr '\0' '\n' >"$WORK/run/gate.jsonl"
echo "# another" >>"$C"
hook 0 slurm-health --from "$ECC"
check "turned over: $(stat -c '%n %s' "$WORK"/run/gate.jsonl*)" [ "$(wc -l <"$WORK/run/gate.jsonl")" = 1 -a "$(stat -c %s "$WORK/run/gate.jsonl.1")" = 600000 ]
rm -rf "$WORK/run" && mkdir "$WORK/run" && ln -s /etc/passwd "$WORK/run/gate.jsonl"
hook 0 slurm-health --from "$ECC"
says "gate.jsonl: not written"
rm -rf "$WORK/run" && mkdir "$WORK/run"

# ---- the shim ----
mkdir "$WORK/shim"
cp "$SOURCE/data/hook/rocsteady-hook" "$WORK/shim/"
export ROCSTEADY_HOOK_VERDICT=$V ROCSTEADY_HOOK_CONFIG=$C SLURMD_NODENAME=n1
shim() { # shim STATUS WHAT
	"$WORK/shim/rocsteady-hook" "${3:-slurm-prolog}" >"$WORK/out" 2>"$WORK/err"
	local status=$?
	check "$2: status $1 (got $status): $(cat "$WORK/err")" [ "$status" = "$1" ]
}
program() { printf '%s\n' "$@" >"$WORK/shim/rocsteady" && chmod 755 "$WORK/shim/rocsteady"; }
ln -s "$ROCSTEADY" "$WORK/shim/rocsteady"
fresh && ill
shim 1 "an accepted drain"
fresh && touch "$S/refuse"
shim 0 "a refused drain"
SLURM_SCRIPT_CONTEXT=epilog_slurmd "$WORK/shim/rocsteady-hook" 2>"$WORK/err"
check "the role is known by what slurmd sets" [ $? = 0 ]
rm -f "$WORK/run/passed"
passes() { # passes WHAT: whatever is in place of the program
	shim 0 "$1"
	says "the node passes"
	n=$((n + 1))
	check "$1: counted" [ "$(wc -c <"$WORK/run/passed")" = "$n" ]
}
n=0
rm -f "$WORK/shim/rocsteady"
passes missing
echo x >"$WORK/shim/rocsteady"
passes "not executable"
printf '\177ELF\002\001\001garbage' >"$WORK/shim/rocsteady" && chmod 755 "$WORK/shim/rocsteady"
passes "another architecture"
program '#!/nowhere/loader'
passes "no loader"
program '#!/bin/sh' 'exit 1'
passes "status 1 without the word"
program '#!/bin/sh' 'echo drained; exit 2'
passes "another status with the word"
program '#!/bin/sh' 'kill -9 $$'
passes killed
program '#!/bin/sh' 'kill -SEGV $$'
passes crashed
sed -i 's/^limit=8 /limit=0.2 /' "$WORK/shim/rocsteady-hook"
printf '#slurm_ms 9000\nslurm_ms 999\nslurm_ms 3x00\n' >"$C"
program '#!/bin/sh' 'exec sleep 60'
passes late
program '#!/bin/sh' 'kill -STOP $$'
passes stopped
program '#!/bin/sh' 'exit 70'
passes "our own fault"
finish
