#!/usr/bin/env bash
# Gates save statements and change nothing: every recorded machine gets the same answer without them.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT

cp "$KNOWLEDGE" "$WORK/real.db" || exit 1
cp "$WORK/real.db" "$WORK/no-gates.db"
# A question that the GPU test was not asked has no answer, whatever else is not known: that gate is part of what is meant.
sqlite3 "$WORK/no-gates.db" "UPDATE evidence SET gate = NULL WHERE gate NOT LIKE 'probe.question%'"

# answers KNOWLEDGE: a line for each machine, but for what the gates save
answers() {
	"$ROCSTEADY" check --json --verbose --from "$SOURCE/tests/machines" --kb "$WORK/$1.db" |
		jq -c 'del(.run, .cost, .checks[]?.steps) | (.checks[]?.state | select(. == "not_applicable")) = "ok"'
}

answers real | sort >"$WORK/real"
answers no-gates | sort >"$WORK/no-gates"
check "every machine is answered" cmp <(jq -r 'select(.checks) | .node' "$WORK/real" | sort) <(cd "$SOURCE/tests/machines" && printf '%s\n' *.snap | sed 's/\.snap$//' | sort)
of_node() { jq --arg node "$1" 'select(.node == $node)' "$WORK/$2"; }
for node in $(comm -3 "$WORK/no-gates" "$WORK/real" | jq -r .node | sort -u); do
	check "$node: a gate is closed that should be open" diff -u <(of_node "$node" no-gates) <(of_node "$node" real)
done
finish
