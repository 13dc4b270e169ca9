#!/usr/bin/env bash
# Compiled samples of every kind (tests/samples): what is read of a file, of a
# member of a tar and of a member of a wheel is the same.
set -u
source=${ROCSTEADY_SOURCE:?}
for tool in clang-14 clang-19; do
	if ! command -v "$tool" >/dev/null; then
		echo "skipped: no $tool (tools/bootstrap)"
		exit 77
	fi
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$source/tests/samples/make-samples" "$work/samples" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
if "${ROCSTEADY:?}" targets "$work"/samples/*.whl | grep -q "this build reads no archives"; then
	echo "skipped: this build reads no archives"
	exit 77
fi
"$source/tests/cli/targets_agree.py" "$work/samples"
