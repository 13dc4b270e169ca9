#!/usr/bin/env bash
# Logs that are packed: by their bytes and not by their name, through a pipe,
# cut, damaged, packed twice, and one that swells without end.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

{
	for i in {1..20000}; do echo "step $i loss 0.$((i * 7919 % 997))"; done
	echo "RuntimeError: HIP error: no kernel image is available for execution on the device"
} >train.log
told() { "$ROCSTEADY" explain --no-machine --json --verbose "$@" | jq -c '[.answer, .causes[0].cause, .first_failure, .lines, .ending.unread]'; }
plain=$(told train.log)

# ---- whole ----

for tool in gzip bzip2 xz zstd; do
	if ! command -v "$tool" >/dev/null; then
		echo "not tried: $tool is not installed"
		continue
	fi
	"$tool" -qc train.log >packed # a name that says nothing
	check "$tool: $(told packed)" [ "$(told packed)" = "$plain" ]
	check "$tool through a pipe: $(cat packed | told)" [ "$(cat packed | told)" = "$plain" ]
	slow=$({ head -c 1 packed; sleep 0.1; tail -c +2 packed; } | told)
	check "$tool byte by byte: $slow" [ "$slow" = "$plain" ]
	"$tool" -qc <packed >twice
	"$ROCSTEADY" explain --no-machine twice >out
	check "$tool twice: exit $?" [ $? = 3 ]
	check "$tool twice: $(head -n 1 out)" grep -q "Nothing of twice could be read" out
	: | "$tool" -qc | "$ROCSTEADY" explain --no-machine >out
	check "$tool of nothing: $(head -n 1 out)" grep -q "the input is empty" out
done

# ---- cut and damaged: what was read is explained ----

{ head -n 5000 train.log; echo "HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 19.98 GiB"; tail -n +5000 train.log; } | gzip -c >whole.gz
head -c $(($(stat -c %s whole.gz) / 2)) whole.gz >cut.gz
"$ROCSTEADY" explain --no-machine cut.gz >out
check "cut: a failure that was read" grep -q "cut.gz:5001" out
check "cut: what was not" grep -q "lines of cut.gz could be read" out
gzip -c train.log | head -c 20000 >cut.gz
"$ROCSTEADY" explain --no-machine cut.gz >out
check "cut, nothing found: not fine" [ $? = 3 ]
check "cut, nothing found: a step" grep -q "gzip -t cut.gz" out
"$ROCSTEADY" explain --no-machine --json --verbose <cut.gz >out
check "cut, JSON: $(jq -c '[.answer, .steps[0].title]' out)" [ "$(jq -r '.answer, (.steps | length)' out | tr '\n' ' ')" = "not-recognised 1 " ]
gzip -c train.log | head -c 20000 >./-cut.gz
"$ROCSTEADY" explain --no-machine -- -cut.gz >out
check "a name that begins with a dash is no option" grep -q "gzip -t ./-cut.gz" out
mkdir input.d && gzip -c train.log | head -c 20000 >input.d/input
(cd input.d && "$ROCSTEADY" explain --no-machine input) >out
check "a file that is named input" grep -q "gzip -t input" out
{ head -c 15000 whole.gz; printf 'garbage'; tail -c +15008 whole.gz; } >damaged.gz
"$ROCSTEADY" explain --no-machine damaged.gz >out
check "damaged" grep -q "of damaged.gz could be read" out
printf '\x1f\x8b' >tiny.gz
"$ROCSTEADY" explain --no-machine tiny.gz >out
check "two bytes" grep -q "Nothing of tiny.gz could be read: it is cut short" out

if command -v xz >/dev/null; then
	xz -c train.log | head -c 200 >cut.xz
	"$ROCSTEADY" explain --no-machine cut.xz >out
	check "a cut .xz is called cut" grep -q "of cut.xz could be read: it is cut short" out
fi
# A frame that asks for a window of 2 GiB, as zstd --long=31 writes it.
printf '\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00' >long.zst
"$ROCSTEADY" explain --no-machine long.zst >out
check "zstd --long is named" grep -q "zstd --long" out
check "zstd --long: a step" grep -q "zstdcat --long=31 long.zst | rocsteady explain" out

# ---- one that swells: 1 GiB comes out, and no more ----

if [ -z "${ROCSTEADY_SANITIZED:-}" ] && command -v zstd >/dev/null; then
	head -c 1500000000 /dev/zero | tr '\0' 'y' | zstd -qc >bomb.zst
	"$ROCSTEADY" explain --no-machine bomb.zst >out
	check "bomb: exit status" [ $? = 3 ]
	check "bomb: its limit" grep -q "more comes out of it than 200 times" out
	check "bomb: a step" grep -q "zstdcat bomb.zst | tail" out
fi

finish
