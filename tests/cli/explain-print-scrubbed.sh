#!/usr/bin/env bash
# explain --print-scrubbed: the text comes back whole, without names and secrets, and nothing is explained.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
cat >log <<'END'
File "/home/tomasz/ComfyUI/main.py", line 3, host build-7.corp.example
export HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz0123456789
tomasz@10.20.30.40: RuntimeError: HIP error: invalid device function (gfx1031)
END
"$ROCSTEADY" explain --print-scrubbed log >out 2>err
check "exit status 0" [ $? = 0 ]
check "as many lines" [ "$(wc -l <out)" = 3 ]
check "what an answer rests on stays" grep -q 'RuntimeError: HIP error: invalid device function (gfx1031)' out
check "the user is gone, also outside of the path" [ "$(grep -c tomasz out)" = 0 ]
check "the token is gone" [ "$(grep -c hf_abc out)" = 0 ]
check "a name keeps its pseudonym" [ "$(grep -oE 'user-[0-9a-f]{8}' out | sort -u | wc -l)" = 1 ]
check "nothing is explained" [ ! -s err ]
check "the same answer as before" [ "$("$ROCSTEADY" explain --no-machine out | head -n 1)" = "$("$ROCSTEADY" explain --no-machine log | head -n 1)" ]
check "two keys, two pseudonyms" [ "$("$ROCSTEADY" explain --print-scrubbed --scrub-key a log | sha256sum)" != "$("$ROCSTEADY" explain --print-scrubbed --scrub-key b log | sha256sum)" ]
check "one key, one" [ "$("$ROCSTEADY" explain --print-scrubbed --scrub-key a log | sha256sum)" = "$("$ROCSTEADY" explain --print-scrubbed --scrub-key a - <log | sha256sum)" ]
check "a typed message" [ "$("$ROCSTEADY" explain --print-scrubbed 'Error in /home/tomasz/x' | grep -c tomasz)" = 0 ]
: >empty
check "of nothing nothing" [ -z "$("$ROCSTEADY" explain --print-scrubbed empty)" ]

refused() { # refused STATUS WORDS ARGUMENT...
	local status=$1 words=$2 got=0
	shift 2
	"$ROCSTEADY" explain --print-scrubbed "$@" >out 2>err || got=$?
	check "status $status: $*" [ "$got" = "$status" ]
	check "'$words': $*" grep -qF "$words" err
	check "prints nothing: $*" [ ! -s out ]
}

refused 64 "takes one text" log empty
head -c 65536 "$ROCSTEADY" >program
refused 64 "is none" program
truncate -s 17M large
refused 66 "more than 16 MiB" large
check "a reader that is gone" bash -c '"$0" explain --print-scrubbed log >/dev/full 2>err; [ $? = 70 ]' "$ROCSTEADY"
finish
