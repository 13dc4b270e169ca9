#!/usr/bin/env python3
"""Five-fold cross-validation of `rocsteady explain` on labelled failures.

usage: crossval.py --program BUILD/rocsteady --kb BUILD/kb.db [--folds 5] [--json FILE] RECORDS.jsonl...

For each fold the numbers of belief and the shares of causes are fitted to the
other folds alone, every signature and defect whose sources are all threads of
the fold is taken out, and the program itself scores the fold with a kb.db made
so. What is pooled are its answers, not those of the model that was fitted.
"""
import argparse
import collections
import itertools
import json
import math
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import model  # noqa: E402

GRID = {
    "sharpness": (160, 180, 200, 220),
    "unknown": (-12, -10, -9, -7, -5),
    "bare": (5, 10),
}
DECIDED = (65, 70, 75)
SMOOTHING = 8  # records more that every cause is taken to have been seen in: shares stay near each other
SHARE_UNIT = 180  # shares are sums like others: they are sharpened too
BANDS = (("90-100", 0.9, 1.01), ("60-90", 0.6, 0.9), ("0-60", 0.0, 0.6))
THREAD = re.compile(r"([\w.-]+)(?:/(?:issues|pull|discussions)/|#)(\d+)")
RENAMED = {"rocm": "legacy-rocm-build"}
RULE_TABLES = (("defect", "id"), ("defect_when", "defect"), ("defect_signature", "defect"),
               ("defect_signature", "signature"), ("signature", "id"), ("literal", "signature"),
               ("suggests", "signature"), ("states", "signature"))


# ---- records and knowledge ----

def read_records(paths):
    return [json.loads(line) for path in paths for line in open(path) if line.strip()]


def threads_in(text):
    return {(RENAMED.get(repo.lower(), repo.lower()), number) for repo, number in THREAD.findall(text or "")}


def folds_of(records, count):
    """The same every time; each cause is spread over the folds."""
    order = sorted(records, key=lambda r: (r["cause"], r["id"]))
    return [order[i::count] for i in range(count)]


def known_shares(path):
    with sqlite3.connect(path) as db:
        return dict(db.execute("SELECT slug, share FROM cause WHERE kind = 'cause'"))


def known_numbers(path):
    with sqlite3.connect(path) as db:
        return dict(db.execute("SELECT name, value FROM belief"))


def is_only_from(refs, threads):
    """Every source is a thread, and one of these."""
    return bool(refs) and all(threads_in(ref) and threads_in(ref) <= threads for ref in refs)


def forget_threads(db, threads):
    """Signatures and defects that nothing but these threads speaks for. Returns their names."""
    sources = collections.defaultdict(list)
    for owner, ref in db.execute("SELECT owner, ref FROM source"):
        sources[owner].append(ref)
    names = [d for d, source in db.execute("SELECT id, source FROM defect")
             if is_only_from([source, *sources[d]], threads)]
    names += [s for (s,) in db.execute("SELECT id FROM signature") if is_only_from(sources[s], threads)]
    forget_rules(db, names)
    return names


def forget_rules(db, names):
    for name in names:
        for table, column in RULE_TABLES:
            db.execute(f"DELETE FROM {table} WHERE {column} = ?", (name,))


def make_kb(source, path, numbers, shares, threads):
    shutil.copy(source, path)
    db = sqlite3.connect(path)
    with db:
        for name, value in numbers.items():
            db.execute("UPDATE belief SET value = ? WHERE name = ?", (value, name))
        for slug, share in shares.items():
            db.execute("UPDATE cause SET share = ? WHERE slug = ?", (share, slug))
        gone = forget_threads(db, threads)
    db.close()
    return gone


def score(program, kb, records, work, more=()):
    path = work / "records.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    (work / "none").mkdir(exist_ok=True)
    done = subprocess.run([f"{program}-kb", "score", path, "--kb", kb, "--json", "--healthy", work / "none",
                           "--machines", work / "none", *more], capture_output=True, check=True)
    return json.loads(done.stdout)


# ---- fitting ----

def fit_shares(records, shares):
    """Logarithms of smoothed counts; causes that no failure of the corpus has keep theirs."""
    count = collections.Counter()
    for r in records:
        count[r["cause"]] += 1
        for other in set(r["cause2"]) - model.SYMPTOMS:
            count[other] += 0.5
    total = sum(count.values()) + SMOOTHING * len(shares)
    return {c: share if share < -14 else
            round(10 * math.log10((count[c] + SMOOTHING) / total) * 100 / SHARE_UNIT)
            for c, share in shares.items()}


