# For the tests of packages: a transcript, and a count at its end.
#
# Environment: PACKAGES  what tools/package/build and its like have made
#              ROCSTEADY_SAMPLES
set -u
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SAMPLES=${ROCSTEADY_SAMPLES:-/var/cache/rocsteady-samples}
WORK=$(mktemp -d /tmp/rocsteady-packages.XXXXXX) || exit 1
passed=0 failed=0 skipped=0
ILL=rx7900xtx-ubuntu2404-rocm64-outside-render.snap

# A machine that is ill, a traceback, and a library, to ask the installed program about.
TRACEBACK='Traceback (most recent call last):
  File "train.py", line 3, in <module>
    x = torch.ones(8, device="cuda") @ torch.ones(8, device="cuda")
RuntimeError: HIP error: no kernel image is available for execution on the device'

good() { passed=$((passed + 1)); }
bad() {
	echo "FAIL $*"
	failed=$((failed + 1))
}
skip() {
	echo "skipped: $*"
	skipped=$((skipped + 1))
}

# try STATUS TEXT COMMAND...: the command ends so and its output has the text; standard input is passed on.
try() {
	local want=$1 text=$2 status=0 out
	shift 2
	echo "$ $*"
	out=$("$@" 2>&1) || status=$?
	head -n 12 <<<"$out"
	if [ "$status" != "$want" ]; then
		bad "status $status and not $want: $*"
	elif ! grep -qF -- "$text" <<<"$out"; then
		bad "no '$text' in the output of: $*"
	else
		good
	fi
}

# root_of SUITE [PACKAGE...]: a small Debian unpacked in $WORK/SUITE; 1 if there is none to be had.
root_of() {
	local tar
	tar=$("$SOURCE/tools/package/root" "$@") || return 1
	mkdir -p "$WORK/$1" && tar -xf "$tar" -C "$WORK/$1" --exclude='./dev/*' || return 1
	mkdir -p "$WORK/$1/dev"
	if [ "$1" = sid ]; then
		echo "sid: a Release that is past its date is accepted; its signature is verified"
	else # of roots that were made before this was for sid alone
		sed -i '/Check-Valid-Until/d' "$WORK/$1"/etc/apt/apt.conf.d/* 2>/dev/null
	fi
	[ -c "$WORK/$1/dev/null" ] || mknod -m 666 "$WORK/$1/dev/null" c 1 3
	[ -c "$WORK/$1/dev/urandom" ] || mknod -m 666 "$WORK/$1/dev/urandom" c 1 9
	cp "$SOURCE/tests/machines/$ILL" "$WORK/$1/tmp/ill.snap"
}

# The ill machine: of a root in its /tmp; a test on this host has its own, for two may run at once.
SNAP=/tmp/ill.snap

# true_answers COMMAND...: what each package must answer at its end.
true_answers() {
	try 2 "framework-lacks-arch" "$@" rocsteady explain --no-machine - <<<"$TRACEBACK"
	try 2 "device-permission - certain" "$@" rocsteady check --from "$SNAP"
}

# passes DIR COMMAND...: the hook in DIR, run by the command, lets a node pass that has no verdict, and counts it.
passes() {
	local dir=$1
	shift
	try 0 "this node passes: there is no verdict yet" "$@" "$dir/rocsteady-hook" slurm-prolog
}

# tree DIR: every file, link and directory with its rights, but for what packages and their tools keep of their own doings.
tree() {
	(cd "$1" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./var/log -o -path ./var/cache \
		-o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./run \) -prune -o -printf '%y %m %u %p %l\n' | sort)
}

finish() {
	rm -rf "$WORK"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
	exit
}
