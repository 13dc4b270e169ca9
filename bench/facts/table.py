"""Print the figures that bench/facts/run left in a directory; exit 1 over a limit."""

import json
import pathlib
import sys

WALL_MS = 30
RSS_MB = 20

ROWS = {
    "facts": "rocsteady facts --host-root",
    "replay": "rocsteady facts --from",
    "cat": "cat of the same files",
    "lscpu": "lscpu --sysroot",
    "rocminfo": "rocminfo (no GPU here)",
}


def read(work, name):
    path = work / f"{name}.json"
    if not path.exists():
        return None
    result = json.loads(path.read_text())["results"][0]
    rss = (work / f"{name}.rss").read_text().split()[-1]
    return {
        "min": result["min"] * 1000,
        "median": result["median"] * 1000,
        "cpu": (result["user"] + result["system"]) * 1000,
        "rss": int(rss) / 1024,
        "failed": any(result["exit_codes"]),
    }


def main():
    work = pathlib.Path(sys.argv[1])
    rows = {name: read(work, name) for name in ROWS}
    facts = rows["facts"]
    if not facts or facts["failed"]:
        sys.exit("bench/facts: rocsteady facts did not run")
    print(f"{sys.argv[2]} files read\n")
    print(f"{'':28} {'min ms':>8} {'median':>8} {'cpu ms':>8} {'rss MB':>8} {'facts is':>9}")
    for name, title in ROWS.items():
        row = rows[name]
        if not row:
            print(f"{title:28} not here")
            continue
        figures = " ".join(f"{row[key]:8.1f}" for key in ("min", "median", "cpu", "rss"))
        note = "  exits with an error" if row["failed"] else ""
        print(f"{title:28} {figures} {facts['min'] / row['min']:8.1f}x{note}")
    over = facts["min"] > WALL_MS or facts["rss"] > RSS_MB
    print(f"\n{'over' if over else 'within'} {WALL_MS} ms and {RSS_MB} MB")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
