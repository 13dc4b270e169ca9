#!/usr/bin/env python3
"""A fleet of brief snapshots, made of recorded machines, with drifts that are known.

usage: make-fleet.py PROGRAM MACHINES DIR COUNT DRIFTS [SEED]

Writes COUNT snapshots into DIR. Each node has a name, a boot, a clock and free
memory of its own; DRIFTS of them have one thing that the others of their class
have not. What was planted is printed, a line each: node, tab, fact.
"""
import pathlib
import random
import re
import subprocess
import sys

# Recorded machine, and its share of the fleet.
KINDS = [("mi300x-x8-ubuntu2204-rocm63-healthy", 5), ("mi210-x8-rhel9-rocm63-healthy", 3),
         ("rx7900xtx-gfx1036-ubuntu2404-rocm64-healthy", 1), ("gfx90c-ubuntu2404-k68-healthy", 1)]


def replaced(text, pattern, value, count=1):
    """The first group stays, what is behind it is replaced; None if the snapshot has no such record."""
    new, n = re.subn(pattern, lambda m: m.group(1) + value, text, count=count, flags=re.M)
    return new if n and new != text else None


# Fact, and how a snapshot gets another value of it.
DRIFTS = [
    ("host.kernel", lambda t: replaced(t, r"^(\tosrelease ).*$", "5.99.0-drift")),
    ("host.bios_version", lambda t: replaced(t, r"^(\tbios_version ).*$", "0.0.drift")),
    ("host.numa_balancing", lambda t: replaced(t, r"^(\tnuma_balancing )0$", "1")),
    ("host.memory_total_bytes", lambda t: replaced(t, r"^(\tMemTotal: +)\d+", "7340032")),
    ("host.swap_total_bytes", lambda t: replaced(t, r"^(\tSwapTotal: +)\d+", "1048576")),
    ("gpu.compute_partition", lambda t: replaced(t, r"^(\tcurrent_compute_partition )SPX$", "DPX")),
    ("kernel_arg.value of drift", lambda t: replaced(t, r"^(\tcmdline .*)$", " drift=1")),
    ("rocm_install.version of {rocm}", lambda t: replaced(t, r"^(files /opt/rocm\S*/\.info\n\tversion ).*$", "0.0.0-1")),
]


def own(text, rng):
    """What two equal machines do not share."""
    edits = [(r"^(\thostname ).*$", f"host-{rng.getrandbits(32):08x}"),
             (r"^(\tboot_id ).*$", "%08x-1111-2222-3333-%012x" % (rng.getrandbits(32), rng.getrandbits(48))),
             (r"^(\twall )\d+", str(1762934400 + rng.randrange(86400))), (r"^(\tuptime )\d+", str(rng.randrange(10**7))),
             (r"^(\tMemAvailable: +)\d+", str(rng.randrange(10**6, 10**7))),
             (r"(root=UUID=)[0-9a-f]{8}", f"{rng.getrandbits(32):08x}"),
             (r"^(\tmem_info_vram_used )\d+", str(rng.randrange(10**7, 10**8)))]
    for pattern, value in edits:
        text = replaced(text, pattern, value) or text
    return text


def main():
    program, machines, directory, count, drifts = sys.argv[1:6]
    rng = random.Random(int(sys.argv[6]) if len(sys.argv) > 6 else 1)
    bases = {}
    for name, _ in KINDS:
        command = [program, "snapshot", "--brief", "--no-scrub", "--from", f"{machines}/{name}.snap", "-o", "-"]
        bases[name] = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    planted = set(rng.sample(range(int(count)), int(drifts)))
    names = [name for name, share in KINDS for _ in range(share)]
    target = pathlib.Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    for n in range(int(count)):
        text = own(bases[names[n % len(names)]], rng)
        if n in planted:
            possible = [(fact, new) for fact, edit in DRIFTS if (new := edit(text))]
            fact, text = rng.choice(possible)
            rocm = re.search(r"^files (/opt/rocm\S*)/\.info$", text, re.M)
            print(f"node{n:05d}\t{fact.format(rocm=rocm and rocm.group(1))}")
        (target / f"node{n:05d}.snap").write_text(text)


if __name__ == "__main__":
    main()
