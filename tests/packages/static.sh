#!/usr/bin/env bash
# The static doctor in a root that holds nothing but it and the files it is asked about.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
empty=$WORK/empty
mkdir -p "$empty/tmp"
cp "$PACKAGES/rocsteady" "$empty/"
cp "$SOURCE/tests/machines/$ILL" "$empty/tmp/ill.snap"
in_empty() { chroot "$empty" /"$@"; }

if readelf -d "$PACKAGES/rocsteady" | grep -q NEEDED || readelf -lW "$PACKAGES/rocsteady" | grep -q INTERP; then
	bad "rocsteady is not static"
else
	good
fi
size=$(stat -c %s "$PACKAGES/rocsteady")
echo "size: $size"
# Half of it is the knowledge, which grows; a library or a debugger's symbols that slipped in would be more than the rest.
[ "$size" -lt 16000000 ] && good || bad "a few megabytes, not $size bytes"

try 0 "rocsteady " in_empty rocsteady --version
try 0 '"static": true' in_empty rocsteady --version --json
true_answers in_empty
passes "$PACKAGES" env ROCSTEADY_HOOK_VERDICT="$WORK/run/verdict"
[ -e "$PACKAGES/fleet/systemd/rocsteady-gate.timer" ] && good || bad "the files for a cluster are missing"
try 0 "torch" in_empty rocsteady advise --gpu gfx1100

# Directories of Debian's own packages that tools/samples/fetch has brought.
library=$(find "$SAMPLES/unpacked/bookworm/librocrand1" -type f -name 'librocrand.so.*' 2>/dev/null | head -n 1)
if [ -n "$library" ]; then
	cp "$library" "$empty/tmp/librocrand.so.1"
	try 0 "gfx90a" in_empty rocsteady targets /tmp/librocrand.so.1
else
	skip "targets on a real library: not among the samples; tools/samples/fetch"
fi
finish
