#!/usr/bin/env bash
# A booted machine: systemd as process 1, with units, limits and a journal of its own, in
# namespaces over a copy of this host's files that is thrown away. `check`, a judged unit,
# and `run` in a unit whose memory is limited.
. "$(dirname "$0")/lib.sh"
SYSTEMD=/lib/systemd/systemd
GROUP=rocsteady-booted-$$

[ "$(id -u)" = 0 ] || skip "systemd as process 1 takes root"
[ -x "$SYSTEMD" ] || skip "no systemd here"
why=$(unshare -m -p -f -C -u -i -n true 2>&1) || skip "no namespaces: $why"

# A control group of its own in each hierarchy: what systemd makes lies below it.
groups=() limits=
leave() {
	local i
	cd /
	for g in "${groups[@]}"; do echo $$ >"${g%/*}/cgroup.procs"; done
	for ((i = 0; i < 50 && ${#groups[@]}; i++)); do
		for g in "${groups[@]}"; do
			[ ! -d "$g" ] || find "$g" -depth -type d -exec rmdir {} + 2>/dev/null
		done
		[ -z "$(ls -d "${groups[@]}" 2>/dev/null)" ] && break
		sleep 0.1
	done
	umount "$WORK" 2>/dev/null
	rm -rf "$WORK"
}
trap leave EXIT
while read -r _ _ _ _ at _ rest; do
	case " $rest" in *' - cgroup '* | *' - cgroup2 '*) ;; *) continue ;; esac
	own=$(awk -F: -v at="${at##*/}" '($2 == at || $2 == "name=" at || ($2 == "" && at ~ /^(unified|cgroup)$/)) { print $3 }' /proc/self/cgroup)
	dir=$at${own%/}/$GROUP
	mkdir "$dir" 2>/dev/null || skip "no control group can be made in $at"
	groups+=("$dir")
	[ ! -e "$dir/memory.max" ] && [ ! -e "$dir/memory.limit_in_bytes" ] || limits=memory
	[ ! -e "$dir/cpuset.cpus" ] || for f in cpus mems; do cat "$at${own%/}/cpuset.$f" >"$dir/cpuset.$f"; done
	echo $$ >"$dir/cgroup.procs" || skip "nothing can be moved into $dir"
done </proc/self/mountinfo

# ---- the machine ----

mount -t tmpfs tmpfs "$WORK" && chmod 755 "$WORK" && mkdir "$WORK"/{upper,work,root,said} || skip "nothing can be mounted here"
chmod 755 "$WORK"/*
install -m 755 "$ROCSTEADY" "$WORK/said/rocsteady"
units=$WORK/upper/etc/systemd/system
mkdir -p "$units" "$WORK/upper/etc/systemd/journald.conf.d"
printf '[Journal]\nStorage=volatile\nReadKMsg=yes\n' >"$WORK/upper/etc/systemd/journald.conf.d/test.conf"

cat >"$units/judged.service" <<'END'
[Service]
User=nobody
LimitNOFILE=777
LimitMEMLOCK=65536
Environment=HIP_VISIBLE_DEVICES=3
ExecStart=/bin/sleep 1000
END

# It is not called python: a check of this host would find for a day that a job of GPUs was killed.
cat >"$WORK/said/hog.py" <<'END'
import time
open("/proc/self/comm", "w").write("hog")
print("before", flush=True)
time.sleep(1.3)
kept = []
while len(kept) < 100:
    kept.append(bytearray(b"x") * (8 << 20))
END
cat >"$units/limited.service" <<END
[Service]
Type=oneshot
MemoryMax=300M
OOMPolicy=continue
WorkingDirectory=/said
ExecStart=/said/rocsteady run --dir /said/journal.d -- $(command -v python3) /said/hog.py
END

cat >"$WORK/said/test" <<'END'
#!/bin/bash
cd /said
cat /proc/1/comm >init
systemctl start judged.service
systemctl show -p ActiveState judged.service >judged.state
./rocsteady facts --json --unit judged.service >judged.json 2>judged.err; echo $? >judged.status
./rocsteady check --json --verbose --unit judged.service >check.json 2>check.err; echo $? >check.status
systemctl start limited.service
systemctl show -p Result -p ExecMainCode -p ExecMainStatus -p MemoryMax -p MemoryLimit limited.service >limited.state
journalctl --no-pager -o cat -u limited.service >limited.log
./rocsteady run --report journal.d --json >report.json 2>report.err; echo $? >report.status
journalctl --no-pager -o cat -k --grep 'hog' >kernel.log
./rocsteady query --json "SELECT text, source FROM kernel_log" >log.json 2>log.err; echo $? >log.status
echo done >done
systemctl exit 0
END
chmod 755 "$WORK/said/test"
cat >"$units/test.service" <<'END'
[Unit]
Requires=systemd-journald.service
After=systemd-journald.service
[Service]
Type=exec
ExecStart=/said/test
END
cat >"$units/test.target" <<'END'
[Unit]
Wants=test.service systemd-journald.service systemd-journald.socket systemd-journald-dev-log.socket
END

cat >"$WORK/boot" <<'END'
#!/bin/bash
set -e
cd "$1"
mount -t overlay overlay -o lowerdir=/,upperdir="$1/upper",workdir="$1/work" root
cd root
mkdir -p said
mount --bind "$1/said" said
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /dev dev
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mounts=$(</proc/self/mountinfo)
while read -r _ _ _ _ at _ rest; do
	case " $rest" in
	*' - tmpfs '*) [ "$at" = /sys/fs/cgroup ] && mount -t tmpfs tmpfs sys/fs/cgroup ;;
	*' - cgroup '*) mkdir -p ".$at" && mount -t cgroup -o "$(sed 's/.*,rw,//; s/.* rw,//; s/xattr,//' <<<"$rest")" cgroup ".$at" ;;
	*' - cgroup2 '*) mkdir -p ".$at" && mount -t cgroup2 cgroup2 ".$at" ;;
	esac
done <<<"$mounts"
pivot_root . tmp
umount -l /tmp
mount -t tmpfs tmpfs /tmp
cd /
exec env -i container=rocsteady-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=test.target --log-target=console --show-status=0
END
timeout -k 5 120 unshare -m -p -f -C -u -i -n --kill-child --propagation private bash "$WORK/boot" "$WORK" >"$WORK/console" 2>&1 </dev/null
status=$?
cd "$WORK/said" || exit 1
[ -e done ] || skip "systemd did not come to the end: status $status: $(tail -c 300 "$WORK/console" | tr '\n' ' ')"

# ---- what it said ----

has() { check "$1: no $2 in: $(head -c 400 "$3")" grep -q -- "$2" "$3"; }

check "systemd is process 1" [ "$(cat init)" = systemd ]
has "the judged unit" ActiveState=active judged.state
check "facts of a unit: status $(cat judged.status) $(head -c 300 judged.err)" [ "$(cat judged.status)" = 0 ]
check "its limit of files is the unit's" jq -e '[.. | objects | select(.resource? == "nofile" or .name? == "nofile")] | any(.soft == 777)' judged.json >/dev/null
check "its variable is the unit's" grep -q HIP_VISIBLE_DEVICES judged.json
check "check of a unit: status $(cat check.status)" grep -qx '[0-3]' check.status
check "check says so as JSON" jq -e .verdict check.json >/dev/null
if [ -n "$limits" ]; then
	has "the job was killed, and so is the unit's" "ExecMainStatus=9" limited.state
	has "the journal has the verdict" "rocsteady: killed by SIGKILL" limited.log
	check "the limit of the unit is in the samples" grep -q 314572800 report.json
else
	echo "not tried: no control group here limits memory"
fi
check "the report of the run: $(head -c 300 report.err)" [ "$(cat report.status)" = 0 ]
if [ -s kernel.log ]; then
	check "the kernel's line is read from the journal or the kernel: $(head -c 300 log.json)" grep -q hog log.json
else
	echo "not tried: the kernel's log is not in this journal"
fi
finish
