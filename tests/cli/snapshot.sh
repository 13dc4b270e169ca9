#!/usr/bin/env bash
# Snapshots as files and as trees: the same bytes again, the same facts from a
# tree, small enough, and nothing ever written outside of the tree.
[ -w /dev/shm ] && export TMPDIR=/dev/shm # trees of many small files
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
SNAP=$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap

"$ROCSTEADY" snapshot --no-scrub --from "$SNAP" -o "$WORK/again.snap"
check "a snapshot of a snapshot is the same bytes" cmp -s "$SNAP" "$WORK/again.snap"
"$ROCSTEADY" snapshot --no-scrub --from "$SNAP" >"$WORK/stdout.snap"
check "on standard output too" cmp -s "$SNAP" "$WORK/stdout.snap"
"$ROCSTEADY" snapshot --no-scrub --from "$SNAP" -o "$WORK/again.snap.gz"
"$ROCSTEADY" snapshot --no-scrub --from "$WORK/again.snap.gz" >"$WORK/unzipped.snap"
check "and through gzip" cmp -s "$SNAP" "$WORK/unzipped.snap"
check "which is gzip" gzip -t "$WORK/again.snap.gz"
check "readable by its owner only" [ "$(stat -c %a "$WORK/again.snap.gz")" = 600 ]
(cat "$SNAP"; printf 'quux /x 1\n\tbody\nfuture\n') >"$WORK/later.snap"
check "unknown kinds are one gap" [ "$("$ROCSTEADY" query --from "$WORK/later.snap" --json \
	"SELECT count(*) AS n FROM gap WHERE detail LIKE '%2%' AND topic = 'run'" | grep -c '"n": 1')" = 1 ]
"$ROCSTEADY" snapshot --no-scrub --from "$WORK/later.snap" >"$WORK/later2.snap"
check "and are kept" cmp -s "$WORK/later.snap" "$WORK/later2.snap"

