#!/usr/bin/env python3
"""Ask Python's own readers, and keep what they answered.

meets.tsv    version, demands, yes/no/bad     packaging (as pip carries it), pre-releases allowed
order.tsv    versions from the lowest up      the same
markers.tsv  requirement, yes/no              the same, for Python 3.11 on Linux x86_64, no extra
names.tsv    a name, its spelling by PEP 503  the same
record.csv, record.expected                   the csv module: a RECORD with odd names
"""
import csv
import itertools
import json
import os
import random

try:
    from packaging import requirements, specifiers, utils, version
except ImportError:
    from pip._vendor.packaging import requirements, specifiers, utils, version

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = """2.4.1 2.4.1+rocm6.1 2.4.1+cu121 2.4.1+cpu 2.4 2.4.0 2.4.10 2.5.0 2.5.0a0+git1a2b3c4 2.5.0.dev20240801+rocm6.1
2.5.0rc1 2.5.0b2 2.4.1.post1 2.4.1.post1+rocm6.1 1!0.1 3.0 2 v2.4.1 2.4.1-1 2.4.1.RC2 2.4.1rev3 0.19.1+rocm6.1
1.13.0a0 1.13.0a0+gitunknown 2.6.0+debian 2.14.0.600 0.4.6.540 7.14.0 2.4.1.post0 2.4.1a1.dev3 2.4.1.post2.dev4
0.9.2b1 26.3 1.26.4 2.0.0 2.4.1+rocm6.1.git123 2.4.1+ROCM6.1 2.4.1+rocm6-1 2.4.1+6.1""".split()
BAD = """2.4.1+ 2.4..1 torch 2.4.1-rocm 2.4.1+rocm/6 1.x 2!a _1 2.4.1+-a 2.4.1.unknown""".split()
DEMANDS = """==2.4.1 ===2.4.1 ==2.4.1+rocm6.1 ==2.4.* !=2.4.* !=2.4.1 ~=2.4 ~=2.4.1 ~=2.4.1.0 >=2.4.1 <=2.4.1 >2.4.1 <2.4.1 <2.5 <2.5.0
>=2.4,<2.5 >=2.0,!=2.4.1,<3 >=2.5.0.dev0 <2.5.0rc1 >2.4 ==2.4 ==2.4.0 >=1!0 ==1!0.* ~=1!0.1 >2.4.1.post1 <=2.4.1.post1 ==2.5.0a0
==2.5.0.dev20240801 ==2.4.1.post1 ==2.4.1.* >=2.4.1a0 <2.4.1a2 ==0.19.1 >=1.26.0 <2.6,>=2.0 ==2.14.0.600 ==2.14.* <=0.9.2,>=0.9.2
==2.4.1+6.1 !=2.4.1+cu121 >=7.0 ==0.9.2.* ==2.4.1-1 ==2.5.0a0.*""".split()
BAD_DEMANDS = ["2.4.1", "=2.4", "==2.*.1", "~=2", ">=2.4.1+rocm", "==", "=>2"]
MARKERS = ["", 'platform_system == "Linux"', "sys_platform == 'win32'", 'python_version < "3.13"', "python_version>='3.12'",
           'platform_machine == "x86_64"', "platform_machine == 'aarch64'", 'extra == "rocm"', "extra != 'rocm'",
           'os_name == "posix"', 'platform_python_implementation == "CPython"', 'sys_platform in "linux darwin"',
           "sys_platform not in 'win32'", "python_full_version < '3.14'", 'implementation_name == "pypy"',
           'python_version == "3.11.*"', 'python_version ~= "3.8"', 'python_version != "3.11"']
NAMES = ["torch", "Flash_Attn", "ruamel.yaml", "_rocm_sdk_core", "A--B__C..D", "a-_.b", "jax_rocm60_plugin", "X", "amd-torch-device-gfx1151"]


def meets():
    for v, d in itertools.product(VERSIONS + BAD, DEMANDS + BAD_DEMANDS):
        try:
            spec = specifiers.SpecifierSet(d)
            if not d.startswith("==="):
                version.Version(v)
            answer = "yes" if spec.contains(v, prereleases=True) else "no"
        except (specifiers.InvalidSpecifier, version.InvalidVersion):
            answer = "bad"
        yield v, d, answer


def markers():
    chance = random.Random(668)
    lines = list(MARKERS)
    for _ in range(200):
        a, b, c = (chance.choice(MARKERS[1:]) for _ in range(3))
        lines.append(chance.choice(["{} and {}", "{} or {}", "({} or {}) and {}", "{} and ({} or {})", "{} or {} and {}",
                                    "({})", "(({} and {}) or {})"]).format(a, b, c))
    host = {"python_version": "3.11", "python_full_version": "3.11", "platform_machine": "x86_64", "sys_platform": "linux",
            "platform_system": "Linux", "os_name": "posix", "platform_python_implementation": "CPython",
            "implementation_name": "cpython", "extra": ""}
    for line in lines:
        text = "torch==2.4.1" + ("; " + line if line else "")
        marker = requirements.Requirement(text).marker
        yield text, "yes" if marker is None or marker.evaluate(host) else "no"


def write(name, rows):
    with open(os.path.join(HERE, name), "w", newline="") as f:
        for row in rows:
            f.write("\t".join(row) + "\n")


def record():
    names = ["torch/lib/libtorch_hip.so", "odd, name.txt", 'a "quoted" name.py', "../../../bin/torchrun", "two\nlines", "plain",
             '"', ",", " blank ", "ümlaut.so", "torch-2.4.1.dist-info/RECORD", "x" * 1024]
    rows = [(n, "sha256=AbC-_" if i % 3 else "", str(i * 17) if i % 3 else "") for i, n in enumerate(names)]
    with open(os.path.join(HERE, "record.csv"), "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows(rows[:6])
        csv.writer(f, lineterminator="\r\n").writerows(rows[6:])
    with open(os.path.join(HERE, "record.csv"), newline="") as f:
        read = [row[0] for row in csv.reader(f)]
    assert read == names
    write("record.expected", ([json.dumps(n, ensure_ascii=False)] for n in read))


write("meets.tsv", meets())
write("order.tsv", ([str(v)] for v in sorted(set(map(version.Version, VERSIONS)))))
write("markers.tsv", markers())
write("names.tsv", ((n, utils.canonicalize_name(n)) for n in NAMES))
record()
