#!/usr/bin/env python3
"""What people tell by a contrast is read, and what only looks like one is not.

Each sentence of contrasts.tsv is explained alone and in an issue form: its contrast is among the events, and where it
names the release that works, that release is in the first step. The lines of contrasts-near.txt have none, alone and
within the log of a job that works, where the sentences of contrasts.tsv alarm nobody either.
"""
import json
import os
import pathlib
import subprocess
import sys

PROGRAM = os.environ["ROCSTEADY"]
HERE = pathlib.Path(__file__).parent
FORM = "### What happened?\n\n{}\n\n### GPU\n\nRX 7900 XTX\n"
WORKS = "".join(f"Epoch 1/3, step {n}/900, loss {2 - n / 900:.3f}\n" for n in range(1, 8)) + "{}\n" + \
        "".join(f"Epoch 1/3, step {n}/900, loss {2 - n / 900:.3f}\n" for n in range(8, 16))
STEPS = {"kernel 6.8,": "6.8", "ROCm 6.2 works": "6.2", "with 0.6.2,": "0.6.2", "Adrenalin 24.12.1 but": "24.12.1"}


def lines_of(name):
    text = (HERE / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("# ")]


def asked():
    """The contrast that is right, or "-"; and a text."""
    for line in lines_of("contrasts.tsv"):
        name, text = line.split("\t")
        for form in ("{}\n", FORM):
            yield name, form.format(text)
    for line in lines_of("contrasts-near.txt"):
        for form in ("{}\n", WORKS):
            yield "-", form.format(line)


def what_is_wrong(name, text, answer):
    named = {e["signature"].removeprefix("contrast-") for e in answer["events"] if e["signature"].startswith("contrast-")}
    if name == "-":
        return " ".join(named)
    if name not in named:
        return "none"
    works = next((release for words, release in STEPS.items() if words in text), None)
    if works and works not in json.dumps(answer["steps"][:1]):
        return f"not {works} in the first step"
    return ""


def main():
    questions = list(asked())
    lines = [json.dumps({"id": n, "log": text, "facts": {}}) for n, (_, text) in enumerate(questions)]
    done = subprocess.run([PROGRAM, "explain", "--batch", "--verbose"], input="\n".join(lines).encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(answers) == len(questions)
    wrong = []
    for (name, text), answer in zip(questions, answers):
        instead = what_is_wrong(name, text, answer)
        if instead:
            wrong.append(f"{name}, but {instead} ({answer['answer']}): {text!r}")
    print("\n".join(wrong))
    print(f"{len(questions) - len(wrong)} of {len(questions)} texts")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
