#!/usr/bin/env python3
"""What comes first: on a machine with one fault, the remedy that mends this fault, and none that cannot."""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import trips
from trips import put

OUTSIDE = "rx7900xtx-ubuntu2404-rocm64-outside-render"
OLLAMA = "rx7900xtx-ubuntu2404-rocm64-ollama"
SMALL = "rx6600-debian12-k61-healthy"
FULL = [put("ask space /dev/shm", "ask space /dev/shm", "\tsize 67108864", "\tfree 1048576")]


def limits(files, space="unlimited            unlimited"):
    return [put("file /proc/self/limits", "file /proc/self/limits",
                "\tLimit                     Soft Limit           Hard Limit           Units",
                f"\tMax open files            {files}                files",
                f"\tMax address space         {space}            bytes")]


def edits_of(remedy):
    return next(edits for name, _, edits in trips.CASES if name == remedy)


# machine, edits, what the plan begins with, what it must not have, words of the first one's steps
PLANS = [
    (OLLAMA, edits_of("service-allow-devices"), "service-allow-devices", ["container-pass-devices"], "restart ollama.service"),
    (OLLAMA, [], "service-join-group", ["join-render-group", "join-gpu-groups"], "restart ollama.service"),
    ("strixhalo-ubuntu2604-k70-gtt112", edits_of("apu-raise-pages-limit"), "correct-pages-limit",
     ["apu-newer-kernel", "apu-newer-kernel-elsewhere", "apu-small-carveout"], "ttm.page_limit=29360128"),
    ("strixhalo-ubuntu2404-k614-carveout96-half-ram", [], "apu-newer-kernel",
     ["correct-pages-limit", "apu-newer-kernel-elsewhere"], "apt install linux-"),
    (OUTSIDE, edits_of("udev-rule-for-kfd"), "udev-rule-for-kfd", ["join-render-group", "join-gpu-groups"], "usermod -aG render ada"),
    (OUTSIDE, [], "join-render-group", ["udev-rule-for-kfd", "join-gpu-groups", "container-add-group"], "usermod -aG render ada"),
    (OUTSIDE, [put("node /dev/kfd", "node /dev/kfd char 0640 0:992 235:0")], "udev-rule-for-kfd", ["join-render-group"],
     "usermod -aG render ada"),
    ("rx9070xt-ubuntu2404-k68-too-old", [], "ubuntu-newer-kernel", ["debian-newer-kernel", "newer-kernel"], "linux-generic-hwe-24.04"),
    ("rx7900xtx-ubuntu2404-rocm64-cuda-torchaudio", [], "torchaudio-of-same-build", [], "--no-deps torchaudio==2.9.1+rocm6.4"),
    (SMALL, edits_of("raise-limits"), "raise-limits", ["give-host-memory", "raise-open-files"], "limits.d/rocsteady-nofile.conf"),
    (SMALL, limits("256                  8192"), "raise-open-files", ["give-host-memory", "raise-limits"], "ulimit -n 8192"),
    (SMALL, limits("1024                 1048576", "4294967296           unlimited"), "raise-address-space",
     ["find-address-limit", "raise-open-files", "give-host-memory"], "ulimit -v unlimited"),
    (SMALL, limits("1024                 1048576", "4294967296           4294967296"), "find-address-limit",
     ["raise-address-space", "raise-open-files", "give-host-memory"], "limits.conf"),
    ("rx7900xt-x2-ubuntu2204-rocm62-healthy", FULL, "free-shared-memory", ["container-shared-memory", "give-host-memory"], "/dev/shm"),
    ("rx7900xt-x2-ubuntu2204-rocm62-docker-nodevices", [], "container-pass-devices", ["service-allow-devices"], "docker run"),
    ("rx7900xtx-fedora42-k616-podman-rootless", [], "podman-keep-groups", ["join-render-group", "udev-rule-for-kfd"], "keep-groups"),
]


def plan(place, machine, edits):
    text = (trips.MACHINES / f"{machine}.snap").read_text()
    for edit in edits:
        text = edit(text)
    snap = place / "edited.snap"
    snap.write_text(text)
    done = trips.run(trips.PROGRAM, "fix", "--json", "--from", snap)
    return [r for r in json.loads(done.stdout)["remedies"] if not r["optional"]]


def main():
    with trips.Place() as place:
        for machine, edits, first, never, words in PLANS:
            found = plan(place, machine, edits)
            ids = [r["id"] for r in found]
            trips.check(f"{machine}: {first} is the first of {ids}", ids[:1] == [first])
            trips.check(f"{machine}: {first}, and none of {never}: {ids}", not set(ids) & set(never))
            steps = json.dumps(found[0]["steps"]) if found else ""
            trips.check(f"{machine}: {first} says {words}: {steps}", words in steps)
    return trips.end()


if __name__ == "__main__":
    sys.exit(main())
