#!/usr/bin/env bash
# The prober for old C libraries: its symbols, and a walk on the oldest root to be had.
# glibc 2.17 itself (CentOS 7) is in no Debian archive of today; bullseye has 2.31.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
if [ ! -x "$PACKAGES/rocsteady-probe" ]; then
	skip "rocsteady-probe was not built"
	finish
fi

newest=$(objdump -T "$PACKAGES/rocsteady-probe" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
echo "newest symbol: $newest"
if [ -n "$newest" ] && [ "$(printf 'GLIBC_2.17\n%s\n' "$newest" | sort -V | tail -n 1)" = GLIBC_2.17 ]; then
	good
else
	bad "wants $newest, which is above GLIBC_2.17"
fi

if root_of bullseye; then
	old=$WORK/bullseye
	cp "$PACKAGES/rocsteady" "$PACKAGES/rocsteady-probe" "$old/usr/local/bin/"
	mount -t proc proc "$old/proc" && trap 'umount "$old/proc"; rm -rf "$WORK"' EXIT
	chroot "$old" sh -c 'ls /lib/x86_64-linux-gnu/libc-*.so'
	try 64 "one question, please" chroot "$old" rocsteady-probe
	try 2 "nodes.open" chroot "$old" rocsteady probe
	true_answers chroot "$old"
	umount "$old/proc" && trap 'rm -rf "$WORK"' EXIT
else
	skip "no root of bullseye to be had"
fi
finish
