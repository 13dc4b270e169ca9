#!/usr/bin/env python3
"""What `rocsteady targets` says of a file does not depend on how it is reached.

usage: targets_agree.py DIR

Packs every file of DIR into a tar and a wheel, and compares the answers for the
members with those for the files: through the sieve nothing gets lost. And: JSON
is valid by docs/targets.schema.json, SARIF by what the standard demands, and
text, JSON and SARIF agree. Run by targets.sh and targets-samples.sh; ROCSTEADY
and ROCSTEADY_SOURCE are set.
"""
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import jsonschema

PROGRAM = os.environ["ROCSTEADY"]
SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
SCHEMA = json.loads((SOURCE / "docs/targets.schema.json").read_text())
failed = checked = 0


def strict(schema):
    """No field that the schema does not know."""
    if isinstance(schema, dict):
        if "properties" in schema and schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            strict(value)
    return schema


VALIDATOR = jsonschema.Draft7Validator(strict(SCHEMA))


def check(good, *words):
    global failed, checked
    checked += 1
    if not good:
        failed += 1
        print(*words)


def run(*arguments):
    done = subprocess.run([PROGRAM, "targets", *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    check(done.returncode in (0, 2, 3), arguments, "ended with", done.returncode, done.stderr)
    return done.returncode, done.stdout


def ask(*arguments):
    status, out = run("--json", *arguments)
    answer = json.loads(out)
    for error in VALIDATOR.iter_errors(answer):
        check(False, arguments, "schema:", error.message, list(error.path))
    check(answer["exit_status"] == status, arguments, "status", status)
    return answer


# Names for the loader may be behind what is kept; where a kpack archive lies is another place.
def comparable(row):
    row = {k: v for k, v in row.items() if k not in ("path", "container", "member", "soname", "judged", "archives", "covers")}
    return row


def members_of(answer, container):
    return {row["member"]: comparable(row) for row in answer["files"] + answer["kernels"] if row["container"] == str(container)}


def agree_with_containers(top, work):
    """Files are compared by themselves, so that a tree of kernels is files here."""
    files = sorted(p for p in top.rglob("*") if p.is_file() and not p.is_symlink())
    small = [p for p in files if p.stat().st_size < 64 << 20]
    names = {f"m{i}{p.suffix}": p for i, p in enumerate(small)}
    tar, wheel = work / "all.tar.gz", work / "all.whl"
    with tarfile.open(tar, "w:gz", compresslevel=1) as t:
        for name, path in names.items():
            t.add(path, name)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for name, path in names.items():
            z.write(path, name)
    alone = {}
    for name, path in names.items():
        answer = ask(path)
        alone[name] = [comparable(r) for r in answer["files"] if r["container"] is None]
    for container in (tar, wheel):
        inside = members_of(ask(container), container)
        for name, path in names.items():
            want = alone[name][0] if alone[name] else None
            if want and want["kpack_name"] is not None:
                continue  # beside the library there is something else
            check(inside.get(name) == want, f"{path} in {container.name}:", json.dumps(inside.get(name)), "not", json.dumps(want))
    return len(names)


def agree_with_each_other(*arguments):
    answer = ask(*arguments)
    status, text = run(*arguments)
    check(status == answer["exit_status"], arguments, "text has another status")
    for device in answer["required"]:
        for count, words in ((device["lacking"], "libraries lack code for"), (device["unknown"], "could not be read for")):
            check((device["target"] in text and words in text) or count == 0, arguments, device, "not in", text)
    status, out = run("--format", "sarif", *arguments)
    sarif = json.loads(out)
    for format in "json", "sarif":
        check(run(f"--{format}", *arguments) == run("--format", format, *arguments), arguments, f"--{format} differs from --format")
    check(run("--format", "text", *arguments) == run(*arguments), arguments, "--format text differs from none")
    check(status == answer["exit_status"], arguments, "sarif has another status")
    check(sarif["version"] == "2.1.0" and len(sarif["runs"]) == 1, arguments, "no SARIF 2.1.0")
    driver = sarif["runs"][0]["tool"]["driver"]
    results = sarif["runs"][0]["results"]
    for result in results:
        rule = driver["rules"][result["ruleIndex"]]
        check(rule["id"] == result["ruleId"], "rule", result)
        check(result["level"] in ("none", "note", "warning", "error"), "level", result)
        check(result["kind"] == "fail" or result["level"] == "none", "a level without a failure", result)
        check(result["message"]["text"].endswith(".") or " " in result["message"]["text"], "message", result)
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        check(uri and " " not in uri and "\\" not in uri, "uri", uri)
    prints = [tuple(r["partialFingerprints"].items()) + (r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],) for r in results]
    check(len(prints) == len(set(prints)), arguments, "two results with one fingerprint")
    rows = [r for r in answer["files"] + answer["kernels"] if r["judged"]]
    for verdict, rule in (("none", "target-not-covered"), ("part", "target-partly-covered"),
                          ("fallback", "target-fallback-only"), ("unknown", "target-not-known")):
        want = sum(c["verdict"] == verdict for r in rows for c in r["covers"])
        got = sum(r["ruleId"] == rule for r in results)
        check(want == got, arguments, rule, got, "not", want)


def main():
    top = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        count = agree_with_containers(top, pathlib.Path(work))
    for required in ([], ["--require", "gfx1100"], ["--require", "gfx1100,gfx942,gfx1201,gfx90a:xnack-"]):
        agree_with_each_other(top, *required)
    print(f"{checked} checks on {count} files, {failed} failed")
    return failed > 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
