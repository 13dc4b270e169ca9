#!/usr/bin/env bash
# The same bits twice: the source copied to another place under another name, built
# in a directory of another name and without the compiler's cache.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
mkdir -p "$WORK/elsewhere/another-name"
tar -C "$SOURCE" --exclude=./.git --exclude='./build*' -cf - . | tar -xf - -C "$WORK/elsewhere/another-name"
SOURCE_DATE_EPOCH=$(git -C "$SOURCE" log -1 --format=%ct 2>/dev/null || echo 0)
ROCSTEADY_COMMIT=$(git -C "$SOURCE" rev-parse HEAD 2>/dev/null || true)
export SOURCE_DATE_EPOCH ROCSTEADY_COMMIT CCACHE_DISABLE=1
if ! (umask 077 && TZ=Pacific/Auckland LC_ALL=C "$WORK/elsewhere/another-name/tools/package/build" "$WORK/of another size") >"$WORK/log" 2>&1; then
	tail -n 20 "$WORK/log"
	bad "the second build"
	finish
fi
for file in rocsteady rocsteady-probe rocsteady.spdx.json build/kb.db; do
	if [ ! -e "$PACKAGES/$file" ]; then
		skip "$file was not built"
	elif cmp "$PACKAGES/$file" "$WORK/of another size/$file"; then
		sha256sum "$PACKAGES/$file"
		good
	else
		bad "$file differs"
	fi
done
finish
