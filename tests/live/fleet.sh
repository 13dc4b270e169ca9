# Sourced by tests of commands that read many snapshots: a directory with two, and runs whose output is looked at.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
MACHINES=$SOURCE/tests/machines
many=$WORK/many
mkdir "$many"
cp "$MACHINES/rx6600-debian12-k61-healthy.snap" "$many/b.snap"
gzip -c "$MACHINES/mi300x-x8-ubuntu2204-rocm63-healthy.snap" >"$many/a.snap.gz"

# run STATUS WORD...: the output stays in $WORK/out and $WORK/err.
run() {
	local want=$1 status
	shift
	"$ROCSTEADY" "$@" >"$WORK/out" 2>"$WORK/err"
	status=$?
	check "status $want of: $* (got $status: $(head -n 1 "$WORK/err"))" [ "$status" = "$want" ]
}
prints() { check "a line '$1'; there are: $(head -n 8 "$WORK/out")" grep -qxF -- "$1" "$WORK/out"; }
says() { check "stderr says '$1'; it says: $(head -n 3 "$WORK/err")" grep -qF -- "$1" "$WORK/err"; }
lacks() { ! grep -qF -- "$1" "$2"; }
