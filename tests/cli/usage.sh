#!/usr/bin/env bash
# What is typed: commands, options, help, exit status, and where answers go.
. "$(dirname "$0")/../live/lib.sh"
lacks() { ! grep -qF -- "$1" "$2"; }
trap 'rm -rf "$WORK"' EXIT
SNAP=$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap

# run STATUS ARGUMENT...: the output stays in $WORK/out and $WORK/err.
run() {
	local want=$1 status
	shift
	"$ROCSTEADY" "$@" >"$WORK/out" 2>"$WORK/err"
	status=$?
	check "status $want of: rocsteady $* (got $status)" [ "$status" = "$want" ]
}
says() { check "$1: stderr says '$2'" grep -qF -- "$2" "$WORK/err"; }
prints() { check "$1: stdout has '$2'" grep -qF -- "$2" "$WORK/out"; }
silent() { check "$1: stdout is empty" [ ! -s "$WORK/out" ]; }

run 0 --help
prints help "usage: rocsteady"
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$WORK/out")
run 0 --version
check "one line of version" grep -qE '^rocsteady [0-9]+\.[0-9]+' "$WORK/out"
run 0 --version --json
check "version, knowledge and libraries as JSON" jq -e '(.version | test("^[0-9]+[.]")) and (.kb.digest | length) == 64
	and .kb.age_days >= 0 and (.kb.version | test("^[0-9-]{10}$")) and (.features.archives | type) == "boolean"
	and (.libraries.sqlite | startswith("3."))' "$WORK/out"
run 64 --version --yaml
says "an option that --version has not" "--version takes --json or nothing"
run 64 --version --json more
check "facts, query and snapshot are among the commands" [ "$(grep -cxE 'facts|query|snapshot' <<<"$commands")" = 3 ]
for command in $commands; do
	run 0 "$command" --help
	prints "$command --help" "usage: rocsteady $command"
	prints "$command --help" "--help"
	run 0 "$command" -h
done

run 64 fcts
says "a near miss" "did you mean facts?"
silent "a near miss"
run 64 frobnicate
check "no suggestion for anything else" lacks "did you mean" "$WORK/err"
run 64 "$(printf 'fa\033[31mcts')"
check "an escape in a command is not repeated" lacks $'\033' "$WORK/err"
run 64 facts --frobnicate
says "an unknown option" "--frobnicate"
says "an unknown option" "rocsteady facts --help"
check "the whole usage is not printed" [ "$(wc -l <"$WORK/err")" -le 3 ]
run 64 facts --from
says "an option without its value" "needs a value"
run 64 facts gpus log
run 64 facts no-such-topic --from "$SNAP"
says "an unknown topic" "there are:"
run 64 facts --from "$SNAP" --root "$WORK"
run 64 facts --user root --pid 1
run 64 facts --user root --from "$SNAP"
run 64 snapshot "$WORK/file"
says "a file without -o" "-o"
run 64 query
run 64 query a b
run 64 snapshot --from "$SNAP" --unpack "$WORK/tree" -o "$WORK/file"
run 64 facts --brief
run 64 snapshot --json

run 0 facts --from "$SNAP"
prints "a machine" "RX 6600"
check "a machine says nothing on stderr" [ ! -s "$WORK/err" ]
run 0 facts --json --from "$SNAP"
check "JSON" python3 -m json.tool "$WORK/out" /dev/null
run 0 facts gpus --json --from "$SNAP"
check "JSON of a topic" python3 -m json.tool "$WORK/out" /dev/null
run 0 facts --paths
prints "the closed table" "static  /proc/cmdline"
run 0 facts --from - <"$SNAP"
prints "standard input" "RX 6600"
gzip -c "$SNAP" >"$WORK/m.gz"
run 0 facts --from "$WORK/m.gz"
prints "gzip" "RX 6600"

run 70 facts --from "$WORK/nowhere"
says "a missing file" "No such file"
run 70 facts --from "$WORK"
says "a directory" "Is a directory"
run 70 facts --root "$WORK/nowhere"
run 70 facts --root "$SNAP"
: >"$WORK/empty"
run 70 facts --from "$WORK/empty"
says "an empty file" "is no snapshot"
head -c 3000 /dev/urandom >"$WORK/random"
run 70 facts --from "$WORK/random"
silent "random bytes"
head -c 900 "$WORK/m.gz" >"$WORK/cut.gz"
run 70 facts --from "$WORK/cut.gz"
says "gzip cut short" "damaged or cut short"
mkfifo "$WORK/fifo"
cat "$SNAP" >"$WORK/fifo" &
run 0 facts --from "$WORK/fifo"
prints "a FIFO" "RX 6600"

run 70 facts --from "$SNAP" -o "$WORK/no/where"
says "-o to nowhere" "could not write"
run 70 snapshot --from "$SNAP" -o "$WORK/no/where"
run 70 snapshot --from "$SNAP" -o "$WORK"
run 70 snapshot --from "$SNAP" --unpack "$SNAP"
mkdir "$WORK/full" && : >"$WORK/full/file"
run 70 snapshot --from "$SNAP" --unpack "$WORK/full"
says "a full directory" "not empty"
run 0 facts --from "$SNAP" -o "$WORK/answer"
silent "-o"
check "-o holds the answer" grep -q "RX 6600" "$WORK/answer"
run 0 snapshot --from "$SNAP" -o /dev/null
check "/dev/null is still a device" [ -c /dev/null ]
if [ "$(id -u)" != 0 ]; then
	mkdir -m 500 "$WORK/closed"
	run 70 snapshot --from "$SNAP" -o "$WORK/closed/x"
	says "an unwritable directory" "Permission denied"
fi

for words in "facts --json" "facts log" "snapshot" "query SELECT*FROM(gap)"; do
	# shellcheck disable=SC2086
	"$ROCSTEADY" $words --from "$SNAP" 2>"$WORK/err" | head -c 10 >/dev/null
	status=${PIPESTATUS[0]}
	check "a closed pager is no fault of: $words (got $status)" [ "$status" = 0 ]
	check "and nothing is said of it: $words" [ ! -s "$WORK/err" ]
done
"$ROCSTEADY" facts --from "$SNAP" >&- 2>"$WORK/err"
check "a closed stdout is" [ $? = 70 ]
if [ -w /dev/full ]; then
	"$ROCSTEADY" facts --from "$SNAP" >/dev/full 2>"$WORK/err"
	check "so is a full one" [ $? = 70 ]
	says "so is a full one" "No space left"
fi
finish
