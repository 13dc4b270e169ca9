#!/bin/sh
# What opening a device node answers on a real kernel, for root and for an
# ordinary user: absent, closed, opened through a group, without a driver, on a
# nodev mount, and forbidden whatever the mode bits say (EPERM).
#
# Needs root: /dev is replaced in a mount namespace of our own.
set -u

USER_ID=65534
GROUP_ID=4242

skip() {
	echo "skipped: $*"
	exit 77
}

[ -n "${ROCSTEADY:-}" ] || skip "ROCSTEADY names no program"
if [ "${1:-}" != inside ]; then
	[ "$(id -u)" -eq 0 ] || skip "root is needed to make device nodes"
	unshare -m true 2>/dev/null || skip "no mount namespace may be made here"
	exec unshare -m --propagation private "$0" inside
fi

work=$(mktemp -d) || exit 1
group=/sys/fs/cgroup/devices/rocsteady-test-$$
failed=0
checks=0

clean() {
	chattr -i "$work/immutable" 2>/dev/null
	rmdir "$group" 2>/dev/null
	umount -l /dev "$work/top" 2>/dev/null
	rm -rf "$work"
}
trap clean EXIT

# A /dev of our own: what a shell needs and nothing else. The program is copied,
# since its own directory may be closed to the user.
mkdir "$work/top"
mount -t tmpfs -o mode=755 tmpfs "$work/top" || skip "no tmpfs may be mounted here"
mkdir "$work/top/dev" "$work/top/shm"
cp "$ROCSTEADY" "$work/top/rocsteady"
chmod 755 "$work" "$work/top/rocsteady"
program=$work/top/rocsteady
mknod -m 666 "$work/top/dev/null" c 1 3 || skip "no device node may be made here"
(: >"$work/top/dev/null") 2>/dev/null || skip "device nodes do not work on a tmpfs here"
mkdir "$work/top/dev/dri"
mount --bind "$work/top/dev" /dev

node() { # node MODE GROUP MAJOR MINOR: a new /dev/kfd
	rm -f /dev/kfd
	mknod /dev/kfd c "$3" "$4"
	chgrp "$2" /dev/kfd
	chmod "$1" /dev/kfd
}

as_root() { setpriv --clear-groups "$@"; }
as_user() { setpriv --reuid $USER_ID --regid $USER_ID --clear-groups "$@"; }
as_member() { setpriv --reuid $USER_ID --regid $USER_ID --groups $GROUP_ID "$@"; }

field() { # field NAME: of the row of /dev/kfd, out of JSON
	sed -n "s|.*\"path\": \"${2:-/dev/kfd}\".*\"$1\": \"*\\([^\",}]*\\).*|\\1|p"
}

check() { # check WHO FIELD WANT WHY [NODE]
	got=$("as_$1" "$program" facts nodes --json | field "$2" "${5:-/dev/kfd}")
	checks=$((checks + 1))
	if [ "$got" != "$3" ]; then
		failed=$((failed + 1))
		echo "$4, as $1: $2 is '$got', not '$3'"
	fi
}

check root open_result ENOENT "absent"
check user open_result ENOENT "absent"
check user kind null "absent"

node 600 0 1 5
check root open_result opened "closed to all but root"
check user open_result EACCES "closed to all but root"
check user mode 0600 "closed to all but root"

node 660 $GROUP_ID 1 5
check member open_result opened "open to a group"
check member in_group 1 "open to a group"
check user open_result EACCES "open to a group"
check user in_group 0 "open to a group"

node 666 0 1 5
check user open_result opened "open to all"

node 666 0 240 77
check root open_result ENXIO "no driver behind it"
check user open_result ENXIO "no driver behind it"

mknod -m 600 /dev/dri/renderD128 c 1 5
check user open_result EACCES "a closed render node" /dev/dri/renderD128
check root open_result opened "a closed render node" /dev/dri/renderD128
chmod 700 /dev/dri
checks=$((checks + 1))
as_user "$program" query \
	"SELECT standing FROM gap WHERE topic = 'device_node' AND subject = '/dev/dri'" |
	grep -q denied || {
	failed=$((failed + 1))
	echo "a closed /dev/dri: no gap says so"
}
chmod 755 /dev/dri
rm /dev/dri/renderD128

node 666 0 1 5
checks=$((checks + 1))
as_user "$program" facts nodes --no-open --json | field open_result | grep -qx null || {
	failed=$((failed + 1))
	echo "--no-open: a result all the same"
}

mount -o remount,bind,nodev /dev
check root open_result EACCES "on a nodev mount"
check user open_result EACCES "on a nodev mount"
mount -o remount,bind,dev /dev

# A container without --device: the group of devices refuses, root too. The
# shell that enters the group takes nothing but this one check with it.
if mkdir "$group" 2>/dev/null && echo 'c 1:5 rwm' >"$group/devices.deny" 2>/dev/null; then
	node 666 0 1 5
	in_group() { sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"; }
	as_refused() { in_group "$@"; }
	as_refused_user() { in_group setpriv --reuid $USER_ID --regid $USER_ID --clear-groups "$@"; }
	check refused open_result EPERM "refused by the device group"
	check refused_user open_result EPERM "refused by the device group"
	check refused mode 0666 "refused by the device group"
else
	echo "not checked: EPERM of a device group (no version 1 hierarchy to write to)"
fi

# An immutable file may be written by nobody, and that is EPERM too.
: >"$work/immutable"
if chattr +i "$work/immutable" 2>/dev/null; then
	rm -f /dev/kfd
	: >/dev/kfd
	mount --bind "$work/immutable" /dev/kfd
	check root open_result EPERM "an immutable file in its place"
	check user open_result EPERM "an immutable file in its place"
	check user kind - "an immutable file in its place"
	umount /dev/kfd
else
	echo "not checked: EPERM of an immutable file (the file system has no such flag)"
fi

echo "$checks checks, $failed failed"
[ "$failed" -eq 0 ]