def fit_numbers(records, shares, start):
    best = None
    for values in itertools.product(*GRID.values()):
        numbers = {**start, **dict(zip(GRID, values))}
        loss = sum(model.log_loss(r, numbers, shares) for r in records)
        if best is None or loss < best[0]:
            best = (loss, numbers)
    numbers = best[1]
    gains = {d: sum(model.judge(r, {**numbers, "decided": d}, shares)["gain"] for r in records) for d in DECIDED}
    return {**numbers, "decided": max(DECIDED, key=lambda d: gains[d])}


def check_model(records, numbers, shares):
    """The model that is fitted and the program must agree, or the fit is about something else."""
    for r in records:
        got, want = model.judge(r, numbers, shares)["belief"], r["named"][0]["belief"]
        if abs(got - want) > 0.002:
            raise SystemExit(f"crossval: {r['id']}: the model believes {got:.4f}, the program {want:.4f}")


# ---- figures ----

def wilson(hits, of):
    if of == 0:
        return 0.0, 1.0
    z, p = 1.96, hits / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def rate(name, flags):
    hits, of = sum(flags), len(flags)
    low, high = wilson(hits, of)
    return f"  {name:9} {100 * hits / max(1, of):5.1f} %  ({100 * low:4.1f}-{100 * high:5.1f})  {hits} of {of}"


def gain_of(record):
    return min(record["gain"].values())


def figures(title, records):
    gains = [gain_of(r) for r in records]
    mean = sum(gains) / max(1, len(gains))
    spread = math.sqrt(sum((g - mean) ** 2 for g in gains) / max(1, len(gains) - 1) / max(1, len(gains)))
    decided = [r for r in records if r["answer"] in ("likely", "certain")]
    return "\n".join([
        title, f"  gain      {mean:+.3f}   ({mean - 1.96 * spread:+.3f}-{mean + 1.96 * spread:+.3f})",
        rate("hit@1", [r["rank"] == 1 for r in records]), rate("hit@3", [r["rank"] > 0 for r in records]),
        rate("decided", [r in decided for r in records]), rate("right", [r["rank"] == 1 for r in decided])])


def calibration(records):
    out = ["calibration"]
    for name, low, high in BANDS:
        band = [r for r in records if low <= r["named"][0]["belief"] < high]
        stated = sum(r["named"][0]["belief"] for r in band) / max(1, len(band))
        hits = [r["rank"] == 1 for r in band]
        inside = wilson(sum(hits), len(band))
        out.append(f"  belief {name}, stated {100 * stated:.1f} %: "
                   f"{'holds' if not band or inside[0] <= stated <= inside[1] else 'does not hold'}")
        out.append(rate("  right", hits))
    return "\n".join(out)


def report(answers, fitted, gone):
    confirmed = [r for r in answers if r["strength"] == "confirmed"]
    release = [r for r in confirmed if r["cause"] in model.RELEASE]
    print(figures("causes that facts can decide", [r for r in confirmed if r not in release]))
    print(figures("release defects", release))
    print(figures("all", confirmed))
    print(calibration(confirmed))
    print(figures("only likely", [r for r in answers if r["strength"] == "likely"]))
    for i, numbers in enumerate(fitted):
        print(f"fold {i + 1}: " + ", ".join(f"{k} {numbers[k]}" for k in (*GRID, "decided")) +
              f"; taken out: {', '.join(gone[i]) or 'nothing'}")


# ---- all of it ----

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--kb", required=True, type=pathlib.Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path, help="write the pooled answers")
    parser.add_argument("--fit", action="store_true", help="fit to all records and print the numbers; measures nothing")
    parser.add_argument("records", nargs="+")
    o = parser.parse_args()
    records = read_records(o.records)
    shares, numbers = known_shares(o.kb), known_numbers(o.kb)
    answers, fitted, gone = [], [], []
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        seen = {r["id"]: r for r in score(o.program, o.kb, records, work)["records"]}
        check_model(seen.values(), numbers, shares)
        if o.fit:
            own = fit_shares(records, shares)
            print(json.dumps({"numbers": fit_numbers(list(seen.values()), own, numbers), "shares": own}, indent=1))
            return 0
        for fold in folds_of(records, o.folds):
            inside = {r["id"] for r in fold}
            others = [r for r in records if r["id"] not in inside]
            own = fit_shares(others, shares)
            fitted.append(fit_numbers([seen[r["id"]] for r in others], own, numbers))
            threads = set().union(*(threads_in(r.get("url")) for r in fold))
            gone.append(make_kb(o.kb, work / "fold.db", fitted[-1], own, threads))
            answers += score(o.program, work / "fold.db", fold, work)["records"]
    report(answers, fitted, gone)
    if o.json:
        o.json.write_text(json.dumps(answers, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
