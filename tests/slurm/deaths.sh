#!/usr/bin/env bash
# The gate's own death drains nobody: each way to fail is a node of a real Slurm, and every reader is run on it.
#
# usage: deaths.sh      as root; ROCSTEADY names the program
#
# Prolog, epilog and health check are run by slurmd, the other readers as their programs run them. What each shows
# is a row of the table in docs/design/0017-gate.md, and has to be the same; nobody may be drained but the two controls.
[ "$(id -u)" != 0 ] || [ -n "${OWN_MOUNTS:-}" ] || OWN_MOUNTS=1 exec unshare -m -- "$0" "$@"
. "$(dirname "$0")/cluster.sh"
command -v strace faketime >/dev/null || skip "no strace or no faketime here"
TABLE=$SOURCE/docs/design/0017-gate.md

# ---- ways to fail ----
# Each is called in the directory of its node: bin/rocsteady is the program, ./enter starts whatever is run there,
# etc/gate.conf is the site's file, prolog, epilog and health have a verdict each, and readers read that of health.

program() { # program LINE...: a script in place of the program
	rm -f bin/rocsteady
	printf '%s\n' '#!/bin/sh' "$@" >bin/rocsteady && chmod 755 bin/rocsteady
}
enter() { printf '%s\n' '#!/bin/sh' "$@" 'exec "$@"' >enter; }
in_own_mounts() { enter "[ -n \"\$INSIDE\" ] || INSIDE=1 exec unshare -m -- $PWD/enter \"\$@\"" "$@"; }
of_machine() { program "case \$3 in slurm-epilog | slurm-health) exec $ROCSTEADY \"\$@\" $1 ;; *) exec $ROCSTEADY \"\$@\" ;; esac"; }
patched() { # a copy of the program, to be spoilt
	rm -f bin/rocsteady
	cp "$ROCSTEADY" bin/rocsteady
}
condemned() { # condemned SECOND [BOOT]: prolog and readers have a verdict that would drain if it counted
	rm readers && mkdir readers
	printf 'rocsteady-verdict 1\nboot %s\nsecond %s\nknowledge x\nmode enforce\nmax_drained 9\nslurm_ms 10000\nfinding ecc-uncorrectable 0000:c5:00.0 drain 1 log GPU enforce\n' \
		"${2:-$BOOT}" "$1" | tee prolog/verdict >readers/verdict
}
hangs() { # it is given up after a second, not after eight; the others have a busy host's time
	sed -i 's/^limit=8 /limit=1 /; s/^patience .*/seconds=0/' bin/rocsteady-hook
	echo 1 >patience
}
up() { awk '{ print int($1) }' /proc/uptime; }

