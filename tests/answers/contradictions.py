#!/usr/bin/env python3
"""No step of an answer contradicts a line of the same answer, nor what was stated beside the text.

Asked are all texts of this directory, the stories of tests/explain, the logs of tests/logs/healthy, and `check` of every
recorded machine. The texts are asked as they are; as each program that does not compute with torch; with each GPU of
kb/tables/gfx_override.yaml, bare and with each value of HSA_OVERRIDE_GFX_VERSION that fits it; with a torch that has code
for the GPU; and on Windows. By default each text gets one of each kind in turn; with --all it gets every one of them.

RULES has what contradicts what: a line of the answer, and a step that must not stand beside it. Their form is that of
the printed words, so that they hold whatever the knowledge and the program call it inside.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
TABLES = HERE.parent.parent / "kb" / "tables"
TORCH = r"pip install\b[^\n]*?[ \"']torch(?![\w-])|\AInstall\b[^\n]*\btorch\b|--for torch\b"
AT_ONCE = 4000  # questions of one run of the program: the answers of all at once are gigabytes
CODE = {"framework-lacks-arch", "library-lacks-arch"}

# name, a line of the answer, a step that must not stand beside it, the causes whose steps it is about (empty: all)
RULES = [
    ("no torch for a program without torch", r"does not use torch", TORCH, set()),
    ("no torch that has the code already", r"torch for rocm\S+ has (?:code|kernels) for gfx", TORCH, CODE),
    ("a fitting override stays", r"HSA_OVERRIDE_GFX_VERSION=\S+ fits", r"(?i)\bunset HSA_OVERRIDE_GFX|-u HSA_OVERRIDE_GFX", set()),
    ("no variable that has no effect", r"only the Linux runtime reads HSA_OVERRIDE_GFX_VERSION", r"HSA_OVERRIDE_GFX_VERSION ?=|NAME ?=", set()),
    ("no less precision for NaN", r"produced (?:only )?NaN|became NaN|gives? NaN", r"--force-fp16|--fp16-vae|--fp16-unet|--fp16 True|bf16 fails", set()),
]


def rows(table):
    """The rows of a table as far as they are needed here: one line each, or keys below a dash."""
    found = []
    for line in (TABLES / f"{table}.yaml").read_text(encoding="utf-8").splitlines():
        if line.startswith("  - "):
            found.append({})
        if found:
            found[-1].update(re.findall(r"[{ ,](\w+): \"?([^\",}]+)", line))
    return found


def texts():
    for name in ("texts.jsonl", "starts.jsonl"):
        for line in (HERE / name).open(encoding="utf-8"):
            text = json.loads(line)
            yield f"{name}:{text['name']}", text["text"]
    for log in sorted([*(HERE.parent / "explain").glob("*.log"), *(HERE.parent / "logs" / "healthy").iterdir()]):
        yield log.name, log.read_bytes().decode("utf-8", "replace")


def without_torch():
    """What texts call the programs whose card says that they do not compute with torch."""
    for card in sorted((TABLES.parent / "programs").glob("*.yaml")):
        keys = dict(re.findall(r'(?m)^([a-z-]+): "?([^"\n#]+)', card.read_text(encoding="utf-8")))
        if keys["uses-torch"].strip() == "0":
            yield (keys.get("named") or keys["program"]).strip()


def stated():
    """Lists of facts that a text may be asked with: programs, GPUs with and without an override, Windows."""
    programs = [{"framework": name} for name in without_torch()]
    overrides = rows("gfx_override")
    gpus = [{"gfx": gfx} for gfx in sorted({r["gfx"] for r in overrides})]
    values = [{"gfx": r["gfx"], "env_vars": {"HSA_OVERRIDE_GFX_VERSION": version(r["override"])}} for r in overrides if r["verdict"] == "good"]
    codes = [{"gfx": gfx, "torch": torch} for gfx in ("gfx1100", "gfx90a") for torch in ("2.5.1+rocm6.2", "2.8.0+rocm6.4")]
    windows = [{"os": "Windows 11"}, {"os": "Windows 11", "env_vars": {"HSA_OVERRIDE_GFX_VERSION": "11.0.0"}}]
    return [programs, gpus, values, codes, windows]


def version(gfx):
    return f"{int(gfx[3:-2])}.{int(gfx[-2], 16)}.{int(gfx[-1], 16)}"


def questions(every):
    for at, (name, log) in enumerate(texts()):
        yield name, log, {}
        for kinds in stated():
            for facts in kinds if every else [kinds[at % len(kinds)]]:
                yield name, log, facts


def ask(asked):
    lines = "".join(json.dumps({"id": i, "log": log, "facts": facts}) + "\n" for i, (_, log, facts) in enumerate(asked))
    program = [os.environ["ROCSTEADY"], "explain", "--batch", "--verbose"]
    done = subprocess.run(program, input=lines.encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(answers) == len(asked) and not any("error" in a for a in answers)
    return answers


def steps_of(answer):
    """(cause, words) of each step, as a person reads it with --verbose."""
    named = [*answer["causes"], *filter(None, [answer["family"]])]
    details = {(n.get("cause"), r["id"]): r["steps"] for n in named for r in n["remedies"]}  # a cause may have it without what it prints
    look = answer.get("first_look") or {}
    yield None, look.get("command") or ""
    for s in answer["steps"]:
        yield s["cause"], "\n".join((s["title"], s["command"] or "", s.get("steps") or details.get((s["cause"], s["remedy"])) or details.get((None, s["remedy"])) or ""))


def lines_of(answer, log, facts):
    for cause in answer["causes"]:
        yield from (line["says"] for line in cause["evidence"])
    yield from (event["says"] for event in answer["events"])
    program = facts.get("framework")
    if program and "torch" not in log.lower():
        yield f"{program} does not use torch"


def check(machine):
    """The findings of a machine as (lines, steps)."""
    done = subprocess.run([os.environ["ROCSTEADY"], "check", "--json", "--verbose", "--from", machine], capture_output=True, check=False)
    for finding in json.loads(done.stdout)["findings"]:
        lines = [e["says"] or "" for e in finding["evidence"]]
        yield lines, [(finding["cause"], f"{r['title']}\n{r['steps']}") for r in finding["remedies"]]


def judge(name, lines, steps, held, wrong):
    for rule, line, step, causes in RULES:
        said = next((text for text in lines if re.search(line, text)), None)
        for cause, words in steps if said else ():
            if causes and cause not in causes:
                continue
            held[rule] += 1
            if re.search(step, words):
                wrong.append(f"{name}: {rule}: {said!r} beside {words[:160]!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="every text with every fact: 72,000 answers, ten minutes of CPU")
    asked = list(questions(parser.parse_args().all))
    held, wrong = {rule[0]: 0 for rule in RULES}, []
    for first in range(0, len(asked), AT_ONCE):
        some = asked[first : first + AT_ONCE]
        for (name, log, facts), answer in zip(some, ask(some)):
            judge(f"{name} {facts or ''}", list(lines_of(answer, log, facts)), list(steps_of(answer)), held, wrong)
        print(f"{first + len(some)} of {len(asked)} asked, {len(wrong)} contradictions", file=sys.stderr)
    machines = sorted((HERE.parent / "machines").glob("*.snap"))
    for machine in machines:
        for lines, steps in check(machine):
            judge(machine.name, lines, steps, held, wrong)
    for line in wrong[:40]:
        print(line)
    print(f"{len(asked)} answers, {len(machines)} machines, {sum(held.values())} pairs of a line and a step, {len(wrong)} contradictions")
    for rule, count in held.items():
        print(f"  {rule}: {count}")
    idle = [rule for rule, count in held.items() if count == 0]
    assert not idle, f"never asked: {idle}"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
