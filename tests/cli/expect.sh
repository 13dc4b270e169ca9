#!/usr/bin/env bash
# `rocsteady expect`: a class that was recorded finds nothing on its own machine, and exactly
# what was planted on another one; a file with a mistake counts for nothing and says so.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
MACHINES=$SOURCE/tests/machines
A=$MACHINES/mi300x-x8-ubuntu2204-rocm63-nics.snap
CLASS=$WORK/expect.conf

# Cause and subject of what the gate finds, sorted; in the words of the metric.
found() {
	"$ROCSTEADY" gate --from "$1" --expect "$CLASS" --for textfile 2>"$WORK/err" |
		sed -n 's/^rocsteady_gate_finding{cause="\([^"]*\)",subject="\([^"]*\)".*/\1 \2/p' | sort
}
plant() { # NAME, then records that replace those of A
	cp "$A" "$WORK/$1.snap"
	cat >>"$WORK/$1.snap"
}
drifts() { # NAME WANT...
	local name=$1
	shift
	check "$name: exactly what was planted (got: $(found "$WORK/$name.snap" | tr '\n' ';'))" \
		[ "$(found "$WORK/$name.snap")" = "$(printf '%s\n' "$@")" ]
}

"$ROCSTEADY" expect record --from "$A" -o "$CLASS" 2>"$WORK/err"
check "a class is recorded" [ $? = 0 ]
check "nothing was left out: $(cat "$WORK/err")" [ ! -s "$WORK/err" ]
for line in 'gpus = 8' 'compute_partition = SPX' 'memory_partition = NPS1' 'vram_gib = 192' 'pcie_width = 16' \
	'pcie_gts = 32' 'driver = 6.10.5' 'firmware.smc = 0x00557d00' 'nics = 8' 'nic = 0000:51:00.0' 'nic_gbps = 400'; do
	check "it has '$line'" grep -qx "$line" "$CLASS"
done

