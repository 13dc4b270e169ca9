#!/usr/bin/env bash
# rocsteady.wasm under Node: by Node's own WASI, and by the page's against the program for Linux.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
command -v node >/dev/null || { skip "no node here" && finish; }
if ! "$SOURCE/tools/package/zig" version >/dev/null 2>&1; then
	skip "rocsteady.wasm: no ziglang from pip"
	finish
fi
if ! "$SOURCE/tools/package/page" "$PACKAGES" >"$WORK/log" 2>&1; then
	tail -n 20 "$WORK/log"
	bad "rocsteady.wasm does not build"
	finish
fi
echo "size: $(stat -c %s "$PACKAGES/rocsteady.wasm") rocsteady.wasm"
wasm=(node --no-warnings "$SOURCE/tests/wasm/run.mjs" "$PACKAGES/rocsteady.wasm")
printf '%s\n' "$TRACEBACK" >"$WORK/error.txt"

try 0 '"kb_format"' "${wasm[@]}" --version --json
try 2 "framework-lacks-arch" "${wasm[@]}" explain "$WORK/error.txt"
try 2 "device-permission - certain" "${wasm[@]}" check --from "$SOURCE/tests/machines/$ILL"
try 0 "torch" "${wasm[@]}" advise --gpu "7900 xtx" --os linux
try 64 "name a snapshot: --from FILE" "${wasm[@]}" check
try 64 "run is not in rocsteady.wasm; it is in the rocsteady for Linux" "${wasm[@]}" run
try 64 "--probe is not in rocsteady.wasm" "${wasm[@]}" check --probe

# The same bytes as on Linux: a sample here, all of it by hand (tests/wasm/compare without --most).
library=$(find "$SAMPLES/unpacked/bookworm/librocrand1" -type f -name 'librocrand.so.*' 2>/dev/null | head -n 1)
wheel=$(find "$SAMPLES/files" -name 'wheel-bitsandbytes.whl' 2>/dev/null)
if "$SOURCE/tests/wasm/compare" --rocsteady "$PACKAGES/rocsteady" --wasm "$PACKAGES/rocsteady.wasm" --most 40 \
	${library:+"$library"} ${wheel:+"$wheel"}; then
	good
else
	bad "rocsteady.wasm answers otherwise"
fi

# The same bits twice: the source copied to another place under another name. What the compiler's cache holds of
# that place was compiled there, too.
mkdir -p "$WORK/elsewhere/another-name"
tar -C "$SOURCE" --exclude=./.git --exclude='./build*' -cf - . | tar -xf - -C "$WORK/elsewhere/another-name"
ROCSTEADY_COMMIT=$(git -C "$SOURCE" rev-parse HEAD 2>/dev/null || true)
if ! ROCSTEADY_COMMIT=$ROCSTEADY_COMMIT CCACHE_BASEDIR=$WORK CCACHE_NOHASHDIR=1 TZ=Pacific/Auckland LC_ALL=C \
	"$WORK/elsewhere/another-name/tools/package/page" "$WORK/of another size" >"$WORK/log" 2>&1; then
	tail -n 20 "$WORK/log"
	bad "the second build"
elif diff -r "$PACKAGES/page" "$WORK/of another size/page"; then
	sha256sum "$PACKAGES/rocsteady.wasm"
	good
else
	bad "the page differs when it is made a second time"
fi

# The page in a browser.
if ! command -v chromium >/dev/null; then
	skip "the page: no chromium here"
elif "$SOURCE/tests/web/compare" --rocsteady "$PACKAGES/rocsteady" --page "$PACKAGES/page"; then
	good
else
	bad "the page answers otherwise"
fi
finish
