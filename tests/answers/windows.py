#!/usr/bin/env python3
"""What people with Windows paste: the right cause and the right first step, alone and with their machine beside it.

usage: windows.py [--list] [FILE.tsv]      with ROCSTEADY, the built program

Each text of windows-people.tsv is explained without a machine, and then with one that tools/compose makes of its second
column. Right is a cause of the third column first, and a first step (or first look) that the pattern of the fourth
meets. The numbers may not fall; a machine beside a text may not take a right answer away. --list prints each answer.
"""
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ.get("ROCSTEADY_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
sys.path.insert(0, str(SOURCE / "tools/compose"))
import windows  # noqa: E402

PROGRAM = os.environ["ROCSTEADY"]
TEXTS = pathlib.Path(__file__).with_name("windows-people.tsv")
LEAST = {"alone": (28, 27), "beside": (29, 27)}  # causes and first steps that are right

CARDS = {  # device, revision, name, GiB
    "7600xt": (0x7480, 0xC0, "AMD Radeon RX 7600 XT", 16), "7600": (0x7480, 0xCF, "AMD Radeon RX 7600", 8),
    "6900xt": (0x73BF, 0xC0, "AMD Radeon RX 6900 XT", 16), "6800xt": (0x73BF, 0xC1, "AMD Radeon RX 6800 XT", 16),
    "6750xt": (0x73DF, 0xC5, "AMD Radeon RX 6750 XT", 12), "6600xt": (0x73FF, 0xC1, "AMD Radeon RX 6600 XT", 8),
    "9060xt": (0x7590, 0xC0, "AMD Radeon RX 9060 XT", 16), "rx580": (0x67DF, 0xE7, "Radeon RX 580 Series", 8),
    "rx590": (0x6FDF, 0xE1, "Radeon RX 590 Series", 8),
    "5600u": (0x1638, 0xC3, "AMD Radeon(TM) Graphics", 2), "5700u": (0x164C, 0xC1, "AMD Radeon(TM) Graphics", 2),
    "780m": (0x15BF, 0xC1, "AMD Radeon 780M Graphics", 4), "890m": (0x150E, 0xC1, "AMD Radeon(TM) 890M Graphics", 8),
    "860m": (0x1114, 0xC2, "AMD Radeon(TM) 860M Graphics", 4),
}
KNOWN = {"7900xtx": windows.navi31, "igpu": windows.raphael, "9070xt": windows.navi48, "halo": windows.halo,
         "7800xt": windows.navi32, "6600": windows.navi23}


def card(name):
    if name in KNOWN:
        return KNOWN[name]()
    device, revision, title, gib = CARDS[name]
    return dataclasses.replace(windows.navi31(), device=device, revision=revision, name=title, memory=gib << 30)


def torch_of(word, vc):
    place = windows.comfy_venv()
    if word == "amd-torch":
        return place.torch("2.9.1+rocm7.2.1", "7.2.53211").own_libraries("7.2.1", vc=vc)
    return place.torch(*{"cpu-torch": ("2.9.1+cpu",), "cuda-torch": ("2.9.1+cu128", None, "12.8"), "zluda-torch": ("2.7.0+cu118", None, "11.8")}[word])


def places(words):
    for word in words:
        if word.endswith("-torch"):
            yield torch_of(word, "no-vc" not in words)
        elif word in ("ollama", "ollama-no-rocm"):
            yield windows.ollama(rocm=word == "ollama")
        elif word == "lm-studio":
            yield windows.lm_studio()


def machine(words):
    """The snapshot of such a machine; None for one that is not Windows."""
    if words == ["wsl"]:
        return (SOURCE / "tests/machines/rx7900xtx-wsl2-rocm64.snap").read_text()
    cards = [card(w) for w in words if w in CARDS or w in KNOWN]
    sdks = tuple(w[3:] for w in words if w.startswith("sdk"))
    more = {"vc": None} if "no-vc" in words else {}
    if "commit" in words:
        more.update(memory=32, pagefile=2, page_file_managed=False, change=windows.little_commit)
    made = windows.Windows("made", "", "odd", cards, places=list(places(words)), sdks=sdks,
                           variables={"PATH": ";".join(["C:\\Windows\\System32"] + [f"C:\\Program Files\\AMD\\ROCm\\{s}\\bin" for s in sdks])}, **more)
    made.registry()  # a change of the machine comes before its other answers
    return made.snapshot()


def explain(text, snapshot):
    """The answer as an object, and the words of its first step."""
    with tempfile.TemporaryDirectory() as work:
        pathlib.Path(work, "log").write_text(text, encoding="utf-8")
        beside = ["--no-machine"]
        if snapshot:
            pathlib.Path(work, "beside.snap").write_text(snapshot, encoding="utf-8")
            beside = ["--from", "beside.snap"]
        json_words, shown = (subprocess.run([PROGRAM, "explain", *beside, *how, "log"], cwd=work, capture_output=True, text=True,
                                            check=False).stdout for how in (["--json"], []))
    begins = re.search(r"^ *(?:1  |Look first|First )", shown, re.M)
    step = re.split(r"^ *2  ", shown[begins.start():], maxsplit=1, flags=re.M)[0] if begins else ""
    return json.loads(json_words), " ".join(step.split("\n\n  Possible")[0].split())


def first_of(answer):
    answer = (answer.get("files") or [answer])[0]
    causes = answer.get("causes") or [{}]
    return answer.get("symptom") or causes[0].get("cause") or "-"


def rows(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            source, beside, causes, step, text = line.split("\t")
            yield source, beside.split(), causes.split("|"), step.replace("\\\\", "\\"), \
                re.sub(r"\\(n|t|\\)", lambda m: {"n": "\n", "t": "\t", "\\": "\\"}[m[1]], text) + "\n"


def main():
    listing = "--list" in sys.argv
    paths = [a for a in sys.argv[1:] if not a.startswith("--")]
    wrong, right, total = [], {"alone": [0, 0], "beside": [0, 0]}, 0
    for source, beside, causes, pattern, text in rows(pathlib.Path(paths[0]) if paths else TEXTS):
        total += 1
        got = {}
        for how, snapshot in (("alone", None), ("beside", machine(beside))):
            answer, step = explain(text, snapshot)
            cause = first_of(answer)
            got[how] = cause in causes, bool(re.search(pattern, step))
            right[how] = [a + b for a, b in zip(right[how], got[how])]
            if listing:
                print(f"{how:6} {'cause' if got[how][0] else '-----'} {'step' if got[how][1] else '----'} {source}: {answer['answer']} {cause} | {step[:150]}")
        lost = [what for what, a, b in zip(("cause", "step"), got["alone"], got["beside"]) if a and not b]
        wrong += [f"{source}: the machine beside it takes the right {what} away" for what in lost]
    for how, (cause, step) in right.items():
        print(f"{how}: right cause {cause}, right first step {step}, of {total}")
        if not paths and (cause < LEAST[how][0] or step < LEAST[how][1]):
            wrong.append(f"{how}: fewer than {LEAST[how]}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
