"""Text and JSON of `rocsteady check` say the same of every recorded machine.

Run by check.sh. For each machine: the JSON is valid by docs/check.schema.json,
with no field that the schema does not name; the verdict is the exit status;
two runs give the same bytes outside `run`; and the text has every finding with
its cause, belief, subject and the mark of its severity, and none besides. The
compact form is valid by docs/compact.schema.json and takes at most COMPACT_MOST.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import jsonschema

SOURCE = pathlib.Path(os.environ.get("ROCSTEADY_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ.get("ROCSTEADY") or str(SOURCE / "build" / "rocsteady")
EVERY = int(os.environ.get("ROCSTEADY_TEST_EVERY", "1"))  # more in a build with sanitizers
STATUS = {"ready": 0, "degraded": 1, "not_ready": 2, "undecided": 3}
MARK = {"problem": "!!", "warning": "! ", "info": "- "}
CALM_LINES = 6
WIDTH = 80
# "cause - belief" ends a heading, on the line of its mark or below it.
HEADING = re.compile(r"([a-z0-9-]+) - (certain|likely|undecided)(?:, because of ([a-z0-9-]+))?$")


def strict(schema):
    """Nothing that is not described."""
    if isinstance(schema, dict):
        out = {key: strict(value) for key, value in schema.items()}
        if "properties" in out:
            out["additionalProperties"] = False
        return out
    return [strict(item) for item in schema] if isinstance(schema, list) else schema


VALIDATOR = jsonschema.Draft7Validator(strict(json.loads((SOURCE / "docs/check.schema.json").read_text())))
COMPACT = jsonschema.Draft7Validator(strict(json.loads((SOURCE / "docs/compact.schema.json").read_text())))
COMPACT_MOST = 3000


def check(snap, *options):
    done = subprocess.run([PROGRAM, "check", "--from", snap, *options], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.returncode > 3 or done.stderr:
        raise ValueError(f"{options} ended with {done.returncode}: {done.stderr.decode()}")
    return done.returncode, done.stdout.decode()


def blocks(text):
    """(mark, title, cause, belief, because of, lines below) of each heading."""
    found = []
    lines = text.splitlines()
    for at, line in enumerate(lines):
        match = HEADING.search(line)
        if not match or line.startswith("   ") and line[:match.start()].strip():
            continue
        first = at
        while lines[first].startswith("   "):
            first -= 1
        title = " ".join([lines[first][3:], *lines[first + 1:at]] if first < at else [line[3:match.start()]])
        found.append((lines[first][:2], re.sub(r"\s+", " ", title).strip(), *match.groups()))
    return found


def compare(name, findings, text, whole):
    """Complaints; whole: every finding has a heading of its own."""
    told = blocks(text)
    for f in findings:
        quiet = not whole and (f["severity"] == "info" or any(
            g is not f and g["cause"] == f["cause"] for g in findings))
        mark = "??" if f["belief"] == "undecided" else MARK[f["severity"]]
        fits = [t for t in told if t[2] == f["cause"] and t[3] == f["belief"] and t[0] == mark and
                t[4] == f["because_of"] and (not whole or re.sub(r"\s+", " ", f["subject"]) in t[1])]
        if not fits and not quiet:
            yield f"{name}: the text has no {mark} {f['cause']} {f['belief']} of {f['subject'] or 'the machine'}"
        if quiet and f["severity"] != "info" and f["subject"] not in text:
            yield f"{name}: the text does not name {f['subject']} for {f['cause']}"
    known = {(f["cause"], f["belief"]) for f in findings}
    for mark, title, cause, belief, _ in told:
        if (cause, belief) not in known:
            yield f"{name}: the text has {cause} {belief} ({title}), the JSON does not"
    if whole and len(told) != len(findings):
        yield f"{name}: {len(told)} headings for {len(findings)} findings"


def examine(snap):
    name = snap.stem
    status, first = check(snap, "--json", "--verbose")
    again, second = check(snap, "--json", "--verbose")
    report, other = json.loads(first), json.loads(second)
    for fault in VALIDATOR.iter_errors(report):
        yield f"{name}: not of the schema: {'/'.join(map(str, fault.path))}: {fault.message}"
    report_run = report.pop("run")
    other.pop("run")
    if json.dumps(report) != json.dumps(other) or not report_run:
        yield f"{name}: two runs differ"
    if status != again or status != STATUS[report["verdict"]] or status != report["exit_status"]:
        yield f"{name}: verdict {report['verdict']}, exit status {status} and {again}"
    for options in ([], ["--verbose"]):
        text_status, text = check(snap, *options)
        if text_status != status:
            yield f"{name}: the text ends with {text_status}, the JSON with {status}"
        yield from compare(name, report["findings"], text, bool(options))
    status_quiet, nothing = check(snap, "--quiet")
    if nothing or status_quiet != status:
        yield f"{name}: --quiet ended with {status_quiet} and said {nothing!r}"
    yield from compact_faults(name, snap, report)
    yield from manners(name, snap, report)


def compact_faults(name, snap, report):
    status, text = check(snap, "--json")
    small = json.loads(text)
    wrong = [f for f in report["findings"] if f["severity"] != "info"]
    for fault in COMPACT.iter_errors(small):
        yield f"{name}: compact: not of the schema: {'/'.join(map(str, fault.path))}: {fault.message}"
    if status != report["exit_status"] or small["answer"] != report["verdict"] or small["exit_status"] != status:
        yield f"{name}: compact says {small['answer']}"
    if not {f["cause"] for f in wrong if not f["because_of"]} <= {c["cause"] for c in small["causes"]}:
        yield f"{name}: compact names {[c['cause'] for c in small['causes']]}"
    if wrong and wrong[0]["remedies"] and small["steps"][0]["title"] != wrong[0]["remedies"][0]["title"]:
        yield f"{name}: the first step of compact is {small['steps'][0]['title']}"
    if len(text) > COMPACT_MOST:
        yield f"{name}: compact takes {len(text)} bytes"


def manners(name, snap, report):
    _, text = check(snap)
    for line in text.splitlines():
        if len(line) > WIDTH and not line.startswith("          ") and " " in line.strip():
            yield f"{name}: {len(line)} columns: {line}"
    if not text.isascii() and all(json.dumps(f, ensure_ascii=False).isascii() for f in report["findings"]):
        yield f"{name}: not ASCII, though no terminal asked for more"
    if "healthy" in name and report["verdict"] == "ready" and text.count("\n") > CALM_LINES:
        yield f"{name}: {text.count(chr(10))} lines for a healthy machine"
    if report["verdict"] == "ready" and not text.startswith("ok ready"):
        yield f"{name}: does not begin with the verdict"


def main():
    snaps = sorted((SOURCE / "tests/machines").glob("*.snap"))[EVERY - 1::EVERY]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [c for found in pool.map(lambda s: list(examine(s)), snaps) for c in found]
    print("\n".join(complaints) or f"{len(snaps)} machines: text and JSON agree")
    return 1 if complaints or not snaps else 0


if __name__ == "__main__":
    sys.exit(main())
