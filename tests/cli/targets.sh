#!/usr/bin/env bash
# `rocsteady targets`: exit status, what covers and what does not, containers,
# limits, what is refused, and that every way to a file gives the same answer.
set -u
program=${ROCSTEADY:?} source=${ROCSTEADY_SOURCE:?}
here=$source/tests/cli
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0 count=0
unset NO_COLOR
export LC_ALL=C.UTF-8

# want STATUS WORDS... -- ARGUMENTS...: the status, and the words in the output.
want() {
	local status=$1 got out word words=()
	shift
	while [ "$1" != -- ]; do words+=("$1"); shift; done
	shift
	count=$((count + 1))
	out=$(timeout 120 "$program" targets "$@" 2>&1 </dev/null)
	got=$?
	if [ "$got" != "$status" ]; then
		printf 'rocsteady targets %s: ended with %s, not %s\n%s\n' "$*" "$got" "$status" "$out"
		failed=$((failed + 1))
		return
	fi
	for word in "${words[@]}"; do
		case $word in
		not:*) grep -qF -- "${word#not:}" <<<"$out" || continue ;;
		*) ! grep -qF -- "$word" <<<"$out" || continue ;;
		esac
		printf 'rocsteady targets %s: expected %s in\n%s\n' "$*" "$word" "$out"
		failed=$((failed + 1))
	done
}

# same WHAT FILE: standard input is what the file should hold.
same() {
	count=$((count + 1))
	if ! diff -u "$2" - >"$work/diff"; then
		printf '%s:\n' "$1"
		cat "$work/diff"
		failed=$((failed + 1))
	fi
}

python3 "$here/targets_make.py" "$work" || exit 1
cd "$work" || exit 1
if "$program" targets good.whl | grep -q "this build reads no archives"; then
	echo "skipped: this build reads no archives"
	exit 77
fi

# ---- files ----

want 0 "gfx942  gfx1100" "2 bundles" -- libgood.so
want 0 "2/3" -- libpart.so
want 0 ok "gfx1100 is covered" "2 bundles, all" -- libgood.so --require gfx1100
want 0 "gfx942 and gfx1100 are covered by all 2" -- libgood.so libpacked.so --require gfx1100,gfx942
want 2 "gfx1100 in 2 of 3 bundles" "1 of 1 libraries lack code for gfx1100" -- libpart.so --require gfx1100
want 2 "1 of 2 libraries lack code for gfx1151" "gfx1151: through a generic target" -- libgood.so libgeneric.so --require gfx1151
want 0 -- libfeatures.so --require gfx90a
want 0 -- libfeatures.so --require gfx90a:xnack-
want 2 -- libgood.so --require gfx90a:xnack-
want 0 "libnone.so: no device code" -- libnone.so
want 0 "hello.txt: neither a binary nor an archive" -- hello.txt
want 2 "No device code: no GPU is covered" -- libnone.so --require gfx1100
want 2 '"kind": "fail"' -- libnone.so --require gfx1100 --sarif
want 0 '"kind": "informational"' not:'"kind": "fail"' -- libnone.so libgood.so --require gfx1100 --sarif
want 0 "No device code: nothing to check" -- libnone.so --require gfx1100 --if-any
want 0 '"kind": "informational"' not:'"kind": "fail"' -- libnone.so --require gfx1100 --if-any --sarif
want 2 "lack code for gfx1201" -- libnone.so libgood.so --require gfx1201 --if-any
want 0 "2 plain" "index followed" "code object V5" -- libgood.so -v
want 0 "scanned" -- far/libnosections.so -v
want 0 -- libgood.so --quiet --require gfx1100
want 2 -- libpart.so --quiet --require gfx1100

# ---- what could not be read ----

want 3 "its table ends behind" -- libbroken.so
zeros() { head -c "$1" /dev/zero; }
{ printf '\177ELF\7\1\1'; zeros 5000; } >damaged.so
{ printf '\177ELF\2\1\1'; zeros 5; } >cut.so
{ printf 'MZ'; zeros 5; } >cut.dll
{ printf '\177ELF\1\1\1'; zeros 5000; } >i386.so
want 3 "its ELF header is damaged" -- damaged.so
want 3 "ends inside its ELF header" -- cut.so
want 3 "ends inside its DOS header" -- cut.dll
want 3 "its ELF header is damaged" -- damaged.so --require gfx1100
want 0 "i386.so: no device code" -- i386.so
want 3 "1 of 1 libraries could not be read for gfx1100" -- libbroken.so --require gfx1100
want 2 -- libbroken.so libpart.so --require gfx1100
want 3 "its table ends behind" -- cut.co
want 3 gfx1100 "its zstd frame is damaged" -- sparse/blocks.co
want 3 "No such file or directory" -- nowhere.so
want 3 "No such file or directory" libgood.so -- libgood.so nowhere.so --require gfx1100

