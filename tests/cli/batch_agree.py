#!/usr/bin/env python3
"""Compare explain --batch with a run of explain for each of its lines.

The texts are the logs of tests/explain and the texts of tests/answers. The batch
is asked in two orders, so that nothing of one log may be left for another. Of
the runs of their own, which cost 20 ms each, every third is made.
"""
import json
import os
import pathlib
import random
import subprocess
import sys

PROGRAM = os.environ["ROCSTEADY"]
SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
EVERY = 3


def lines():
    facts = {"gfx": "gfx1100", "rocm": "6.2.0", "torch": "2.4.0+rocm6.1", "env_vars": {"HSA_OVERRIDE_GFX_VERSION": "10.3.0"}}
    for path in sorted((SOURCE / "tests/explain").glob("*.log")):
        yield {"id": path.name, "path": str(path)}
    for number, line in enumerate((SOURCE / "tests/answers/texts.jsonl").read_text().splitlines()):
        text = json.loads(line)["text"]
        yield {"id": number, "log": text, **({"facts": facts} if number % 10 == 0 else {})}
    yield {"id": "empty", "log": ""}


def run(words, text):
    done = subprocess.run([PROGRAM, "explain", *words], input=text, capture_output=True, timeout=600)
    if done.returncode > 3 or done.stderr:
        raise SystemExit(f"{words}: status {done.returncode}: {done.stderr.decode()}")
    return done


def batch(records):
    done = run(["--batch"], "".join(json.dumps(r) + "\n" for r in records).encode())
    if done.returncode != 0:
        raise SystemExit(f"--batch ended with {done.returncode}")
    answers = done.stdout.splitlines(keepends=True)
    if len(answers) != len(records):
        raise SystemExit(f"{len(answers)} answers to {len(records)} lines")
    return {r["id"]: answer for r, answer in zip(records, answers)}


def single(record):
    words = ["--no-machine", "--json"]
    if "facts" in record:
        pathlib.Path("facts").write_text(json.dumps(record["facts"]))
        words += ["--facts", "facts"]
    if "path" in record:
        return run([*words, record["path"]], b"").stdout
    return run(words, record["log"].encode()).stdout


def main():
    records = list(lines())
    first = batch(records)
    random.Random(19).shuffle(records)
    second = batch(records)
    wrong = 0
    for number, record in enumerate(records):
        key = record["id"]
        if first[key] != second[key]:
            wrong += 1
            print(f"{key}: another answer in another order")
        if number % EVERY == 0:
            own = b'{"id": ' + json.dumps(key).encode() + b", " + single(record)[1:]
            if own != first[key]:
                wrong += 1
                print(f"{key}: the batch says\n{first[key]!r}\nand a run of its own\n{own!r}")
    print(f"{len(records)} lines, {wrong} wrong")
    return wrong > 0 or len(records) < 300


if __name__ == "__main__":
    sys.exit(main())
