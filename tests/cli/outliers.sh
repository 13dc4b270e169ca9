#!/usr/bin/env bash
# What differs from the majority: every planted drift and nothing else; and two machines side by side.
. "$(dirname "$0")/../live/fleet.sh"
one=$MACHINES/mi300x-x8-ubuntu2204-rocm63-healthy.snap

# A small fleet with drifts that are known.
python3 "$SOURCE/bench/fleet/make-fleet.py" "$ROCSTEADY" "$MACHINES" "$WORK/fleet" 120 9 7 | sort >"$WORK/planted"
check "drifts were planted" [ "$(wc -l <"$WORK/planted")" = 9 ]
run 1 outliers "$WORK/fleet" --json
sed 's/^{"node": "\([^"]*\)", "fact": "\([^"]*\)".*/\1\t\2/' "$WORK/out" | sort >"$WORK/found"
check "every drift and nothing else: $(diff "$WORK/planted" "$WORK/found" | head -n 5)" cmp -s "$WORK/planted" "$WORK/found"
cp "$WORK/out" "$WORK/directory"
run 0 query --from "$WORK/fleet" -o "$WORK/fleet.db"
run 1 outliers "$WORK/fleet.db" --json
check "the file gives the same" cmp -s "$WORK/out" "$WORK/directory"
run 0 query --from "$WORK/fleet.db" --csv "SELECT count(*) AS n FROM node"
check "and answers statements" grep -q 120 "$WORK/out"
run 1 outliers "$WORK/fleet"
prints "120 nodes in 4 classes: these differ from the majority of their class"
cut -f 1 "$WORK/planted" | while read -r node; do rm "$WORK/fleet/$node.snap"; done
run 0 outliers "$WORK/fleet"
prints "111 nodes in 4 classes: none differs from the majority of its class"
echo nonsense >"$WORK/fleet/broken.snap"
run 3 outliers "$WORK/fleet" --json
check "nothing to list" [ ! -s "$WORK/out" ]

# A node that has lost a GPU is compared with those that have all.
mkdir "$WORK/lost"
for n in 1 2 3; do cp "$one" "$WORK/lost/n$n.snap"; done
cp "$MACHINES/mi300x-x7-ubuntu2204-rocm63-missing.snap" "$WORK/lost/n4.snap"
run 1 outliers "$WORK/lost"
prints "  number of gpu: 8 on 3 of 4"
prints "    7: n4"

# Which GPU it is: one of eight has half its lanes, and by node is what one drains by.
mkdir "$WORK/lanes"
for n in 1 2 3; do cp "$one" "$WORK/lanes/n$n.snap"; done
awk '/^[a-z]/ { at = $1 == "files" && $2 ~ /0000:05:00\.0$/ } at { sub(/current_link_width 16/, "current_link_width 8") } 1' "$one" >"$WORK/lanes/n4.snap"
check "one GPU was changed" [ "$(diff "$one" "$WORK/lanes/n4.snap" | grep -c '^>')" = 1 ]
run 1 outliers "$WORK/lanes"
check "it is named: $(grep n4 "$WORK/out")" grep -qxF "    8, 16: n4 (0000:05:00.0)" "$WORK/out"
run 1 outliers "$WORK/lanes" --json
check "as JSON, too" [ "$(jq -r .devices "$WORK/out")" = 0000:05:00.0 ]
run 1 outliers "$WORK/lanes" --by node
prints "n4: 1 fact"
check "with what most have: $(tail -n 1 "$WORK/out")" grep -qE "^  pcie\.width of [0-9]+: 8, 16 \(0000:05:00\.0\); 16 on 3 of 4$" "$WORK/out"

# A counter far above the others: which GPU. Two devices with a little more, and GPUs at work beside GPUs at rest, are none.
mkdir "$WORK/counters"
for n in 1 2 3 4; do cp "$one" "$WORK/counters/n$n.snap"; done
sed -i '0,/^\tpcie_replay_count 0$/s//\tpcie_replay_count 91234/' "$WORK/counters/n3.snap"
sed -i 's/^\tpcie_replay_count 0$/\tpcie_replay_count 40/' "$WORK/counters/n4.snap"
sed -i 's/^\tgpu_busy_percent 0$/\tgpu_busy_percent 99/; s/^\ttemp2_input [0-9]*$/\ttemp2_input 88000/' "$WORK/counters/n2.snap"
run 1 outliers "$WORK/counters"
prints "  PCIe replays: median 0, deviation 0 over 32 devices"
check "which GPU: $(tail -n 1 "$WORK/out")" grep -qxF "    far above: n3 (0000:05:00.0) 91234" "$WORK/out"
check "and nothing else" [ "$(grep -c '^  [^ ]' "$WORK/out")" = 1 ]
run 1 outliers "$WORK/counters" --json
check "as JSON" [ "$(jq -c '[.node, .fact, .value, .median, .of_devices]' "$WORK/out")" = '["n3","PCIe replays",91234,0,32]' ]