# A recorded machine is as its own class says.
mapfile -t some < <(some_of "$MACHINES"/*.snap)
for snap in "${some[@]}"; do
	"$ROCSTEADY" expect record --from "$snap" -o "$WORK/own.conf" 2>/dev/null
	"$ROCSTEADY" check --from "$snap" --json --verbose >"$WORK/plain" 2>/dev/null
	"$ROCSTEADY" check --from "$snap" --expect "$WORK/own.conf" --json --verbose >"$WORK/held" 2>"$WORK/err"
	new=$(comm -13 <(jq -r '.findings[].cause' "$WORK/plain" | sort) <(jq -r '.findings[].cause' "$WORK/held" | sort))
	check "$(basename "$snap") has no drift from itself (got $new)" [ -z "$new" ]
	check "and its class is understood" [ "$(grep -c 'is ignored' "$WORK/err")" = 0 ]
done

# The first case: a node that came back from repair in SPX and NPS1.
sed -i 's/^compute_partition = .*/compute_partition = CPX/; s/^memory_partition = .*/memory_partition = NPS4/' "$CLASS"
plant repaired </dev/null
drifts repaired "partition-drift 0000:05:00.0" "partition-drift 0000:27:00.0" "partition-drift 0000:47:00.0" \
	"partition-drift 0000:65:00.0" "partition-drift 0000:85:00.0" "partition-drift 0000:a7:00.0" \
	"partition-drift 0000:c7:00.0" "partition-drift 0000:e5:00.0"
"$ROCSTEADY" expect record --from "$A" -o "$CLASS"

P=/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0
N=/sys/devices/pci0000:40/0000:40:03.1/0000:51:00.0/infiniband/mlx5_2/ports/1
plant six <<END
file $P/0000:04:00.0/0000:05:00.0/current_compute_partition
	DPX
file $P/current_link_width
	8
file $P/0000:04:00.0/0000:05:00.0/fw_version/smc_fw_version
	0x00556800
file /sys/module/amdgpu/version
	6.12.12
file $N/rate
	200 Gb/sec (2X NDR)
file $P/0000:04:00.0/0000:05:00.0/mem_info_vram_total
	180388626432
END
drifts six "driver-drift " "firmware-drift 0000:05:00.0" "memory-drift 0000:05:00.0" "nic-rate-drift 0000:51:00.0" \
	"partition-drift 0000:05:00.0" "pcie-link-drift 0000:05:00.0"
sed -i 's/^nics = .*/nics = 9/' "$CLASS"
echo 'nic = 0000:52:00.0' >>"$CLASS"
plant card </dev/null
drifts card "nic-missing 0000:52:00.0"

# What is expected stands beside what is there.
"$ROCSTEADY" expect show --from "$WORK/six.snap" --expect "$CLASS" >"$WORK/out"
check "show has both" grep -qE '^driver +6\.10\.5 +6\.12\.12$' "$WORK/out"
check "and several where GPUs differ" grep -qE '^compute_partition +SPX +(DPX,SPX|SPX,DPX)$' "$WORK/out"
check "a card that is not there is missing" grep -qE '^nic +0000:52:00.0 +missing$' "$WORK/out"
plant denied <<END
dir /sys/class/infiniband !EACCES
END
"$ROCSTEADY" expect show --from "$WORK/denied.snap" --expect "$CLASS" >"$WORK/out"
check "one that nobody could look for is not read" grep -qE '^nic +0000:52:00.0 +not read$' "$WORK/out"
check "and neither are the others" [ "$(grep -cE '^nic.* not read$' "$WORK/out")" = 11 ]
"$ROCSTEADY" expect show --from "$A" >"$WORK/out" 2>"$WORK/err"
check "without a class the status is 2" [ $? = 2 ]
check "and a way to get one is told" grep -q 'rocsteady expect record' "$WORK/err"

# What differs within the node is not recorded.
"$ROCSTEADY" expect record --from "$WORK/six.snap" >"$WORK/out"
check "one GPU that differs leaves the name out" grep -q '^# compute_partition is not the same everywhere' "$WORK/out"
check "and no value of it is there" [ "$(grep -c '^compute_partition' "$WORK/out")" = 0 ]

# One mistake spoils the whole file: nothing of it is judged, and the gate is unclear.
printf 'compute_partition = CPX\nmemory_partiton = NPS4\n' >"$CLASS"
"$ROCSTEADY" gate --from "$A" --expect "$CLASS" >"$WORK/out" 2>"$WORK/err"
check "the gate is unclear" [ $? = 3 ]
check "and says why" grep -q -- '--expect is ignored: memory_partiton = NPS4: ' "$WORK/err"
check "partition-drift is not known" grep -q partition-drift "$WORK/out"
"$ROCSTEADY" check --from "$A" --expect "$CLASS" --json --verbose >"$WORK/out" 2>"$WORK/err"
check "check says so, too" grep -q 'is ignored' "$WORK/err"
check "and finds nothing by it" [ "$(jq '[.findings[] | select(.cause == "partition-drift")] | length' "$WORK/out")" = 0 ]

# On a host its own file is read; what the gate asks more is asked only then.
"$ROCSTEADY" check --from "$A" --expect "$WORK/none.conf" >/dev/null 2>"$WORK/err"
check "a class that is not there is input that cannot be read" [ $? = 66 ]
for wrong in "" "recrod" "record show"; do
	# shellcheck disable=SC2086 # words
	"$ROCSTEADY" expect $wrong --from "$A" >/dev/null 2>"$WORK/err"
	check "'$wrong' is a mistake" [ $? = 64 ]
done
"$ROCSTEADY" check --from "$A" --expect gpus=8,nics=8 -q
check "several names with commas" [ $? = 0 ]
"$ROCSTEADY" check --from "$A" --expect gpus=8,nics=many -q 2>/dev/null
check "one of them wrong" [ $? = 64 ]

finish
