#!/usr/bin/env bash
# A check that gets no CPU is late, and never "ready" without having looked: six of
# them at the lowest priority beside eight busy loops, and one without /sys.
#
#	tests/live/starved.sh [CHECKS]     by hand with 500
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip "jq is missing"
number=${1:-6}
loops=()
clean() {
	[ ${#loops[@]} = 0 ] || kill "${loops[@]}" 2>/dev/null
	rm -rf "$WORK"
}
trap clean EXIT
cd "$WORK" || exit 1

ask() { HOME=$WORK nice -n 19 "$ROCSTEADY" check --expect gpus=0 --json >"$1.json" 2>/dev/null; echo $? >"$1.status"; }
known() { jq -c '[.verdict, (.not_known | sort)]' "$1.json"; }

ask quiet
for _ in 1 2 3 4 5 6 7 8; do
	while :; do :; done &
	loops+=($!)
done
for i in $(seq "$number"); do
	ask "$i" &
	asked+=($!)
	[ $((i % 5)) != 0 ] || { wait "${asked[@]}"; asked=(); }
done
[ ${#asked[@]} = 0 ] || wait "${asked[@]}"
kill "${loops[@]}" && loops=()

late=0
check "a quiet check answers" [ -n "$(known quiet)" ]
for i in $(seq "$number"); do
	check "a starved one answers" [ -n "$(jq -r '.verdict // empty' "$i.json")" ]
	if [ "$(jq -r .verdict "$i.json")" = undecided ]; then
		late=$((late + 1))
		check "undecided is status 3" [ "$(cat "$i.status")" = 3 ]
	else
		check "what a starved check calls $(jq -r .verdict "$i.json") is all that a quiet one knows" \
			[ "$(known "$i")" = "$(known quiet)" ]
	fi
done
echo "$number checks on a saturated host, $late of them undecided"

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	unshare -m --propagation private sh -c "mount -t tmpfs none /sys && exec '$ROCSTEADY' check" >out 2>&1
	check "without /sys nothing is ready: status 3" [ $? = 3 ]
	check "and it says why" grep -q "GPUs" out
fi
finish
