#!/usr/bin/env python3
"""Texts whose pasted state decides: an output of a tool tells the cause, and the error line alone another one.

state-expected.tsv has, separated by tabs: the number of a text in state/, the causes that are right as the first,
a regular expression for the first step, one that must not be met in what is shown (- for none), and "miss" where the
answer is wrong today: a miss that is right now is an error, so that the mark is taken away.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get("ROCSTEADY") or str(HERE.parents[1] / "build" / "rocsteady")


def explain(number, *options):
    path = str(HERE / "state" / f"{number}.txt")
    done = subprocess.run([PROGRAM, "explain", "--no-machine", *options, path], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 2, 3), f"{number}: exit status {done.returncode}: {done.stderr}"
    return done.stdout


def first_step(answer):
    """Title, command and text of the first step."""
    named = [*answer["causes"], *filter(None, [answer["family"]])]
    details = {r["id"]: r["steps"] for n in named for r in n["remedies"]}
    for step in answer["steps"][:1]:
        return "\n".join((step["title"], step["command"] or "", step.get("steps") or details.get(step["remedy"]) or ""))
    return ""


def faults(number, causes, step, never):
    answer = json.loads(explain(number, "--json", "--verbose"))
    first = answer["causes"][0]["cause"] if answer["causes"] else answer["answer"]
    if first not in causes.split():
        yield f"the first cause is {first}"
    if not re.search(step, first_step(answer)):
        yield f"the first step is {first_step(answer).splitlines()[:1]}"
    met = re.search(never, explain(number)) if never != "-" else None
    if met:
        yield f"it says {met.group()}"


def main():
    rows = [line.split("\t") for line in (HERE / "state-expected.tsv").read_text(encoding="utf-8").splitlines()]
    held, right = True, 0
    for number, causes, step, never, *miss in rows:
        wrong = list(faults(number, causes, step, never))
        right += not wrong
        held &= bool(wrong) == bool(miss)
        if bool(wrong) != bool(miss):
            print(f"{number}: {'; '.join(wrong) or 'no longer a miss, so take the mark away'}")
    print(f"{right} of {len(rows)} right")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
