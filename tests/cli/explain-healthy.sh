#!/usr/bin/env bash
# Logs of good trainings and servers, with the warnings that they usually print:
# no known error as they are. With their lines in another order no line may speak
# for a cause; an error that has come to stand at the end may be one that is not
# known, with causes named by the words of the text alone.
set -u
program=$ROCSTEADY logs=$ROCSTEADY_SOURCE/tests/logs/healthy
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
count=0 failed=0

# calm NAME FILE
calm() {
	local status=0 out
	out=$("$program" explain --no-machine "$2" </dev/null 2>&1) || status=$?
	count=$((count + 1))
	if [ "$status" != 0 ] || [[ $out != *"No known error"* ]]; then
		printf 'FAIL %s: exit status %s\n%s\n' "$1" "$status" "$out"
		failed=1
	fi
}

# uncured NAME FILE
uncured() {
	local status=0 out
	out=$("$program" explain --no-machine "$2" </dev/null 2>&1) || status=$?
	count=$((count + 1))
	[[ $status != 3 || $out != *"by the words of the text alone"* ]] || return
	if [ "$status" != 0 ] && [[ $out != "?? "* || $out == "?? Cause unclear"* ]]; then
		printf 'FAIL %s: exit status %s\n%s\n' "$1" "$status" "$out"
		failed=1
	fi
}

# shuffled FILE SEED: the same on every machine.
shuffled() {
	if [ "$(head -c 2 "$1" | od -An -tx1)" = " ff fe" ]; then
		iconv -f UTF-16 -t UTF-8 "$1"
	else
		cat "$1"
	fi | shuf --random-source=<(yes "$2")
}

for log in "$logs"/*.log; do
	calm "$(basename "$log")" "$log"
	for seed in one two; do
		shuffled "$log" "$seed" >"$work/log"
		uncured "$(basename "$log"), shuffled by $seed" "$work/log"
	done
done

# A server's log holds the day of many programs.
cat "$logs"/*.log >"$work/all"
calm "all in one" "$work/all"

[ "$count" -ge 150 ] || { echo "FAIL only $count logs"; failed=1; }
echo "$count logs"
exit "$failed"