nothing_broken() { :; }
ill_node() { of_machine "--from $WORK/$(basename "$ECC")" && condemned "$(up)"; }
program_missing() { rm bin/rocsteady; }
program_not_executable() { patched && chmod 644 bin/rocsteady; }
other_architecture() { patched && printf '\267\0' | dd of=bin/rocsteady bs=1 seek=18 conv=notrunc status=none; }
loader_error() { patched && sed -i 's/libsqlite3\.so\.0/libsqlite9.so.0/' bin/rocsteady; }
killed() { program "exec strace -qq -o /dev/null -e trace=read -e inject=read:signal=KILL:when=2 $ROCSTEADY \"\$@\""; }
stopped() { hangs && program 'kill -STOP $$' "exec $ROCSTEADY \"\$@\""; }
past_its_deadline() { hangs && program "exec strace -f -qq -o /dev/null -e trace=all -e inject=all:delay_enter=300000 $ROCSTEADY \"\$@\""; }
held_by_the_kernel() { hangs && program "echo \$\$ >$FREEZER/cgroup.procs" "exec $ROCSTEADY \"\$@\""; }
device_never_answers() { of_machine "--root $WORK/tree"; }
knowledge_absent() { in_own_mounts 'mount -t tmpfs none /var/lib' 'mkdir /var/lib/rocsteady' 'ln -s /nowhere /var/lib/rocsteady/kb.db'; }
knowledge_corrupt() { in_own_mounts 'mount -t tmpfs none /var/lib' 'mkdir /var/lib/rocsteady' 'head -c 70000 /dev/urandom >/var/lib/rocsteady/kb.db'; }
knowledge_newer() { in_own_mounts 'mount -t tmpfs none /var/lib' 'mkdir /var/lib/rocsteady' "cp $WORK/newer.db /var/lib/rocsteady/kb.db"; }
mistake_in_gate_conf() { echo "enforse gpu-missing drain" >>etc/gate.conf; }
mistake_in_expect_conf() {
	mkdir work
	in_own_mounts "mount -t tmpfs none $PWD/work && mkdir $PWD/work/u $PWD/work/w" \
		"mount -t overlay -o lowerdir=/etc,upperdir=$PWD/work/u,workdir=$PWD/work/w none /etc" \
		'mkdir -p /etc/rocsteady' 'echo "gpus eight" >/etc/rocsteady/expect.conf'
}
disk_full() {
	local role
	for role in epilog health out; do
		mount -t tmpfs -o mode=755,size=4k none "$role"
		head -c 4096 /dev/zero >"$role/filler"
	done
}
verdict_of_ten_minutes_ago() { condemned "$(($(up) - 700))"; }
verdict_of_another_boot() { condemned "$(up)" 00000000-0000; }
clock_jumps_ahead() { program "FAKETIME_DONT_FAKE_MONOTONIC=1 exec faketime -f +400d $ROCSTEADY \"\$@\""; }
clock_jumps_back() { program "FAKETIME_DONT_FAKE_MONOTONIC=1 exec faketime -f -400d $ROCSTEADY \"\$@\""; }
monotonic_clock_of_a_container() { condemned "$(up)" && program "exec unshare --time --boottime 100000 --monotonic 100000 -- $ROCSTEADY \"\$@\""; }
munge_down() { ill_node && sed -i 's/10000/1000/' etc/gate.conf {prolog,readers}/verdict; }
slurmctld_down() { munge_down; }
ways=(nothing_broken ill_node program_missing program_not_executable other_architecture loader_error
	killed stopped past_its_deadline held_by_the_kernel device_never_answers knowledge_absent knowledge_corrupt
	knowledge_newer mistake_in_gate_conf mistake_in_expect_conf disk_full verdict_of_ten_minutes_ago
	verdict_of_another_boot clock_jumps_ahead clock_jumps_back monotonic_clock_of_a_container)
silent=(munge_down slurmctld_down) # without them slurmd is told nothing: those hooks are started here

# ---- what they need ----

# The first version of control groups holds a frozen process in state D, where no signal reaches it.
FREEZER=$WORK/freezer
mkdir "$FREEZER" "$WORK/tree"
if mount -t cgroup -o freezer none "$FREEZER" 2>/dev/null; then
	FREEZER=$FREEZER/gate-$$
	mkdir "$FREEZER"
	echo FROZEN >"$FREEZER/freezer.state"
else
	echo "skipped: held_by_the_kernel: no freezer of control groups here"
	mapfile -t ways < <(printf '%s\n' "${ways[@]}" | grep -v held_by)
	FREEZER=
fi
# A file system whose server never answers, in place of /sys; a kernel without FUSE has a tree in which it is missing.
"$ROCSTEADY" snapshot --from "$HEALTHY" --unpack "$WORK/tree" >/dev/null 2>&1
python3 - "$WORK/tree/sys" <<'SERVER' &
import ctypes, os, sys, time
fuse = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={fuse},rootmode=40000,user_id=0,group_id=0".encode()
if ctypes.CDLL(None, use_errno=True).mount(b"none", sys.argv[1].encode(), b"fuse", 0, options) != 0:
    sys.exit(os.strerror(ctypes.get_errno()))
time.sleep(600)
SERVER
server=$!
python3 - "${ROCSTEADY%/*}/kb.db" "$WORK/newer.db" <<'NEWER'
import shutil, sqlite3, sys
shutil.copy(*sys.argv[1:3])
with sqlite3.connect(sys.argv[2]) as db:
    db.execute("UPDATE kb SET format = format + 1, version = '2099-01-01'")
