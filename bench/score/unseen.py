#!/usr/bin/env python3
"""Scores each labelled failure without the rules that no other one meets.

usage: unseen.py --program BUILD/rocsteady --kb BUILD/kb.db [--cures CURES.jsonl] [--misses] RECORDS.jsonl...

A signature or defect that fires for a single record may have been written for
that record, whatever source it names. For each record such rules are taken out
of the knowledge, and the program scores it with what is left: the general rules.
The figures are a lower bound of what to expect of failures that nobody has seen.
"""
import argparse
import collections
import json
import pathlib
import shutil
import sqlite3
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import crossval  # noqa: E402


def rules_of(kb):
    with sqlite3.connect(kb) as db:
        return {name for table in ("signature", "defect") for (name,) in db.execute(f"SELECT id FROM {table}")}


def met_by(answer, rules):
    """The signatures and defects that had a say in this answer."""
    return {line["id"] for cause in answer["named"] for line in cause["by"]} & rules


def lonely(answers, rules):
    """Of each record the rules that it alone meets."""
    met = {a["id"]: met_by(a, rules) for a in answers}
    times = collections.Counter(rule for of_one in met.values() for rule in of_one)
    return {name: {rule for rule in of_one if times[rule] == 1} for name, of_one in met.items()}


def forget(kb, path, names):
    shutil.copy(kb, path)
    db = sqlite3.connect(path)
    with db:
        crossval.forget_rules(db, names)
    db.close()


def score(o, kb, records, work):
    more = []
    if o.cures:
        mine = {r["id"] for r in records}
        kept = [line for line in open(o.cures) if json.loads(line)["id"] in mine]
        (work / "cures.jsonl").write_text("".join(kept))
        more = ["--cures", work / "cures.jsonl"]
    return crossval.score(o.program, kb, records, work, more)["records"]


def cured(answer, steps):
    """Whether a kind that cured it is among its first steps; None where no cure is known."""
    right = set(answer.get("cures") or ()) - {"none-known"}
    if not right:
        return None
    right |= set(answer.get("also") or ())
    return any(right & set(step["kinds"].split()) for step in answer["steps"][:steps])


def report(title, answers):
    confirmed = [a for a in answers if a["strength"] == "confirmed"]
    print(crossval.figures(title, confirmed))
    print(crossval.rate("told ok", [a["answer"] == "nothing" for a in confirmed]))
    for steps in (1, 3):
        flags = [c for c in (cured(a, steps) for a in confirmed) if c is not None]
        if flags:
            print(crossval.rate(f"cures@{steps}", flags))


def tell_misses(before, after, alone):
    for a in after:
        if a["rank"] == 1:
            continue
        named = ", ".join(c["cause"] for c in a["named"][:3])
        print(f"{a['id']}: {a['cause']}, rank {a['rank']} (before {before[a['id']]['rank']}), {a['answer']}: {named}"
              f"; without {', '.join(sorted(alone[a['id']])) or 'nothing'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--kb", required=True, type=pathlib.Path)
    parser.add_argument("--cures", type=pathlib.Path)
    parser.add_argument("--misses", action="store_true", help="name each record whose cause is not first")
    parser.add_argument("records", nargs="+")
    o = parser.parse_args()
    records = crossval.read_records(o.records)
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        before = score(o, o.kb, records, work)
        alone = lonely(before, rules_of(o.kb))
        after = []
        for record, answer in zip(records, before):
            if alone[record["id"]]:
                forget(o.kb, work / "kb.db", alone[record["id"]])
                [answer] = score(o, work / "kb.db", [record], work)
            after.append(answer)
    report("all rules", before)
    report("without the rules that no other record meets", after)
    print(f"records that meet such a rule: {sum(bool(v) for v in alone.values())} of {len(records)}")
    if o.misses:
        tell_misses({a["id"]: a for a in before}, after, alone)
    return 0


if __name__ == "__main__":
    sys.exit(main())
