#!/usr/bin/env bash
# rocsteady.exe under wine, without a display.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
for tool in x86_64-w64-mingw32-gcc wine64; do
	[ -n "$(command -v "$tool" || ls /usr/lib/wine/"$tool" 2>/dev/null)" ] || { skip "no $tool here" && finish; }
done
if ! "$SOURCE/tools/package/exe" "$PACKAGES" >"$WORK/log" 2>&1; then
	tail -n 20 "$WORK/log"
	bad "rocsteady.exe does not build"
	finish
fi
echo "size: $(stat -c %s "$PACKAGES/rocsteady.exe") rocsteady.exe"
export WINEPREFIX=$SAMPLES/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
unset DISPLAY
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
cp "$PACKAGES/rocsteady.exe" "$WORK/"
cd "$WORK" || exit 1
timeout 300 "$wine" rocsteady.exe --version >/dev/null 2>&1 # makes the prefix

# What it asks of Windows: only what every Windows has.
dlls=$(x86_64-w64-mingw32-objdump -p rocsteady.exe | sed -n 's/.*DLL Name: //p' | sort | tr '\n' ' ')
echo "needs: $dlls"
[ "$dlls" = "ADVAPI32.dll KERNEL32.dll msvcrt.dll " ] && good || bad "needs other libraries: $dlls"

try 0 '"kb_format"' "$wine" rocsteady.exe --version --json
try 2 "framework-lacks-arch" "$wine" rocsteady.exe explain - <<<"$TRACEBACK"
printf '%s\r\n' "$TRACEBACK" >crlf.txt
try 2 "framework-lacks-arch" "$wine" rocsteady.exe explain crlf.txt
try 0 "torch" "$wine" rocsteady.exe advise --gpu "7900 xtx" --os windows
try 0 "framework-lacks-arch" "$wine" rocsteady.exe kb list
try 0 "GPU" "$wine" rocsteady.exe kb show framework-lacks-arch
try 0 "version" "$wine" rocsteady.exe kb version

# Its help lists what it has; each word of the Linux one is listed, or said to be there and not here.
listed() { sed -nE 's/^  ([a-z]+)  +[A-Z].*/\1/p'; }
has=" $("$wine" rocsteady.exe --help 2>/dev/null | tr -d '\r' | listed | tr '\n' ' ')"
echo "commands:$has"
[ "$has" = " explain advise kb targets " ] && good || bad "lists other commands:$has"
for word in $("$PACKAGES/rocsteady" --help | listed); do
	[[ $has == *" $word "* ]] || try 64 "rocsteady: $word is not in rocsteady.exe; it is in the rocsteady for Linux" "$wine" rocsteady.exe "$word"
done
try 64 "install it in WSL or on Linux" "$wine" rocsteady.exe check
try 64 "check is not in rocsteady.exe" "$wine" rocsteady.exe --json
try 0 "explain" "$wine" rocsteady.exe
words=$("$wine" rocsteady.exe kb --help 2>/dev/null | sed -nE 's/^usage: .* ([a-z|]+)\r?$/\1/p')
for word in $("$PACKAGES/rocsteady" kb --help | sed -nE 's/^usage: .* ([a-z|]+)$/\1/p' | tr '|' ' '); do
	[[ "|$words|" == *"|$word|"* ]] || try 64 "kb $word is not in rocsteady.exe" "$wine" rocsteady.exe kb "$word"
done
[ "$words" = "list|show|version" ] && good || bad "kb --help lists $words"
try 64 "--from is not in rocsteady.exe" "$wine" rocsteady.exe explain --from ill.snap
try 64 "-f is not in rocsteady.exe" "$wine" rocsteady.exe explain -f crlf.txt
try 64 "--for-this-machine is not in rocsteady.exe" "$wine" rocsteady.exe targets --for-this-machine .
try 64 "name a GPU" "$wine" rocsteady.exe advise
for word in $has; do # no help speaks of an option that is refused
	! "$wine" rocsteady.exe "$word" --help 2>/dev/null | grep -E -- '--(from|root|user|follow|for-this-machine|tests|machines)\b' && good ||
		bad "the help of $word has options that it refuses"
done

# The same words as on Linux, byte for byte.
for words in "explain --no-machine crlf.txt" "kb show framework-lacks-arch" "advise --gpu gfx1100 --os windows --python 3.12"; do
	# shellcheck disable=SC2086 # words
	if "$wine" rocsteady.exe $words 2>/dev/null | cmp - <("$PACKAGES/rocsteady" $words 2>/dev/null); then
		good
	else
		bad "rocsteady.exe answers otherwise: $words"
	fi
done

library=$(find "$SAMPLES/unpacked/bookworm/librocrand1" -type f -name 'librocrand.so.*' 2>/dev/null | head -n 1)
if [ -n "$library" ]; then
	mkdir tree && cp "$library" tree/librocrand.so.1
	try 0 "gfx90a" "$wine" rocsteady.exe targets tree/librocrand.so.1
	try 0 "gfx90a" "$wine" rocsteady.exe targets tree
	try 2 "gfx1201" "$wine" rocsteady.exe targets tree --require gfx1201
else
	skip "targets on a real library: not among the samples; tools/samples/fetch"
fi
finish
