#!/usr/bin/env bash
# rocsteady-gate.service and .timer under a systemd of their own, in namespaces with a copy-on-write root: does the
# sandbox leave the gate what it needs, and nothing else. Nothing of this host is changed.
. "$(dirname "$0")/lib.sh"
UNITS=$SOURCE/examples/fleet/systemd
GROUP=/sys/fs/cgroup/systemd/$(basename "$WORK")
init=''

leave() {
	[ -z "$init" ] || kill -KILL "$init" 2>/dev/null
	wait 2>/dev/null
	find "$GROUP" -depth -type d -exec rmdir {} + 2>/dev/null
	rm -rf "$WORK"
}
trap leave EXIT
trap 'exit 1' TERM INT HUP

# What can be said without starting anything. Whether the program and the pages are installed here is another question.
mkdir "$WORK/units"
cp "$UNITS"/* "$WORK/units/"
sed -i 's,/usr/bin/rocsteady,/bin/true,' "$WORK/units/rocsteady-gate.service"
check "systemd takes both units" systemd-analyze verify --man=no "$WORK"/units/rocsteady-gate.{service,timer}
exposure=$(systemd-analyze security --offline=yes --no-pager "$UNITS/rocsteady-gate.service" | sed -n 's/.*exposure level for [^:]*: \([0-9.]*\) .*/\1/p')
echo "exposure: $exposure"
check "the exposure ($exposure) is what docs/runbook.md says" grep -qF "exposure $exposure of 10" "$SOURCE/docs/runbook.md"

[ "$(id -u)" = 0 ] || skip "another systemd wants root; the units were only read"
[ -d /sys/fs/cgroup/systemd ] || skip "no hierarchy of control groups for another systemd; the units were only read"
mkdir "$GROUP" "$WORK/upper" "$WORK/root" || skip "no control group can be made"
cat >"$WORK/boot" <<BOOT
#!/bin/sh -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$WORK/upper"
mkdir "$WORK/upper/u" "$WORK/upper/w"
mount -t overlay -o "lowerdir=/,upperdir=$WORK/upper/u,workdir=$WORK/upper/w" overlay "$WORK/root"
cd "$WORK/root"
mount -t proc proc proc
mount --rbind /sys sys
umount -l sys/fs/cgroup
mount -t tmpfs tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
mount --rbind /dev dev
mount -t tmpfs tmpfs run
install -m 755 "$ROCSTEADY" usr/bin/rocsteady
mkdir -p home/someone && cp "$UNITS"/* etc/systemd/system/
printf '[Unit]\nDefaultDependencies=no\n' >etc/systemd/system/lab.target
pivot_root . mnt
exec env -i container=lab PATH=/usr/bin:/bin /lib/systemd/systemd --system --unit=lab.target --log-target=console
BOOT
chmod 755 "$WORK/boot"
(
	echo "$BASHPID" >"$GROUP/cgroup.procs"
	exec unshare --fork --kill-child --mount --pid --cgroup --uts --ipc "$WORK/boot"
) >"$WORK/log" 2>&1 &
outer=$!
inside() { nsenter -t "$init" -m -p -C -u -i env -i PATH=/usr/bin:/bin timeout 60 "$@"; }
awake() {
	init=$(pgrep -P "$outer") && [ "$(inside systemctl is-active lab.target 2>/dev/null)" = active ]
}
for _ in $(seq 200); do
	awake && break
	kill -0 "$outer" 2>/dev/null || break
	sleep 0.1
done
awake || skip "no second systemd starts here: $(tail -n 1 "$WORK/log")"

check "the service ends well" inside systemctl start rocsteady-gate.service
inside cat /run/rocsteady/verdict >"$WORK/verdict"
"$ROCSTEADY" gate --verdict "$WORK/run/verdict" >"$WORK/out" 2>"$WORK/err"
told() { grep -vE '^second ' "$1"; }
check "the sandbox takes no answer away: $(diff <(told "$WORK/run/verdict") <(told "$WORK/verdict"))" \
	cmp -s <(told "$WORK/run/verdict") <(told "$WORK/verdict")
check "there are metrics" [ "$(inside grep -c '^rocsteady_gate_state{' /run/rocsteady/rocsteady.prom)" = 3 ]
check "others may read them" [ "$(inside stat -c %a /run/rocsteady/rocsteady.prom)" = 644 ]
check "both stay when the service has ended" [ "$(inside ls /run/rocsteady | tr '\n' ' ')" = "rocsteady.prom verdict " ]

# In the gate's place: who tries more than the gate needs is refused.
mkdir "$WORK/drop-in"
cat >"$WORK/tries" <<'TRIES'
#!/bin/sh
for what in 'ls /home/someone' 'touch /etc/x' 'touch /var/lib/x' 'touch /usr/x' 'mount -t tmpfs x /mnt' 'unshare -m true' 'chown 1 /run/rocsteady/verdict' \
	'cat /dev/mem' "python3 -c 'import socket; socket.socket()'" 'sh -c "echo 1 >/proc/sys/kernel/panic"'; do
	eval "$what" >/dev/null 2>&1 && echo "$what"
done >/run/rocsteady/allowed
dd if=/dev/kmsg of=/dev/null bs=8192 count=1 && touch /run/rocsteady/kmsg
TRIES
inside sh -c 'cat >/usr/bin/tries && chmod 755 /usr/bin/tries' <"$WORK/tries"
inside sh -c 'mkdir -p /etc/systemd/system/rocsteady-gate.service.d && printf "[Service]\nExecStart=\nExecStart=-/usr/bin/tries\n" >/etc/systemd/system/rocsteady-gate.service.d/tries.conf && systemctl daemon-reload && systemctl start rocsteady-gate.service'
check "it was tried" inside test -e /run/rocsteady/allowed
check "nothing was allowed, but: $(inside cat /run/rocsteady/allowed)" inside test ! -s /run/rocsteady/allowed
check "the kernel log can be read" inside test -e /run/rocsteady/kmsg

check "the timer starts" inside systemctl start rocsteady-gate.timer
check "and has a next time" inside sh -c 'systemctl show -P NextElapseUSecRealtime rocsteady-gate.timer | grep -q :'
finish
