#!/usr/bin/env python3
"""A true fact beside a text never makes its answer worse.

Each text of texts.jsonl that was written for it is explained alone, then with each fact and each pair of facts, the
pair in both orders. Most of those texts are of no GPU (own code, installers, disk, network) and go with any of them.

Held: what is right alone is right with the facts; a text that no cause fits gets none by a fact, and keeps its first
step; a healthy log stays healthy; the order of facts changes nothing. EXCEPT has what a fact contradicts.
"""
import json
import os
import subprocess
import sys

import texts

FACTS = [{"gpu": "RX 7900 XTX"}, {"gpu": "MI300X"}, {"gpu_count": "2"}, {"rocm": "6.2.4"}, {"kernel": "6.8.0-45-generic"},
         {"framework": "pytorch"}, {"os": "Ubuntu 24.04"}]
PAIRS = [{"gpu": "RX 7900 XTX", "gpu_count": "2"}, {"rocm": "6.2.4", "framework": "pytorch"}]
EXCEPT = {
    ("oom-llama-cpp-apu", "gpu"): "the text is of an APU, and these are cards",
    ("cuda-oom", "gpu: MI300X"): "its 24 GiB are an eighth of that card, and none of the other",
    ("oom-beyond-gpu", "gpu: MI300X"): "the same",
    ("torch-oom-broken-lines", "gpu: MI300X"): "the same",
    ("cpu-job-lists-cpu", "gpu"): "a GPU that the job does not see is worth a word; without one the job is as it was meant",
}


def turned(facts):
    return dict(reversed(facts.items()))


def ask(asked):
    """The answers to (text, facts), in order."""
    lines = [json.dumps({"id": n, "log": text["text"], "facts": facts}) for n, (text, facts) in enumerate(asked)]
    done = subprocess.run([texts.PROGRAM, "explain", "--batch", "--verbose"], input="\n".join(lines).encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(answers) == len(asked)
    for answer in answers:
        assert "error" not in answer, answer
        del answer["id"]
    return answers


def rank(text, answer):
    """How good the answer is: more is better."""
    if text["kind"] == "healthy":
        return answer["answer"] == "nothing"
    if answer["answer"] == "nothing" or text.get("causes") is None:
        return answer["answer"] != "nothing"
    return 4 - next((among for among in (1, 2, 3) if texts.right_cause(text, answer, among)), 3.5)


def complaints(text, facts, alone, answer):
    if any((text["name"], key) in EXCEPT for name, value in facts.items() for key in (name, f"{name}: {value}")):
        return
    if rank(text, answer) < rank(text, alone):
        yield "worse"
    if text.get("causes") == [] and alone["answer"] == "not-recognised" and texts.first_steps(answer)[:1] != texts.first_steps(alone)[:1]:
        yield "another first step"


def versions_told():
    """Versions of several packages in one value: those that do not fit are the cause, and those that do are not."""
    text = {"text": "torchaudio import crashes with a segmentation fault\n"}
    told = {"torch 2.7.1, torchaudio 2.8.0a0 (rocm7.0.0rc)": True, "torch 2.8.0, torchaudio 2.8.0": False, "2.7.1": False}
    for (value, wrong), answer in zip(told.items(), ask([(text, {"framework_version": value}) for value in told])):
        named = [cause["cause"] for cause in answer["causes"]][:1]
        assert (named == ["companion-package-mismatch"]) == wrong, (value, named)


def main():
    versions_told()
    with open(os.path.join(os.path.dirname(__file__), "texts.jsonl"), encoding="utf-8") as file:
        all_texts = [t for t in map(json.loads, file) if t["kind"] != "thread"]
    with_facts = [{}, *FACTS, *PAIRS, *map(turned, PAIRS)]
    asked = [(t, facts) for t in all_texts for facts in with_facts]
    answers = dict(zip(((t["name"], json.dumps(facts)) for t, facts in asked), ask(asked)))
    wrong = []
    for text, facts in asked:
        answer, other = (answers[text["name"], json.dumps(f)] for f in (facts, turned(facts)))
        wrong += [(what, text["name"], facts) for what in complaints(text, facts, answers[text["name"], "{}"], answer)]
        wrong += [("the order matters", text["name"], facts)] * (other != answer)
    for what, name, facts in wrong:
        print(f"FAIL {name} with {facts}: {what}")
    unused = {name for name, _ in EXCEPT} - {t["name"] for t in all_texts}
    assert not unused, f"no such text: {unused}"
    assert len(asked) >= 3000, len(asked)
    print(f"{len(asked)} answers to {len(all_texts)} texts, {len(wrong)} worse by a fact")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
