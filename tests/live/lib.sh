# Sourced by the live tests: where the program is, a place to work, checks that count.
set -u
: "${ROCSTEADY:?set ROCSTEADY to the built program}"
SOURCE=${ROCSTEADY_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[1]}")/../.." && pwd)}
KNOWLEDGE=$(dirname "$ROCSTEADY")/kb.db # what the program carries, which the build leaves beside it
WORK=$(mktemp -d) || exit 1
FAILED=0
CHECKS=0
BOOT=$(cat /proc/sys/kernel/random/boot_id)

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

until_true() { # until_true SECONDS COMMAND...: however slow the host is, it is asked again
	local end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

# some_of FILE...: each, or each seventh for a build with sanitizers (ROCSTEADY_TEST_EVERY, which tests/meson.build sets):
# it is asked for the code, the others for the answers.
some_of() {
	local every=${ROCSTEADY_TEST_EVERY:-1} at=0 file
	for file; do
		[ $((++at % every)) != 0 ] || printf '%s\n' "$file"
	done
}

of_this_boot() { # of_this_boot SNAPSHOT: it, as if it were recorded now; else its verdict would be of an earlier boot
	sed "s/^\tboot_id .*/\tboot_id $BOOT/
		s/^\tuptime .*/\tuptime $(awk '{ print int($1) }' /proc/uptime)/" "$1"
}

finish() {
	echo "$CHECKS checks, $FAILED failed"
	[ "$CHECKS" -gt 0 ] && [ "$FAILED" -eq 0 ]
	exit
}
