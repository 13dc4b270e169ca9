#!/usr/bin/env python3
"""What people see where no program says why is named, and beside words alone nobody is alarmed.

Each sentence of symptoms.tsv is explained alone, behind lines of a log, and in an issue form. A line that tells of
nothing that failed is explained alone and within a log of a job that works, as are the lines of symptoms-healthy.txt.
The texts of symptoms-people.tsv are whole: none is ok, and all but the known misses get their symptom. Every symptom of
the knowledge has sentences, and each answer a step.
"""
import json
import os
import pathlib
import subprocess
import sys

PROGRAM = os.environ["ROCSTEADY"]
HERE = pathlib.Path(__file__).parent
LOG = "[INFO] reading the settings\n[INFO] using 2 processes\n{}\n"
FORM = "### What happened?\n\n{}\n\n### GPU\n\nRX 7900 XTX\n"
WORKS = "".join(f"Epoch 1/3, step {n}/900, loss {2 - n / 900:.3f}\n" for n in range(1, 8)) + "{}\n" + \
        "".join(f"Epoch 1/3, step {n}/900, loss {2 - n / 900:.3f}\n" for n in range(8, 16))


def lines_of(name):
    text = (HERE / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("# ")]


def asked():
    """The symptoms that are right, and a text."""
    for line in lines_of("symptoms.tsv"):
        symptom, text = line.split("\t")
        for form in ("{}\n", LOG, FORM) if symptom != "-" else ("{}\n", WORKS):
            yield symptom, form.format(text)
    for line in lines_of("symptoms-healthy.txt"):
        for form in ("{}\n", WORKS):
            yield "-", form.format(line)
    for line in lines_of("symptoms-people.tsv"):
        symptoms, _half, _source, text = line.split("\t", 3)
        yield symptoms, text.replace("\\n", "\n").replace("\\t", "\t") + "\n"


def what_is_wrong(symptoms, answer):
    named = answer["symptom"] or "-"
    if symptoms.startswith("~"):
        return "ok" if answer["answer"] == "nothing" else None
    if named not in symptoms.split("|"):
        return named
    starts = bool(answer["first_look"] or answer["steps"])
    return None if named == "-" or (answer["answer"] == "undecided" and starts) else f"{named} without a step"


def main():
    questions = list(asked())
    lines = [json.dumps({"id": n, "log": text, "facts": {}}) for n, (_, text) in enumerate(questions)]
    done = subprocess.run([PROGRAM, "explain", "--batch", "--verbose"], input="\n".join(lines).encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(answers) == len(questions)
    wrong = []
    for (symptoms, text), answer in zip(questions, answers):
        instead = what_is_wrong(symptoms, answer)
        if instead:
            wrong.append(f"{symptoms}, but {instead} ({answer['answer']}): {text!r}")
    listed = subprocess.run([PROGRAM, "kb", "list", "--json"], capture_output=True, check=True)
    known = {row["cause"] for row in json.loads(listed.stdout) if row["kind"] == "symptom"}
    wrong += [f"no sentence for {name}" for name in known - {one for symptoms, _ in questions for one in symptoms.split("|")}]
    print("\n".join(wrong))
    print(f"{len(questions) - len(wrong)} of {len(questions)} texts, {len(known)} symptoms")
    return 1 if wrong or not known else 0


if __name__ == "__main__":
    sys.exit(main())
