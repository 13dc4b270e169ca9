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
try 2 "framework-lacks-arch" "$wine" rocsteady.exe explain --no-machine - <<<"$TRACEBACK"
printf '%s\r\n' "$TRACEBACK" >crlf.txt
try 2 "framework-lacks-arch" "$wine" rocsteady.exe explain --no-machine crlf.txt
try 0 "torch" "$wine" rocsteady.exe advise --gpu "7900 xtx" --os windows
try 0 "framework-lacks-arch" "$wine" rocsteady.exe kb list
try 0 "GPU" "$wine" rocsteady.exe kb show framework-lacks-arch
try 0 "version" "$wine" rocsteady.exe kb version

# Its help lists what it has; each word of the Linux one is listed, or said to be there and not here.
listed() { sed -nE 's/^  ([a-z]+)  +[A-Z].*/\1/p'; }
has=" $("$wine" rocsteady.exe --help 2>/dev/null | tr -d '\r' | listed | tr '\n' ' ')"
echo "commands:$has"
[ "$has" = " check facts query snapshot explain advise kb targets " ] && good || bad "lists other commands:$has"
for word in $("$PACKAGES/rocsteady" --help | listed); do
	[[ $has == *" $word "* ]] || try 64 "rocsteady: $word is not in rocsteady.exe; it is in the rocsteady for Linux" "$wine" rocsteady.exe "$word"
done
try 64 "install it in WSL or on Linux" "$wine" rocsteady.exe fix
try 0 "explain" "$wine" rocsteady.exe --help
words=$("$wine" rocsteady.exe kb --help 2>/dev/null | sed -nE 's/^usage: .* ([a-z|]+)\r?$/\1/p')
for word in $("$PACKAGES/rocsteady" kb --help | sed -nE 's/^usage: .* ([a-z|]+)$/\1/p' | tr '|' ' '); do
	[[ "|$words|" == *"|$word|"* ]] || try 64 "kb $word is not in rocsteady.exe" "$wine" rocsteady.exe kb "$word"
done
[ "$words" = "list|show|version" ] && good || bad "kb --help lists $words"
try 64 "check of a directory is not in rocsteady.exe" "$wine" rocsteady.exe check --from .
try 64 "-f is not in rocsteady.exe" "$wine" rocsteady.exe explain -f crlf.txt
try 64 "--for-this-machine is not in rocsteady.exe" "$wine" rocsteady.exe targets --for-this-machine .
for word in $has; do # no help speaks of an option that is refused
	! "$wine" rocsteady.exe "$word" --help 2>/dev/null | grep -E -- '--(user|follow|for-this-machine|tests|machines)\b' && good ||
		bad "the help of $word has options that it refuses"
done

# The same words as on Linux, byte for byte.
for words in "explain --no-machine crlf.txt" "kb show framework-lacks-arch" "advise --gpu gfx1100 --os windows --python 3.12"; do
	for _ in 1 2 3; do # on a busy machine wine now and then ends before it has started a program
		# shellcheck disable=SC2086 # words
		"$wine" rocsteady.exe $words >theirs 2>/dev/null
		[ ! -s theirs ] || break
	done
	# shellcheck disable=SC2086 # words
	if cmp theirs <("$PACKAGES/rocsteady" $words 2>/dev/null); then
		good
	else
		bad "rocsteady.exe answers otherwise: $words"
	fi
done

# A machine: its registry, and software below names that are not ASCII. wine stays, for it writes a display adapter of
# its own into the display class when it starts, and now and then later: then the registry is read in anew.
machine=rx7900xtx-igpu-windows11-healthy
"$SOURCE/tools/compose/compose-machines" --reg machine.reg --only "$machine"
home=$WINEPREFIX/drive_c/users/$(id -un)
python="$home/Größe Ωmega/python_embeded"
site=$python/Lib/site-packages
mkdir -p "$site/torch/lib" "$site/torch-2.9.1+rocm7.2.1.dist-info" "$WINEPREFIX/drive_c/Program Files/AMD/ROCm/6.4"
touch "$python/python.exe" "$python/python312.dll"
printf "__version__ = '2.9.1+rocm7.2.1'\ncuda = None\nhip = '7.2.53211'\n" >"$site/torch/version.py"
cp rocsteady.exe "$site/torch/lib/torch_hip.dll" # any library: it holds no device code
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)
"$server" -p 600 # while it runs wine does not start anew
adapters='HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}'
read_in() { "$wine" regedit /S "$(printf 'Z:%s' "$PWD/machine.reg" | tr / '\\')" >/dev/null 2>&1; }
adapters_are_ours() { [ "$("$wine" reg query "$adapters\\0000" 2>/dev/null | grep -c '32\.0\.23017\.1001')" = 1 ]; }

