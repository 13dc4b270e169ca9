#!/usr/bin/env bash
# Software of a process that has a root of its own, as in a container: what it
# would find is judged, not what stands at the same path here.
. "$(dirname "$0")/lib.sh"

[ "$(id -u)" = 0 ] || skip "another mount namespace is entered by root"
unshare -m true 2>/dev/null || skip "no mount namespaces here"
chmod 755 "$WORK"
venv() { # venv DIR VERSION
	local site=$1/lib/python3.11/site-packages
	mkdir -p "$site/torch-$2.dist-info" "$site/torch"
	printf 'home = /usr/bin\nversion = 3.11.2\n' >"$1/pyvenv.cfg"
	printf 'Name: torch\nVersion: %s\n' "$2" >"$site/torch-$2.dist-info/METADATA"
	printf "__version__ = '%s'\nhip = '6.4.43484'\ncuda = None\n" "$2" >"$site/torch/version.py"
}
venv "$WORK/opt/inside" 2.9.1+rocm6.4
venv "$WORK/image/opt/image" 2.8.0+rocm6.4
mkdir -p "$WORK/image/proc" "$WORK/image/bin" "$WORK/image/lib" "$WORK/image/lib64" "$WORK/image/usr"

# One process with another /opt, one whose whole root is another one.
VIRTUAL_ENV=/opt/inside unshare -m bash -c 'mount --make-rprivate /; mount --bind "$0" /opt; echo >"$1"; exec sleep 60' "$WORK/opt" "$WORK/ready" &
BOUND=$!
unshare -m bash -c 'mount --make-rprivate /
	for d in bin lib lib64 usr; do mount --rbind "/$d" "$0/$d"; done
	echo >"$1"; exec chroot "$0" sleep 60' "$WORK/image" "$WORK/ready2" &
ROOTED=$!
trap 'kill "$BOUND" "$ROOTED" 2>/dev/null; rm -rf "$WORK"' EXIT
for _ in $(seq 50); do [ -e "$WORK/ready" ] && [ -e "$WORK/ready2" ] && break; sleep 0.1; done
[ -e "$WORK/ready2" ] || skip "nothing can be mounted here"
sleep 0.3

says() { # says PID SQL: what is judged for this process
	"$ROCSTEADY" query --pid "$1" "$2" | sed 1d | tr -s ' ' | sed 's/ $//'
}
check "the environment of its own /opt" [ "$(says "$BOUND" "SELECT prefix, active FROM environment WHERE prefix LIKE '/opt/%'")" = "/opt/inside 1" ]
check "with what is installed there" [ "$(says "$BOUND" "SELECT name, version, build FROM framework WHERE environment = '/opt/inside'")" = "torch 2.9.1+rocm6.4 rocm" ]
check "which is not there for us" [ -z "$(says "$$" "SELECT prefix FROM environment WHERE prefix = '/opt/inside'")" ]
check "in a root of its own, what the image has" [ "$(says "$ROOTED" "SELECT version FROM framework WHERE environment = '/opt/image'")" = "2.8.0+rocm6.4" ]
check "and nothing from outside of it" [ -z "$(says "$ROOTED" "SELECT prefix FROM environment WHERE prefix LIKE '$WORK%'")" ]
finish
