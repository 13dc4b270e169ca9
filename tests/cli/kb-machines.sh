#!/usr/bin/env bash
# The knowledge on every recorded machine: each case of each cause. kb-counts.sh runs every query there.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT

# holds WORD...: rocsteady-kb WORD... ends with 0
holds() {
	"$ROCSTEADY-kb" "$@" >"$WORK/out" 2>&1 || { tail -n 20 "$WORK/out" && false; }
}
check "every case is as it says" holds test --tests "$SOURCE/tests/causes" --machines "$SOURCE/tests/machines"
check "some cases were tried" grep -qE '^[1-9][0-9]* passed, 0 failed' "$WORK/out"
finish