# ---- trees ----

want 0 libgood rocblas/library "gfx1100 are covered by all 2" not:libnone not:notes -- tree --require gfx1100,gfx942
want 2 "2 of 2 libraries lack code for gfx1151" -- tree --require gfx1151
want 0 rocblas/library -- tree/lib/rocblas/library --require gfx1100
# In this shell: what a subshell counts is lost with it.
cd tree/lib/rocblas/library || exit 1
want 0 "gfx1100" not:TensileLibrary -- .
cd - >/dev/null || exit 1
want 0 "only/hsa" "gfx942 and gfx1100 are covered" -- only --require gfx1100,gfx942
want 2 "1 of 1 libraries lack code for gfx942" -- only/hsa/gfx1100/a.co --require gfx942
mkdir nothing
want 0 "no file in it holds device code" -- nothing
ln -s ../tree nothing/link
want 0 "no file in it holds device code" -- nothing

# ---- containers ----

for container in good.whl good.deb good.tar.xz image.tar; do
	want 0 libgood.so libpacked.so rocblas/library not:libnone "gfx942 and gfx1100 are covered by all 3" \
		-- "$container" --require gfx1100,gfx942
	want 2 "3 of 3 libraries lack code for gfx1201" -- "$container" --require gfx1201
done
want 2 "gfx1100 in 2 of 3 bundles" "1 of 4 libraries lack code for gfx1100" -- part.whl --require gfx1100
want 0 "cpu.whl: no member holds device code" -- cpu.whl
want 2 "No device code: no GPU is covered" -- cpu.whl --require gfx1100
want 0 "no member holds device code" -- empty.whl
want 0 "no file in it" not:"No data" -- /sys/devices/system
want 3 "Truncated" -- cut.whl --require gfx942
want 3 "bad.deb" -- bad.deb --require gfx942
want 3 "more comes out of it" -- bomb.tar.gz --require gfx942
want 3 "more comes out of it" "broken.whl: " -- late-bomb.tar.gz --require gfx942
want 3 "more than three deep" -- deep.tar
want 3 "data.tar.gz: damaged: its compressed blocks are empty" libgood.so -- empty.tar.gz
want 3 "damaged: its compressed blocks are empty" -- empty-member.whl
want 0 '\\x1b[31mred\\x0a.so' escapes.tar/abs/libabs.so not:.. -- --json escapes.tar
mkdir dist
cp good.whl part.whl dist
gzip -c hello.txt >dist/hello.txt.gz
want 2 "1 of 7 libraries lack code for gfx1100" -- dist --require gfx1100
want 3 "hello.txt.gz" -- dist/hello.txt.gz

# ---- rules: what a release requires, and what it leaves out on purpose ----

want 2 "part.whl" "1 of 4 libraries lack code for gfx1100" -- part.whl --require gfx1100
want 0 "gfx1100 is covered by all 3" "1 left out by rules" -- part.whl --require gfx1100 --skip 'libpart*'
want 0 "libpart.so: left out by a rule" -- part.whl --require gfx1100 --skip 'libpart*' -v
want 2 "--skip: skip libnowhere.so fits nothing here" -- part.whl --require gfx1100 --skip libnowhere.so
want 2 "fits nothing here" -- part.whl --require gfx1100 --skip ibpart.so
printf '# what the release supports\nrequire gfx1100\nrequire gfx942 # Instinct\n\nskip libpart.so gfx1100\n' >release.rules
want 0 "gfx942" "gfx1100" "rules leave out 1" -- part.whl --rules release.rules
want 2 "4 of 4 libraries lack code for gfx1201" -- libgood.so libpart.so libpacked.so libgeneric.so --rules release.rules --require gfx1201
want 0 not:'"exempt": true' -- good.whl --rules release.rules --json
want 0 '"exempt": true' -- part.whl --rules release.rules --json
want 0 not:'::error' -- part.whl --rules release.rules --format github
want 0 not:'"kind": "fail"' -- part.whl --rules release.rules --sarif
printf 'require gfx1100\nexempt libpart.so\n' >wrong.rules
want 64 "wrong.rules:2: not a rule" -- part.whl --rules wrong.rules
printf 'skip libpart.so 1100\n' >wrong.rules
want 64 "wrong.rules:1: not a rule" -- part.whl --rules wrong.rules
printf 'require gfx11000\n' >wrong.rules
want 64 "did you mean" -- part.whl --rules wrong.rules
want 66 "No such file or directory" -- part.whl --rules nowhere.rules

# ---- a baseline: nothing that the last release had may be lost ----

