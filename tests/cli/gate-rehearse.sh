#!/usr/bin/env bash
# A rehearsal: what the gate would do on every snapshot of a directory agrees with one by one, and nothing is kept.
. "$(dirname "$0")/../live/fleet.sh"
C=$WORK/gate.conf
ECC=$MACHINES/mi300x-x8-ubuntu2204-rocm63-ecc.snap
cp "$ECC" "$many/ecc1.snap"
gzip -c "$ECC" >"$many/ecc2.snap.gz"
cp "$MACHINES/mi300x-x8-ubuntu2204-rocm63-stuck.snap" "$many/stuck.snap"
cp "$MACHINES/rx7900xt-x2-ubuntu2204-rocm62-docker-nodevices.snap" "$many/unclear.snap"
for n in $(seq 35); do cp "$many/b.snap" "$many/z$n.snap"; done # more than one process reads

# Without a gate.conf nothing is enforced, and what was found is only reported.
run 0 gate --from "$many"
prints "Would drain 0 of 41 nodes: without --config nothing is enforced"
prints "3 nodes with a fault that is only reported: no enforce line for its cause, or the line allows less"
prints "        ecc1 (0000:47:00.0), ecc2 (0000:47:00.0)"
prints "1 node could not be judged and would take jobs"
check "nothing is said" [ ! -s "$WORK/err" ]

printf 'max_drained 1\nenforce ecc-uncorrectable drain\n' >"$C"
run 2 gate --from "$many" --config "$C"
prints "Would drain 2 of 41 nodes"
prints "     2  ecc-uncorrectable: drain"
prints "max_drained is 1: with all of them ill at once, 1 would stay in service"
prints "     1  gpu-stuck: reboot"
(cd "$WORK" && "$ROCSTEADY" gate --from many --config gate.conf) >"$WORK/relative"
check "a path from here is as good" cmp -s "$WORK/out" "$WORK/relative"

# The same node by node: what npd, which acts, is given.
run 2 gate --from "$many" --config "$C" --json
cp "$WORK/out" "$WORK/all.jsonl"
for node in a ecc1 ecc2 stuck unclear z7; do
	"$ROCSTEADY" gate --from "$(echo "$many/$node".snap*)" --config "$C" --for npd >"$WORK/one" 2>/dev/null
	case $?:$(cat "$WORK/one") in
	[02]:observed*) want=observe ;; # 2: beside it another cause is not decided, for files of the GPU hang
	0:*) want=pass ;;
	1:*) want=drain ;;
	*) want=unclear ;;
	esac
	check "$node: $want" [ "$(jq -r "select(.node == \"$node\") | .would" "$WORK/all.jsonl")" = "$want" ]
done
check "each of the four was met" [ "$(jq -r .would "$WORK/all.jsonl" | sort | uniq -c | tr -s ' \n' ' ')" = " 2 drain 1 observe 37 pass 1 unclear " ]
check "why" [ "$(jq -c 'select(.node == "ecc1") | .because' "$WORK/all.jsonl")" = '{"cause":"ecc-uncorrectable","subject":"0000:47:00.0","action":"drain"}' ]

# Another gate.conf beside it: who would be treated otherwise, and which way.
printf 'max_drained 1\nenforce gpu-stuck reboot\n' >"$WORK/other.conf"
run 1 gate --from "$many" --config "$C" --against "$WORK/other.conf"
prints "     2  drained (ecc-uncorrectable) -> only reported (ecc-uncorrectable)"
prints "     1  only reported (gpu-stuck) -> drained (gpu-stuck)"
run 0 gate --from "$many" --config "$C" --against "$C"
prints "With $C 0 nodes would be treated otherwise"

# Other knowledge beside it: the same changes nobody, and an action that it makes harsher is no longer agreed to.
run 0 gate --from "$many" --config "$C" --against "$KNOWLEDGE"
cp "$MACHINES/mi300x-x8-ubuntu2204-rocm63-nic-down.snap" "$many/nic.snap"
printf 'max_drained 1\nenforce nic-link-down drain\n' >"$C"
cp -r "$SOURCE/kb" "$WORK/kb"
sed -i 's/^action: drain/action: replace/' "$WORK/kb/causes/nic-link-down.yaml"
"$(dirname "$ROCSTEADY")/rocsteady-kb" build "$WORK/kb" -o "$WORK/other.db" >"$WORK/out" 2>&1 || cat "$WORK/out"
run 1 gate --from "$many" --config "$C" --against "$WORK/other.db"
prints "With $WORK/other.db 1 node would be treated otherwise"
prints "     1  drained (nic-link-down) -> only reported (nic-link-down)"
run 1 gate --from "$many" --config "$C" --against "$WORK/other.db" --json
check "as JSON" [ "$(jq -r 'select(.node == "nic") | .would, .against, .because_against.action' "$WORK/out" | tr '\n' ' ')" = "drain observe replace " ]

# What is wrong with the file is an error here: a rehearsal of nothing proves nothing.
printf 'max_drained 1\nenforce no-such-cause drain\n' >"$C"
run 66 gate --from "$many" --config "$C"
says "gate.conf:2: the gate does not judge no-such-cause"
printf 'max_drained 1\nenforce nic-link-dwn drain\n' >"$C"
run 66 gate --from "$many" --config "$C"
says "gate.conf:2: the gate does not judge nic-link-dwn; did you mean nic-link-down?"
mkdir "$WORK/unreadable" && echo x >"$WORK/unreadable/n7.snap"
run 66 gate --from "$WORK/unreadable" --config "$C"
says "none of 1 snapshots could be read; n7: "
printf 'max_draind 1\n' >"$C"
run 66 gate --from "$many" --config "$C"
says "gate.conf:1: the keys are"
run 66 gate --from "$many" --config "$WORK/none.conf"
says "none.conf: No such file or directory"
run 64 gate --from "$many" --for npd
run 64 gate --from "$ECC" --against "$C"
run 64 gate --json

# A brief snapshot leaves out what shows an ECC error: it is unclear, and no good node.
mkdir "$WORK/brief"
"$ROCSTEADY" snapshot --brief --from "$ECC" -o "$WORK/brief/ecc.snap"
run 0 gate --from "$WORK/brief"
prints "1 node could not be judged and would take jobs"
prints "     1  the snapshot leaves out the kernel log (a brief one?)"
run 3 gate --from "$WORK/brief/ecc.snap"

# What cannot be read is a line, and undecided.
rm "$many"/ecc* "$many/nic.snap" "$many/stuck.snap" "$many/unclear.snap"
echo nonsense >"$many/broken.snap"
run 3 gate --from "$many"
prints "1 node could not be read"
rm "$many"/[a-z]*
mkdir -p "$WORK/empty"
run 66 gate --from "$WORK/empty"
finish
