#!/usr/bin/env python3
"""What people write of their machine becomes facts, whatever form they write it in.

Machines of made values are written in fourteen forms (fields of issue forms, lists, tables, sentences, titles) above a
log, and `explain --batch` is asked what it took. Every value must be among the facts, and no other value of its kind.

Sentences of somebody else's machine, of a version that works or of documentation are written with the same values:
nothing of them may become a fact.
"""
import itertools
import json
import os
import subprocess
import sys
from collections import Counter

PROGRAM = os.environ["ROCSTEADY"]
LOG = "\nRuntimeError: HIP error: invalid argument\n"
GPUS = [("RX 7900 XTX", "gfx1100"), ("7900XT", "gfx1100"), ("AMD Radeon RX 6700 XT", "gfx1031"), ("RX 6600", "gfx1032"),
        ("RX 9070 XT", "gfx1201"), ("Radeon RX 9060 XT", "gfx1200"), ("MI300X", "gfx942"), ("AMD Instinct MI210", "gfx90a"),
        ("MI50", "gfx906"), ("Radeon VII", "gfx906"), ("W7900", "gfx1100"), ("Radeon AI PRO R9700", "gfx1201"),
        ("Radeon 780M", "gfx1103"), ("890M", "gfx1150"), ("Radeon 8060S", "gfx1151"), ("Strix Halo", "gfx1151"),
        ("Ryzen AI Max+ 395", "gfx1151"), ("Ryzen 7 8845HS", "gfx1103"), ("Ryzen 5 5600G", "gfx90c"), ("RX Vega 56", "gfx900")]
ROCMS = ["6.2", "6.2.4", "7.0.1", "5.7", "7.1"]
SYSTEMS = ["Ubuntu 24.04", "Ubuntu 22.04.5 LTS", "Fedora 41", "Arch Linux", "Debian 12", "Linux Mint 22", "openSUSE Tumbleweed",
           "NixOS 24.05", "RHEL 9.4", "CachyOS"]
KERNELS = ["6.8", "6.8.0-45-generic", "6.12.1-arch1-1", "6.18.3-200.fc43", "5.14.0-503.22.1.el9_5.x86_64"]
PROGRAMS = [("vLLM", "0.9.2"), ("PyTorch", "2.5.1+rocm6.2"), ("ollama", "0.12.5"), ("ComfyUI", "0.3.40"), ("llama.cpp", "b6786"),
            ("SGLang", "0.4.1"), ("tensorflow", "2.18.0"), ("InvokeAI", "5.4.2")]
BOXES = ["docker", "podman", "distrobox", None]
NAMES = {"PyTorch": "torch"}
STATED = {"PyTorch": "torch", "ComfyUI": "comfyui", "vLLM": "vllm"}  # what a signature states of a printed line


def fields(m, gpu="GPU", rocm="ROCm version", system="OS", kernel="Kernel", box="Container"):
    listed = [(gpu, m["gpu"]), (rocm, m["rocm"]), (system, m["os"]), (kernel, m["kernel"]),
              (m["program"] + " version", m["version"])]
    return listed + [(box, m["box"])] * bool(m["box"])


def lines(m, form, **labels):
    return "".join(form % pair for pair in fields(m, **labels))


def within(m):
    return f" in {m['box']}" if m["box"] else ""


