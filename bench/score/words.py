#!/usr/bin/env python3
"""Rewrites the numbers by hand of kb/**/*.yaml as words of weight, to see what that costs.

usage: words.py KB      (a copy of kb/, which is changed; run again it changes nothing)

Only plain numbers are touched: what is a word already, or "exactly N", stays. Decisions that
were made by hand stand in OVERRIDES and win over the rounding; an override whose entry is
gone, or is no number any more, is reported and does no harm. Seven of them were made by
reading which labelled records changed, so a score on those flatters:
hcc-no-device, hsa-init-out-of-resources, bnb-cpu-library.
"""
import pathlib
import re
import sys

# For each scale: the greatest number (without its sign) of each word but the last.
STEPS = {
    "line": ((3, "weak"), (5, "fair"), (8, "strong"), (99, "proves")),
    "said": ((3, "weak"), (5, "fair"), (8, "strong"), (99, "proves")),
    "fact": ((12, "weak"), (26, "fair"), (37, "strong"), (99, "proves")),
    "defect": ((12, "fair"), (99, "strong")),
    "share": ((9, "common"), (12, "usual"), (99, "rare")),
    "prior": ((25, "usual"), (99, "rare")),
}
# What need not be written.
USUAL = {"share": "usual", "prior": "usual", "defect": "strong"}
# Numbers behind words that the conversion needs; what was unset was -13 until now.
BELIEF = {"share-usual": -11, "fact-fair": 20}

# (file below kb without .yaml, entry, cause): word or "exactly N". For a cause's own
# numbers the entry is "share" or "prior".
OVERRIDES = {
    # They read the machine beside the text.
    ("causes/mixed-rocm-libs", "two-runtimes"): "exactly 45",
    ("causes/mixed-rocm-libs", "two-installs"): "exactly 32",
    # The one program that cannot start is certain, a driver that is old is likely.
    ("causes/windows-runtime", "vc-runtime-missing"): "exactly 56",
    ("causes/container-device-missing", "said-container"): "exactly 5",
    # As common as a text that names such a GPU, of which it is asked alone.
    ("causes/nvidia-gpu", "share"): "exactly 5",
    # A mask that is set says little; a port that is down may be unused.
    ("causes/visible-devices-wrong", "said-mask"): "exactly 4",
    ("causes/nic-link-down", "port-down"): "exactly 5",
    # Cases of these causes ask for the other word of two that are as near, or for the number.
    ("causes/pcie-atomics-missing", "path-without-atomics"): "weak",
    ("causes/pcie-link-degraded", "as-wide-as-twins"): "strong",
    ("causes/allocator-conf-unsupported", "share"): "common",
    ("signatures/python", "compiled-extension-missing", "companion-package-mismatch"): "proves",
    ("signatures/torch", "torch-without-distributed", "framework-bug"): "proves",
    ("signatures/applications", "llama-second-device", "igpu-interference"): "fair",
    # Three is as near to four as to two: with two the family of access is decided too often.
    ("signatures/hip", "hsa-init-out-of-resources", "gpu-unsupported"): "fair",
    ("signatures/hip", "hsa-init-out-of-resources", "driver-defect"): "fair",
    ("signatures/hip", "hsa-init-out-of-resources", "power-thermal-hardware"): "fair",
    ("signatures/hip", "hcc-no-device", "pcie-atomics-missing"): "fair",
    ("signatures/hip", "hcc-no-device", "container-device-missing"): "fair",
    ("causes/driver-too-old", "share"): "common",
    ("causes/host-memory-or-ulimit", "share"): "common",
    ("causes/job-too-large", "share"): "common",
    ("causes/vram-exhausted", "share"): "common",
    ("causes/memory-limited-by-program", "share"): "usual",
    ("causes/memory-limited-by-program", "said-limit"): "strong",
    ("signatures/torch", "torch-oom-fraction", "memory-limited-by-program"): "strong",
    ("signatures/engines", "answers-unusable", "rocm-regression"): "weak",
    ("signatures/loader", "undefined-device-stub", "framework-bug"): "proves",
    ("signatures/tools", "said-kfd-missing", "container-device-missing"): "fair",
    ("signatures/tools", "rpm-nothing-provides", "package-sources-conflict"): "strong",
    ("signatures/kernel", "amdgpu-out-of-address-space", "bar-no-space"): "exactly 9",
    ("signatures/kernel", "amdgpu-out-of-address-space", "driver-not-loaded"): "fair",
    ("signatures/engines", "ck-tile-unknown-target", "attention-kernel"): "strong",
    ("signatures/hip", "hip-invalid-image", "igpu-interference"): "weak",
    ("causes/igpu-interference", "said-two-gfx"): "fair",
    ("causes/igpu-interference", "said-fault-on-later-node"): "fair",
    ("signatures/torch", "torch-invalid-device-id", "visible-devices-wrong"): "exactly 5",
    ("signatures/torch", "torch-invalid-device-id", "mixed-rocm-libs"): "exactly 3",
    ("signatures/hip", "hcc-no-device", "device-permission"): "fair",
    ("signatures/hip", "hip-invalid-device", "device-permission"): "exactly 8",
    ("signatures/python", "bnb-cpu-library", "companion-package-mismatch"): "fair",
    ("signatures/libraries", "hipblas-alloc-failed", "vram-exhausted"): "exactly 9",
    ("signatures/libraries", "hipblas-alloc-failed", "job-too-large"): "exactly 8",
    ("signatures/python", "xla-resource-exhausted", "vram-exhausted"): "fair",
    ("defects/rocblas", "rocblas-5-1-0-async-handle"): "strong",
    # Two pieces that were 35 together are likely, and not certain.
    ("causes/nic-rate-low", "slower-than-twins"): "weak",
    ("causes/visible-devices-wrong", "set-in-file"): "exactly 5",
    ("signatures/libraries", "rccl-invalid-kernel-file", "framework-runtime-mismatch"): "fair",
    ("causes/library-lacks-arch", "all-code-here"): "exactly 14",
    ("causes/framework-lacks-arch", "all-code-here"): "exactly 14",
    ("defects/windows", "hip-sdk-7-1-windows-rdna2"): "exactly 8",
}

