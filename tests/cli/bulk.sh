#!/usr/bin/env bash
# Every example of examples/bulk gives what one process gives; with an engine that is not installed it counts as skipped, and says so.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
BULK=$SOURCE/examples/bulk
PYTHON=${BULK_PYTHON:-python3}
export ROCSTEADY
left_out=()

# Fifteen failures and healthy logs, as files and as JSON lines.
mkdir "$WORK/logs"
find "$SOURCE/tests/explain" -name '*.log' | sort | head -n 15 | xargs cp -t "$WORK/logs"
find "$SOURCE/tests/logs/healthy" -name '*.log' | sort | head -n 5 | xargs cp -t "$WORK/logs"
find "$WORK/logs" -name '*.log' | sort | jq -cR '{id: ., path: .}' >"$WORK/logs.jsonl"
"$ROCSTEADY" explain --batch --no-machine <"$WORK/logs.jsonl" >"$WORK/one.jsonl"
sort "$WORK/one.jsonl" >"$WORK/sorted"
check "one process answers" [ "$(wc -l <"$WORK/one.jsonl")" = "$(wc -l <"$WORK/logs.jsonl")" ]

same() { # same NAME FILE...
	local name=$1
	shift
	check "$name gives the same answers" cmp -s "$WORK/sorted" <(sort "$@")
}
installed() { # installed MODULE
	"$PYTHON" -c "import $1" 2>/dev/null && return
	left_out+=("$1")
	return 1
}

"$BULK/explain-files" "$WORK/logs" "$WORK/files" 2
same xargs "$WORK"/files/*.jsonl

if installed pyspark && { command -v java >/dev/null || { left_out+=(java) && false; }; }; then
	PYSPARK_PYTHON=$PYTHON SPARK_LOCAL_IP=127.0.0.1 "$PYTHON" "$BULK/explain-spark" "$WORK/logs.jsonl" "$WORK/spark" 2>"$WORK/err"
	check "Spark ends well: $(tail -n 1 "$WORK/err")" [ -e "$WORK/spark/_SUCCESS" ]
	same Spark "$WORK"/spark/part-*
fi
if installed ray; then
	RAY_USAGE_STATS_ENABLED=0 "$PYTHON" "$BULK/explain-ray" "$WORK/logs.jsonl" "$WORK/ray.jsonl" 2>"$WORK/err"
	check "Ray keeps the order: $(tail -n 1 "$WORK/err")" cmp -s "$WORK/one.jsonl" "$WORK/ray.jsonl"
fi
if installed duckdb; then
	jq -c '{id, node: "node1", gpu: "MI300X", finished: "2026-11-11T03:00:00"}' "$WORK/logs.jsonl" >"$WORK/jobs.jsonl"
	"$PYTHON" "$BULK/report" "$WORK/jobs.jsonl" "$WORK/one.jsonl" "$WORK/plot.svg" >"$WORK/table" 2>"$WORK/err"
	jq -r 'select(.answer != "nothing" and .answer != "ok") | .causes[0].cause // "not recognised"' "$WORK/one.jsonl" | sort | uniq -c |
		while read -r jobs cause; do
			grep -qE "^2026-11-09 +node1 +MI300X +$cause +$jobs\$" "$WORK/table" || echo "$cause: $jobs"
		done >"$WORK/missing"
	check "every cause is counted: $(head -n 3 "$WORK/missing" "$WORK/err")" [ ! -s "$WORK/missing" ]
	check "the table has rows" [ "$(wc -l <"$WORK/table")" -gt 5 ]
	check "the plot is drawn" grep -q '<rect .*job-\|<rect .*<title>2026-11-09: ' "$WORK/plot.svg"
fi
[ "$FAILED" != 0 ] || [ ${#left_out[@]} = 0 ] || skip "$CHECKS checks passed; not installed for $PYTHON: ${left_out[*]}"
finish
