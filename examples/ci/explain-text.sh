#!/usr/bin/env bash
# For a step of GitHub Actions: explains TEXT, or with ISSUE=true the issue of the event, and writes
# verdict, about, cause, labels, comment and fingerprint to the outputs of the step.
#
# Strangers write titles and issues. They come by the environment or by the file of the event, go to
# rocsteady by standard input, and are never part of a script or of a command line.
set -euo pipefail
program=${ROCSTEADY_PROGRAM:-rocsteady}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${ISSUE:-}" = true ]; then
	jq -r '.issue // error("this event has no issue") | "\(.title)\n\n\(.body // "")"' "$GITHUB_EVENT_PATH" >"$work/text"
else
	printf '%s\n' "$TEXT" >"$work/text"
fi

# explain FORM: statuses up to 3 are answers.
explain() { "$program" explain --no-machine --format "$1" <"$work/text" || [ $? -le 3 ]; }

# output NAME: its value comes by standard input, between marks that no text can guess.
output() {
	local mark
	mark=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	{ printf '%s<<%s\n' "$1" "$mark"; cat; printf '\n%s\n' "$mark"; } >>"$GITHUB_OUTPUT"
}

explain json >"$work/answer"
explain comment >"$work/comment"
sure='(.answer == "certain" or .answer == "likely") and (.causes | length) == 1'
jq -j '.answer' "$work/answer" | output verdict
jq -j '.about // ""' "$work/answer" | output about
jq -j "if $sure then .causes[0].cause else \"\" end" "$work/answer" | output cause
jq -j "[.about, if $sure and .answer == \"certain\" then .causes[0].cause else null end] | map(select(.)) | join(\",\")" "$work/answer" | output labels
jq -j '.fingerprint // ""' "$work/answer" | output fingerprint
output comment <"$work/comment"
jq -r '"\(.answer): \(.headline)"' "$work/answer"
