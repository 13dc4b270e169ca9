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