FORMS = {
    "heading": lambda m: lines(m, "### %s\n\n%s\n\n", gpu="GPU", rocm="ROCm Version", system="Operating System"),
    "bold": lambda m: lines(m, "**%s**: %s\n", gpu="Graphics card", system="Distro"),
    "bold colon": lambda m: lines(m, "* **%s:** %s\n", gpu="GPU model(s)", rocm="ROCm/HIP version", kernel="Linux kernel version"),
    "bullet": lambda m: lines(m, "- %s: %s\n", gpu="Video card", system="Operating system & version"),
    "colon": lambda m: lines(m, "%s: %s\n", rocm="ROCm", box="Docker / container"),
    "equals": lambda m: lines(m, "%s = %s\n", gpu="gpu", rocm="rocm", system="os", kernel="kernel", box="container"),
    "table": lambda m: "| Component | Version |\n|---|---|\n" + lines(m, "| %s | %s |\n"),
    "list": lambda m: f"{m['gpu']}, ROCm {m['rocm']}, {m['os']}, kernel {m['kernel']}, {m['program']} {m['version']}"
                      + (f", {m['box']}" if m["box"] else "") + "\n",
    "gpu and more": lambda m: f"GPU: {m['gpu']}, {m['os']}, ROCm {m['rocm']}, kernel {m['kernel']}, {m['program']} {m['version']}"
                              + (f", {m['box']}" if m["box"] else "") + "\n",
    "system and more": lambda m: f"System: {m['os']}, kernel {m['kernel']}, {m['gpu']}, ROCm {m['rocm']}, {m['program']} "
                                 f"{m['version']}" + (f", {m['box']}" if m["box"] else "") + "\n",
    "running": lambda m: f"I am running {m['program']} {m['version']} on my {m['gpu']} with ROCm {m['rocm']} on {m['os']} with kernel "
                         f"{m['kernel']}{within(m)} and get this:\n",
    "have": lambda m: f"I have a {m['gpu']}. The system is {m['os']}, kernel {m['kernel']}. I installed ROCm {m['rocm']}. "
                      f"I use {m['program']} {m['version']}{within(m)}. It fails:\n",
    "on": lambda m: f"On {m['os']} (kernel {m['kernel']}) with ROCm {m['rocm']} and a {m['gpu']}{within(m)}, {m['program']} {m['version']} "
                    "crashes with\n",
    "title": lambda m: f"[{m['gpu']}, ROCm {m['rocm']}, {m['os']}, kernel {m['kernel']}] {m['program']} {m['version']} fails{within(m)}\n",
}
OTHERS = [
    "It works on my friend's {gpu} with ROCm {rocm} on {os}.",
    "Someone with a {gpu} reported the same on {os}.",
    "The docs say that {gpu} is supported with ROCm {rocm} on {os} and kernel {kernel}.",
    "It requires ROCm {rocm} and kernel {kernel} or newer.",
    "You should use {os} with ROCm {rocm}.",
    "With ROCm {rocm} on {os} it works.",
    "Is ROCm {rocm} supported on {os}?",
    "Fixed in ROCm {rocm}. Please upgrade to ROCm {rocm}.",
    "I downgraded to ROCm {rocm} and kernel {kernel}, and it works again.",
    "Should I buy a {gpu}?",
    "> I have a {gpu} with ROCm {rocm} on {os}",
    "| GPU | ROCm |\n|---|---|\n| {gpu} | {rocm} |\n| RX 580 | 5.5 |",
]


def machines():
    """Every GPU with every release of ROCm; the rest goes round."""
    for n, ((gpu, gfx), rocm) in enumerate(itertools.product(GPUS, ROCMS)):
        program, version = PROGRAMS[n % len(PROGRAMS)]
        yield {"gpu": gpu, "gfx": gfx, "rocm": rocm, "os": SYSTEMS[n % len(SYSTEMS)], "kernel": KERNELS[n // 2 % len(KERNELS)],
               "program": program, "version": version, "box": BOXES[n % len(BOXES)]}


def ask(texts):
    lines_in = [json.dumps({"id": n, "log": text}) for n, text in enumerate(texts)]
    done = subprocess.run([PROGRAM, "explain", "--batch", "--verbose"], input="\n".join(lines_in).encode(), capture_output=True, check=True)
    answers = [json.loads(line)["facts"] for line in done.stdout.decode().splitlines()]
    assert len(answers) == len(texts)
    return [{name: {fact["value"] for fact in facts} for name, facts in answer.items()} for answer in answers]


def wanted(m):
    yield from (("gpu", m["gpu"]), ("gfx", m["gfx"]), ("rocm", m["rocm"]), ("os", m["os"]), ("kernel", m["kernel"]),
                ("framework", NAMES.get(m["program"], m["program"])), ("version", m["version"]))
    if m["box"]:
        yield "container", m["box"]


def main():
    all_machines = list(machines())
    asked = [(form, m) for form in FORMS for m in all_machines]
    missed, wrong, values, bad = Counter(), Counter(), 0, []
    for (form, m), facts in zip(asked, ask([FORMS[form](m) + LOG for form, m in asked])):
        for name, value in wanted(m):
            values += 1
            if value not in facts.get(name, ()) and not (name == "version" and value in facts.get(STATED.get(m["program"]), ())):
                missed[form, name] += 1
                bad.append(f"{form}: {name} {value} was not taken: {FORMS[form](m)!r}")
            if facts.get(name, {value}) - {value}:
                wrong[form, name] += 1
                bad.append(f"{form}: {name} {facts[name]} in the place of {value}: {FORMS[form](m)!r}")
    none = set(ask([LOG])[0])
    others = [(text, m) for text in OTHERS for m in all_machines]
    for (text, m), facts in zip(others, ask([text.format(**m) + "\n" + LOG for text, m in others])):
        for name in set(facts) - none - {"system", "integrated"}:
            wrong["another machine", name] += 1
            bad.append(f"{name} {facts[name]} is not the writer's: {text.format(**m)!r}")
    for line in sorted(bad, key=lambda line: line.partition(": ")[2][:40])[::1 + len(bad) // 40]:
        print(f"FAIL {line}")
    print(f"{len(asked)} descriptions with {values} values: {sum(missed.values())} not taken; "
          f"with {len(others)} of others {sum(wrong.values())} wrong")
    assert len(asked) >= 1000, len(asked)
    return sum(missed.values()) * 100 > values or sum(wrong.values()) > 0


if __name__ == "__main__":
    sys.exit(main())
