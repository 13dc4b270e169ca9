#!/usr/bin/env bash
# A check that gets no CPU is late, and never "ready" without having looked: some of
# them beside eight busy loops, and one without /sys. By turns they look at this host,
# at eight GPUs, at the same eight of which one is gone, and at eight of which one
# never answers: the last two must never be ready.
#
#	tests/live/starved.sh [CHECKS [NICE [AT_ONCE]]]     8, 19 and 5; by hand with 2000 0 8
#	taskset -c 1 tests/live/starved.sh ...              leaves the other cores to others
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/gpus.sh
. "$(dirname "$0")/gpus.sh"
command -v jq >/dev/null || skip "jq is missing"
number=${1:-8} nice=${2:-19} at_once=${3:-5}
loops=() asked=() machines=(host whole gone)
declare -A status

clean() {
	[ ${#loops[@]} = 0 ] || kill "${loops[@]}" 2>/dev/null
	[ -z "${DEAF:-}" ] || { kill "$DEAF" && umount -l "$SILENT"; } 2>/dev/null
	rm -rf "$WORK"
}
cd "$WORK" || exit 1

make_gpus whole && make_gpus gone && rm gone/sys/bus/pci/devices/0000:05:00.0
# It skips where it cannot be had, and removes its place: asked in a shell and a place of its own first.
if (WORK=$WORK/tried && mkdir "$WORK" && make_deaf_gpu "$WORK/tree") >why 2>&1; then
	make_deaf_gpu "$WORK/deaf"
	machines+=(deaf)
else
	echo "without a GPU that never answers: $(tail -n 1 why | sed 's,^skipped: ,,')"
fi
trap clean EXIT

# A reader that waits in the kernel is left behind by each look at the deaf one: few of them.
turn() { # turn NUMBER: the machine of this check
	if [ ${#machines[@]} = 4 ] && [ $(($1 % 20)) = 4 ]; then echo deaf; else echo "${machines[$1 % 3]}"; fi
}
ask() { # ask NAME MACHINE
	local of=(--host-root "$2" --expect gpus=8)
	[ "$2" != host ] || of=(--expect gpus=0)
	HOME=$WORK nice -n "$nice" "$ROCSTEADY" check "${of[@]}" --json --verbose >"$1.json" 2>/dev/null
	echo $? >"$1.status"
}
known() { jq -c '[.verdict, (.not_known | sort)]' "$1.json"; }
verdict() { jq -r '.verdict // empty' "$1.json"; }

for machine in "${machines[@]}"; do ask "quiet-$machine" "$machine"; done
for _ in 1 2 3 4 5 6 7 8; do
	while :; do :; done &
	loops+=($!)
done
for i in $(seq "$number"); do
	ask "$i" "$(turn "$i")" &
	asked+=($!)
	[ $((i % at_once)) != 0 ] || { wait "${asked[@]}"; asked=(); }
done
[ ${#asked[@]} = 0 ] || wait "${asked[@]}"
load=$(cut -d ' ' -f 1 /proc/loadavg)
kill "${loops[@]}" && loops=()

check "eight GPUs are ready" [ "$(verdict quiet-whole)" = ready ]
check "seven of them are not" [ "$(verdict quiet-gone)" = not_ready ]
status=([ready]=0 [degraded]=1 [not_ready]=2 [undecided]=3)
for i in $(seq "$number"); do
	machine=$(turn "$i") said=$(verdict "$i")
	printf '%s %s\n' "$machine" "${said:-nothing}" >>counts
	check "a starved one answers: $machine" [ -n "$said" ]
	check "its status is that of $said" [ "$(cat "$i.status")" = "${status[${said:-none}]:-none}" ]
	case $machine in gone | deaf) check "$machine is never ready" [ "$said" != ready ] ;; esac
	# Of the one that waits, what else there was time for differs.
	[ "$said" = undecided ] || [ "$machine" = deaf ] ||
		check "what a starved check calls $said is all that a quiet one knows" [ "$(known "$i")" = "$(known "quiet-$machine")" ]
	[ "$said" != undecided ] || jq -r '["undecided:", .machine[0], (.findings[] | .cause)] | join(" ")' "$i.json" >>reasons
done
echo "$number checks at nice $nice, $at_once at once, beside eight busy loops at $(nice); load $load"
sort counts | uniq -c
[ ! -s reasons ] || sort reasons | uniq -c

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	unshare -m --propagation private sh -c "mount -t tmpfs none /sys && exec '$ROCSTEADY' check" >out 2>&1
	check "without /sys nothing is ready: status 3" [ $? = 3 ]
	check "and it says why" grep -q "GPUs" out
fi
finish
