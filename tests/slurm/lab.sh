#!/usr/bin/env bash
# The gate's hooks in a real Slurm on one host: 50 nodes, 20 with a slurmd each. As root; everything lives in one
# directory, and every daemon that was started is ended.
#
# usage: lab.sh [NODES REAL]     NODES is more than REAL; ROCSTEADY names the program; with MEASURE=N also what a prolog costs N jobs
#
# Faults of recorded machines are planted: each node has a verdict and a machine of its own. Prologs are run by slurmd;
# health checks are started here, as slurmd would, so that the test waits for what it asks and for nothing else.
. "$(dirname "$0")/cluster.sh"
NODES=${1:-50} REAL=${2:-20} MAX=8
# slurmctld looks for all of them: those without a slurmd have an address where nobody listens, not somebody's port.
configure "$REAL" "Prolog=$WORK/bin/prolog" "NodeName=n[$((REAL + 1))-$NODES] NodeHostname=localhost NodeAddr=127.0.0.2 \
	Port=[$((PORT + REAL + 1))-$((PORT + NODES))] CPUs=1 RealMemory=64 State=UNKNOWN"

# ---- nodes ----

# Each node is another machine: the program gets it, and the verdict is this node's.
cp "$SOURCE/data/hook/rocsteady-hook" "$WORK/bin/"
program() { # the real one, behind a script that says which machine this is
	rm -f "$WORK/bin/rocsteady"
	cat >"$WORK/bin/rocsteady" <<-PROGRAM
		#!/bin/sh
		case \$3 in
		slurm-prolog) exec $ROCSTEADY "\$@" ;;
		*) exec $ROCSTEADY "\$@" --from $WORK/nodes/\$SLURMD_NODENAME/machine ;;
		esac
	PROGRAM
	chmod 755 "$WORK/bin/rocsteady"
}
program
cat >"$WORK/bin/prolog" <<PROLOG
#!/bin/sh
export ROCSTEADY_HOOK_CONFIG=$WORK/etc/gate.conf ROCSTEADY_HOOK_VERDICT=$WORK/nodes/\$SLURMD_NODENAME/verdict
exec $WORK/bin/rocsteady-hook slurm-prolog
PROLOG
cat >"$WORK/bin/health" <<HEALTH
#!/bin/sh
export SLURMD_NODENAME=\$1 SLURM_CONF=$SLURM_CONF
export ROCSTEADY_HOOK_CONFIG=$WORK/etc/gate.conf ROCSTEADY_HOOK_VERDICT=$WORK/nodes/\$1/verdict
$WORK/bin/rocsteady-hook slurm-health 2>>$WORK/nodes/\$1/said || echo "\$1: \$?" >>$WORK/nodes/failed
HEALTH
chmod 755 "$WORK/bin/prolog" "$WORK/bin/health"
# Five faults, each a recorded machine, and what Slurm shall say of it.
FAULTS=(
	"n1 ecc ecc-uncorrectable 0000:47:00.0: drain"
	"n2 missing gpu-missing 0000:c7:00.0: drain"
	"n3 nic-down nic-link-down 0000:51:00.0: drain"
	"n4 badpages vram-bad-pages 0000:85:00.0: reset-gpu"
	"n5 stuck gpu-stuck 0000:a7:00.0: reboot"
)
copy_machines "$SOURCE"/tests/machines/mi300x-x?-ubuntu2204-rocm63-{missing,nic-down,badpages,stuck}.snap
is() { # is healthy|FAULT NODE...
	local machine node
	machine=$(echo "$WORK"/mi300x-x?-ubuntu2204-rocm63-"$1".snap)
	shift
	for node in "$@"; do
		mkdir -p "$WORK/nodes/$node"
		rm -f "$WORK/nodes/$node/verdict" # a repair is a boot
		ln -sf "$machine" "$WORK/nodes/$node/machine"
	done
}
conf() {
	printf 'slurm_ms %s\nmax_drained %s\n' "${2:-10000}" "$1"
	printf 'enforce %s replace\n' ecc-uncorrectable gpu-missing nic-link-down vram-bad-pages gpu-stuck
} >"$WORK/etc/gate.conf"
mapfile -t all < <(seq -f 'n%.0f' 1 "$REAL")
health() { printf '%s\n' "$@" | xargs -P "${AT_ONCE:-4}" -n 1 "$WORK/bin/health"; }
ours() { sinfo -h -N -t drain -o '%N %E' | sort -u | sed -n 's/^\(n[0-9]*\) rocsteady: .*/\1/p' | sort -V | tr '\n' ' '; }
drained_are() { check "drained by the gate: '$1', not '$(ours)'" [ "$(ours)" = "$1" ]; }

