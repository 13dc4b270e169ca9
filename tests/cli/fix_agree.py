"""`rocsteady fix --json` of every recorded machine is as docs/fix.schema.json has it.

Run by fix.sh. No field that the schema does not name; the exit status follows
from what is listed; the text lists the same remedies; a place that nothing
filled in is in no word of it. That the schema can refuse is shown by planting.
"""
import concurrent.futures
import copy
import json
import os
import pathlib
import re
import subprocess
import sys

import jsonschema

from check_agree import PROGRAM, SOURCE, strict

VALIDATOR = jsonschema.Draft7Validator(strict(json.loads((SOURCE / "docs/fix.schema.json").read_text())))
HOLE = re.compile(r"\{[a-z]+\}")


def fix(snap, *options):
    done = subprocess.run([PROGRAM, "fix", "--from", snap, *options], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=300, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.stderr:
        raise ValueError(f"{snap.stem} {options}: {done.stderr}")
    return done.returncode, done.stdout


def examine(snap):
    name = snap.stem
    status, out = fix(snap, "--json")
    report = json.loads(out)
    for fault in VALIDATOR.iter_errors(report):
        yield f"{name}: not of the schema: {'/'.join(map(str, fault.path))}: {fault.message}"
    needed = [r for r in report["remedies"] if not r["optional"]] + report["without_remedy"]["findings"]
    want = 2 if needed else 3 if report["verdict"] == "undecided" else 0
    if status != want:
        yield f"{name}: status {status}, not {want}"
    text_status, text = fix(snap, "--verbose")
    told = re.findall(r"^ +\d+  ([a-z0-9-]+): ", text, re.M)
    if sorted(told) != sorted(r["id"] for r in report["remedies"]) or text_status != status:
        yield f"{name}: the text lists {told}, status {text_status}"
    for hole in HOLE.findall(out):
        yield f"{name}: {hole} is filled in by nothing"


def planted(report):
    """Each change makes it something that the schema refuses."""
    for change in (lambda r: r.pop("verdict"), lambda r: r.update(more=1), lambda r: r.update(dry_run=False),
                   lambda r: r["remedies"][0].pop("undo"), lambda r: r["remedies"][0].update(risk="high"),
                   lambda r: r["remedies"][0]["actions"].append({"kind": "run", "target": "x", "content": None, "index": None}),
                   lambda r: r["remedies"][0]["findings"].clear(),
                   lambda r: r["remedies"][0]["steps"][0].update(commands="ls")):
        other = copy.deepcopy(report)
        change(other)
        if VALIDATOR.is_valid(other):
            yield f"the schema does not refuse: {json.dumps(other)[:200]}"


def main():
    snaps = sorted((SOURCE / "tests/machines").glob("*.snap"))
    every = int(os.environ.get("ROCSTEADY_TEST_EVERY", "1"))  # more in a build with sanitizers
    some = snaps[every - 1::every]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [c for found in pool.map(lambda s: list(examine(s)), some) for c in found]
    ill = next(s for s in snaps if s.stem.endswith("outside-render"))
    complaints += planted(json.loads(fix(ill, "--json")[1]))
    print("\n".join(complaints) or f"{len(some)} machines: text, JSON and schema of fix agree")
    return 1 if complaints or not snaps else 0


if __name__ == "__main__":
    sys.exit(main())
