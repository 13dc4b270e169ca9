#!/usr/bin/env bash
# The brake in three disasters, in a real Slurm that knows NODES nodes: knowledge that condemns every node, sensors that
# are lost everywhere, and half of the nodes truly ill. As root; everything lives in one directory.
#
# usage: disasters.sh [NODES ASKING [RELEASES]]     ROCSTEADY names the program, rocsteady-kb is beside it
#
# No node has a slurmd: the hooks of ASKING nodes run here, as slurmd would start them, eight at once. A prolog acts on a
# kept verdict, so these are made once for each kind of machine; repairs and releases are asked by the health check.
# At the end RELEASES nodes (ASKING) that are drained are healthy at once.
. "$(dirname "$0")/cluster.sh"
NODES=${1:-60} ASKING=${2:-24} RELEASES=${3:-${2:-24}} MAX=8 RATE=5
KB=$(dirname "$ROCSTEADY")/rocsteady-kb
configure 1 "NodeName=n[2-$NODES] NodeHostname=localhost NodeAddr=127.0.0.2 Port=[$((PORT + 2))-$((PORT + NODES))] CPUs=1 RealMemory=64 State=DOWN"
mapfile -t asking < <(seq -f 'n%.0f' 1 "$ASKING")
cp "$SOURCE/data/hook/rocsteady-hook" "$WORK/bin/"
cat >"$WORK/bin/rocsteady" <<PROGRAM
#!/bin/sh
case \$3 in
slurm-prolog) exec $ROCSTEADY "\$@" ;;
*) exec $ROCSTEADY "\$@" --from $WORK/\$(cat $WORK/nodes/\$SLURMD_NODENAME/kind).snap \$(cat $WORK/options) ;;
esac
PROGRAM
cat >"$WORK/bin/hook" <<HOOK
#!/bin/sh
export SLURMD_NODENAME=\$2 SLURM_CONF=$SLURM_CONF
export ROCSTEADY_HOOK_CONFIG=$WORK/etc/gate.conf ROCSTEADY_HOOK_VERDICT=$WORK/nodes/\$2/verdict
$WORK/bin/rocsteady-hook \$1 >/dev/null 2>>$WORK/nodes/\$2/said
[ \$? -le 1 ] || echo "\$2: \$?" >>$WORK/nodes/failed
HOOK
chmod 755 "$WORK/bin/rocsteady" "$WORK/bin/hook"
: >"$WORK/options"
mv "$WORK/$(basename "$HEALTHY")" "$WORK/healthy.snap"
mv "$WORK/$(basename "$ECC")" "$WORK/ecc.snap"
# Every temperature, power and error counter answers with an error.
sed 's#^\(file .*/ras/[a-z0-9_]*_err_count\)$#\1 !EIO#; s#^\(\t[a-z]*[0-9]*_\(input\|average\)\) .*#\1 !EIO#' "$WORK/healthy.snap" >"$WORK/lost.snap"
conf() { # conf [LINE...]
	printf 'slurm_ms 10000\nmax_drained %s\nenforce ecc-uncorrectable drain\n' $MAX
	[ $# = 0 ] || printf '%s\n' "$@"
}

are() { # are KIND NODE...: these nodes, each with the verdict of such a machine
	local kind=$1 node
	shift
	sed -i "s/^\tuptime .*/\tuptime $(awk '{ print int($1) }' /proc/uptime)/" "$WORK/$kind.snap" # a prolog believes ten minutes
	"$ROCSTEADY" gate --from "$WORK/$kind.snap" --verdict "$WORK/nodes/verdict" --config "$WORK/etc/gate.conf" \
		$(cat "$WORK/options") >/dev/null 2>&1
	rm -f "$WORK/nodes/gate.jsonl"
	for node in "$@"; do
		mkdir -p "$WORK/nodes/$node"
		cp "$WORK/nodes/verdict" "$WORK/nodes/$node/verdict"
		echo "$kind" >"$WORK/nodes/$node/kind"
	done
}
ask() { # ask HOOK NODE...
	local hook=$1
	shift
	printf '%s\n' "$@" | shuf --random-source=<(yes) | xargs -P 8 -n 1 "$WORK/bin/hook" "$hook"
}
ours() { sinfo -h -N -t drain -o '%N %E' | sort -u | sed -n 's/^\(n[0-9]*\) rocsteady: .*/\1/p' | sort -V; }
drained() { ours | wc -l; }
late() { # nodes that passed since Slurm, or on a busy host the program, did not answer in time
	grep -lE "does not answer|was not drained: |; the node passes" "$WORK"/nodes/n*/said 2>/dev/null | wc -l
}
latched() { find "$WORK/nodes" -name latched | wc -l; }
events() { find "$WORK/nodes" -name gate.jsonl -exec cat {} + | jq -r --arg e "$1" 'select(.event == $e) | [.by, .why // "-"] | join(", ")' | sort | uniq -c | sort -rn | sed 's/^ *//' | paste -sd ';'; }
tell() { # tell WHAT: what there is, for people
	echo "$1: $(drained) of $ASKING drained, $(latched) latched, $(late) without an answer, after $((SECONDS - began)) s"
}
again() { # all healthy, nobody drained, no trail
	local node
	for node in $(ours); do scontrol update NodeName="$node" State=UNDRAIN; done
	rm -rf "$WORK"/nodes/n*
	: >"$WORK/options"
	conf "$@" >"$WORK/etc/gate.conf"
	are healthy "${asking[@]}"
	began=$SECONDS
}

started=$SECONDS
start_munged
slurmctld -c
check "slurmctld answers" until_true 600 scontrol ping
# Without a slurmd a node is DOWN, and idle once it was resumed: then it is drained and released like any other.
scontrol update NodeName="n[1-$NODES]" State=DOWN Reason=lab
scontrol update NodeName="n[1-$NODES]" State=RESUME
check "it knows $NODES nodes" [ "$(sinfo -h -N -o %N | sort -u | wc -l)" = "$NODES" ]
echo "$NODES nodes: ready after $((SECONDS - started)) s"

# ---- one node, from healthy to released, for somebody who was not there ----

again
rm "$WORK/nodes/n1/verdict"
for kind in healthy ecc healthy; do
	echo $kind >"$WORK/nodes/n1/kind"
	ask slurm-health n1
	[ $kind = healthy ] || rm "$WORK/nodes/n1/verdict" # the repair is a boot
done
echo "the trail of n1:"
jq -r '"  " + ([.event, .from // "", .to // "", .cause // .findings[0].cause // "", .subject // .findings[0].subject // "", .by // "", .why // "",
	(.evidence // .findings[0].evidence // [])[0] // "", .program, .knowledge, .gate_conf] | map(select(. != "")) | join(" | "))' "$WORK/nodes/n1/gate.jsonl"
check "each change is a line" [ "$(jq -r .event "$WORK/nodes/n1/gate.jsonl" | paste -sd ' ')" = "verdict verdict drained verdict released" ]

# ---- knowledge with a wrong rule ----

again "latch yes"
cp -r "$SOURCE/kb" "$WORK/kb"
sed -i 's/gate: ras.uncorrectable >0/gate: ras/; s/WHERE uncorrectable > 0/WHERE uncorrectable >= 0/' "$WORK/kb/causes/ecc-uncorrectable.yaml"
"$KB" build "$WORK/kb" -o "$WORK/wrong.db" || exit 1
mkdir "$WORK/fleet"
for ((i = 0; i < 20; i++)); do ln -s "$WORK/healthy.snap" "$WORK/fleet/r$i.snap"; done
"$ROCSTEADY" gate --from "$WORK/fleet" --config "$WORK/etc/gate.conf" --against "$WORK/wrong.db" >"$WORK/out" 2>&1
status=$?
check "the rehearsal stops it, with 1 (got $status)" [ $status = 1 ]
echo "wrong rule, rehearsed: $(grep -c 'r[0-9]*' "$WORK/out") lines, status $status"
echo "--kb $WORK/wrong.db" >"$WORK/options" # and was not listened to
are healthy "${asking[@]}"
began=$SECONDS
ask slurm-prolog "${asking[@]}"
tell "wrong rule"
check "the brake holds" [ "$(drained)" -le $MAX ]
ask slurm-prolog "${asking[@]}"
check "and the next jobs drain nobody else" [ "$(drained)" -le $MAX ]
check "the other nodes are latched" [ $(($(latched) + $(late))) -ge $((ASKING - MAX)) ]
: >"$WORK/options" # the knowledge is rolled back: the next health check looks again
ask slurm-health "${asking[@]}"
tell "wrong rule, rolled back"
check "who was drained is back without a person" [ "$(drained)" = 0 ]
echo "wrong rule, released: $(events released)"

# ---- a sensor that is lost everywhere ----

again "latch yes"
are lost "${asking[@]}"
ask slurm-prolog "${asking[@]}"
ask slurm-health "${asking[@]:0:24}"
tell "lost sensors"
check "lost sensors drain nobody" [ "$(drained)" = 0 ]
state=$("$ROCSTEADY" gate --for nfd --verdict "$WORK/nodes/n1/verdict" | sed -n 's/.*gate=//p')
echo "lost sensors: the node is $state"
check "a node without its counters is not called healthy" [ "$state" = unknown ]

# ---- half of them truly ill ----

again "latch yes" "max_per_hour $RATE"
ill=("${asking[@]:0:$((ASKING / 2))}")
are ecc "${ill[@]}"
began=$SECONDS
ask slurm-prolog "${asking[@]}"
tell "half ill"
mapfile -t there < <(ours)
ask slurm-health "${there[@]}" # one whose second count got no answer, on a busy host, stays until then
tell "half ill, after a health check"
check "the rate holds" [ "$(drained)" -le $RATE ]
first=$(drained)
ask slurm-prolog "${asking[@]}"
check "the next jobs drain nobody else" [ "$(drained)" = "$first" ]
check "who was not drained is latched" [ $(($(latched) + $(late))) -ge $((${#ill[@]} - first)) ]
one=$(ours | head -n 1)
are healthy "$one"
ask slurm-health "$one"
check "who is repaired is back" [ "$(drained)" = $((first - 1)) ]
ask slurm-health "${ill[@]}"
check "and nobody takes its place by itself" [ "$(drained)" = $((first - 1)) ]
waiting=$(grep -rl . "$WORK"/nodes/*/latched | head -n 1 | xargs dirname)
rm "$waiting/latched" # a person
sed "s/^max_per_hour.*//" "$WORK/etc/gate.conf" >"$WORK/etc/one" # the hour is not waited for
mv "$WORK/etc/one" "$WORK/etc/gate.conf"
ask slurm-health "$(basename "$waiting")"
check "until a person resets the latch" [ "$(drained)" = "$first" ]
tell "half ill, one repaired, one latch reset"
echo "half ill, released: $(events released); taken: $(events taken)"
for node in $(ours); do scontrol update NodeName="$node" State=UNDRAIN; done
are healthy "${asking[@]}"
ask slurm-health "${ill[@]}"
echo "half ill, after a person resumed all: released: $(events released); taken: $(events taken)"
check "a person's release is in the trail" grep -q resumed <(events taken)

# ---- many releases at once ----

ASKING=$RELEASES
mapfile -t asking < <(seq -f 'n%.0f' 1 "$ASKING")
again
cpu() { awk '{ print $14 + $15 }' "/proc/$(cat "$WORK/run/slurmctld.pid")/stat"; }
ticks=$(getconf CLK_TCK)
scontrol update NodeName="n[1-$ASKING]" State=DRAIN Reason="rocsteady: ecc-uncorrectable 0000:47:00.0: drain (boot ${BOOT:0:8})"
check "all are drained" [ "$(drained)" = "$ASKING" ]
before=$(cpu) began=$SECONDS
ask slurm-health "${asking[@]}"
left=$(drained) took=$((SECONDS - began))
if [ "$left" -gt 0 ]; then # on a busy host the look or Slurm was late: the next health check releases them
	mapfile -t there < <(ours)
	ask slurm-health "${there[@]}"
fi
check "all are released" [ "$(drained)" = 0 ]
echo "$ASKING releases, 8 at once: $took s, $left wait for their next health check, slurmctld took $(awk -v a="$before" -v b="$(cpu)" -v t="$ticks" 'BEGIN { print (b - a) / t }') s of CPU"
check "no hook ended with another status than 0 or 1: $(cat "$WORK/nodes/failed" 2>/dev/null)" [ ! -e "$WORK/nodes/failed" ]
echo "in $((SECONDS - started)) s"
finish