started=$SECONDS
start_munged
slurmctld -c
for node in "${all[@]}"; do slurmd -N "$node"; done
idle() { [ "$(sinfo -h -N -t idle -o %N | sort -u | wc -l)" = "$REAL" ]; }
check "$REAL nodes are in service" until_true $((60 + 5 * REAL)) idle
is healthy "${all[@]}"
conf $MAX
echo "$NODES nodes, $REAL real: ready after $((SECONDS - started)) s"

# ---- five faults, a repair, and an administrator ----

health "${all[@]}"
drained_are ""
for fault in "${FAULTS[@]}"; do
	read -r node name _ <<<"$fault"
	is "$name" "$node"
done
is ecc n6
scontrol update NodeName=n6 State=DRAIN Reason="fan, ticket 7"
health "${all[@]}"
drained_are "n1 n2 n3 n4 n5 "
for fault in "${FAULTS[@]}"; do
	read -r node _ words <<<"$fault"
	check "$node: $(reason "$node")" [ "$(reason "$node")" = "rocsteady: $words (boot ${BOOT:0:8})" ]
done
echo "five faults: $(ours)"
check "an administrator's reason stays" [ "$(reason n6)" = "fan, ticket 7" ]

# ---- a prolog, by slurmd ----

job() { # job NODE: its state when it is over or back in the queue
	local id
	id=$(sbatch --parsable -w "$1" -o /dev/null --wrap true) || return 1
	until_true 40 over "$id" "$1"
	scontrol show job "$id" | sed -n 's/^ *JobState=\([A-Z]*\) .*/\1/p'
	scancel "$id"
}
over() { scontrol show job "$1" | grep -qE 'JobState=(COMPLETED|FAILED)' || [ -n "$(reason "$2")" ]; }
check "a job runs on a healthy node" [ "$(job n8)" = COMPLETED ]
is ecc n7
"$ROCSTEADY" gate --from "$WORK/nodes/n7/machine" --verdict "$WORK/nodes/n7/verdict" --config "$WORK/etc/gate.conf" >/dev/null
check "a job does not run on an ill one" [ "$(job n7)" != COMPLETED ]
check "the reason is ours, and not 'Prolog error': $(reason n7)" grep -q "^rocsteady: ecc-uncorrectable" <(reason n7)
is healthy n1 n2 n3 n4 n5 n6 n7
health "${all[@]}"
drained_are ""
check "an administrator's reason survives the repair" [ "$(reason n6)" = "fan, ticket 7" ]
check "and that node is still drained" [ "$(sinfo -h -N -n n6 -o %t)" = drain ]
scontrol update NodeName=n6 State=RESUME

# ---- knowledge that condemns every node ----

is ecc "${all[@]}"
began=$SECONDS
AT_ONCE=10 health "${all[@]}"
count=$(ours | wc -w)
echo "every node condemned: $count of $REAL drained, max_drained $MAX, in $((SECONDS - began)) s"
check "at least max_drained ($count)" [ "$count" -ge $MAX ]
check "at most max_drained and those under way ($count)" [ "$count" -le $((MAX + 10)) ]
touch "$WORK/etc/gate.off" # switched off, nobody else is drained; the ill ones stay
health "${all[@]}"
check "gate.off: still $count" [ "$(ours | wc -w)" = "$count" ]
rm "$WORK/etc/gate.off"
is healthy "${all[@]}"
AT_ONCE=10 health "${all[@]}" # the brake does not hold back a release
drained_are ""

