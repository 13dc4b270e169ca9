#!/usr/bin/env bash
# explain -f: a file that grows, is cut off, is renamed away; a failure that
# comes in two writes; the end of a pipe; Ctrl-C explains.
set -u
program=$ROCSTEADY
work=$(mktemp -d) || exit 1
follower=
trap '[ -z "$follower" ] || kill "$follower" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

complain() {
	printf 'FAIL %s\n' "$1"
	failed=1
}

# begin: follows $work/log from here on.
begin() {
	"$program" explain --no-machine --json --verbose -f log >out 2>err &
	follower=$!
}

# heard WORDS: they were said, within ten seconds.
heard() {
	for _ in {1..100}; do
		! grep -qF -- "$1" err || return 0
		sleep 0.1
	done
	complain "'$1' was not said: $(<err)"
}

# finish SIGNAL TIMES: it explains when it is told to stop, and has met the failure so often.
finish() {
	local status=0 got
	kill "-$1" "$follower"
	wait "$follower" || status=$?
	follower=
	[ "$status" = 2 ] || [ "$status" = 3 ] || complain "exit status $status: $(<err)"
	got=$(jq -c '[.events[] | .count] | max' out)
	[ "$got" = "$2" ] || complain "counted $got, not $2"
}

failure='torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.98 GiB of which 20.00 MiB is free.'

# a partial last line, and a failure in two writes
printf 'step 1\nstep' >log
begin
sleep 0.4
printf ' 2\n%s' "${failure:0:40}" >>log
sleep 0.6
! grep -q . err || complain "half a failure was told: $(<err)"
printf '%s\n' "${failure:40}" >>log
heard "line 3: $failure"
printf '%s\n%s\n' "$failure" "$failure" >>log
sleep 0.6
[ "$(grep -cF "$failure" err)" = 1 ] || complain "a repetition was told: $(<err)"
printf 'Segmentation fault' >>log # never ended: seen at the end all the same
sleep 0.4
finish INT 3
jq -e '.events[] | select(.text == "Segmentation fault")' out >/dev/null || complain "the last line, without a newline: $(<out)"
! grep -q $'\033\|\r' err || complain "progress without a terminal"

# a line that is known for two things is told once
twice='amdgpu 0000:03:00.0: amdgpu: MES failed to respond to msg=REMOVE_QUEUE'
printf '%s\n' "$twice" >log
begin
heard "line 1: $twice"
finish INT 1
[ "$(jq '[.events[] | select(.kind == "failure")] | length' out)" -gt 1 ] || complain "one thing is known of it: $(<out)"
[ "$(grep -cF "$twice" err)" = 1 ] || complain "a line was told twice: $(<err)"

# cut off, and written anew: what was there before stays said
printf '%s\nstep 2\nstep 3\n' "$failure" >log
begin
heard "line 1: $failure"
: >log
heard "cut off"
printf 'step 1\n%s\n' "$failure" >>log
sleep 0.6
finish TERM 2

# renamed away, with a last line written to the old file afterwards
printf 'step 1\n' >log
begin
sleep 0.4
exec 3>>log
mv log log.1
printf '%s\n' "$failure" >&3
exec 3>&-
printf 'step 2\n%s\n' "$failure" >log
heard "new file"
heard "line 2: $failure"
sleep 0.4
finish INT 2

# a pipe is read to its end
printf '%s\n' "$failure" | "$program" explain --no-machine --json --verbose -f - >out 2>err
heard "line 1: $failure"
[ "$(jq -c '[.events[] | .count] | max' out)" = 1 ] || complain "a pipe: $(<out)"

# one file, and one that is there
got=0
"$program" explain --no-machine -f log log.1 >out 2>err || got=$?
[ "$got" = 64 ] || complain "two files: exit status $got"
got=0
"$program" explain --no-machine -f none >out 2>err || got=$?
[ "$got" = 66 ] || complain "no file: exit status $got"

exit "$failed"
