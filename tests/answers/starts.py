#!/usr/bin/env python3
"""How an answer of `rocsteady explain` begins, as a person reads it: the headline and the first step.

starts.jsonl has one a line; each pattern is a regular expression for text without line ends:

    name, text
    set     what is stated beside the text, as with --set: {"gpu": "RX 7900 XTX", "env:NAME": "1"}
    on      recorded machines that it is asked on, one after the other; none: no machine
    why     what a reader would lose by another start
    says    the headline with the word at its end (certain, likely); "ok ..." where nothing failed
    first   the first step with its commands
    never   what must not stand anywhere in the answer

All of them are held without exception.
"""
import json
import os
import pathlib
import re
import subprocess
import sys


PROGRAM = os.environ.get("ROCSTEADY") or str(pathlib.Path(__file__).resolve().parents[2] / "build" / "rocsteady")
MACHINES = pathlib.Path(__file__).parent.parent / "machines"


def ask(text, machine):
    where = ["--from", str(MACHINES / f"{machine}.snap")] if machine else ["--no-machine"]
    program = [PROGRAM, "explain", *where, "--color=never"]
    for name, value in text.get("set", {}).items():
        program += ["--set", f"{name}={value}"]
    done = subprocess.run([*program, "-"], input=text["text"].encode(), capture_output=True, check=False)
    assert done.returncode in (0, 2, 3), f"{text['name']}: {done.stderr.decode()}"
    return done.stdout.decode()


def judge(text, machine=None):
    """The parts that do not begin as they must."""
    answer = ask(text, machine)
    step = re.search(r"^    1  (.*?)(?=^    2  |^    All \d|^    COMMAND|^  \S|\Z)", answer, re.M | re.S)
    parts = {"says": answer.split("\n\n")[0], "first": step.group(1) if step else "", "never": answer}
    parts = {part: " ".join(said.split()) for part, said in parts.items()}
    return [
        f"{text['name']}{f' on {machine}' if machine else ''}: {part} is {parts[part][:300]!r}"
        for part in parts
        if part in text and bool(re.search(text[part], parts[part])) == (part == "never")
    ]


def main():
    texts = [json.loads(line) for line in (pathlib.Path(__file__).parent / "starts.jsonl").open(encoding="utf-8")]
    assert len({t["name"] for t in texts}) == len(texts) > 0
    assert all({"says", "first", "never"} & t.keys() for t in texts)
    asked = [(text, machine) for text in texts for machine in text.get("on", [None])]
    wrong = [line for text, machine in asked for line in judge(text, machine)]
    for line in wrong:
        print(line)
    print(f"{len(asked)} answers, {len(wrong)} wrong parts")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
