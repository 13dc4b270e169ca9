"""Print the figures that bench/check/run left in a directory; exit 1 over a limit."""

import json
import pathlib
import sys

LIMITS_MS = {"replay": 40, "live": 50, "large": 60}
RSS_MB = 25

ROWS = {
    "facts": "facts --from, for comparison",
    "embedded": "check --from, own knowledge",
    "replay": "check --from, many causes",
    "no-gates": "the same without gates",
    "live": "check --host-root, many causes",
    "large": "check --from 1 MB, many causes",
}


def read(work, name):
    result = json.loads((work / f"{name}.json").read_text())["results"][0]
    rss = (work / f"{name}.rss").read_text().split()[-1]
    return {
        "min": result["min"] * 1000,
        "median": result["median"] * 1000,
        "cpu": (result["user"] + result["system"]) * 1000,
        "rss": int(rss) / 1024,
    }


def main():
    work, causes = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    rows = {name: read(work, name) for name in ROWS}
    print((work / "many.txt").read_text() + "1 MB: " + (work / "large.txt").read_text())
    print(f"{'':32} {'min ms':>8} {'median':>8} {'cpu ms':>8} {'rss MB':>8}")
    for name, title in ROWS.items():
        print(f"{title:32} " + " ".join(f"{rows[name][key]:8.1f}" for key in ("min", "median", "cpu", "rss")))
    many, bare = (json.loads((work / f"{kb}.cost").read_text()) for kb in ("many", "no-gates"))
    print(f"\nprepared of {many['statements']} statements: {many['prepared']}, without gates {bare['prepared']}")
    print(f"a cause costs {(rows['replay']['min'] - rows['facts']['min']) / causes * 1000:.0f} us, "
          f"gates save {rows['no-gates']['min'] - rows['replay']['min']:.1f} ms")
    over = [f"{name}: {rows[name]['min']:.1f} ms, more than {most}"
            for name, most in LIMITS_MS.items() if rows[name]["min"] > most]
    over += [f"{name}: {row['rss']:.1f} MB, more than {RSS_MB}" for name, row in rows.items() if row["rss"] > RSS_MB]
    print("\n".join(over) or "within the limits")
    return 1 if over else 0


sys.exit(main())
