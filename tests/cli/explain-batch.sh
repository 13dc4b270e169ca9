#!/usr/bin/env bash
# explain --batch: each answer is that of a run of its own, byte for byte and in
# any order; a broken line gets a line, and the work goes on.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

check "every answer equals that of a run of its own" python3 "$SOURCE/tests/cli/batch_agree.py"

# ---- lines that cannot be answered ----

mkdir dir
mkfifo fifo
echo "RuntimeError: HIP error: out of memory" >log
gzip -k log
printf '\x7fELF\x02\x01' >program
cat >lines <<'END'
{"id": "plain", "path": "log"}
not JSON

{"id": "cut", "log": "Runtime
{"id": 2, "path": "nowhere"}
{"id": 3, "path": "dir"}
{"id": 4, "path": "fifo"}
{"id": 5, "path": "program"}
{"log": "x"}
{"id": "packed", "path": "log.gz"}
{"id": "last", "log": "\u001b[31mok\u0000"}
END
status=0
"$ROCSTEADY" explain --batch --verbose <lines >out 2>err || status=$?
check "status 0 although lines are broken (got $status)" [ "$status" = 0 ]
check "nothing on standard error: $(head -n 1 err)" [ ! -s err ]
check "a line for each that is not empty" [ "$(wc -l <out)" = 10 ]
check "ids in the order of the input" [ "$(jq -c .id out | tr '\n' ' ')" = '"plain" null "cut" 2 3 4 5 null "packed" "last" ' ]
check "errors, and no answers beside them" [ "$(jq -c 'select(.error) | [.line, has("answer")]' out | tr '\n' ' ')" = "[2,false] [4,false] [5,false] [6,false] [7,false] [8,false] [9,false] " ]
check "why: a directory" [ "$(jq -r 'select(.id == 3).error' out)" = "it is a directory" ]
check "why: a FIFO" [ "$(jq -r 'select(.id == 4).error' out)" = "it is not a regular file" ]
check "why: a program" [ "$(jq -r 'select(.id == 5).error' out)" = "it is a program, not a log" ]
check "a packed log is read" [ "$(jq -r 'select(.id == "packed").lines' out)" = 1 ]

# ---- files that never end, and ids that act on a terminal ----

: >empty
cat >lines <<'END'
{"id": 1, "path": "/proc/self/pagemap"}
{"id": 2, "path": "empty"}
{"id": "a\u202eb\u200bc\u009bd\ufeff", "log": "x"}
{"id": "\u0085\u2066", "path": "nowhere"}
END
timeout 60 "$ROCSTEADY" explain --no-machine --batch --verbose <lines >out 2>err
check "a file of no size is not waited for: $(wc -l <out) answers" [ "$(wc -l <out)" = 4 ]
check "it is called by its name" [ "$(jq -r 'select(.id == 2).ending | .file + " " + .text' out)" = "empty empty" ]
check "every line is JSON, and every id comes back" [ "$(jq -c .id out)" = "$(jq -c .id lines)" ]

# ---- one line at a time ----

mkfifo to from
"$ROCSTEADY" explain --batch <to >from &
exec 7>to 8<from
echo '{"id": 1, "log": ""}' >&7
read -r -t 60 -u 8 line
check "an answer before the next line is written" [ "$(jq .id <<<"$line")" = 1 ]
exec 7>&-
wait $!
check "status 0 at the end" [ $? = 0 ]
exec 8<&-

# ---- issues of a tracker ----

cat >issues <<'END'
[{"number": 12, "title": "Crash", "body": "RuntimeError: HIP error: invalid device function\n"}, {"number": 13, "title": "RuntimeError: HIP error: invalid device function", "body": null, "labels": [{"name": "x"}]}, 5, {"id": 14, "log": "RuntimeError: HIP error: out of memory\n"}]
[{"number": 15
{"number": 16, "body": "RuntimeError: HIP error: invalid device function\n"}
END
"$ROCSTEADY" explain --batch <issues >out 2>err
check "each element has a line: $(jq -c .id out | tr '\n' ' ')" [ "$(jq -c .id out | tr '\n' ' ')" = "12 13 null 14 null 16 " ]
check "title and text are explained" [ "$(jq -r '.causes[0].cause // .error' out | tr '\n' ' ')" = \
	"framework-lacks-arch framework-lacks-arch not a JSON object job-too-large not a JSON object framework-lacks-arch " ]
check "a list without elements has no answer" [ "$(echo '[]' | "$ROCSTEADY" explain --batch; echo $?)" = 0 ]
check "in the compact form" [ "$(jq -c 'select(.answer) | has("events") or has("unknown")' out | sort -u)" = false ]
"$ROCSTEADY" explain --batch --verbose <issues >out 2>err
check "and in the whole one" [ "$(jq -c 'select(.answer) | has("events")' out | sort -u)" = true ]

# ---- what does not go together ----

for words in "--batch log" "--batch -f" "--batch -o x" "--batch --together" "--batch --from x.snap" "--batch --format html" "--batch --brief"; do
	status=0
	# shellcheck disable=SC2086 # each is a word
	"$ROCSTEADY" explain $words </dev/null >out 2>err || status=$?
	check "status 64 of explain $words (got $status)" [ "$status" = 64 ]
done
check "an empty batch" "$ROCSTEADY" explain --batch </dev/null
finish
