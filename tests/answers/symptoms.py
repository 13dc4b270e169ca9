#!/usr/bin/env python3
"""What people see where no program says why is named, and beside words alone nobody is alarmed.

Each sentence of symptoms.tsv is explained alone, behind lines of a log, and in an issue form. A line that tells of
nothing that failed is explained alone and within a log of a job that works. Every symptom of the knowledge has
sentences, and each answer a step.
"""
import json
import os
import pathlib
import subprocess
import sys

PROGRAM = os.environ["ROCSTEADY"]
HERE = pathlib.Path(__file__).parent
LOG = "[INFO] loading the model\n[INFO] using 2 processes\n{}\n"
FORM = "### What happened?\n\n{}\n\n### GPU\n\nRX 7900 XTX\n"
WORKS = "".join(f"Epoch 1/3, step {n}/900, loss {2 - n / 900:.3f}\n" for n in range(1, 8)) + "{}\n" + \
        "".join(f"Epoch 1/3, step {n}/900, loss {2 - n / 900:.3f}\n" for n in range(8, 16))


def asked():
    for line in (HERE / "symptoms.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            symptom, text = line.split("\t")
            for form in ("{}\n", LOG, FORM) if symptom != "-" else ("{}\n", WORKS):
                yield symptom, form.format(text)


def main():
    questions = list(asked())
    lines = [json.dumps({"id": n, "log": text, "facts": {}}) for n, (_, text) in enumerate(questions)]
    done = subprocess.run([PROGRAM, "explain", "--batch"], input="\n".join(lines).encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(answers) == len(questions)
    wrong = []
    for (symptom, text), answer in zip(questions, answers):
        named = answer["symptom"] or "-"
        starts = bool(answer["first_look"] or answer["steps"])
        if named != symptom or (symptom != "-" and (answer["answer"] != "undecided" or not starts)):
            wrong.append(f"{symptom}, but {named} ({answer['answer']}): {text!r}")
    listed = subprocess.run([PROGRAM, "kb", "list", "--json"], capture_output=True, check=True)
    known = {row["cause"] for row in json.loads(listed.stdout) if row["kind"] == "symptom"}
    wrong += [f"no sentence for {name}" for name in known - {symptom for symptom, _ in questions}]
    print("\n".join(wrong))
    print(f"{len(questions) - len(wrong)} of {len(questions)} texts, {len(known)} symptoms")
    return 1 if wrong or not known else 0


if __name__ == "__main__":
    sys.exit(main())
