#!/usr/bin/env bash
# A proof: shown before it is written, verified by check, and refused where it would be less than that.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

refused() { # refused WORDS OPTION...
	local words=$1
	shift
	"$ROCSTEADY" snapshot --proof "$@" </dev/null >out 2>err
	check "exit status 64: $*" [ $? = 64 ]
	check "says '$words': $*" grep -qF -- "$words" err
	check "nothing on standard output: $*" [ ! -s out ]
}

refused "made on the machine itself" --yes --from "$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap"
refused "a whole scrubbed file" --yes --no-scrub
refused "a whole scrubbed file" --yes --brief
refused "a whole scrubbed file" --yes --unpack tree
refused "no terminal to ask on"
check "--yes alone" [ "$("$ROCSTEADY" snapshot --yes 2>&1 >/dev/null | grep -c 'the question of --proof')" = 1 ]

# This machine, of whatever kind it is.
"$ROCSTEADY" snapshot --proof --no-open --yes -o proof.snap 2>err </dev/null
check "written" [ -s proof.snap ]
for name in machine answer walk program knowledge replaced size; do
	check "shown before: $name" grep -qE "^  $name +[^ ]" err
done
check "shown, then written" [ "$(grep -n 'proof.snap would hold' err | cut -d: -f1)" -lt "$(grep -n 'proof.snap written' err | cut -d: -f1)" ]
check "readable by its owner only" [ "$(stat -c %a proof.snap)" = 600 ]
check "the note comes first" [ "$(sed -n 2p proof.snap)" = "note proof" ]
check "scrubbed" grep -q '^note scrubbed' proof.snap
check "with its walk" grep -q '^ask probe' proof.snap
check "the digest is that of sha256sum" [ "$(sed '0,/^\tsha256 /{/^\tsha256 /d}' proof.snap | sha256sum | cut -d' ' -f1)" \
	= "$(sed -n 's/^\tsha256 //p' proof.snap | head -n 1)" ]

unchanged() { "$ROCSTEADY" check --from "$1" --json --verbose | jq -r '.proof.unchanged'; }
check "check verifies it" [ "$(unchanged proof.snap)" = true ]
check "in words too" [ "$("$ROCSTEADY" check --from proof.snap | tr -s ' \n' ' ' | grep -c 'unchanged. Its answer was ')" = 1 ]
check "its answer is what check says now" [ "$("$ROCSTEADY" check --from proof.snap --json --verbose | jq '.verdict == .proof.answer')" = true ]
check "and so are its causes" [ "$("$ROCSTEADY" check --from proof.snap --json --verbose |
	jq -c '(.proof.causes | map(split(" ")[0])) as $before | [.findings[].cause] as $now | $before - $now')" = "[]" ]
gzip -9n <proof.snap >proof.snap.gz
check "packed" [ "$(unchanged proof.snap.gz)" = true ]
"$ROCSTEADY" snapshot --from proof.snap -o again.snap
check "a snapshot of it is the same bytes" cmp -s proof.snap again.snap
sed '0,/^\tanswer /s/^\tanswer .*/\tanswer ready_indeed/' proof.snap >changed.snap
check "another answer is noticed" [ "$(unchanged changed.snap)" = false ]
check "and said" [ "$("$ROCSTEADY" check --from changed.snap | grep -c 'changed after it was recorded')" = 1 ]
{ head -n -2 proof.snap && echo "note end"; } >cut.snap
check "a lost line is noticed" [ "$(unchanged cut.snap)" = false ]
head -n -1 proof.snap >cut.snap
check "a lost end is noticed" [ "$("$ROCSTEADY" check --from cut.snap 2>&1 | grep -c 'is cut off')" = 1 ]
check "an ordinary snapshot says nothing of proofs" [ "$("$ROCSTEADY" check --json --verbose \
	--from "$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap" | jq 'has("proof")')" = false ]

"$ROCSTEADY" snapshot --proof --no-open -o - >printed.snap 2>err </dev/null
check "printed without a question" [ "$(unchanged printed.snap)" = true ]

# On a terminal it asks, and shows every line to those who want it.
if command -v script >/dev/null; then
	answer() { (sleep 1; printf '%s' "$1") | script -qec "'$ROCSTEADY' snapshot --proof --no-open -o $2" /dev/null >out 2>&1; }
	answer $'n\n' no.snap
	check "no: nothing is written" [ ! -e no.snap ]
	check "no: and says so" grep -q 'nothing was written' out
	answer $'s\ny\n' yes.snap
	check "yes: written" [ "$(unchanged yes.snap)" = true ]
	check "s: every line was shown" [ "$(tr -d '\r' <out | grep -cxF "$(grep -m1 'sha256 ' yes.snap)")" = 1 ]
else
	echo "not checked: the question (no script here)"
fi
finish
