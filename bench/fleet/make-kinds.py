#!/usr/bin/env python3
"""A fleet of full snapshots of one machine, with one outlier of each kind, or in the middle of an upgrade.

usage: make-kinds.py PROGRAM MACHINES DIR COUNT [--mixed] [SEED]

Writes COUNT snapshots into DIR, packed. Each node has a name, a boot, a clock, free memory, heat and load of its own.
Prints what was planted, a line each: node, tab, kind. With --mixed nothing is planted, and half of the nodes have another
kernel: no node differs, and there is no majority.
"""
import gzip
import pathlib
import random
import re
import sys

BASE = "mi300x-x8-ubuntu2204-rocm63-nics"
GPU = "0000:47:00.0"
NIC = r"/0000:51:00\.0/infiniband/mlx5_2/ports/1$"


def edit(text, pattern, value, count=1):
    new, n = re.subn(pattern, value, text, count=count, flags=re.M)
    if not n or new == text:
        raise ValueError(pattern)
    return new


def inside(text, directory, pattern, value):
    """The same in the records of one directory alone, named by the end of its path."""
    def one(record):
        return record.group(1) + re.sub(pattern, value, record.group(2), count=1, flags=re.M)

    new = re.sub(rf"^(files? \S*{directory}\S*\n)((?:\t.*\n)+)", one, text, flags=re.M)
    if new == text:
        raise ValueError(f"{directory}: {pattern}")
    return new


def gpu(pattern, value, below=""):
    return lambda t: inside(t, rf"/{GPU}{below}", pattern, value)


def whole(pattern, value, count=1):
    return lambda t: edit(t, pattern, value, count)


def log(line):
    def add(text):
        found = re.search(r"^ask kernel-log\n((?:\t.*\n)+)", text, re.M)
        last = int(found.group(1).rstrip("\n").splitlines()[-1].split()[2])
        return text[:found.end()] + f"\t. - {last + 1000} 4 {line}\n" + text[found.end():]

    return add