# Half of the fleet has another kernel: there is no majority, and it is said; nothing else is.
mkdir "$WORK/half"
for n in 1 2; do
	cp "$one" "$WORK/half/a$n.snap"
	sed 's/5\.15\.0-130-generic/5.15.0-131-generic/g' "$one" >"$WORK/half/b$n.snap"
done
run 1 outliers "$WORK/half"
prints "4 nodes in 1 class: none differs from a majority, and some facts have none"
prints "  host.kernel: no majority: 5.15.0-130-generic on 2, 5.15.0-131-generic on 2"
check "nothing else: $(cat "$WORK/out")" [ "$(grep -c "no majority" "$WORK/out")" = "$(grep -c '^  ' "$WORK/out")" ]
run 1 outliers "$WORK/half" --json
check "as JSON it has no node" [ "$(jq -r 'select(.fact == "host.kernel") | .node' "$WORK/out")" = null ]
cp "$one" "$WORK/half/a3.snap"
run 1 outliers "$WORK/half"
check "three of five are a majority" grep -qF "  host.kernel: 5.15.0-130-generic on 3 of 5" "$WORK/out"

# A node without network cards is told by their number, not by each of their columns.
mkdir "$WORK/nics"
for n in 1 2 3; do cp "$MACHINES/mi300x-x8-ubuntu2204-rocm63-nics.snap" "$WORK/nics/n$n.snap"; done
cp "$one" "$WORK/nics/n4.snap"
run 1 outliers "$WORK/nics"
check "a line for cards and one for ports: $(grep -E "nic|rdma" "$WORK/out")" [ "$(grep -cE "^  (number of )?(nic|rdma_port)" "$WORK/out")" = 2 ]
run 64 outliers "$WORK/nics" --by colour

# Files that are something else.
head -c 20000 "$WORK/fleet.db" >"$WORK/cut.db"
run 66 outliers "$WORK/cut.db"
cp "$WORK/fleet.db" "$WORK/damaged.db" # its pages behind the first, where the schema stands
python3 -c 'import sys; f = open(sys.argv[1], "r+b"); n = f.seek(0, 2); f.seek(n // 2); f.write(b"\xff" * (n // 4))' "$WORK/damaged.db"
run 66 outliers "$WORK/damaged.db"
check "a damaged file is told once" [ "$(grep -c "is damaged" "$WORK/err")" = 1 ]
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("CREATE VIEW gpu AS SELECT 1 AS node")' "$WORK/other.db"
run 66 outliers "$WORK/other.db"
run 66 query --from "$WORK/other.db" "SELECT * FROM gpu"
run 66 outliers "$WORK/nowhere"
run 64 outliers
run 64 outliers a b

# Two machines.
run 0 diff "$one" "$one"
prints "no difference"
run 1 diff "$one" "$MACHINES/mi300x-x7-ubuntu2204-rocm63-missing.snap" --json
check "what differs" grep -qF '{"fact": "number of gpu", "one": "8", "two": "7"}' "$WORK/out"
run 1 diff "$one" - <"$MACHINES/mi210-x8-rhel9-rocm63-healthy.snap"
run 66 diff "$one" "$WORK/nowhere"
run 64 diff
run 64 diff - -
run 1 diff "$one" --json # this machine is another one
check "with this machine" grep -q '"fact": "host' "$WORK/out"

# Every table has its line in the list, and every word of the list is a table or a column.
check "the list is that of the schema" python3 -c '
import re, sqlite3, sys
db = sqlite3.connect(sys.argv[2])
have = {n: {c for _, c, *_ in db.execute(f"PRAGMA table_info({n}_content)")} for (n,) in
        db.execute("SELECT name FROM sqlite_schema WHERE type = \"view\" AND name <> \"node\"")}
listed = {}
for line in open(sys.argv[1]):
    if not line.startswith("#"):
        table, key, out, counted = line.rstrip("\n").split("\t")
        listed[table] = {w.split("=")[0] for w in f"{key} {out}".split()} - {"-", "*"}
        assert counted in ("-", "counted"), line
assert set(listed) - {"*"} == set(have), set(listed) ^ set(have)
for table, words in listed.items():
    assert table == "*" or words <= have[table], (table, words - have[table])' "$SOURCE/data/compared-facts.tsv" "$WORK/fleet.db"
finish
