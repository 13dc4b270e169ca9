#!/usr/bin/env bash
# kb score on records whose figures are worked out by hand, and on healthy
# machines: an answer there is an alarm.
set -u
program=$ROCSTEADY data=$ROCSTEADY_SOURCE/tests/data/score machines=$ROCSTEADY_SOURCE/tests/machines
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
	printf 'FAIL %s\n' "$1"
	failed=1
}

# asked WANTED FILTER: of the JSON in $work/score.json
asked() {
	local got
	got=$(jq -c "$2" "$work/score.json")
	[ "$got" = "$1" ] || complain "$2: $got, not $1"
}

score() {
	"$program-kb" score "$data/records.jsonl" --healthy "$data/healthy" --machines "$1" \
		"${@:2}" 2>"$work/err"
}

# Of two machines one says that it is healthy; a third says so and is not.
mkdir "$work/machines"
healthy=rx6600-debian12-k61-healthy ill=rx7900xt-ubuntu2404-k68-blacklisted
cp "$machines/$healthy".{about,snap} "$machines/$ill".{about,snap} "$work/machines"

score "$work/machines" --json -o "$work/score.json" || complain "exit status $?"
asked '3' '.scores[0].all."hit@1".of'
asked '1' '.scores[0].all."hit@1".hits'
asked '[1,-1,1]' '[.records[] | select(.strength == "confirmed") | .gain."as is"]'
asked '0.333' '.scores[0].all.gain.mean * 1000 | round / 1000'
asked '1' '.scores[0].release.gain.mean'
asked '1' '.likely[0].all."hit@1".of'
asked '[{"cause":"other"},{"cause":"user-code"}]' '[.confusion[] | {cause}]'
asked '{"hits":0,"of":2}' '.scores[2].alarms.logs | {hits,of}'
asked '{"hits":0,"of":1}' '.scores[2].alarms.machines | {hits,of}'
asked '["as is","shuffled","buried"]' '[.scores[].presentation]'
asked 'true' '.records[0].named[0].by | length > 0'
asked '[]' '.alarms'

sed -i 's/^state: .*/state: healthy/' "$work/machines/$ill.about"
grep -q '^state: healthy' "$work/machines/$ill.about" ||
	echo 'state: healthy' >>"$work/machines/$ill.about"
score "$work/machines" --json -o "$work/score.json" || complain "exit status $?"
asked '{"hits":1,"of":2}' '.scores[0].alarms.machines | {hits,of}'
asked '1' '.alarms | length'

out=$(score "$work/machines")
last=$(tail -n 1 <<<"$out")
[[ $last == "worst: as is, hit@1 33.3 %, strict@1 33.3 %, hit@3 33.3 %, gain +0.333 "*"alarms 1 of 4" ]] ||
	complain "the summary is: $last"
[[ $out == *"-1.00 wrong: user-code; "*" by "* ]] ||
	complain "what decided a record is not said"

# What cured them: the first step of "right" frees memory or asks for less; "wrong" is left out.
{
	echo '{"id": "right", "cures": ["reduce-demand"], "also": ["free-memory"]}'
	echo '{"id": "wrong", "cures": ["none-known"], "also": []}'
	echo '{"id": "unheard", "cures": ["hardware"], "also": []}'
} >"$work/cures.jsonl"
score "$work/machines" --cures "$work/cures.jsonl" --json -o "$work/score.json" || complain "exit status $?"
asked '{"hits":1,"of":2}' '.scores[0].all."cures@3" | {hits,of}'
asked '["hardware","reduce-demand",null]' '.constant.kinds'
asked 'true' '.records[0].steps | length > 0'
[[ $(score "$work/machines" --cures "$work/cures.jsonl") == *"cures: @1 "*"always: 100.0 %"* ]] ||
	complain "cures are not told"
echo '{"id": "nobody", "cures": ["hardware"]}' >"$work/bad.jsonl"
score "$work/machines" --cures "$work/bad.jsonl" >/dev/null
[ $? = 66 ] || complain "cures of a record that is not there"
[[ $(<"$work/err") == *"bad.jsonl:1: not a JSON object with \"id\""* ]] || complain "said: $(<"$work/err")"

# Facts one by one: the answer is graded against a cause that Windows does not have.
{
	echo '{"id": "moved", "env": {"os": "Windows 11", "rocm": "7.1"}, "log": "RuntimeError: No HIP GPUs are available", "cause": "device-permission"}'
	echo '{"id": "bare", "env": null, "log": "RuntimeError: No HIP GPUs are available", "cause": "device-permission"}'
} >"$work/facts.jsonl"
out=$("$program-kb" score --each-fact "$work/facts.jsonl")
[[ $out == *"facts: 1 record, 3 facts and pairs, 2 worse (66.7 %), 0 lost, 0 depend on the order"* ]] ||
	complain "facts one by one: $out"
[[ $out == *"fall moved + os=Windows 11; cause 1 to "*"; should be device-permission"* ]] ||
	complain "the fall is not told: $out"

# A record that has the newer name of a cause is right if that cause is answered, first and among others.
sed -n '1s/vram-exhausted/job-too-large/p; 2s/"memory-access-fault"/"job-too-large"/p' "$data/records.jsonl" >"$work/newer.jsonl"
"$program-kb" score "$work/newer.jsonl" --json -o "$work/score.json" || complain "exit status $?"
asked '["job-too-large","job-too-large"]' '[.records[].named[0].cause]'
asked '[1,1]' '[.records[].gain."as is"]'

# What is no record, and places that are not there.
echo '{"id": "x"}' >"$work/bad.jsonl"
"$program-kb" score "$work/bad.jsonl" >/dev/null 2>"$work/err" && complain "no cause is a record"
[[ $(<"$work/err") == *"bad.jsonl:1: not a JSON object"* ]] || complain "said: $(<"$work/err")"
score "$work/none" >"$work/out"
[ $? = 66 ] && [ ! -s "$work/out" ] || complain "without machines: $(<"$work/out")"
[[ $(<"$work/err") == *"--machines names"* ]] || complain "said: $(<"$work/err")"

exit "$failed"
