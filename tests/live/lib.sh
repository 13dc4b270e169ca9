# Sourced by the live tests: where the program is, a place to work, checks that count.
set -u
: "${ROCSTEADY:?set ROCSTEADY to the built program}"
SOURCE=${ROCSTEADY_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[1]}")/../.." && pwd)}
WORK=$(mktemp -d) || exit 1
FAILED=0
CHECKS=0

check() { # check TEXT COMMAND...
	local text=$1
	shift
	CHECKS=$((CHECKS + 1))
	if ! "$@"; then
		FAILED=$((FAILED + 1))
		echo "FAILED: $text"
	fi
}

skip() {
	echo "skipped: $*"
	exit 77
}

finish() {
	echo "$CHECKS checks, $FAILED failed"
	[ "$CHECKS" -gt 0 ] && [ "$FAILED" -eq 0 ]
	exit
}