want 0 "Nothing is lost that good.whl has code for" -- part.whl --baseline good.whl
want 2 "libpart.so: is gone, and part.whl has it" -- good.whl --baseline part.whl
want 0 "Nothing is lost" -- good.whl --baseline part.whl --skip libpart.so
want 2 '"lost": [' 'libpart.so' '"verdict": "not_covered"' -- good.whl --baseline part.whl --json
want 2 '::error title=rocsteady targets,file=libpart.so::libpart.so: is gone' -- good.whl --baseline part.whl --format github
want 2 '"ruleId": "target-lost"' -- good.whl --baseline part.whl --sarif
mkdir old new
cp libgood.so old/liba.cpython-312.so
cp libpart.so new/liba.cpython-313.so
want 2 "liba.cpython-313.so: lost gfx1100, which old has" not:gone -- new --baseline old
want 0 "Nothing is lost" -- new --baseline old --skip 'liba*'
want 0 "Nothing is lost" -- old --baseline new
cp libgeneric.so new/liba.cpython-313.so
want 0 "Nothing is lost" -- new --baseline old # generic targets include those
want 3 "nowhere.whl" -- good.whl --baseline nowhere.whl
mkdir broken
cp libbroken.so broken/libgood.so
want 3 "whether it still has" -- broken --baseline libgood.so

# ---- packages that compile at run time ----

cp cpu.whl triton-3.9.0-cp312-abi3-linux_x86_64.whl
cp cpu.whl Pytorch_Triton_ROCm-3.5-py3-none-any.whl
cp cpu.whl tritonclient-2.0-py3-none-any.whl
want 0 "no device code: Triton compiles" "nothing to check" -- triton-3.9.0-*.whl --require gfx1100
want 0 "Triton compiles" -- triton-3.9.0-*.whl Pytorch_Triton_ROCm-3.5-py3-none-any.whl --require gfx1100
want 2 "no GPU is covered" not:Triton -- tritonclient-2.0-py3-none-any.whl --require gfx1100
want 2 "no GPU is covered" -- triton-3.9.0-*.whl cpu.whl --require gfx1100

# ---- a message of SARIF holds no link, whatever a file is called ----

cp libgood.so '[pay](evil.so'
want 2 '[pay]' not:'](evil' -- '[pay](evil.so' --require gfx1201 --format sarif
rm '[pay](evil.so'

# ---- annotations of GitHub: a name issues no command, and at most ten are written ----

want 0 not:'::' -- libgood.so --require gfx1100 --format github
want 2 '::error title=rocsteady targets,file=libgood.so::libgood.so has no code for gfx1201.' -- libgood.so --require gfx1201 --format github
want 2 '::error title=rocsteady targets,file=hello.txt::hello.txt: neither a binary nor an archive: no device code.' -- hello.txt --require gfx1201 --format github
want 0 '::notice title=rocsteady targets,file=libnone.so::libnone.so: no device code.' not:'::error' -- libgood.so libnone.so --require gfx1100 --format github
evil=$'a%b:c,d\n::error::evil\r.so'
cp libgood.so "$evil"
want 2 'file=a%25b%3Ac%2Cd\x0a%3A%3Aerror%3A%3Aevil\x0d.so::a%25b:c,d\x0a::error::evil\x0d.so has no code for gfx1201.' -- "$evil" --require gfx1201 --format github
count=$((count + 1))
[ "$("$program" targets "$evil" --require gfx1201 --format github | grep -c '')" = 1 ] || { echo "a file name makes a second line"; failed=$((failed + 1)); }
rm "$evil"
mkdir many
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cp libgood.so "many/lib$i.so"; done
want 2 'rocsteady: 2 more; ' 'many/lib10.so' -- many --require gfx1201 --format github
count=$((count + 1))
[ "$("$program" targets many --require gfx1201 --format github | grep -c '^::error ')" = 10 ] || { echo "not ten annotations"; failed=$((failed + 1)); }
rm -r many

# ---- what is refused ----

want 64 "targets needs a file" --
want 64 "unknown target gfx1l00; did you mean gfx1100?" -- libgood.so --require gfx1l00
want 64 "unknown target gfx1100:fast" -- libgood.so --require gfx1100:fast
want 64 "unknown target nonsense; targets are named like" -- libgood.so --require nonsense
want 64 "names no target" -- libgood.so --require ,
want 64 "use only one of" -- libgood.so --json --sarif
want 64 "use only one of" -- libgood.so --format json --sarif
want 64 "use only one of" -- libgood.so --format json --quiet
want 64 "--format is text, json, sarif or github; did you mean sarif?" -- libgood.so --format sarf
want 64 "--format is text, json, sarif or github" not:"did you mean" -- libgood.so --format markdown
want 64 "--format needs a value" -- libgood.so --format
want 64 "unknown option" -- libgood.so --fast
want 64 "could not write" -- libgood.so -o /nowhere/file

