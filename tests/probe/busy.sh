#!/usr/bin/env bash
# Healthy walks on a busy host: no finding, whatever waits for whom. A few with every `meson test`; 200 by hand: WALKS=200 busy.sh
. "$(dirname "$0")/../live/lib.sh"
busy=()
trap '[ ${#busy[@]} = 0 ] || kill "${busy[@]}" 2>/dev/null; rm -rf "$WORK"' EXIT
: "${PROBE_WALK:?set PROBE_WALK to the built walk}"
[ "$(id -u)" = 0 ] || skip "device nodes need root"
unshare -m true 2>"$WORK/err" || skip "no mount namespaces: $(head -n 1 "$WORK/err")"
walks=${WALKS:-3}
prober=$(dirname "$ROCSTEADY")/rocsteady-probe
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR" "$WORK/libraries" "$WORK/walks"
cp -L "${ROCSTEADY_FAKES:?}"/lib*.so.* "$WORK/libraries/"
printf 'device 0000:03:00.0 gfx1100 21474836480\ndevice 0000:06:00.0 gfx1100 21474836480\n' >"$WORK/libraries/plan"

options=()
for pair in hsa=hsa-runtime64 hip=amdhip64 hiprtc=hiprtc rocblas=rocblas; do
	options+=(library "${pair%%=*}=$(ls "$WORK/libraries/lib${pair#*=}.so".*)")
done

# walk N: a healthy machine with the walk that was made just now
walk() {
	cat "$SOURCE/tests/machines/rx7900xt-x2-ubuntu2204-rocm62-healthy.snap"
	echo 'ask probe'
	unshare -m bash -c 'mount -t tmpfs none /mnt && cp -a /dev/null /dev/zero /dev/urandom /dev/random /mnt &&
		mknod -m 666 /mnt/kfd c 1 3 && mkdir /mnt/dri && mknod -m 666 /mnt/dri/renderD128 c 1 3 &&
		mount --bind /mnt /dev && umount -l /mnt && exec "$@"' - "$PROBE_WALK" level 1 "${options[@]}" "$prober" 2>"$WORK/err" |
		sed 's/^/\t/'
}

for _ in 1 2 3 4 5 6 7 8; do
	(while :; do :; done) &
	busy+=($!)
done
began=$SECONDS
for ((n = 1; n <= walks; n++)); do
	walk >"$WORK/walks/walk-$n.snap"
done
kill "${busy[@]}"
wait "${busy[@]}" 2>/dev/null
busy=()
answered=$(cat "$WORK"/walks/*.snap | grep -c '^	[a-z]*\.[a-z]* .* answered ')
others=$(cat "$WORK"/walks/*.snap | grep -E '^	[a-z]+\.[a-z]+ .* (refused|wrong|missing|crashed|exited|timeout|slow|stuck|skipped) ' | sort | uniq -c)
"$ROCSTEADY" check --json --verbose --from "$WORK/walks" >"$WORK/reports"
judged=$(wc -l <"$WORK/reports")
found=$(grep -c '"cause":"gpu-test-fails"' "$WORK/reports")
echo "$walks walks in $((SECONDS - began)) s, $answered questions answered; others: ${others:-none}; machines with a finding: $found"
check "every walk was judged: $judged" [ "$judged" = "$walks" ]
check "the walks asked: $answered questions" [ "$answered" -ge $((walks * 10)) ]
check "no finding" [ "$found" = 0 ]
finish
