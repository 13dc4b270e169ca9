#!/usr/bin/env bash
# Many snapshots, one statement: names, order, what cannot be read, and the file of all facts.
. "$(dirname "$0")/../live/fleet.sh"
cp "$MACHINES/mi300x-x8-ubuntu2404-rocm64-cpx.snap" "$many/a b.snap"
cp "$MACHINES/nogpu-debian12-k61-guest.snap" "$many/none.snap"
echo "no snapshot by its name" >"$many/readme.txt"

answers() { check "$1; it is: $(head -c 300 "$WORK/out")" [ "$(cat "$WORK/out")" = "$2" ]; }

run 0 query --from "$many" --csv "SELECT node, error FROM node"
answers "a node is called by its file, in the order of names" $'node,error\r\na,\r\na b,\r\nb,\r\nnone,\r'
check "nothing is said" [ ! -s "$WORK/err" ]
run 0 query --from "$many" --csv "SELECT product, count(*) AS gpus, count(DISTINCT node) AS nodes FROM gpu GROUP BY 1 ORDER BY 1"
check "groups over nodes" grep -qF "AMD Instinct MI300X OAM,16,2" "$WORK/out"
run 0 query --from "$many" --json "SELECT node, distribution FROM host"
check "an object a line" python3 -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert [r["node"] for r in rows] == ["a", "a b", "b", "none"], rows
assert rows[0]["distribution"] == "ubuntu", rows' "$WORK/out"
run 0 query --from "$many" --csv "SELECT kfd_node FROM agent WHERE node = 'b'"
check "the number of KFD has another name" grep -qE '^[0-9]' "$WORK/out"
run 0 query --from "$many" "SELECT 1 WHERE 0"

# Each machine has the rows that it has alone, in every table.
"$ROCSTEADY" query --from "$many/b.snap" --csv "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'gap'" | tr -d '\r' |
	tail -n +2 >"$WORK/tables"
check "there are tables" [ "$(wc -l <"$WORK/tables")" -gt 30 ]
for node in a "a b" b none; do
	for snap in "$many/$node".snap*; do
		while read -r table; do
			"$ROCSTEADY" query --from "$snap" --csv "SELECT * FROM $table" | tail -n +2 >"$WORK/alone"
			"$ROCSTEADY" query --from "$many" --csv "SELECT * FROM $table WHERE node = '$node'" | tail -n +2 | sed "s/^$node,//" >"$WORK/merged"
			check "$node has its own rows in $table" cmp -s "$WORK/alone" "$WORK/merged"
		done < <(shuf -n 6 --random-source=<(yes "$node") "$WORK/tables")
	done
done

# What is absent is told once for a column; what was refused keeps its subject.
run 0 query --from "$many" --csv "SELECT count(*) AS n FROM (SELECT node, topic, standing, detail FROM gap WHERE standing IN ('absent', 'unasked')
	GROUP BY 1, 2, 3, 4 HAVING count(*) > 1 OR max(subject) <> '')"
answers "absent and unasked once for a column" $'n\r\n0\r'
run 0 query --from "$many" --csv "SELECT count(DISTINCT topic) AS n FROM gap WHERE node = 'a'"
merged=$(cat "$WORK/out")
run 0 query --from "$many/a.snap.gz" --csv "SELECT count(DISTINCT topic) AS n FROM gap"
answers "every topic with a gap has one" "$merged"

# The walls are those of one machine.
for sql in "DELETE FROM kept" "ATTACH '$WORK/x.db' AS x" "SELECT load_extension('x')" "PRAGMA journal_mode" "SELECT nothing FROM gpu"; do
	run 64 query --from "$many" "$sql"
done
check "no file was made" [ ! -e "$WORK/x.db" ]
run 64 query --from "$many"
says "-o FILE alone"
run 64 query --from "$many" --json -o "$WORK/x"
run 64 query --from "$many" "SELECT 1" "SELECT 2"

# One file.
run 0 query --from "$many" -o "$WORK/fleet.db"
check "nothing on stdout" [ ! -s "$WORK/out" ]
check "other programs read it" python3 -c '
import sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
assert db.execute("SELECT count(*) FROM gpu").fetchone()[0] == 17, db.execute("SELECT count(*) FROM gpu").fetchone()
assert db.execute("SELECT node FROM host ORDER BY rowid IS NULL").fetchall() == [("a",), ("a b",), ("b",), ("none",)]' "$WORK/fleet.db"
run 0 query --from "$many" -o "$WORK/again.db"
check "the same bytes again" cmp -s "$WORK/fleet.db" "$WORK/again.db"
run 0 query --from "$many" "SELECT node FROM node" -o "$WORK/text"
check "with a statement -o takes its answer" grep -qx 'a b' "$WORK/text"

# Hostile ones: each is a line, and no end.
bad=$WORK/bad
mkdir "$bad" "$bad/directory.snap"
cp "$many/b.snap" "$bad/good.snap"
echo "not a snapshot" >"$bad/garbage.snap"
: >"$bad/empty.snap"
head -c 900 "$many/a.snap.gz" >"$bad/cut.snap.gz"
head -c 4000 /dev/zero >"$bad/zeros.snap"
mkfifo "$bad/fifo.snap"
ln -s loop.snap "$bad/loop.snap"
ln -s /nowhere "$bad/dangling.snap.gz"
cp "$many/b.snap" "$bad/$(printf 'e\033[2J\nx').snap"
run 3 query --from "$bad" --csv "SELECT node, error IS NULL AS read FROM node"
answers "who was read" $'node,read\r\ncut,0\r\ndangling,0\r\ndirectory,0\r\ne\\x1b[2J\\x0ax,1\r\nempty,0\r\nfifo,0\r\ngarbage,0\r\ngood,1\r\nloop,0\r\nzeros,0\r'
says "8 of 10 snapshots could not be read"
for name in cut.snap.gz dangling.snap.gz directory.snap empty.snap fifo.snap garbage.snap loop.snap zeros.snap; do
	check "one line for $name" [ "$(grep -cF "$bad/$name" "$WORK/err")" = 1 ]
done
check "no escape is printed" lacks $'\033' "$WORK/err"
run 3 query --from "$bad" --json "SELECT node FROM gpu ORDER BY node"
answers "the others answer" $'{"node": "e\\\\x1b[2J\\\\x0ax"}\n{"node": "good"}'
rm "$bad"/good.snap "$bad"/e*x.snap
run 66 query --from "$bad" "SELECT 1"
says "none of 8 snapshots could be read"
check "no answer" [ ! -s "$WORK/out" ]

gzip -c "$many/b.snap" >"$many/b.snap.gz"
run 66 query --from "$many" "SELECT 1"
says "are both called b; rename one of them"
rm "$many/b.snap.gz"
printf -v control 'x\001'
cp "$many/b.snap" "$many/$control.snap"
cp "$many/b.snap" "$many/x\\x01.snap"
run 66 query --from "$many" "SELECT 1"
says 'are both called x\x01'
mkdir "$WORK/nothing"
run 66 query --from "$WORK/nothing" "SELECT 1"
says "no snapshots (*.snap, *.snap.gz)"
finish
