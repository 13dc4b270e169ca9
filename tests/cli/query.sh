#!/usr/bin/env bash
# SQL from anybody: it reads the facts, changes nothing, reaches nothing else
# and comes to an end.
. "$(dirname "$0")/../live/lib.sh"
lacks() { ! grep -qF -- "$1" "$2"; }
trap 'rm -rf "$WORK"' EXIT
SNAP=$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap

# The address sanitizer maps terabytes; a limit on them would end the program at its start.
PATIENCE=45
grep -q __asan_init "$ROCSTEADY" && PATIENCE=60
within() { grep -q __asan_init "$ROCSTEADY" || ulimit -v "$1"; } # within KIB

query() { "$ROCSTEADY" query --from "$SNAP" "$@" >"$WORK/out" 2>"$WORK/err"; }
refused() { # refused SQL
	query "$1"
	check "refused with 64: $1" [ $? = 64 ]
	check "no answer to: $1" [ ! -s "$WORK/out" ]
	check "a reason for: $1" [ -s "$WORK/err" ]
}

query "SELECT address, gfx FROM gpu"
check "an answer" grep -q 'gfx1032' "$WORK/out"
query "SELECT address, gfx FROM gpu" --json
check "as JSON" python3 -c 'import json,sys; assert json.load(open(sys.argv[1]))[0]["gfx"] == "gfx1032"' "$WORK/out"
query "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000) SELECT sum(x) AS s FROM n;"
check "recursion that ends" grep -q 500500 "$WORK/out"
query "SELECT name FROM sqlite_schema LIMIT 3"
check "the schema" [ $? = 0 ]
query "SELECT 1 WHERE 0"
check "no rows are no fault" [ $? = 0 ]
query "SELECT 9e999 AS x" --json
check "JSON without inf" python3 -m json.tool "$WORK/out" /dev/null

query "SELECT 1 AS a, 'x,\"y\"' AS 'b,c', NULL AS n, '' AS e, char(10) || 'z' AS l, char(27) AS s" --csv
check "CSV as RFC 4180 has it" python3 -c '
import csv, sys
text = open(sys.argv[1], newline="").read()
assert text.startswith("a,\"b,c\",n,e,l,s\r\n1,\"x,\"\"y\"\"\",,\"\",") and text.endswith("\r\n"), text
assert list(csv.reader(text.splitlines(keepends=True))) == [["a", "b,c", "n", "e", "l", "s"], ["1", "x,\"y\"", "", "", "\nz", "\\x1b"]]' "$WORK/out"
mv "$WORK/out" "$WORK/switch"
query "SELECT 1 AS a, 'x,\"y\"' AS 'b,c', NULL AS n, '' AS e, char(10) || 'z' AS l, char(27) AS s" --format csv
check "--csv is --format csv" cmp -s "$WORK/out" "$WORK/switch"
query "SELECT 1 AS a WHERE 0" --csv
check "CSV of nothing has its names" cmp -s "$WORK/out" <(printf 'a\r\n')
query "SELECT address FROM gpu" --csv --json
check "two formats are one too many" [ $? = 64 ]

refused "INSERT INTO gpu (address) VALUES ('x')"
refused "UPDATE gpu SET gfx = 'x'"
refused "DELETE FROM gpu"
refused "DROP TABLE gpu"
refused "CREATE TABLE x (y)"
refused "CREATE TEMP TABLE x AS SELECT 1"
refused "CREATE VIEW x AS SELECT 1"
refused "CREATE TRIGGER x AFTER INSERT ON gpu BEGIN SELECT 1; END"
refused "ALTER TABLE gpu RENAME TO x"
refused "ATTACH '$WORK/x.db' AS x"
refused "DETACH main"
refused "VACUUM INTO '$WORK/x.db'"
refused "REINDEX"
refused "ANALYZE"
refused "BEGIN"
refused "PRAGMA database_list"
refused "PRAGMA writable_schema = 1"
refused "SELECT * FROM pragma_database_list"
refused "SELECT load_extension('$WORK/x.so')"
refused "SELECT readfile('/etc/passwd')"
refused "SELECT 1; SELECT 2"
refused "SELECT 1; DROP TABLE gpu"
refused "SELECT"
refused "SELECT nothing FROM gpu"
refused ""
refused ";"
refused "-- a comment"
check "no file was made" [ ! -e "$WORK/x.db" ]
query "SELECT count(*) AS n FROM gpu"
check "and nothing was changed" grep -qx ' *1' "$WORK/out"

for sql in "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n" \
	"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n" \
	"SELECT count(*) FROM gap a, gap b, gap c, gap d, gap e, gap f, gap g"; do
	start=$(date +%s)
	(within 2000000 && query "$sql")
	status=$?
	took=$(($(date +%s) - start))
	check "an endless query ends in $PATIENCE s (took $took s): $sql" [ "$took" -le $PATIENCE ]
	check "and with 64 (got $status): $sql" [ "$status" = 64 ]
	check "and says why: $sql" grep -q "too many steps" "$WORK/err"
done
(ulimit -f 64 && query "WITH RECURSIVE c(n) AS (SELECT zeroblob(15000000) UNION ALL SELECT n FROM c) SELECT n FROM c ORDER BY 1 DESC")
check "a query that sorts without end writes no file of its own, and ends with 64 (got $?)" [ $? = 64 ]
(ulimit -St 2 && query "SELECT length(printf('%.*c%.*c', 2000000000, 'x', 2000000000, 'x'))")
status=$?
check "one endless step ends with its share of CPU (got $status)" [ "$status" = 64 ]
(within 1000000 && query "SELECT length(hex(zeroblob(400000000)))")
check "a value of 400 MB is refused" [ $? = 64 ]
query --format csv "SELECT '=cmd|calc!A0' AS x, -5 AS n"
check "a text that a spreadsheet would run stays a text" grep -q "^'=cmd|calc!A0,-5" "$WORK/out"
query "SELECT char(27) || '[2J' AS x"
check "no escape reaches the terminal" lacks $'\033' "$WORK/out"
finish