# ---- strangers' trees: what is not left, and what is not opened ----

mkdir -p walled/lib/deep walled/.kpack walled/rocblas/library
cp libgood.so walled/lib
ln -s "$work/libgood.so" walled/lib/link.so
python3 - "$here" <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
import targets_make as make
def text(t): return b"\xd9" + bytes([len(t)]) + t.encode()
def library(path, *places):
    ref = b"\x82" + text("kpack_search_paths") + bytes([0x90 | len(places)]) + b"".join(map(text, places)) + text("kernel_name") + text("lib/x.so")
    open(path, "wb").write(make.library(ref, name=".rocm_kpack_ref"))
library("walled/lib/near.so", "../.kpack/no.kpack")
library("walled/lib/deep/far.so", "../../.kpack/no.kpack")
library("walled/lib/deep/out.so", "../../hello.txt", "../../../../../../../etc/shadow")
EOF
echo no >walled/.kpack/no.kpack
want 0 "near.so" "../.kpack/no.kpack: it is shorter than the header" -- walled/lib/near.so -v
want 0 "../../.kpack/no.kpack: it is shorter than the header" -- walled/lib/deep/far.so -v
want 0 "../../.kpack/no.kpack: it is shorter than the header" -- walled/lib/deep/far.so --allow walled -v
want 3 "../../.kpack/no.kpack: lies outside of what is opened" -- walled/lib/deep/far.so --allow walled/lib/deep -v
want 3 "../../hello.txt: lies outside" "etc/shadow: lies outside of what is opened" -- walled/lib/deep/out.so -v
want 0 "libgood.so" not:"link.so" -- walled/lib/libgood.so --allow walled/lib
want 0 "link.so" -- walled/lib/link.so
want 3 "is not below a directory that --allow names" not:gfx1100 -- walled/lib/link.so --allow walled/lib
want 3 "is not below a directory that --allow names" -- libgood.so --allow walled
want 0 "gfx1100" -- libgood.so --allow "walled:$work"
want 0 "gfx1100" -- libgood.so --allow "$work:"
want 66 "--allow nowhere: No such file" -- libgood.so --allow nowhere
mkfifo walled/fifo
want 0 "is neither a file nor a directory" -- walled/fifo
if command -v strace >/dev/null && mknod walled/zero c 1 5 2>/dev/null; then
	cp -a walled/zero walled/rocblas/library/TensileLibrary_gfx1100.dat
	strace -o trace -e trace=open,openat,openat2 "$program" targets walled walled/zero walled/fifo >/dev/null 2>&1
	count=$((count + 1))
	grep -E '(zero|fifo|TensileLibrary_gfx1100)' trace | grep -v O_PATH && { echo "a device or a pipe was opened"; failed=$((failed + 1)); }
fi
rm -r walled

# ---- this machine, and others ----

machine=$source/tests/machines/rx7900xt-x2-ubuntu2204-rocm62-healthy.snap
want 0 "gfx1100 is covered" -- libgood.so --from "$machine"
want 2 "1 of 2 libraries lack code for gfx1100" -- libgood.so libpart.so --for-this-machine --from "$machine"
want 3 "KFD lists no GPU" -- libgood.so --from "$source/tests/machines/nogpu-debian12-k61-guest.snap"
want 2 "lack code for gfx1151" "gfx1100 is covered" -- libgood.so --from "$machine" --require gfx1151
want 2 "HSA_OVERRIDE_GFX_VERSION=10.3.0 turns gfx90a into gfx1030" "lack code for gfx1030" \
	-- libgood.so --from "$source/tests/machines/mi210-ubuntu2204-rocm62-override.snap"

# ---- the same from everywhere, and the same every time ----

mkdir all
cp -r far tree only ./*.so ./*.co all
count=$((count + 1))
"$here/targets_agree.py" all || failed=$((failed + 1))
"$program" targets --json all good.whl image.tar >first.json
"$program" targets --json all good.whl image.tar | same "JSON of the same files differs" first.json
"$program" targets --json all good.whl image.tar -o second.json
same "JSON in a file differs" second.json <first.json

# ---- a terminal ----

count=$((count + 1))
script -qec "stty cols 80; TERM=xterm-256color '$program' targets libgood.so libpart.so --require gfx1100,gfx1151" /dev/null \
	</dev/null >tty.txt 2>&1
if ! grep -q $'\x1b\[32m✓' tty.txt || ! grep -q $'\x1b\[31m✗' tty.txt; then
	echo "no marks in colour on a terminal:"
	cat tty.txt
	failed=$((failed + 1))
fi

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
