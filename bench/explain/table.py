#!/usr/bin/env python3
"""Print the figures that bench/explain/run left in a directory; exit 1 over a limit."""
import json
import pathlib
import sys

NAMES = {
    "ours": "rocsteady explain",
    "prefilter": "reading and prefilter alone",
    "read": "cat",
    "rg": "rg -f patterns",
    "rg-literals": "rg -F -f literals",
    "vector-literals": "Vectorscan, literals",
    "vector": "Vectorscan, patterns",
}


def read(work, name):
    file = work / f"{name}.json"
    if not file.exists():
        return None
    best = json.loads(file.read_text())["results"][0]
    return {"s": best["min"], "cpu": best["user"] + best["system"], "mb": int((work / f"{name}.rss").read_text().split()[-1]) / 1024}


def main():
    work, size = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    bad = []
    for kind in ("training", "matching"):
        rows = {name: read(work, f"{kind}-{name}") for name in NAMES}
        print(f"{kind} log, {size / 2**20:.0f} MiB{'':14} {'min s':>8} {'MiB/s':>8} {'cpu s':>8} {'rss MB':>8} {'ours is':>9}")
        for name, row in rows.items():
            if row:
                print(f"  {NAMES[name]:36} {row['s']:8.3f} {size / 2**20 / row['s']:8.0f} {row['cpu']:8.3f} {row['mb']:8.1f} "
                      f"{row['s'] / rows['ours']['s']:8.2f}x")
        ours = rows["ours"]
        if kind == "training" and rows["prefilter"]["s"] / ours["s"] < 0.8:
            bad.append("training: below 0.8 of reading and prefilter")
        if rows["rg"]["s"] / ours["s"] < 3:
            bad.append(f"{kind}: not 3 times rg")
        if rows["vector"] and rows["vector"]["s"] < ours["s"]:
            bad.append(f"{kind}: behind Vectorscan with patterns")
        if ours["mb"] > 64:
            bad.append(f"{kind}: {ours['mb']:.0f} MB")
    small = read(work, "small")
    print(f"a traceback of 2 kB: {small['s'] * 1000:.1f} ms, {small['mb']:.1f} MB")
    if small["s"] > 0.015:
        bad.append("a traceback takes more than 15 ms")
    print("\n".join(f"LIMIT {line}" for line in bad))
    return 1 if bad else 0


sys.exit(main())