# ---- nobody answers ----

silent() { # silent WHAT: a prolog of an ill node passes, in our time and not in Slurm's
	local began=$EPOCHREALTIME status
	"$ROCSTEADY" gate --from "$WORK/$(basename "$ECC")" --verdict "$WORK/nodes/n9/verdict" --config "$WORK/etc/gate.conf" >/dev/null
	SLURMD_NODENAME=n9 "$WORK/bin/prolog" 2>"$WORK/err"
	status=$?
	took=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
	check "$1: it passes (status $status) after $took s: $(cat "$WORK/err")" [ "$status" = 0 ]
	check "$1: and says so" grep -q "passes" "$WORK/err"
	echo "$1: the prolog passed after $took s"
}
conf $MAX 1000
stop munged
silent "munge is down"
start_munged
stop slurmctld
silent "slurmctld is down"
slurmctld
check "slurmctld is back" until_true 60 scontrol ping
drained_are ""

# ---- what it costs ----

# median COMMAND...: of so many times; each job is on another node, or it would wait for the end of the one before.
median() {
	local began i
	for ((i = 0; i < MEASURE; i++)); do
		NODE=n$((8 + i % (REAL - 8))) began=$EPOCHREALTIME
		"$@" >/dev/null 2>&1
		awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f\n", (b - a) * 1000 }'
	done | sort -n | sed -n "$(((MEASURE + 1) / 2))p"
}
a_job() { srun -w "$NODE" true; }
a_prolog() { SLURMD_NODENAME=$NODE "$WORK/bin/prolog"; }
if [ "${MEASURE:-0}" -gt 0 ]; then
	check "n8 answers again" until_true 60 eval '[ "$(sinfo -h -N -n n8 -o %t)" = idle ]'
	is healthy "${all[@]}" && health "${all[@]}"
	for round in 1 2; do
		echo "a job with the prolog: $(median a_job) ms"
		sed -i 's,^Prolog=,#&,' "$SLURM_CONF" && scontrol reconfigure
		echo "a job without a prolog: $(median a_job) ms"
		sed -i 's,^#Prolog=,Prolog=,' "$SLURM_CONF" && scontrol reconfigure
	done
	echo "counting drained nodes: $(median sinfo -h -N -t drain -o '%N|%H|%E') ms"
	echo "asking for one node: $(median sinfo -h -N -n n8 -o "%N|%T|%u|%H|%E") ms"
	echo "the hook of a healthy node by itself: $(median a_prolog) ms"
	echo "a reader by itself: $(median "$ROCSTEADY" gate --for npd --verdict "$WORK/nodes/n8/verdict") ms"
fi

# ---- our own death, under slurmd ----

broken() { # broken WHAT: a job runs, and nobody is drained
	is healthy n10
	check "$1: the job runs" [ "$(job n10)" = COMPLETED ]
	check "$1: nobody is drained: $(reason n10)" [ -z "$(reason n10)" ]
}
check "n10 answers again" until_true 60 eval '[ "$(sinfo -h -N -n n10 -o %t)" = idle ]'
rm "$WORK/bin/rocsteady"
broken "the program is missing"
printf '#!/bin/sh\nexit 1\n' >"$WORK/bin/rocsteady" && chmod 755 "$WORK/bin/rocsteady"
broken "it ends with 1 by itself"
printf '#!/bin/sh\nkill -9 $$\n' >"$WORK/bin/rocsteady"
broken "it is killed"
program
echo typo >>"$WORK/etc/gate.conf"
broken "gate.conf has a mistake"
check "no hook ended with another status than 0" [ ! -e "$WORK/nodes/failed" ]
echo "in $((SECONDS - started)) s"
finish
