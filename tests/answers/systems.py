#!/usr/bin/env python3
"""A likely or certain answer has a step on Linux, Windows and WSL, and it is a step of that system.

    systems.py SOURCE KB.DB

Asked are every example of every signature, each defect with the versions that it asks for, and the texts of this
directory: on each of the three systems, with a GPU of kb/tables/gfx_target.yaml. By default each text gets one GPU a
system, in turn, so that each family meets each kind of text; with ROCSTEADY_TEST_LONG=families every text meets one GPU
of each family on each system, in turn (a quarter of an hour of CPU), with ROCSTEADY_TEST_LONG=1 every GPU (40 minutes).

systems.tsv beside this file has, as data, what a step must not have on a system, and the texts that cannot come from it:
for them nothing is demanded.
"""
import itertools
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).parent
DECIDED = "likely", "certain"
LAST_RESORT = "compute-on-processor"
AT_ONCE = 4000  # questions of one run of the program
LEAST = 2400  # texts
SYSTEMS = {"linux": "Ubuntu 24.04", "windows": "Windows 11", "wsl": "WSL2, Ubuntu 24.04"}


def examples(source):
    """(signature, line) of each example."""
    for path in sorted((source / "kb/signatures").glob("*.yaml")):
        for entry in yaml.load(path.read_text(), Loader=yaml.CSafeLoader)["list"]:
            yield from ((entry["id"], text + "\n") for text in entry.get("examples", []))


def release(low, high, words):
    """One within the bounds: the first of them, else one just before the last."""
    if words:
        return words.split()[0]
    if low:
        return low
    return f"{int(high.split('.')[0]) - ('.' not in high)}.0" if high else "1.0"


def defects(kb, lines):
    """Each with the line of one of its signatures and what it asks for."""
    for (defect,) in kb.execute("SELECT id FROM defect ORDER BY id").fetchall():
        facts = {n: release(*r) for n, *r in kb.execute("SELECT name, low, high, words FROM defect_when WHERE defect = ?", (defect,))}
        of = kb.execute("SELECT signature FROM defect_signature WHERE defect = ? LIMIT 1", (defect,)).fetchone()
        yield f"defect {defect}", lines[of[0]] if of else "", facts


def texts(source, kb):
    """(name, text, what is stated) of each."""
    lines = {}
    for name, line in examples(source):
        lines.setdefault(name, line)
        yield name, line, {}
    yield from defects(kb, lines)
    for file in ("texts.jsonl", "starts.jsonl"):
        for line in (HERE / file).open(encoding="utf-8"):
            text = json.loads(line)
            yield f"{file}:{text['name']}", text["text"], {}


def table():
    """{system: [(kind, pattern, why)]}"""
    found = {}
    for line in (HERE / "systems.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            system, kind, pattern, why = line.split("\t")
            assert why and kind in ("command", "words", "text"), line
            found.setdefault(system, []).append((kind, re.compile(pattern, re.M), why))
    return found


def chosen(families, how, turn):
    """The GPUs that a text meets: one of all, one of each family, or all."""
    gpus = [gfx for family in families for gfx in family]
    if how == "1":
        return gpus
    return [family[turn % len(family)] for family in families] if how == "families" else [gpus[turn % len(gpus)]]


def questions(source, kb, how):
    rows = kb.execute("SELECT family, gfx FROM gfx_target ORDER BY family, gfx").fetchall()
    families = [[gfx for _, gfx in some] for _, some in itertools.groupby(rows, lambda row: row[0])]
    for at, (name, log, facts) in enumerate(texts(source, kb)):
        systems = ["linux"] if "kernel" in facts else [s for s in SYSTEMS if s == facts.get("system", s)]
        for turn, system in enumerate(systems):
            for gfx in [facts["gfx"]] if "gfx" in facts else chosen(families, how, at * 5 + turn * 17):
                yield name, log, {**facts, "system": system, "os": SYSTEMS[system], "gfx": gfx}


def ask(asked):
    lines = "".join(json.dumps({"id": i, "log": log, "facts": facts}) + "\n" for i, (_, log, facts) in enumerate(asked))
    done = subprocess.run([os.environ["ROCSTEADY"], "explain", "--batch", "--verbose"], input=lines.encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(answers) == len(asked) and not any("error" in a for a in answers), [a for a in answers if "error" in a][:3]
    return answers


def steps_of(answer):
    """(remedy, title, steps) of each."""
    named = [*answer["causes"], *filter(None, [answer["family"]])]
    details = {(n.get("cause"), r["id"]): r["steps"] for n in named for r in n["remedies"]}  # a cause may have it without what it prints
    for s in answer["steps"]:
        steps = s.get("steps") or details.get((s["cause"], s["remedy"])) or details.get((None, s["remedy"])) or "    " + (s["command"] or "")
        if s["cure"]:  # it may be for several systems, and says so line by line
            steps = re.sub(r"(?m)^    # on Linux: .*$", "", steps)
        yield s["remedy"] or "cure of a defect", s["title"], steps


def commands_of(steps):
    return "\n".join(line.strip() for line in steps.splitlines() if line.startswith("    "))


def judge(name, log, facts, answer, rules, wrong):
    """The number of steps that were looked at; None where this system cannot print the text."""
    if any(kind == "text" and pattern.search(log) for kind, pattern, _ in rules):
        return None
    where, steps = f"{name}, {facts['system']}, {facts['gfx']}", list(steps_of(answer))
    for remedy, title, words in steps:
        for kind, pattern, why in rules:
            met = kind != "text" and pattern.search(commands_of(words) if kind == "command" else f"{title}\n{words}")
            if met:
                wrong.append((remedy, where, f"{why}: {met.group(0)!r}"))
    if answer["answer"] in DECIDED and all(remedy == LAST_RESORT for remedy, _, _ in steps):
        wrong.append((answer["causes"][0]["cause"], where, "no step"))
    return len(steps)


def main():
    source, kb = pathlib.Path(sys.argv[1]), sqlite3.connect(sys.argv[2])
    asked = list(questions(source, kb, os.environ.get("ROCSTEADY_TEST_LONG")))
    rules, wrong, judged, looked, decided = table(), [], 0, 0, 0
    for first in range(0, len(asked), AT_ONCE):
        some = asked[first : first + AT_ONCE]
        for (name, log, facts), answer in zip(some, ask(some)):
            steps = judge(name, log, facts, answer, rules.get(facts["system"], []), wrong)
            judged += steps is not None
            looked += steps or 0
            decided += steps is not None and answer["answer"] in DECIDED
        print(f"{first + len(some)} of {len(asked)} asked, {len(wrong)} complaints", file=sys.stderr)
    for line in sorted(wrong)[:60]:
        print(*line, sep=": ")
    names = {name for name, *_ in asked}
    print(f"{len(asked)} answers of {len(names)} texts, {judged} judged, {decided} of them decided, {looked} steps, {len(wrong)} complaints")
    assert len(asked) >= 3 * LEAST and judged >= 2 * LEAST and looked > 5 * LEAST
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
