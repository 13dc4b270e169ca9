#!/usr/bin/env python3
"""Texts that people hand to `rocsteady explain`, and the kind of answer that each must get.

texts.jsonl has one a line: name, kind (broken, healthy), text. Three figures are printed and
held: no broken text is ok, no healthy one alarms (exit status 2 or 3), and every answer but ok
has a step.
"""
import json
import os
import pathlib
import subprocess
import sys


def ask(text):
    program = [os.environ["ROCSTEADY"], "explain", "--no-machine", "--json", "-"]
    done = subprocess.run(program, input=text.encode(), capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}


def has_step(answer):
    return bool(answer.get("steps")) or bool((answer.get("ending") or {}).get("step"))


def main():
    texts = [json.loads(line) for line in (pathlib.Path(__file__).parent / "texts.jsonl").open(encoding="utf-8")]
    broken = [t for t in texts if t["kind"] == "broken"]
    healthy = [t for t in texts if t["kind"] == "healthy"]
    assert len(broken) >= 50 and len(healthy) >= 50 and len(broken) + len(healthy) == len(texts)
    assert len({t["name"] for t in texts}) == len(texts)
    clear, alarms, stepless = [], [], []
    for t in texts:
        status, answer = ask(t["text"])
        assert status in (0, 2, 3), f"{t['name']}: exit status {status}"
        assert (status == 0) == (answer["answer"] == "nothing"), t["name"]
        if t["kind"] == "broken" and status == 0:
            clear.append(t["name"])
        if t["kind"] == "healthy" and status != 0:
            alarms.append(f"{t['name']} ({answer['answer']})")
        if status != 0 and not has_step(answer):
            stepless.append(t["name"])
    print(f"broken and told ok: {len(clear)} of {len(broken)} {' '.join(clear)}")
    print(f"healthy and alarmed: {len(alarms)} of {len(healthy)} {' '.join(alarms)}")
    print(f"without a step: {len(stepless)} {' '.join(stepless)}")
    return 1 if clear or alarms or stepless else 0


if __name__ == "__main__":
    sys.exit(main())