# --unpack, then --root: the same facts. tests/run-cases asks it of every machine.
same=0
machines=0
mapfile -t some < <(ROCSTEADY_TEST_EVERY=7 some_of "$SOURCE"/tests/machines/*.snap)
for snap in "${some[@]}"; do
	machines=$((machines + 1))
	rm -rf "$WORK/tree"
	"$ROCSTEADY" snapshot --no-scrub --from "$snap" --unpack "$WORK/tree" &&
		"$ROCSTEADY" facts --json --from "$snap" >"$WORK/a.json" &&
		"$ROCSTEADY" facts --json --root "$WORK/tree" >"$WORK/b.json" &&
		cmp -s "$WORK/a.json" "$WORK/b.json" && same=$((same + 1)) || echo "differs: $snap"
	size=$("$ROCSTEADY" snapshot --brief --from "$snap" | wc -c)
	check "brief is at most 32 kB ($size): $snap" [ "$size" -le 32768 ]
done
check "$same of $machines trees give the facts of their snapshot" [ "$machines" -gt 0 -a "$same" = "$machines" ]

# This machine, of whatever kind it is.
"$ROCSTEADY" snapshot --no-open -o "$WORK/live.snap"
check "a live snapshot" grep -q '^note program' "$WORK/live.snap"
check "says that it is scrubbed" grep -q '^note scrubbed' "$WORK/live.snap"
"$ROCSTEADY" snapshot --from "$WORK/live.snap" >"$WORK/live2.snap"
check "is the same bytes again" cmp -s "$WORK/live.snap" "$WORK/live2.snap"
check "ends with its end" [ "$(tail -n 1 "$WORK/live.snap")" = "note end" ]
"$ROCSTEADY" snapshot --brief --from "$WORK/live.snap" | "$ROCSTEADY" facts --from - >/dev/null
check "a brief one of it is whole, too" [ $? = 0 ]
for part in 50 90; do
	head -c $(($(stat -c %s "$WORK/live.snap") * part / 100)) "$WORK/live.snap" >"$WORK/cut.snap"
	"$ROCSTEADY" check --from "$WORK/cut.snap" >/dev/null 2>"$WORK/err"
	status=$?
	check "$part % of it: status $status" [ $status = 66 ]
	check "$part % of it is called cut off: $(cat "$WORK/err")" grep -q "is cut off" "$WORK/err"
done
check "is at most 1 MB" [ "$(stat -c %s "$WORK/live.snap")" -le 1000000 ]

# A stranger's paths. Every call that changes a file system is looked at: made
# by name, it is below the tree or relative to a descriptor below it.
{
	echo "rocsteady-snapshot 1"
	printf 'link /a /etc\nfile /a/rocsteady-owned\n\tx\nlink /b ../../../../..\nfile /b/tmp/rocsteady-owned\n\tx\n'
	printf 'file /../../../rocsteady-owned\n\tx\nfile /x/../../../../rocsteady-owned\n\tx\nfile rocsteady-owned\n\tx\n'
	printf 'file ../rocsteady-owned\n\tx\nlink ../rocsteady-owned /etc\nfiles /..\n\t../rocsteady-owned x\n'
	printf 'file //tmp//rocsteady-owned\n\tx\nfile /\n\tx\nfile /f\n\tx\nfile /f/below\n\tx\nlink /f /etc\n'
	printf 'file /n\\x00/../../rocsteady-owned\n\tx\nlink /.rocsteady-snapshot /etc/passwd\nfile /.rocsteady-snapshot/x\n\tx\n'
} >"$WORK/evil.snap"
mkdir "$WORK/outer"
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	(cd "$WORK/outer" && strace -f -o "$WORK/trace" -e trace=%file,openat2,symlinkat,mkdirat \
		"$ROCSTEADY" snapshot --no-scrub --from "$WORK/evil.snap" --unpack tree)
	check "unpacked" [ -f "$WORK/outer/tree/.rocsteady-snapshot" ]
	check "every file made by name goes through openat2 below the tree" \
		[ "$(grep -E 'O_CREAT' "$WORK/trace" | grep -cvE 'openat2\(.*RESOLVE_NO_SYMLINKS\|RESOLVE_BENEATH|"\.rocsteady-snapshot"')" = 0 ]
	check "links and directories are made by their last name only" \
		[ "$(grep -E '(symlinkat|mkdirat)\(' "$WORK/trace" | grep -cE '(symlinkat\("[^"]*", [0-9]+, "[^"]*/|mkdirat\([0-9]+, "[^"]*/)')" = 0 ]
	check "nothing was made at a descriptor of ours or by an absolute path" \
		[ "$(grep -E '(symlinkat|mkdirat|openat2)\(' "$WORK/trace" | grep -c AT_FDCWD)" = 0 ]
else
	echo "not checked: the calls themselves (no strace here)"
	(cd "$WORK/outer" && "$ROCSTEADY" snapshot --no-scrub --from "$WORK/evil.snap" --unpack tree)
fi
check "only the tree stands beside itself" [ "$(ls -A "$WORK/outer")" = tree ]
check "nothing in /etc" [ ! -e /etc/rocsteady-owned ]
check "nothing in /tmp" [ ! -e /tmp/rocsteady-owned ]
check "nothing here" [ ! -e rocsteady-owned ]
check "nothing above" [ -z "$(find "$WORK" -maxdepth 2 -name 'rocsteady-owned')" ]
"$ROCSTEADY" facts --root "$WORK/outer/tree" >"$WORK/out"
check "and the tree can be examined" [ -s "$WORK/out" ]

# A packed file that is larger than any snapshot, whatever it unpacks to.
printf '\037\213\010\0\0\0\0\0\0\003' >"$WORK/large.snap.gz"
truncate -s 65M "$WORK/large.snap.gz"
"$ROCSTEADY" facts --from "$WORK/large.snap.gz" 2>"$WORK/err"
check "a packed file that is too large is not unpacked" grep -q 'more than 64 MiB, too large for a snapshot' "$WORK/err"

# A tree with Debian's place for the kernels of a rocBLAS that nobody knows yet.
mkdir -p "$WORK/debian/opt" "$WORK/debian/usr/lib/x86_64-linux-gnu/rocblas/9.9.1/library"
touch "$WORK/debian/usr/lib/x86_64-linux-gnu/librocblas.so.9.9"
"$ROCSTEADY" query --root "$WORK/debian" 'SELECT path FROM kernel_dir' >"$WORK/out"
check "kernels below any version" grep -qx '/usr/lib/x86_64-linux-gnu/rocblas/9.9.1/library' "$WORK/out"

finish
