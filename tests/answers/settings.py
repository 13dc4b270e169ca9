#!/usr/bin/env python3
"""Every row of kb/tables/setting_effect.yaml is met in the forms in which people write a setting, and only where it holds.

Each row is written as a shell, a unit file, PowerShell, docker, Python, the kernel's command line and a sentence have it,
with what it asks for beside it: its note must be there. Asked about, it must be there in other words; in the advice of a
program it must not. With another value, system, program, release, GPU or neighbour, and without any of these said, the row's
own note must not be there. No answer that says a setting is right has a step that takes it away, and none that says that
it does nothing has one that sets it.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import yaml

PROGRAM = os.environ["ROCSTEADY"]
KB = pathlib.Path(__file__).parent.parent.parent / "kb"
# A failure that no program's own line explains: without one the answer names only what harms.
ERROR = "RuntimeError: HIP error: unspecified launch failure\n"
GPUS = {"gfx11": "gfx1100", "gfx12": "gfx1201", "gfx1[12]*": "gfx1100", "gfx103*": "gfx1030"}
OTHER_GPU = "gfx90a"
FORMS = {
    "variable": ["export {n}={v}", "{n}={v} python train.py", "set {n}={v}", '$env:{n} = "{v}"', "setx {n} {v}",
                 "docker run --rm -e {n}={v} image", 'Environment="{n}={v}"', 'os.environ["{n}"] = "{v}"', "  - {n}={v}",
                 "      {n}: {v}", "ENV {n}={v}", "I already set {n}={v} in my .bashrc", "with {n}={v} it is the same",
                 "Tried `export {n}={v}` from reddit."],
    "kernel": ['GRUB_CMDLINE_LINUX_DEFAULT="quiet splash {n}={v}"', "I added {n}={v} to grub",
               "[    0.000000] Command line: BOOT_IMAGE=/vmlinuz-6.8.0-45-generic root=/dev/sda2 ro quiet {n}={v} splash",
               "Already put quiet and {n}={v} into grub as suggested on a forum"],
    "flag": ["python launch.py {f}", "set COMMANDLINE_ARGS=--medvram {f}", "With {f} it starts", "cmake -B build {f}",
             'export COMMANDLINE_ARGS="--medvram {f} --api"'],
    "command": ["sudo {c}", "$ {c}", "I did `{c}`"],
}
ASKED = {
    "variable": ["Do I need {n}={v}?", "One proposal in the team: start it with {n}={v}.", "Should I set {n}={v} as well?"],
    "kernel": ["Do I need {n}={v}?", "One proposal in the team: boot with {n}={v} so that it stops."],
    "flag": ["Should I start it with {f}?"],
    "command": ["ChatGPT says: {c}"],
}
ADVICE = {
    "variable": ["For debugging consider passing {n}={v}", "To enable, set {n}={v}", "try setting {n}={v} to avoid fragmentation."],
    "kernel": ["please use {n}={v} to avoid this"],
    "flag": ["Use {f} commandline argument to disable this check."],
    "command": [],
}
SAID = {"none": "does nothing", "masks": "hides the error", "harmful": "does harm", "right": "is right here, keep",
        "wrong-value": "is not right as it stands", "debug": "is only for a test", "optional": "may stay"}
failed = 0


def examples():
    found = {}
    for path in (KB / "signatures").glob("*.yaml"):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["list"]:
            found[entry["id"]] = entry.get("examples", [""])[0]
    return found


def concrete(pattern):
    """A value that the pattern takes."""
    if pattern is None:
        return "1"
    return re.sub(r"\[(.)[^]]*\]", r"\1", pattern).replace("*", "")


def fill(form, row, value):
    """"--gpus" takes a value, and a flag whose row names one must have it."""
    flag = row["name"]
    if row.get("value") and flag.startswith("-D"):
        flag += "=" + value
    command = " ".join(w for w in row["name"].split() if not w.startswith("!"))
    return form.format(n=row["name"], v=value, f=flag, c=command)


def around(row, lines, without=()):
    """What the row asks for beside the setting."""
    text = []
    if "os" in row and "os" not in without:
        text.append("Windows 11" if row["os"] == "windows" else "Ubuntu 24.04")
    if "program" in row and "program" not in without:
        version = row.get("since") or row.get("until")
        if "until" in row:
            version = "1.13.1" if row["program"] == "torch" else "0.1.0"
        text.append(f"- {'PyTorch' if row['program'] == 'torch' else 'vLLM'} version: {version or '0.9.0'}")
    if "gfx" in row and "gfx" not in without:
        text.append(f"- GPU: {GPUS[row['gfx']]}")
    if "beside" in row and "beside" not in without:
        text.append(f"export {row['beside']}=1")
    if "signature" in row and "signature" not in without:
        text.append(EXAMPLES[row["signature"].split()[0]])
    return "\n".join(text + lines) + "\n" + ERROR


def other(row):
    """The same setting where the row does not hold: another value, or another surrounding, or none said."""
    form, value = FORMS[row["form"]][0], concrete(row.get("value"))
    if "value" in row:
        yield "another value", around(row, [fill(form, row, "zzz")])
    for key in ("os", "program", "gfx", "beside", "signature"):
        if key in row and row.get(key) != "linux":
            yield f"no {key}", around(row, [fill(form, row, value)], without=(key,))
    if row.get("os"):
        wrong = "Ubuntu 24.04" if row["os"] == "windows" else "Windows 11"
        yield "another system", wrong + "\n" + around(row, [fill(form, row, value)], without=("os",))
    if "gfx" in row:
        yield "another GPU", f"- GPU: {OTHER_GPU}\n" + around(row, [fill(form, row, value)], without=("gfx",))
    if "since" in row or "until" in row:
        name = "PyTorch" if row["program"] == "torch" else "vLLM"
        yield "another release", f"- {name} version: {'99.1' if 'until' in row else '0.1.0'}\n" + around(
            row, [fill(form, row, value)], without=("program",))


def explain(texts):
    lines = "".join(json.dumps({"id": i, "log": text}) + "\n" for i, text in enumerate(texts))
    done = subprocess.run([PROGRAM, "explain", "--no-machine", "--json", "--verbose", "--batch"], input=lines, capture_output=True, text=True, check=False)
    answers = {}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        answers[answer["id"]] = answer
    assert len(answers) == len(texts), done.stderr
    return [answers[i] for i in range(len(texts))]


def fail(what, row, text, answer):
    global failed
    failed += 1
    if failed <= 40:
        print(f"FAIL {what}: {row['id']}\n    {text!r}\n    {answer.get('settings')}")


def own(row, answer):
    return [s for s in answer["settings"] if row["why"] in s["says"]]


def contradictions(answer):
    """A step that does what a note of the same answer speaks against."""
    steps = [(s.get("title") or "") + "\n" + (s.get("command") or "") for s in answer["steps"]]
    for cause in answer["causes"]:
        steps += [r["steps"] or "" for r in cause.get("remedies", ())]
    for note in answer["settings"]:
        name = note["setting"].split("=")[0].split(" ")[0]
        for step in steps:
            commands = "\n".join(line for line in step.splitlines() if line.startswith("    "))
            if "keep it" in note["says"] and re.search(rf"\bunset {re.escape(name)}\b", commands):
                yield f"{name} is right, and unset"
            if "no program reads it" in note["says"] and re.search(rf"(?<![\w.]){re.escape(name)}=", commands):
                yield f"{name} is read by nothing, and set"


EXAMPLES = examples()
ROWS = yaml.safe_load((KB / "tables" / "setting_effect.yaml").read_text(encoding="utf-8"))["rows"]
cases = []
for row in ROWS:
    value = concrete(row.get("value"))
    for form in FORMS[row["form"]]:
        if form.startswith(("$env", "setx", "set {n}")) and row.get("os") == "linux":
            continue
        if form.startswith("docker") and row.get("os") == "windows":
            continue
        cases.append(("set", row, around(row, [fill(form, row, value)])))
    if row["form"] == "kernel" and "." in row["name"]:
        module, _, name = row["name"].partition(".")
        cases.append(("set", row, around(row, [f"options {module} {name}={value}"])))
    cases += [("asked", row, around(row, [fill(form, row, value)])) for form in ASKED[row["form"]]]
    cases += [("advice", row, around(row, [fill(form, row, value)])) for form in ADVICE[row["form"]]]
    cases += [(what, row, text) for what, text in other(row)]

counts = {}
for (what, row, text), answer in zip(cases, explain([c[2] for c in cases])):
    notes = own(row, answer)
    counts[what] = counts.get(what, 0) + 1
    for why in contradictions(answer):
        fail(why, row, text, answer)
    if what == "set":
        if not any(SAID[row["effect"]] in n["says"] for n in notes):
            fail("not met", row, text, answer)
        bad = row["effect"] in ("masks", "harmful") and (row["form"] != "command" or "undo" in row)
        if bad and answer["answer"] != "nothing" and not any("Undo the settings" in (s["title"] or "") for s in answer["steps"]):
            fail("no step takes it back", row, text, answer)
    elif what == "asked":
        same = ("debug",)  # is only for a test, set or not
        if not notes or (row["effect"] not in same and any(SAID[row["effect"]] in n["says"] for n in notes)):
            fail("asked, and not said in other words", row, text, answer)
        if any("Undo the settings" in (s["title"] or "") for s in answer["steps"]):
            fail("a step takes back what is not set", row, text, answer)
    elif notes:
        fail(what, row, text, answer)

print(f"{len(ROWS)} rows:", ", ".join(f"{n} {what}" for what, n in sorted(counts.items())) + f"; {failed} failed")
sys.exit(failed > 0)