def half_of(text):
    return text[:len(text) // 2]


KINDS = {
    "kernel": whole(r"^(\tosrelease ).*$", r"\g<1>5.15.0-999-generic"),
    "BIOS version": whole(r"^(\tbios_version ).*$", r"\g<1>9.9"),
    "BIOS date": whole(r"^(\tbios_date ).*$", r"\g<1>01/01/2020"),
    "board": whole(r"^(\tboard_name ).*$", r"\g<1>X99"),
    "NUMA balancing": whole(r"^(\tnuma_balancing )\d", r"\g<1>7"),
    "RAM": whole(r"^(\tMemTotal: +)\d+", r"\g<1>1500000000"),
    "swap": whole(r"^(\tSwapTotal: +)\d+", r"\g<1>77340032"),
    "kernel argument": whole(r"^(\tcmdline .*)$", r"\g<1> drift=1"),
    "CPU model": whole(r"^(\tmodel name\t: ).*$", r"\g<1>AMD EPYC 9554 64-Core Processor", 0),
    "CPUs online": whole(r"^(files /sys/devices/system/cpu\n(?:\t.*\n)*?\tonline ).*$", r"\g<1>0-63"),
    "NUMA nodes": whole(r"^(files /sys/devices/system/node\n(?:\t.*\n)*?\tonline ).*$", r"\g<1>0-3"),
    "distribution": whole(r"(VERSION_ID=\")[^\"]*", r"\g<1>24.04"),
    "amdgpu version": whole(r"^(files /sys/module/amdgpu\n(?:\t.*\n)*?\tversion ).*$", r"\g<1>6.12.12"),
    "module parameter": whole(r"^(files /sys/module/amdgpu/parameters\n(?:\t.*\n)*?\tnoretry ).*$", r"\g<1>0"),
    "ROCm version": whole(r"^(files /opt/rocm\S*/\.info\n\tversion ).*$", r"\g<1>0.0.0-1"),
    "compute partition": gpu(r"^(\tcurrent_compute_partition )SPX", r"\g<1>DPX"),
    "memory partition": gpu(r"^(\tcurrent_memory_partition )NPS1", r"\g<1>NPS4"),
    "VBIOS": gpu(r"^(\tvbios_version ).*$", r"\g<1>113-M3000100-102"),
    "VRAM": gpu(r"^(\tmem_info_vram_total )\d+", r"\g<1>180388626432"),
    "VRAM vendor": gpu(r"^(\tmem_info_vram_vendor ).*$", r"\g<1>samsung"),
    "SMC firmware": gpu(r"^(\tsmc_fw_version ).*$", r"\g<1>0x00556800", "/fw_version"),
    "SDMA firmware": gpu(r"^(\tsdma_fw_version ).*$", r"\g<1>0x00000015", "/fw_version"),
    "VCN firmware": gpu(r"^(\tvcn_fw_version ).*$", r"\g<1>0x09118001", "/fw_version"),
    "MEC firmware": gpu(r"^(\tmec_fw_version ).*$", r"\g<1>0x000000a5", "/fw_version"),
    "PCIe width": gpu(r"^(\tcurrent_link_width )16", r"\g<1>8"),
    "PCIe speed": gpu(r"^(\tcurrent_link_speed )32.0", r"\g<1>16.0"),
    "PCIe replays": gpu(r"^(\tpcie_replay_count )0", r"\g<1>91234"),
    "ECC corrected": gpu(r"^(\tce: )0", r"\g<1>5000", "/ras/umc_err_count"),
    "ECC uncorrected": gpu(r"^(\tue: )0", r"\g<1>3", "/ras/umc_err_count"),
    "heat": gpu(r"^(\ttemp2_input )\d+", r"\g<1>99000", "/hwmon"),
    "power": gpu(r"^(\tpower1_input )\d+", r"\g<1>740000000", "/hwmon"),
    "power cap": gpu(r"^(\tpower1_cap )\d+", r"\g<1>500000000", "/hwmon"),
    "NIC rate": whole(r"^(\trate )400 Gb/sec \(4X NDR\)", r"\g<1>200 Gb/sec (2X NDR)"),
    "NIC down": whole(r"^(\tstate )4: ACTIVE((?:\n\t.*)*)", r"\g<1>1: DOWN\g<2>"),
    "lost links": whole(r"^(\tlink_downed )0", r"\g<1>500"),
    "host memory errors": whole(r"^(\tue_count )0", r"\g<1>2"),
    "GPU fault in the kernel log": log(f"amdgpu {GPU}: amdgpu: RAS: uncorrectable hardware errors detected in umc block"),
    "GPU missing": None,  # another machine
    "no NICs": None,  # another machine
    "cut off": half_of,
    "empty": lambda t: "",
}
OTHERS = {"GPU missing": "mi300x-x7-ubuntu2204-rocm63-missing", "no NICs": "mi300x-x8-ubuntu2204-rocm63-healthy"}


def own(text, rng):
    """What two equal machines do not share."""
    text = edit(text, r"^(\thostname ).*$", rf"\g<1>host-{rng.getrandbits(32):08x}")
    text = re.sub(r"^(\tboot_id ).*$", rf"\g<1>{rng.getrandbits(32):08x}-1111-2222-3333-{rng.getrandbits(48):012x}", text, flags=re.M)
    text = re.sub(r"^(\tMemAvailable: +)\d+", rf"\g<1>{rng.randrange(10**6, 10**9)}", text, flags=re.M)
    busy = rng.random() < 0.3
    for pattern, draw in ((r"^(\ttemp2_input )\d+", lambda: rng.randrange(70000, 84000) if busy else rng.randrange(38000, 50000)),
                          (r"^(\tpower1_input )\d+", lambda: rng.randrange(500, 740) * 10**6 if busy else rng.randrange(130, 150) * 10**6),
                          (r"^(\tgpu_busy_percent )\d+", lambda: 100 if busy else 0),
                          (r"^(\tmem_info_vram_used )\d+", lambda: rng.randrange(10**8, 10**10)),
                          (r"^(\tpcie_replay_count )\d+", lambda: rng.choice([0] * 19 + [rng.randrange(1, 40)]))):
        text = re.sub(pattern, lambda m, d=draw: m.group(1) + str(d()), text, flags=re.M)
    return text


def rest(text):
    """A node whose heat stands out is at rest."""
    for pattern, value in ((r"^(\ttemp2_input )\d+", "46000"), (r"^(\tpower1_input )\d+", "138000000"), (r"^(\tgpu_busy_percent )\d+", "0"),
                           (r"^(\tpcie_replay_count )\d+", "0")):
        text = re.sub(pattern, rf"\g<1>{value}", text, flags=re.M)
    return text


def main():
    mixed = "--mixed" in sys.argv
    words = [w for w in sys.argv[1:] if w != "--mixed"]
    _, machines, directory, count = words[:4]
    rng = random.Random(int(words[4]) if len(words) > 4 else 1)
    base = (pathlib.Path(machines) / f"{BASE}.snap").read_text(errors="surrogateescape")
    head, _, records = base.partition("\n")
    base = f"{head}\nnote program 0.1.0\n{records}note end\n"
    target = pathlib.Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    ill = dict(zip(rng.sample(range(int(count)), len(KINDS)), KINDS)) if not mixed else {}
    for n in range(int(count)):
        text, kind = own(base, rng), ill.get(n)
        if mixed and n % 2:
            text = KINDS["kernel"](text)
        if kind in OTHERS:
            text = (pathlib.Path(machines) / f"{OTHERS[kind]}.snap").read_text(errors="surrogateescape")
        elif kind:
            text = KINDS[kind](rest(text))
        if kind:
            print(f"node{n:05d}\t{kind}")
        data = text.encode(errors="surrogateescape")
        if kind in ("cut off", "empty"):
            (target / f"node{n:05d}.snap").write_bytes(data)
        else:
            (target / f"node{n:05d}.snap.gz").write_bytes(gzip.compress(data, 1, mtime=0))


if __name__ == "__main__":
    main()
