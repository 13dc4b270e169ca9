#!/usr/bin/env python3
"""Each program's card is heard: a text that asks for an act gets it in the words of the program that is named.

For every act there is a text below whose causes offer it. It is explained as each program of kb/programs, on Linux and
on Windows. The step must hold what the card says for that system, and nothing of another program's card; where the card
says that the program cannot do it, or has another system alone, that step is not there, or is the general one.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import yaml

PROGRAM = os.environ["ROCSTEADY"]
CARDS = pathlib.Path(__file__).parent.parent.parent / "kb" / "programs"
OOM = "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 4.50 GiB. GPU 0 has a total capacity of 15.92 GiB of which " \
      "1.10 GiB is free. Of the allocated memory 12.41 GiB is allocated by PyTorch, and 1.20 GiB is reserved by PyTorch but unallocated.\n"
COMPILE = "triton.compiler.errors.CompilationError: at 12:8:\nRuntimeError: torch._inductor failed\n"
BROKEN = "RuntimeError: HIP error: an illegal memory access was encountered\n"
# act: the remedy that is one, and a text whose causes offer it
ASKED = {
    "higher-precision": ("compute-in-fp32", "RuntimeWarning: invalid value encountered in cast\n"),
    "supported-type": ("use-fp16", "RuntimeError: \"mul_cuda\" not implemented for 'Float8_e4m3fn'\n"),
    "less-memory": ("use-less-memory", OOM),
    "other-attention": ("use-sdpa-attention", "RuntimeError: No available kernel. Aborting execution.\n"),
    "without-compile": ("run-without-compile", COMPILE),
    "update": ("other-program-release", BROKEN),
    "go-back": ("other-program-release", BROKEN),
    "debug-log": ("more-in-log", "Segfaulting widget failed to frob: 0x17\nError: the widget is gone\n"),
}
# Texts whose causes look at torch: its release, or which Python has it. None of them names torch.
LOOKS = ("AttributeError: /x/bitsandbytes/libbitsandbytes_cpu.so: undefined symbol: cget_managed_ptr\n",
         "Very slow convolution performance on RX 9070\n")
ASKS_TORCH = re.compile(r"(import|show|grep|findstr)\b.*\btorch\b")
SYSTEMS = {"linux": "Ubuntu 24.04", "windows": "Windows 11"}


def cards():
    for path in sorted(CARDS.glob("*.yaml")):
        card = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # "on" is a word here
        yield card.get("named", card["program"]), card


def typed(row):
    """What of a row must stand in the step, as it is written for bash; a translation for PowerShell keeps the value."""
    for key in ("option", "variable", "command"):
        if key in row:
            return row[key].splitlines()[0]
    return row["says"]


def held(row, system, steps):
    text = typed(row)
    if system == "windows" and "variable" in row:
        text = text.partition("=")[0]
    return text in steps


def looks(answer):
    """The commands of an answer's looks: the one above its steps, and those of steps that cure nothing."""
    first = [answer["first_look"]["command"]] if answer["first_look"] else []
    return first + [r["steps"] for c in answer["causes"] for r in c["remedies"] if r["id"] == "see-which-python"]


def torch_where_it_is():
    """Whether torch is asked for in a text of a program: of one that uses torch it may be, of another never."""
    asked = [(card, text) for _, card in cards() for text in LOOKS]
    lines = [json.dumps({"id": 1, "log": text, "facts": {"framework": card.get("named", card["program"])}}) for card, text in asked]
    lines.append(json.dumps({"id": 1, "log": LOOKS[0], "facts": {"framework": "jax", "torch": "2.9.1"}}))
    done = subprocess.run([PROGRAM, "explain", "--batch", "--no-machine", "--verbose"], input="\n".join(lines).encode(), capture_output=True, check=True)
    answers = [any(ASKS_TORCH.search(look) for look in looks(json.loads(line))) for line in done.stdout.decode().splitlines()]
    wrong = [f"{card['program']} does not use torch, and is asked for it: {text!r}"
             for (card, text), is_asked in zip(asked, answers) if is_asked and card["uses-torch"] == "0"]
    if not any(is_asked for (card, _), is_asked in zip(asked, answers) if card["program"] == "torch"):
        wrong.append("torch itself is not asked for")
    if not answers[-1]:
        wrong.append("torch beside JAX is not asked for")
    return wrong


def main():
    asked = [(name, card, act, system) for name, card in cards() for act in ASKED for system in SYSTEMS]
    lines = [json.dumps({"id": n, "log": ASKED[act][1], "facts": {"framework": name, "os": SYSTEMS[system]}})
             for n, (name, _, act, system) in enumerate(asked)]
    done = subprocess.run([PROGRAM, "explain", "--batch", "--verbose"], input="\n".join(lines).encode(), capture_output=True, check=True)
    wrong, said, general, refused = [], 0, 0, 0
    for (name, card, act, system), line in zip(asked, done.stdout.decode().splitlines()):
        answer = json.loads(line)
        remedies = [r for c in answer["causes"] for r in c["remedies"]] + [s["remedy"] for s in answer["steps"] if s.get("remedy")]
        offered = [r["steps"] for r in remedies if isinstance(r, dict) and r["id"] == ASKED[act][0]]
        acts = {a for a, (remedy, _) in ASKED.items() if remedy == ASKED[act][0]}
        rows = [r for r in card.get("acts", []) if r["act"] in acts and r.get("on", system) == system]
        can = [r for r in rows if "none" not in r and r["act"] == act and "from" not in r and "until" not in r]
        elsewhere = card.get("on", system) != system
        if not rows:
            general += 1
        elif elsewhere or all("none" in r for r in rows):
            refused += 1
            if offered:
                wrong.append(f"{name} cannot do {act} on {system}, and is told to: {offered[0]!r}")
        elif offered:
            said += 1
            wrong += [f"{name}, {act} on {system}: not {typed(r)!r} in {offered[0]!r}" for r in can if not held(r, system, offered[0])]
    wrong += torch_where_it_is()
    print("\n".join(wrong))
    print(f"{len(asked)} questions: {said} in the program's words, {refused} refused, {general} in general words, {len(wrong)} wrong")
    return 1 if wrong or said < len(list(cards())) else 0


if __name__ == "__main__":
    sys.exit(main())
