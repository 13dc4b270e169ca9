#!/usr/bin/env python3
"""Make the kept journal files with systemd's own writer, and ask its own reader.

Needs systemd-journal-remote and journalctl. Writes NAME.extents (see
tests/unit/extents.h) and one kernel.expected beside this script. A line of it is
seqnum, realtime, monotonic, boot id, priority, device, message; a message that
systemd compressed is "(compressed)".
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REMOTE = "/lib/systemd/systemd-journal-remote"
BOOTS = ("8f0e6c1d2b3a49588776655443322110", "0123456789abcdef0123456789abcdef")
MODES = {
    "classic-jenkins": ("0", "0"),
    "classic-siphash": ("0", "1"),
    "compact-jenkins": ("1", "0"),
    "compact-siphash": ("1", "1"),
}
START_US = 1794738127000000


def fields(i):
    yield "_MACHINE_ID", "00112233445566778899aabbccddeeff"
    if i % 4 == 3:
        yield from (("_TRANSPORT", "syslog"), ("PRIORITY", "2"), ("MESSAGE", f"not the kernel {i}"))
        return
    yield "_TRANSPORT", "kernel"
    if i != 13:
        yield "PRIORITY", str(i % 8)
    if i % 3 == 0:
        yield "_KERNEL_DEVICE", f"+pci:0000:{i:02x}:00.0"
    if i == 10:
        yield "MESSAGE", "two lines\nin one"
    elif i == 12:
        yield "MESSAGE", "x" * 3000
    elif i != 14:
        yield "MESSAGE", f"amdgpu: ring comp_1.0.0 timeout, signaled seq={i}, emitted seq={i + 1}"


def export(count):
    out = b""
    for i in range(count):
        head = (("__REALTIME_TIMESTAMP", str(START_US + i * 1000)),
                ("__MONOTONIC_TIMESTAMP", str(1000000 + i * 777)),
                ("_BOOT_ID", BOOTS[i * 2 >= count]))
        for key, value in (*head, *fields(i)):
            data = value.encode()
            if b"\n" in data:
                out += key.encode() + b"\n" + struct.pack("<Q", len(data)) + data + b"\n"
            else:
                out += key.encode() + b"=" + data + b"\n"
        out += b"\n"
    return out


def extents(data):
    out, at, gap = b"", 0, 64
    while at < len(data):
        if not any(data[at:at + 16]):
            at += 16
            continue
        end = at
        while end < len(data) and any(data[end:end + gap]):
            end += 16
        out += struct.pack("<QI", at, len(data[at:end])) + data[at:end]
        at = end
    return out


def text(value):
    value = value or ""
    return "(compressed)" if len(value) > 500 else value.replace("\n", "\\n")


def expected(path):
    answer = subprocess.run(["journalctl", "--file", path, "-o", "json", "--all",
                             "_TRANSPORT=kernel"], check=True, capture_output=True)
    for line in answer.stdout.splitlines():
        e = json.loads(line)
        seqnum = int(e["__CURSOR"].split(";")[1][2:], 16)
        yield "\t".join((str(seqnum), e["__REALTIME_TIMESTAMP"], e["__MONOTONIC_TIMESTAMP"],
                         e["_BOOT_ID"], e.get("PRIORITY", "-1"), e.get("_KERNEL_DEVICE", ""),
                         text(e.get("MESSAGE")))) + "\n"


def make(name, where, count):
    compact, keyed = MODES[name]
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "x.journal")
        env = dict(os.environ, SYSTEMD_JOURNAL_COMPACT=compact, SYSTEMD_JOURNAL_KEYED_HASH=keyed)
        subprocess.run([REMOTE, "-o", path, "-"], input=export(count), env=env, check=True)
        with open(path, "rb") as file:
            packed = extents(file.read())
        with open(os.path.join(where, name + ".extents"), "wb") as file:
            file.write(packed)
        return "".join(expected(path))


if __name__ == "__main__":
    where = sys.argv[1] if len(sys.argv) > 1 else HERE
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    answers = {make(mode, where, count) for mode in MODES}
    assert len(answers) == 1
    with open(os.path.join(where, "kernel.expected"), "w") as file:
        file.write(answers.pop())
