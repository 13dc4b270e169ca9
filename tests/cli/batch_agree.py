#!/usr/bin/env python3
"""Compare explain --batch with a run of explain for each of its lines.

The texts are the logs of tests/explain, the texts of tests/answers and the logs
of good jobs. The batch is asked in two orders, in one of which lines that get no
answer stand between the others, so that nothing of one log may be left for
another. Of the runs of their own, which cost 10 ms each, every third is made
(BATCH_EVERY). At last one process answers all of them again and again: it must
not grow.
"""
import json
import os
import pathlib
import random
import subprocess
import sys

PROGRAM = os.environ["ROCSTEADY"]
SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
SANITIZED_EVERY = int(os.environ.get("ROCSTEADY_TEST_EVERY", "1"))
EVERY = int(os.environ.get("BATCH_EVERY", "3")) * SANITIZED_EVERY
BROKEN = ('{"id": 1', '{"id": 1, "path": "nowhere"}', '{"id": 1, "path": "/proc/self/exe"}', '{"id": 1, "log": 5}', "[7]", "[]x")
GROWTH_KIB = 512  # of malloc, which does not give back every page
SANITIZED = b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()


def lines():
    facts = {"gfx": "gfx1100", "rocm": "6.2.0", "torch": "2.4.0+rocm6.1", "env_vars": {"HSA_OVERRIDE_GFX_VERSION": "10.3.0"}}
    for path in sorted((SOURCE / "tests/explain").glob("*.log")):
        yield {"id": path.name, "path": str(path)}
    for number, line in enumerate((SOURCE / "tests/answers/texts.jsonl").read_text().splitlines()):
        text = json.loads(line)["text"]
        yield {"id": number, "log": text, **({"facts": facts} if number % 10 == 0 else {})}
    for path in sorted((SOURCE / "tests/logs/healthy").glob("*.log")):
        yield {"id": f"healthy {path.name}", "path": str(path)}
    yield {"id": "empty", "log": ""}
    yield {"id": "nothing known", "log": "epoch 1 loss 0.5\nepoch 2 loss 0.4\n"}
    yield {"id": "nothing known, and facts", "log": "epoch 1 loss 0.5\nepoch 2 loss 0.4\n", "facts": facts}
    yield {"id": "unknown error", "log": "epoch 1 loss 0.5\nFrobnicationError: no\n"}
    yield {"id": "cut", "log": 'Traceback (most recent call last):\n  File "train.py", line 1, in main\n'}


def run(words, text):
    done = subprocess.run([PROGRAM, "explain", *words], input=text, capture_output=True, timeout=600)
    if done.returncode > 3 or done.stderr:
        raise SystemExit(f"{words}: status {done.returncode}: {done.stderr.decode()}")
    return done


def batch(records, broken=()):
    """The answer to each record, with a line without one behind every second."""
    asked = []
    for number, record in enumerate(records):
        asked.append(json.dumps(record))
        if broken and number % 2:
            asked.append(broken[number // 2 % len(broken)])
    done = run(["--batch", "--verbose"], "".join(line + "\n" for line in asked).encode())
    answers = [line for line in done.stdout.splitlines(keepends=True) if b', "error": ' not in line[:120]]
    if done.returncode != 0 or len(done.stdout.splitlines()) != len(asked) or len(answers) != len(records):
        raise SystemExit(f"--batch ended with {done.returncode}, {len(answers)} answers to {len(records)} lines")
    return {r["id"]: answer for r, answer in zip(records, answers)}


def single(record):
    words = ["--no-machine", "--json", "--verbose"]
    if "facts" in record:
        pathlib.Path("facts").write_text(json.dumps(record["facts"]))
        words += ["--facts", "facts"]
    if "path" in record:
        return run([*words, record["path"]], b"").stdout
    return run(words, record["log"].encode()).stdout


def rounds(records, count):
    """The memory of one process, in KiB, after each round through all records."""
    process = subprocess.Popen([PROGRAM, "explain", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    status = pathlib.Path(f"/proc/{process.pid}/status")
    for _ in range(count):
        for record in records:
            process.stdin.write(json.dumps(record).encode() + b"\n")
            process.stdin.flush()
            process.stdout.readline()
        yield next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
    process.stdin.close()
    process.wait()


def main():
    records = list(lines())
    first = batch(records)
    random.Random(19).shuffle(records)
    second = batch(records, BROKEN)
    wrong = 0
    for number, record in enumerate(records):
        key = record["id"]
        if first[key] != second[key]:
            wrong += 1
            print(f"{key}: another answer in another order")
        if number % EVERY == 0 or isinstance(key, str) and number % SANITIZED_EVERY == 0:
            own = b'{"id": ' + json.dumps(key).encode() + b", " + single(record)[1:]
            if own != first[key]:
                wrong += 1
                print(f"{key}: the batch says\n{first[key]!r}\nand a run of its own\n{own!r}")
    sizes = [] if SANITIZED else list(rounds(records, 4))
    if sizes and sizes[-1] > sizes[1] + GROWTH_KIB:
        wrong += 1
        print(f"KiB after each round: {sizes}")
    print(f"{len(records)} lines, {wrong} wrong")
    return wrong > 0 or len(records) < 300


if __name__ == "__main__":
    sys.exit(main())