NEWER
end_all() {
	kill "$server" 2>/dev/null # with it the requests that wait for it
	if [ -n "$FREEZER" ]; then
		echo THAWED >"$FREEZER/freezer.state"
		until_true 10 rmdir_freezer
	fi
	umount -l "$WORK"/nodes/*/{epilog,health,out} "$WORK/tree/sys" "$WORK/freezer" 2>/dev/null
	leave
}
rmdir_freezer() {
	xargs -r kill -KILL <"$FREEZER/cgroup.procs"
	rmdir "$FREEZER"
}
trap end_all EXIT

# ---- the nodes ----

node_of() { # node_of WAY: n1, n2 and so on
	local i all=("${ways[@]}" "${silent[@]}")
	for i in "${!all[@]}"; do [ "${all[i]}" != "$1" ] || echo "n$((i + 1))"; done
}
"$ROCSTEADY" gate --from "$WORK/$(basename "$HEALTHY")" --verdict "$WORK/healthy" >/dev/null
make_node() ( # make_node WAY
	mkdir -p "$WORK/nodes/$(node_of "$1")" && cd "$WORK/nodes/$(node_of "$1")" || exit 1
	mkdir bin etc prolog epilog health out
	ln -s health readers
	printf 'slurm_ms 10000\nmax_drained 9\nenforce ecc-uncorrectable replace\n' >etc/gate.conf
	cp "$SOURCE/data/hook/rocsteady-hook" bin/
	ln -s "$ROCSTEADY" bin/rocsteady
	echo 20 >patience
	enter
	cp "$WORK/healthy" prolog/verdict
	"$1"
	chmod 755 enter bin/rocsteady-hook
)
for way in "${ways[@]}" "${silent[@]}"; do make_node "$way"; done

# What slurmd runs. Through a pipe, as the detectors read: whoever keeps it open holds slurmd, too.
cat >"$WORK/bin/hook" <<HOOK
#!/bin/sh
case \$SLURM_SCRIPT_CONTEXT in prolog*) role=prolog ;; epilog*) role=epilog ;; *) role=health ;; esac
cd $WORK/nodes/\$SLURMD_NODENAME || exit 0
export SLURM_CONF=$SLURM_CONF ROCSTEADY_HOOK_CONFIG=\$PWD/etc/gate.conf ROCSTEADY_HOOK_VERDICT=\$PWD/\$role/verdict
{ ./enter bin/rocsteady-hook; echo \$? >\$role.now; } 2>&1 | cat >>\$role.said
mv \$role.now \$role.status
exit "\$(cat \$role.status)"
HOOK
chmod 755 "$WORK/bin/hook"
configure $((${#ways[@]} + ${#silent[@]})) "Prolog=$WORK/bin/hook" "Epilog=$WORK/bin/hook" "HealthCheckProgram=$WORK/bin/hook" HealthCheckInterval=2
started=$SECONDS
start_munged
slurmctld -c
for way in "${ways[@]}"; do slurmd -N "$(node_of "$way")"; done

# ---- slurmd runs the hooks ----

ran() { # ran ROLE: on every node
	local way
	for way in "${ways[@]}"; do [ -e "$WORK/nodes/$(node_of "$way")/$1.status" ] || return 1; done
}
declare -A job=()
check "every health check has ended" until_true 60 ran health
for way in "${ways[@]}"; do
	[ "$way" = ill_node ] || job[$way]=$(sbatch --parsable -w "$(node_of "$way")" -o /dev/null --wrap true)
done
over() { [ -z "$(squeue -h -o %i)" ]; }
check "every job is over: $(squeue -h)" until_true 60 over
echo 0 | tee "$WORK/nodes/$(node_of ill_node)"/{prolog,epilog}.status >/dev/null # drained before any job came
check "every prolog and epilog has ended" until_true 60 eval 'ran prolog && ran epilog'

# ---- what each reader shows ----

hook_shows() { # hook_shows ROLE, in the directory of a node
	case $(cat "$1.status" 2>/dev/null) in
	0) ;;
	"") echo "never ended" && return ;;
	*) echo "status $(cat "$1.status")" && return ;;
	esac
	if [ -s "$1/passed" ]; then echo counted; elif [ -s "$1.said" ]; then echo said; else echo "-"; fi
}
read_by() { # read_by READER OPTION...: its status; a program that never ends is given up, as by the detector after five seconds
	timeout -k 1 "$(cat patience)" ./enter sh -c '"$@" & wait $!' - bin/rocsteady gate --for "$@" --verdict "$PWD/readers/verdict" --config "$PWD/etc/gate.conf" >"$1.out" 2>"$1.said"
}
npd_shows() { # by its rule: 0 False, 1 True, anything else Unknown
	read_by npd
	case $? in 0) echo False ;; 1) echo True ;; *) echo Unknown ;; esac
}
nagios_shows() { # a status above 3 is no service's, and Nagios calls it unknown
	read_by nagios
	case $? in 0) echo OK ;; 1) echo WARNING ;; 2) echo CRITICAL ;; *) echo UNKNOWN ;; esac
}
nfd_shows() {
	read_by nfd -o "$PWD/out/nfd"
	if [ -s out/nfd ]; then sed -n 's/^rocsteady.io.gate=//p' out/nfd; else echo expires; fi
}
textfile_shows() {
	read_by textfile -o "$PWD/out/textfile"
	if [ ! -s out/textfile ]; then
		echo "not renewed"
	elif grep -q '^rocsteady_gate_conf_ignored 1' out/textfile; then
		echo ignored
	else
		sed -n 's/^rocsteady_gate_state{state="\(.*\)"} 1/\1/p' out/textfile
	fi
}
row() ( # row WAY: as it stands in the document
	cd "$WORK/nodes/$(node_of "$1")" || exit 1
	for reader in npd nfd textfile nagios; do "${reader}_shows" >"shown-$reader" & done
	wait
	printf '| %s ' "${1//_/ }" "$(hook_shows prolog)" "$(hook_shows epilog)" "$(hook_shows health)" \
		"$(cat shown-npd)" "$(cat shown-nfd)" "$(cat shown-textfile)" "$(cat shown-nagios)"
	echo '|'
)
told() { # told WAY: its row is as documented
	cat "$WORK/row-$1"
	check "$1: that row is in $TABLE; it said $(tail -qn 2 "$WORK/nodes/$(node_of "$1")"/*.said)" grep -qxF -f "$WORK/row-$1" "$TABLE"
}
for way in "${ways[@]}"; do
	row "$way" >"$WORK/row-$way" &
	rows+=($!)
done
wait "${rows[@]}"
for way in "${ways[@]}"; do
	told "$way"
	node=$(node_of "$way")
	if [ "$way" = ill_node ]; then
		check "the control is drained: $(reason "$node")" grep -q '^rocsteady: ecc-uncorrectable' <(reason "$node")
		continue
	fi
	check "$way: nobody is drained: $(reason "$node")" [ -z "$(reason "$node")" ]
	check "$way: the job ran: ${job[$way]}" grep -q JobState=COMPLETED <(scontrol show job "${job[$way]}")
done

# ---- nobody to be told ----

hooks() { # hooks NODE: all three, as slurmd would start them
	local context
	for context in prolog_slurmd epilog_slurmd ""; do
		SLURM_SCRIPT_CONTEXT=$context SLURMD_NODENAME=$1 "$WORK/bin/hook" &
		hooks+=($!)
	done
	wait "${hooks[@]}"
}
stop munged
hooks "$(node_of munge_down)"
start_munged
stop slurmctld
hooks "$(node_of slurmctld_down)"
slurmctld
check "slurmctld is back" until_true 60 scontrol ping
for way in "${silent[@]}"; do
	row "$way" >"$WORK/row-$way"
	told "$way"
	check "$way: nobody is drained: $(reason "$(node_of "$way")")" [ -z "$(reason "$(node_of "$way")")" ]
done
echo "in $((SECONDS - started)) s"
finish
