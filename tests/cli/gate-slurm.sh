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
			echo "n1|2026-11-16T21:05:23|\${4#Reason=}" >>$S/drained ;;
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
cat $S/drained
[ ! -e $S/late ] || cat $S/late >>$S/drained
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
	SLURMD_NODENAME=n1 LD_LIBRARY_PATH=/nowhere HOME=/home/nobody SLURM_TIME_FORMAT=%s "$ROCSTEADY" gate --verdict "$V" --config "$C" --for "$@" >"$WORK/out" 2>"$WORK/err"
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
asked 1 "show node n1" && asked 2 "sinfo " && asked 1 "State=DRAIN"
check "the order: state, count, drain, count" [ "$(cut -d' ' -f1 "$S/asked" | tr '\n' ' ')" = "show sinfo update sinfo " ]
check "the environment is ours: $(cat "$S/env")" [ "$(grep -cvE '^(PATH=/usr/bin:/bin|LC_ALL=C|PWD=/|_=.*)$' "$S/env")" = 0 ]
: >"$S/asked"
hook 1 slurm-prolog # drained already
asked 0 "update"

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
quiet old && says "older than 10 minutes" && counted old-verdict 1
quiet other_boot && says "another boot" && counted old-verdict 2
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
# What could not be looked for is not gone, unless the node has booted since.
mkdir "$WORK/empty"
rm -f "$V" && fresh && echo IDLE+DRAIN >"$S/state" && echo "rocsteady: ecc-uncorrectable 0000:c5:00.0: drain (boot 12345678)" >"$S/reason"
hook 0 slurm-health --root "$WORK/empty"
asked 1 "show node n1" && asked 0 update
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
program '#!/bin/sh' 'exec sleep 60'
passes late
program '#!/bin/sh' 'kill -STOP $$'
passes stopped
program '#!/bin/sh' 'exit 70'
passes "our own fault"
finish
