#!/usr/bin/env python3
"""Texts that people hand to `rocsteady explain`, and the answer that each must get.

texts.jsonl has one a line:

    name, text
    kind    thread (a failure from a public thread that the knowledge does not cite), broken (written here: own
            code, scheduler, installers, compilers, disk, network), healthy (noisy, and nothing is wrong)
    url     the thread
    causes  any of these as the first cause is right; an empty list: no cause of ours, so "not recognised" is right
    origin  "not recognised" with this origin is right as well
    step    a regular expression for the step that helps; one of the first three must match
    miss    why the program is wrong here today: counted apart, and an error as soon as it is right

Held without exception: no failure is told ok, no healthy text alarms (exit status 2 or 3), every answer but ok has a
step. Counted: right causes and right steps, which may rise and not fall (FLOOR).
"""
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PROGRAM = os.environ.get("ROCSTEADY") or str(pathlib.Path(__file__).resolve().parents[2] / "build" / "rocsteady")
FLOOR = {
    "thread": {"first": 83, "three": 85, "step": 78},
    "broken": {"first": 199, "step": 194},
}
LEAST = 55  # texts of each kind


def ask(text):
    program = [PROGRAM, "explain", "--no-machine", "--json", "--verbose", "-"]
    done = subprocess.run(program, input=text.encode(), capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}


def first_steps(answer):
    """Title and commands of the first three steps, as a person reads them."""
    named = [*answer["causes"], *filter(None, [answer["family"]])]
    details = {r["id"]: r["steps"] for n in named for r in n["remedies"]}
    return ["\n".join((s["title"], s["command"] or "", s.get("steps") or details.get(s["remedy"]) or "")) for s in answer["steps"][:3]]


def right_cause(text, answer, among):
    if answer["answer"] == "not-recognised":
        origin = (answer["ending"] or {}).get("origin")
        if not text["causes"] or text.get("origin") == origin:
            return True
    return any(c["cause"] in text["causes"] for c in answer["causes"][:among])


def judge(text):
    """What is wrong with the answer, and what is right of what is counted."""
    status, answer = ask(text["text"])
    assert status in (0, 2, 3), f"{text['name']}: exit status {status}"
    assert (status == 0) == (answer["answer"] == "nothing"), text["name"]
    wrong, right = set(), set()
    if (text["kind"] == "healthy") != (status == 0):
        wrong.add("alarm" if status else "ok")
    steps = first_steps(answer)
    if status and not steps:
        wrong.add("stepless")
    if text.get("causes") is not None:
        right |= {word for word, among in (("first", 1), ("three", 3)) if right_cause(text, answer, among)}
    if "step" in text and any(re.search(text["step"], step) for step in steps):
        right.add("step")
    return wrong, right


def count(texts, judged):
    """The right answers of each kind against the floor. False if there are fewer."""
    held = True
    for kind, floors in FLOOR.items():
        of_kind = [(t, right) for t, (_, right) in zip(texts, judged) if t["kind"] == kind]
        for word, floor in floors.items():
            asked = [right for t, right in of_kind if t.get("step" if word == "step" else "causes") is not None]
            found = sum(word in right for right in asked)
            print(f"{kind}: right {word}: {found} of {len(asked)}, at least {floor}")
            held &= found >= floor
    return held


def main():
    texts = [json.loads(line) for line in (pathlib.Path(__file__).parent / "texts.jsonl").open(encoding="utf-8")]
    assert len({t["name"] for t in texts}) == len(texts)
    for kind in ("thread", "broken", "healthy"):
        assert sum(t["kind"] == kind for t in texts) >= LEAST, kind
    assert all(("url" in t) or t["kind"] != "thread" for t in texts)
    with ThreadPoolExecutor(2) as pool:
        judged = list(pool.map(judge, texts))
    held = count(texts, judged)
    for word, says in (("ok", "failures told ok"), ("alarm", "healthy and alarmed"), ("stepless", "without a step")):
        found = [t["name"] for t, (wrong, _) in zip(texts, judged) if word in wrong and "miss" not in t]
        print(f"{says}: {len(found)} {' '.join(found)}")
        held &= not found
    misses = [(t["name"], bool(wrong)) for t, (wrong, _) in zip(texts, judged) if "miss" in t]
    print(f"known misses: {len(misses)} {' '.join(name for name, _ in misses)}")
    mended = [name for name, still in misses if not still]
    if mended:
        print(f"no longer a miss, so take the mark away: {' '.join(mended)}")
    if "--list" in sys.argv:
        for text, (_, right) in zip(texts, judged):
            asked = {word for word, key in (("first", "causes"), ("step", "step")) if text.get(key) is not None}
            lost = asked - right
            if lost:
                print(f"{text['kind']} {text['name']}: not the right {', '.join(sorted(lost))}")
    return 0 if held and not mended else 1


if __name__ == "__main__":
    sys.exit(main())
