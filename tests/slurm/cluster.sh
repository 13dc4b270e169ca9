# Sourced by the tests with a real Slurm: its daemons in one directory, as root, and their end.
. "$(dirname "${BASH_SOURCE[0]}")/../live/lib.sh"
for need in slurmctld slurmd munged scontrol sinfo sbatch; do
	command -v "$need" >/dev/null || skip "no $need here"
done
[ "$(id -u)" = 0 ] || skip "Slurm's daemons want root"
ECC=$SOURCE/tests/machines/mi300x-x8-ubuntu2204-rocm63-ecc.snap
HEALTHY=$SOURCE/tests/machines/mi300x-x8-ubuntu2204-rocm63-healthy.snap
PORT=$((20000 + $$ % 100 * 100)) # two tests at once do not meet, nor the ports that the kernel gives to connections
export SLURM_CONF=$WORK/slurm.conf
chmod 755 "$WORK"
mkdir "$WORK"/{state,log,run,spool,bin,nodes,etc}

start_munged() {
	munged --force --key-file="$WORK/munge.key" --socket="$WORK/run/munge.socket" --pid-file="$WORK/run/munged.pid" \
		--log-file="$WORK/log/munged.log" --seed-file="$WORK/run/munged.seed"
}

# Ends a daemon by its own pid file, and waits until it is gone.
stop() {
	local pid
	pid=$(cat "$WORK/run/$1.pid" 2>/dev/null) || return 0
	kill "${2:--TERM}" "$pid" 2>/dev/null
	tail --pid="$pid" -s 0.05 -f /dev/null
	rm -f "$WORK/run/$1.pid"
}

leave() {
	local file
	for file in "$WORK"/run/slurmd-*.pid; do
		[ ! -e "$file" ] || kill -KILL "$(cat "$file")" 2>/dev/null
	done
	stop slurmctld -KILL
	stop munged -KILL
	rm -rf "$WORK"
}
trap leave EXIT
trap 'exit 1' TERM INT HUP # a limit of time must not leave daemons behind

# configure NODES LINE...: slurm.conf, with the lines that this test adds.
configure() {
	head -c 1024 /dev/urandom >"$WORK/munge.key" && chmod 400 "$WORK/munge.key"
	cat >"$WORK/slurm.conf" <<-CONF
		ClusterName=gate
		SlurmctldHost=localhost(127.0.0.1)
		SlurmctldPort=$PORT
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$WORK/run/munge.socket
		StateSaveLocation=$WORK/state
		SlurmdSpoolDir=$WORK/spool/%n
		SlurmctldPidFile=$WORK/run/slurmctld.pid
		SlurmdPidFile=$WORK/run/slurmd-%n.pid
		SlurmctldLogFile=$WORK/log/slurmctld.log
		SlurmdLogFile=$WORK/log/slurmd-%n.log
		ProctrackType=proctrack/pgid
		TaskPlugin=task/none
		SwitchType=switch/none
		MpiDefault=none
		SelectType=select/cons_tres
		ReturnToService=0
		SlurmdTimeout=0
		SlurmdParameters=config_overrides
		SchedulerParameters=nohold_on_prolog_fail,batch_sched_delay=0,sched_interval=1
		PrologFlags=Alloc
		TreeWidth=65533
		MessageTimeout=60
		NodeName=n[1-$1] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((PORT + 1))-$((PORT + $1))] CPUs=1 RealMemory=64 State=UNKNOWN
		PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	CONF
	shift
	printf '%s\n' "$@" >>"$WORK/slurm.conf"
	# The guess of Slurm 22.05 at control groups fails without systemd, also where nothing uses them.
	echo "CgroupPlugin=cgroup/v1" >"$WORK/cgroup.conf"
}

copy_machines() { # copy_machines MACHINE...: to $WORK, each of this boot
	local machine
	for machine in "$@"; do
		of_this_boot "$machine" >"$WORK/$(basename "$machine")"
	done
}
copy_machines "$ECC" "$HEALTHY"
reason() { scontrol show node "$1" | sed -n 's/^ *Reason=\(.*\) \[.*/\1/p'; }