# on_machine COMMAND...: rocsteady.exe, asked while the adapters were those of the machine before and after.
on_machine() {
	local status=0 _
	for _ in 1 2 3 4 5; do
		adapters_are_ours || read_in
		status=0
		"$wine" rocsteady.exe "$@" >answer 2>/dev/null || status=$?
		adapters_are_ours && break
	done
	cat answer
	return "$status"
}
read_in # makes wine write its own display adapter
read_in
try 0 "AMD Radeon RX 7900 XTX (gfx1100) + AMD Radeon(TM) Graphics (gfx1036, integrated)" on_machine facts
try 0 "Adrenalin 26.2.2, amdwddmg 32.0.23017.1001 of 2026-01-28" on_machine facts
try 0 "24.0 GiB" on_machine facts
try 0 "6.4 in C:/Program Files/AMD/ROCm/6.4" on_machine facts
try 0 "Größe Ωmega/python_embeded" on_machine facts frameworks
try 0 "7.2.53211" on_machine facts frameworks
try 0 "Windows 11 Pro 10.0.26100.4652 - Adrenalin 26.2.2" on_machine
try 0 "" on_machine snapshot --no-scrub -o live.snap
"$wine" rocsteady.exe check --from live.snap 2>/dev/null | cmp - <("$PACKAGES/rocsteady" check --from live.snap 2>/dev/null) && good ||
	bad "a snapshot is judged otherwise on Windows"
for kept in "$SOURCE/tests/machines/$machine.snap" "$SOURCE/tests/machines/radeon780m-debian13-k612-healthy.snap"; do
	cp "$kept" kept.snap
	"$wine" rocsteady.exe facts --json --from kept.snap 2>/dev/null | cmp - <("$PACKAGES/rocsteady" facts --json --from kept.snap) && good ||
		bad "$kept gives other facts on Windows"
done
cp "$SOURCE/tests/machines/strixhalo-windows11-sdk64-before-rocm79.snap" kept.snap
printf 'Process finished with exit code -1073741819 (0xC0000005)\r\n' >crash.txt
"$wine" rocsteady.exe explain --from kept.snap crash.txt 2>/dev/null | cmp - <("$PACKAGES/rocsteady" explain --from kept.snap crash.txt) && good ||
	bad "a text beside a snapshot is explained otherwise on Windows"

# Somebody whose name has a blank and is not ASCII; what is planted is gone from a snapshot, or was never asked.
mkdir -p "$WINEPREFIX/drive_c/users/Jörg Μεγα/venv/Lib/site-packages/torch-2.9.1+rocm7.2.1.dist-info"
printf 'home = C:\\Python312\nversion = 3.12.4\n' >"$WINEPREFIX/drive_c/users/Jörg Μεγα/venv/pyvenv.cfg"
cp rocsteady.exe "$WINEPREFIX/drive_c/r.exe"
# shellcheck disable=SC2028 # a batch file with backslashes
printf '@echo off\r\nchcp 65001 >nul\r\nset USERPROFILE=C:\\users\\Jörg Μεγα\r\nset USERNAME=Jörg Μεγα\r\nC:\\r.exe %%*\r\n' >"$WINEPREFIX/drive_c/as.bat"
iconv -f UTF-8 -t UTF-16 "$SOURCE/tests/packages/planted.reg" >planted.reg
"$wine" reg import "$(printf 'Z:%s' "$PWD/planted.reg" | tr / '\\')" >/dev/null 2>&1
planted=$("$wine" reg query 'HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion' /v ProductId 2>/dev/null)
[[ $planted == *PLNT1* ]] && good || bad "nothing was planted"
(cd "$WINEPREFIX/drive_c" && "$wine" cmd /c 'C:\as.bat' snapshot -o planted.snap && "$wine" cmd /c 'C:\as.bat' facts frameworks >planted.txt) >/dev/null 2>&1
grep -q 'Jörg Μεγα/venv' "$WINEPREFIX/drive_c/planted.txt" && good || bad "nothing was found in a home whose name is not ASCII"
for word in Quixley Plantorg 00330-80000 PLSER PLANTBOX plantdistro plantpass hf_PLANT plantkey Jörg Μεγα A85E45FFFFE3C4A100 5e1f0c6a-3b7d-4c19; do
	! grep -a -q -i "$word" "$WINEPREFIX/drive_c/planted.snap" && good || bad "$word is in the snapshot"
done
try 0 "" "$wine" rocsteady.exe snapshot -o scrubbed.snap
"$server" -k
! grep -a "users/$(id -un)\b" scrubbed.snap && good || bad "a name of a user is in the snapshot"

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