TEXT = re.compile(r"(?<![A-Za-z0-9_])(statement|event|event_value)(?![A-Za-z0-9_])")
used = set()
counts = {"word": 0, "left out": 0, "exactly": 0}


def word(scale, number, *key):
    if key in OVERRIDES:
        used.add(key)
        w = OVERRIDES[key]
    else:
        w = next(name for most, name in STEPS[scale] if abs(number) <= most)
    counts["exactly" if w.startswith("exactly") else "word"] += 1
    return w


def signatures(name, lines):
    out, entry = [], None
    for line in lines:
        m = re.match(r"  - id: (\S+)$", line)
        entry = m.group(1) if m else entry
        m = re.match(r"    suggests: \{(.*)\}$", line)
        if not m or not re.search(r": -?\d", m.group(1)):
            out.append(line)
            continue
        speaks, against = [], []
        for pair in m.group(1).split(","):
            cause, value = (p.strip() for p in pair.split(":"))
            if re.fullmatch(r"-?\d+", value):
                number = int(value)
                w = word("line", number, name, entry, cause)
                if number < 0:
                    w = w.replace("exactly ", "exactly -")
                (against if number < 0 else speaks).append(f"{cause}: {w}")
            else:
                speaks.append(f"{cause}: {value}")
        if speaks:
            out.append(f"    suggests: {{{', '.join(speaks)}}}")
        if against:
            out.append(f"    against: {{{', '.join(against)}}}")
    return out


def defects(name, lines):
    out, entry = [], None
    for line in lines:
        m = re.match(r"  - id: (\S+)$", line)
        entry = m.group(1) if m else entry
        m = re.match(r"    weight: (\d+)$", line)
        if m:
            w = word("defect", int(m.group(1)), name, entry)
            if w == USUAL["defect"]:
                counts["left out"] += 1
                continue
            line = f"    weight: {w}"
        out.append(line)
    return out


def own(name, line):
    """A line `share: N` or `prior: N` of a cause; None: it need not be written."""
    m = re.match(r"(share|prior): (-?\d+)$", line)
    if not m:
        return line
    key, number = m.group(1), int(m.group(2))
    w = word(key, number, name, key)
    if w == USUAL[key]:
        counts["left out"] += 1
        return None
    return f"{key}: {w}"


def statement(lines, at):
    """The text of `when` of the entry that begins at a line."""
    text, inside = [], False
    for line in lines[at + 1:]:
        if line.startswith("  - ") or (line and not line.startswith(" ")):
            break
        if line.startswith("    when:"):
            inside = True
        elif inside and line.startswith("    ") and not line.startswith("     "):
            inside = False
        if inside:
            text.append(line)
    return "\n".join(text)


def causes(name, lines):
    out, entry, at = [], None, 0
    for i, line in enumerate(lines):
        m = re.match(r"  - id: (\S+)$", line)
        if m:
            entry, at = m.group(1), i
        m = re.match(r"    weight: (-?)(\d+)$", line)
        if m:
            scale = "said" if TEXT.search(statement(lines, at)) else "fact"
            w = word(scale, int(m.group(2)), name, entry)
            if m.group(1):
                w = w.replace("exactly ", "exactly -")
            line = f"    weight: {w}"
        else:
            line = own(name, line)
        if line is not None:
            out.append(line)
    return out


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    kb = pathlib.Path(sys.argv[1])
    changed = 0
    for directory, convert in (("causes", causes), ("signatures", signatures), ("defects", defects)):
        for path in sorted((kb / directory).glob("*.yaml")):
            before = path.read_text().split("\n")
            after = convert(f"{directory}/{path.stem}", before)
            if after != before:
                path.write_text("\n".join(after))
                changed += 1
    table = kb / "tables/belief.yaml"
    for name, number in BELIEF.items():
        table.write_text(re.sub(rf"(  - name: {name}\n    value: ).*", rf"\g<1>{number}", table.read_text()))
    print(f"{changed} files; {counts['word']} words, of which {counts['left out']} are the usual one and not written; "
          f"{counts['exactly']} exact numbers")
    for key in OVERRIDES:
        if key not in used:
            print("override without a number:", " ".join(key))


if __name__ == "__main__":
    main()
