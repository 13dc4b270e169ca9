#!/usr/bin/env python3
"""Run what bench/explain/run has prepared in a directory, print the figures; exit 1 over a limit.

usage: measure.py WORK PROGRAM ROUNDS

The commands of one log take turns, and of each the least processor time counts:
all of them use one thread, and what else runs on the machine can only add to it.
"""
import os
import pathlib
import subprocess
import sys
import time

PREFILTER = "reading and prefilter alone"
RG, VECTOR = "rg -f patterns", "Vectorscan, patterns"


def commands(work, program, log):
    rows = {
        "rocsteady explain": [program, "explain", "--no-machine", log],
        PREFILTER: [work / "prefilter", work / "literals", log],
        "cat": ["cat", log],
        RG: ["rg", "-a", "--no-unicode", "-c", "-f", work / "patterns", log],
        "rg -F -f literals": ["rg", "-a", "--no-unicode", "-c", "-F", "-f", work / "literals", log],
    }
    if (work / "vector").exists():
        rows["Vectorscan, literals"] = [work / "vector", "literals", work / "literals", log]
        rows[VECTOR] = [work / "vector", "patterns", work / "patterns", log]
    return rows


def once(command):
    begin = time.monotonic()
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return {"cpu": usage.ru_utime + usage.ru_stime, "wall": time.monotonic() - begin, "mb": usage.ru_maxrss / 1024}


def least(rows, rounds):
    best = {}
    for _ in range(rounds):
        for name, command in rows.items():
            got = once(command)
            old = best.get(name, got)
            best[name] = {"cpu": min(old["cpu"], got["cpu"]), "wall": min(old["wall"], got["wall"]), "mb": max(old["mb"], got["mb"])}
    return best


def measure(work, program, kind, rounds):
    log = work / f"{kind}.log"
    size = log.stat().st_size / 2**20
    once(["cat", log])
    best = least(commands(work, program, log), rounds)
    ours = best["rocsteady explain"]
    print(f"| {kind}, {size:.0f} MiB | cpu s | MiB/s | wall s | MB | times ours |\n|---|--:|--:|--:|--:|--:|")
    for name, row in best.items():
        print(f"| {name} | {row['cpu']:.3f} | {size / row['cpu']:.0f} | {row['wall']:.3f} | {row['mb']:.1f} | {row['cpu'] / ours['cpu']:.2f} |")
    print(flush=True)
    if best[PREFILTER]["cpu"] / ours["cpu"] < 0.8 and kind == "training":
        yield f"{kind}: {best[PREFILTER]['cpu'] / ours['cpu']:.2f} of reading and prefilter, not 0.8"
    if best[RG]["cpu"] / ours["cpu"] < 3:
        yield f"{kind}: {best[RG]['cpu'] / ours['cpu']:.1f} times rg, not 3"
    if VECTOR in best and best[VECTOR]["cpu"] < ours["cpu"]:
        yield f"{kind}: behind Vectorscan with patterns"
    if ours["mb"] > 64:
        yield f"{kind}: {ours['mb']:.0f} MB"


def main():
    work, program, rounds = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    bad = []
    for kind in ("training", "matching", "flood"):
        bad += measure(work, program, kind, rounds)
    small = least({"small": [program, "explain", "--no-machine", work / "small.log"]}, 40)["small"]
    print(f"a traceback of 2 kB: {small['cpu'] * 1000:.1f} ms of processor, {small['wall'] * 1000:.1f} ms in all, {small['mb']:.1f} MB")
    line = once([program, "explain", "--no-machine", work / "line.log"])
    print(f"{(work / 'line.log').stat().st_size / 2**20:.0f} MiB without a newline: {line['cpu']:.2f} s, {line['mb']:.1f} MB")
    if small["cpu"] > 0.015:
        bad.append("a traceback takes more than 15 ms")
    if line["mb"] > 64:
        bad.append(f"without a newline: {line['mb']:.0f} MB")
    print("".join(f"LIMIT {what}\n" for what in bad), end="")
    return 1 if bad else 0


sys.exit(main())
