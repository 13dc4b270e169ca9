#!/bin/sh
# Through sudo the calling user is judged: the groups and variables of the shell
# in which sudo was typed, not those of root, and the output says so.
#
# Uses the real sudo where there is one, with a sudoers of its own in a mount
# namespace; otherwise a shell whose effective user is another one. Needs root.
set -u

USER_NAME=nobody
GROUP_ID=4242
GROUP_IDS=$(seq -s , 1001 1400),$GROUP_ID # a directory service may put somebody into hundreds

skip() {
	echo "skipped: $*"
	exit 77
}

[ -n "${ROCSTEADY:-}" ] || skip "ROCSTEADY names no program"
if [ "${1:-}" != inside ]; then
	[ "$(id -u)" -eq 0 ] || skip "root is needed to become somebody else and back"
	unshare -m true 2>/dev/null || skip "no mount namespace may be made here"
	exec unshare -m --propagation private "$0" inside
fi
user_id=$(id -u $USER_NAME 2>/dev/null) || skip "no user called $USER_NAME"

work=$(mktemp -d) || exit 1
failed=0
checks=0
trap 'umount -l /dev 2>/dev/null; umount -l /etc/sudoers 2>/dev/null; rm -rf "$work"' EXIT

# A /dev of our own again, so that /dev/kfd can be whatever the check wants.
mkdir "$work/dev"
mount -t tmpfs -o mode=755 tmpfs "$work/dev" || skip "no tmpfs may be mounted here"
mknod -m 666 "$work/dev/null" c 1 3 || skip "no device node may be made here"
(: >"$work/dev/null") 2>/dev/null || skip "device nodes do not work on a tmpfs here"
chmod 755 "$work"
cp "$ROCSTEADY" "$work/dev/rocsteady"
mount --move "$work/dev" /dev
program=/dev/rocsteady

if command -v sudo >/dev/null && [ -e /etc/sudoers ]; then
	printf 'Defaults !syslog\n%s ALL=(ALL) NOPASSWD: ALL\nroot ALL=(ALL) NOPASSWD: ALL\n' \
		$USER_NAME >"$work/sudoers"
	chmod 440 "$work/sudoers"
	mount --bind "$work/sudoers" /etc/sudoers
	echo "with the real sudo"
	typed() { # typed COMMAND...: in a shell of the user, who then calls sudo
		setpriv --reuid "$user_id" --regid "$user_id" --groups "$GROUP_IDS" \
			env HSA_XNACK=1 HIP_VISIBLE_DEVICES=3 \
			sh -c 'sudo -n "$@"; exit $?' shell "$@"
	}
else
	command -v bash >/dev/null || skip "neither sudo nor bash"
	echo "without sudo: with a shell whose effective user is another one"
	typed() {
		setpriv --euid "$user_id" --egid "$user_id" --groups "$GROUP_IDS" \
			env HSA_XNACK=1 HIP_VISIBLE_DEVICES=3 \
			bash -p -c 'env -i SUDO_UID='"$user_id"' PATH="$PATH" \
				setpriv --euid 0 --egid 0 --clear-groups "$@"; exit $?' shell "$@"
	}
fi

check() { # check WANT WHY COMMAND...: the last line of the answer
	want=$1
	why=$2
	shift 2
	got=$("$@" | tail -n 1 | sed "s/^ *//; s/ *$//")
	checks=$((checks + 1))
	if [ "$got" != "$want" ]; then
		failed=$((failed + 1))
		echo "$why: '$got', not '$want'"
	fi
}

ask() { typed "$program" query "$1"; }

check "calling user of sudo" "who is judged" ask "SELECT how FROM identity"
check "$user_id" "the number" ask "SELECT uid FROM identity"
check $USER_NAME "the name" ask "SELECT user FROM identity"
check 1 "a process was found" \
	ask "SELECT process LIKE '/proc/%' AND process <> '/proc/self' FROM identity"
check 1 "groups of the login, not of /etc/group" \
	ask "SELECT count(*) FROM identity_group WHERE gid = $GROUP_ID"
check 402 "every group, however many" ask "SELECT count(*) FROM identity_group"
check 0 "groups of root are not theirs" ask "SELECT count(*) FROM identity_group WHERE gid = 0"
check 3 "variables that sudo drops" ask "SELECT value FROM env WHERE name = 'HIP_VISIBLE_DEVICES'"
check 1 "limits of the shell" ask "SELECT count(*) FROM resource_limit WHERE name = 'memlock'"

checks=$((checks + 1))
typed "$program" facts identity | grep -q "calling user of sudo" || {
	failed=$((failed + 1))
	echo "the text does not say who is judged"
}

# Rights: root could open both, the user one of them.
mknod /dev/kfd c 1 5
chmod 600 /dev/kfd
check EACCES "root's node" ask "SELECT open_result FROM device_node WHERE path = '/dev/kfd'"
chgrp $GROUP_ID /dev/kfd
chmod 660 /dev/kfd
check opened "the group's node" ask "SELECT open_result FROM device_node WHERE path = '/dev/kfd'"
check 1 "the group's node" ask "SELECT in_group FROM device_node WHERE path = '/dev/kfd'"
mkdir -m 750 /dev/dri
mknod -m 666 /dev/dri/renderD128 c 1 5
check EACCES "a directory in the way" \
	ask "SELECT open_result FROM device_node WHERE path LIKE '%renderD128'"

# Their shell is gone (cron, a detached root shell): the files know them.
gone() { env SUDO_UID="$user_id" "$program" query "$1"; }
check "calling user of sudo" "without a shell" gone "SELECT how FROM identity"
check 1 "without a shell there is no process" gone "SELECT process IS NULL FROM identity"
check unasked "... and no environment" gone "SELECT standing FROM gap WHERE topic = 'env'"

# Root who calls sudo is root; nonsense in the variable is nobody.
root() { env SUDO_UID=0 "$program" query "$1"; }
nonsense() { env SUDO_UID=-1 "$program" query "$1"; }
check "this process" "sudo called by root" root "SELECT how FROM identity"
check "this process" "SUDO_UID of a stranger's making" nonsense "SELECT how FROM identity"

# An ordinary user asking about somebody else gets no answer made of their own rights.
other() { setpriv --reuid 1 --regid 1 --clear-groups "$program" query --user $USER_NAME "$1"; }
chmod 666 /dev/kfd
check 1 "another user's open is not ours to say" \
	other "SELECT open_result IS NULL FROM device_node WHERE path = '/dev/kfd'"

echo "$checks checks, $failed failed"
[ "$failed" -eq 0 ]
