#!/usr/bin/env python3
"""Words alone bring neither a cause nor a repair; where something fails, they do.

    words.py SOURCE KB.DB

Asked one by one: every example and near miss of signatures that are harmless or context, every distinct line of
tests/logs/healthy, and sentences of success from the words by which reports are compared (kb.report_word). A sentence of
success gets no cause and no repair. Of the others one that gets either has a failure in it, a known error or warning, or
states a fact that the rules of `check` judge (a command, a variable). The other way round, people's complaints get a
cause or symptom, and steps.
"""
import json
import os
import pathlib
import sqlite3
import subprocess
import sys

import yaml

SUCCESS = (
    "amdgpu: {0} {1} test passed",
    "RCCL: {0} {1} matches, all ranks found",
    "rocm: {0} {1} {2} ... ok",
    "{0} {1} check succeeded on gfx1100",
    "The {0} of the {1} with ROCm was a success",
)
# Nothing fails in these either.
CALM = (
    "amdgpu: ring buffer test passed",
    "RCCL: ring topology matches, all ranks found",
    "hsa-foo: hive key matches (0x12 == 0x12)",
    "torch runs well on rocm with my gfx1100",
    "Does faster whisper support AMD GPUs?",
    "ROCm triton commit pin update",
    "amdgpu: error injection test passed",
    "checking rocBLAS for timeout and abort ... ok",
)
COMPLAINTS = (
    "ollama crashes on my RX 6600",
    "ollama crashes on the RX 6600 with ROCm",
    "GPU not detected",
    "ComfyUI very slow on RX 7600",
    "ROCM + triton build broken",
    "/dev/kfd has the wrong permissions",
    "whisper-cpp: ROCm/HIP GPU never used at runtime",
    "Tensorflow ROCM getting wrong version",
    "Linux native packages do not register /opt/rocm/lib with the dynamic loader",
    "ROCm only seeing 15.5GB instead of allocated VRAM on Strix Halo (gfx1151)",
    "llama.cpp outputs garbage on gfx1100",
    "flash attention unavailable on gfx1100 with torch 2.9",
    "vllm hangs at startup on two MI300X with ROCm 7",
    "the amdgpu driver freezes my desktop whenever torch starts",
)
# What stands about a complaint in a report: none of it makes the report fine.
AROUND = (
    "{}, no error\n",
    "{}, without any error\n[INFO] Compiling model with torch.compile(mode=\"max-autotune\")...\n",
    "{}: cannot tell why, nothing failed\nloading the model\n",
    "[INFO] loading the model\n{}, no error\n\nhello\n",
)
LEAST = {"example": 300, "near": 250, "healthy": 1000, "success": 2500}
BY_CHANCE = 10  # sentences of success whose words are by chance a known line


def examples(source):
    for path in sorted((source / "kb/signatures").glob("*.yaml")):
        for entry in yaml.load(path.read_text(), Loader=yaml.CSafeLoader)["list"]:
            if entry["kind"] in ("harmless", "context"):
                yield from (("example", text) for text in entry.get("examples", []))
                yield from (("near", text) for text in entry.get("near", []))


def healthy_lines(source):
    lines = {}
    for path in sorted((source / "tests/logs/healthy").iterdir()):
        lines.update(dict.fromkeys(path.read_text(errors="replace").splitlines()))
    return [("healthy", line) for line in lines if line.strip()]


def sentences(words):
    """Each word once, with others from elsewhere in the list."""
    for at, word in enumerate(words):
        others = words[(at * 7 + 3) % len(words)], words[(at * 13 + 5) % len(words)]
        yield "success", SUCCESS[at % len(SUCCESS)].format(word, *others)


def ask(texts):
    lines = "".join(json.dumps({"id": at, "log": text}) + "\n" for at, text in enumerate(texts))
    program = [os.environ["ROCSTEADY"], "explain", "--no-machine", "--batch", "--verbose"]
    done = subprocess.run(program, input=lines.encode(), capture_output=True, check=False)
    answers = {a["id"]: a for a in map(json.loads, done.stdout.splitlines())}
    return [answers[at] for at in range(len(texts))]


def is_helped(answer):
    return answer["answer"] not in ("nothing", "not-recognised") or any(s["remedy"] or s["cure"] for s in answer["steps"])


def fails(answer):
    """Whether the answer rests on more than words: see above."""
    signatures = {e["signature"] for e in answer["events"]}
    known = any(e["kind"] in ("failure", "warning", "hint") for e in answer["events"])
    judged = any(e["counted"] > 0 and e["id"] not in signatures for c in answer["causes"][:1] for e in c["evidence"])
    return (answer["ending"] or {}).get("failed") or known or (judged and answer["answer"] in ("certain", "likely"))


def main():
    source, database = pathlib.Path(sys.argv[1]), sys.argv[2]
    words = [word for (word,) in sqlite3.connect(database).execute("SELECT word FROM report_word ORDER BY word")]
    texts = [*examples(source), *healthy_lines(source), *sentences(words), *(("success", text) for text in CALM)]
    wrong, count, chance = [], dict.fromkeys(LEAST, 0), 0
    for (kind, text), answer in zip(texts, ask([text for _, text in texts])):
        count[kind] += 1
        if is_helped(answer) and kind == "success" and answer["events"]:
            chance += 1
        elif is_helped(answer) and (kind == "success" or not fails(answer)):
            wrong.append(f"{kind}: {[c['cause'] for c in answer['causes'][:2]]} by words alone: {text}")
    for text, answer in zip(COMPLAINTS, ask(COMPLAINTS)):
        named = answer["causes"] or answer["symptom"]
        if answer["answer"] == "nothing" or not named or not any(s["remedy"] for s in answer["steps"]):
            wrong.append(f"a complaint without cause and step: {text}")
    reports = [around.format(text) for text in COMPLAINTS for around in AROUND]
    wrong += [f"a complaint is ok: {text!r}" for text, answer in zip(reports, ask(reports)) if answer["answer"] == "nothing"]
    if chance > BY_CHANCE:
        wrong.append(f"{chance} sentences of success are known lines")
    wrong += [f"only {count[kind]} of {kind}" for kind in LEAST if count[kind] < LEAST[kind]]
    print("\n".join(wrong + [f"{count}, {chance} by chance, {len(COMPLAINTS)} complaints, {len(reports)} reports of them, {len(wrong)} wrong"]))
    return 1 if wrong else 0


sys.exit(main())
