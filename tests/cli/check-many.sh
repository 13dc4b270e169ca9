#!/usr/bin/env bash
# Every snapshot of a directory: the same answers as one by one, in the order of names, and the worst status.
. "$(dirname "$0")/../live/fleet.sh"
cp "$MACHINES/rx7900xtx-ubuntu2404-rocm64-cuda-torchaudio.snap" "$many/degraded.snap"
cp "$MACHINES/rx7900xtx-ubuntu2404-rocm64-outside-render.snap" "$many/ill.snap"
"$ROCSTEADY" snapshot --brief --from "$MACHINES/rx7900xt-x2-ubuntu2204-rocm62-docker-nodevices.snap" -o "$many/unclear.snap"
for n in $(seq 40); do cp "$many/b.snap" "$many/z$n.snap"; done # more than one process reads

run 2 check --from "$many"
prints "a  Ready"
prints "b  Ready"
check "one that is not, with its cause" grep -qE '^ill  Not ready: .+' "$WORK/out"
check "one that is degraded" grep -qE '^degraded  Degraded: .+' "$WORK/out"
check "a line for each and the sum" [ "$(wc -l <"$WORK/out")" = 46 ]
check "the sum" [ "$(tail -n 1 "$WORK/out")" = "45 nodes: 42 ready, 1 degraded, 1 not ready, 1 unclear" ]
check "in the order of names" cmp -s <(sed '$d; s/  .*//' "$WORK/out") <(sed '$d; s/  .*//' "$WORK/out" | LC_ALL=C sort)
check "nothing is said" [ ! -s "$WORK/err" ]

# Each object is that of a check of its own.
run 2 check --from "$many" --json --verbose -o "$WORK/all.jsonl"
check "-o takes all" [ ! -s "$WORK/out" ]
run 2 check --from "$many" --json --verbose
check "and is what is printed otherwise" cmp -s "$WORK/out" "$WORK/all.jsonl"
for node in a b degraded ill unclear; do
	"$ROCSTEADY" check --from "$(echo "$many/$node".snap*)" --json --verbose >"$WORK/$node.json" 2>/dev/null
done
check "the same answers" python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1] + "/all.jsonl")]
assert len(lines) == 45 and all(list(one)[0] == "node" for one in lines)
seen = 0
for one in lines:
    node = one.pop("node")
    if node.startswith("z"):
        continue
    alone = json.load(open(f"{sys.argv[1]}/{node}.json"))
    assert one == alone, (node, [k for k in alone if alone[k] != one.get(k)])
    seen += 1
assert seen == 5, seen' "$WORK"

# What is not ready alone, and little of what is.
run 2 check --from "$many" --problems
check "three nodes and the sum: $(cat "$WORK/out")" [ "$(wc -l <"$WORK/out")" = 4 ]
check "no node that is ready" [ "$(grep -c '  Ready$' "$WORK/out")" = 0 ]
run 2 check --from "$many" --problems --json --verbose
check "three objects" [ "$(jq -r .node "$WORK/out" | tr '\n' ' ')" = "degraded ill unclear " ]
run 2 check --from "$many" --json
check "a healthy node has at most 300 bytes: $(grep '"a"' "$WORK/out")" [ "$(grep '"verdict": "ready"' "$WORK/out" | awk '{ if (length($0) > most) most = length($0) } END { print most }')" -le 300 ]
check "the same verdicts" cmp -s <(jq -r .verdict "$WORK/out") <(jq -r .verdict "$WORK/all.jsonl")
check "with the cause" [ -n "$(jq -r 'select(.node == "ill") | .findings[0].cause' "$WORK/out")" ]
run 64 check --from "$many" --brief
run 64 check --from "$many/b.snap" --problems

# The worst: not ready, unclear, degraded, ready.
rm "$many/ill.snap"
run 3 check --from "$many" -q
check "quiet" [ ! -s "$WORK/out" ]
rm "$many/unclear.snap"
run 1 check --from "$many" -q
rm "$many/degraded.snap"
run 0 check --from "$many" -q
run 2 check --from "$many" -q --expect gpus=8
run 0 check --from "$many" --only vram-exhausted
run 64 check --from "$many" --only vram-exhausted --skip vram-exhausted
says "leave no check"
for words in "--format html" "--format markdown" "-v" "--why vram-exhausted" "--probe"; do
	read -ra words <<<"$words"
	run 64 check --from "$many" "${words[@]}"
done

# What cannot be read is a line.
echo nonsense >"$many/broken.snap"
mkfifo "$many/fifo.snap"
cp "$many/b.snap" "$many/$(printf 'e\033]0;x\007').snap"
run 3 check --from "$many" --json --verbose
check "an object with the reason" python3 -c '
import json, sys
lines = {o["node"]: o for o in map(json.loads, open(sys.argv[1]))}
assert set(lines["broken"]) == {"node", "error"} and "not a snapshot" in lines["broken"]["error"], lines["broken"]
assert "not a regular file" in lines["fifo"]["error"]
assert lines["e\\x1b]0;x\\x07"]["verdict"] == "ready"' "$WORK/out"
says "broken.snap is not a snapshot"
run 3 check --from "$many"
check "in the text as well" grep -qE '^broken  .*not a snapshot' "$WORK/out"
check "and in the sum" grep -qE ', 2 not read$' "$WORK/out"
check "no escape" lacks $'\033' "$WORK/out"
rm "$many"/[abez]*.snap "$many/a.snap.gz"
echo nonsense >"$many/broken.snap"
run 66 check --from "$many"
says "none of 2 snapshots could be read"
finish
