#!/usr/bin/env bash
# Gates save statements and change nothing: every recorded machine gets the same answer without them.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT

cp "$KNOWLEDGE" "$WORK/real.db" || exit 1
cp "$WORK/real.db" "$WORK/no-gates.db"
# A question that the GPU test was not asked has no answer, whatever else is not known: that gate is part of what is meant.
sqlite3 "$WORK/no-gates.db" "UPDATE evidence SET gate = NULL WHERE gate NOT LIKE 'probe.question%'"

# answer MACHINE KNOWLEDGE: but for what the gates save
answer() {
	"$ROCSTEADY" check --json --verbose --from "$1" --kb "$WORK/$2.db" 2>&1 |
		jq 'del(.run, .cost, .checks[].steps) | .checks[].state |= (if . == "not_applicable" then "ok" else . end)'
}

for snap in "$SOURCE"/tests/machines/*.snap; do
	answer "$snap" real >"$WORK/real.json"
	answer "$snap" no-gates >"$WORK/no-gates.json"
	check "${snap##*/}: a gate is closed that should be open" diff -u "$WORK/no-gates.json" "$WORK/real.json"
	check "${snap##*/}: answered" [ -s "$WORK/real.json" ]
done
finish
