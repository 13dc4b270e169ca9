"""Every ending of every question of a walk, in each command that judges a machine.

usage: verdicts.py ROCSTEADY SOURCE WORK

The questions are those of src/probe/questions.c, the endings those of docs/design/0009-probe.md; a crash is
tried with a signal of its own and with one that somebody sent. Each stands alone in a walk of four machines: one that
is healthy, one with a cause that explains it, one whose VRAM others fill, and one without a GPU.
"""
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

PROGRAM, SOURCE, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
FAULTS = "refused 2", "wrong", "crashed 11", "crashed 6", "exited 1", "timeout", "stuck"
GAPS = "slow", "crashed 9", "crashed 15"
ENDINGS = FAULTS + GAPS + ("missing", "answered", "skipped")
EXCUSED = "refused", "timeout"  # by full VRAM
DIED = "crashed", "exited"  # excused, too, where the question allocates VRAM
ALLOCATE_NOTHING = "hsa.init", "hip.init", "hip.devices", "memory.info", "kernel.compile", "torch.import"
MACHINES = {  # name: recording, two of its GPUs
    "healthy": ("rx7900xt-x2-ubuntu2204-rocm62-healthy", "0000:03:00.0", "0000:06:00.0"),
    "explained": ("mi300x-x8-ubuntu2204-rocm63-ecc", "0000:47:00.0", "0000:65:00.0"),
    "full": ("rx7900xt-x2-ubuntu2204-rocm62-docker-full", "0000:03:00.0", "0000:06:00.0"),
    "without": ("nogpu-debian12-k61-guest", "0000:03:00.0", "0000:06:00.0"),
}
EVERY = int(os.environ.get("ROCSTEADY_TEST_EVERY", "1"))  # of the walks; more in a build with sanitizers
checks = collections.Counter()
failed = 0


def check(command, text, holds):
    global failed
    checks[command] += 1
    if not holds:
        failed += 1
        print(f"FAILED: {command}: {text}")


def questions():
    """(name, layer, scope) of each row of the table."""
    table = (SOURCE / "src/probe/questions.c").read_text()
    return re.findall(r'\{ "([a-z0-9.]+)", "([a-z]+)", QUESTION_([A-Z]+),', table)


def subject_of(scope, gpus):
    return {"EACH": gpus[0], "PAIR": ">".join(gpus)}.get(scope, "-")


def snapshots():
    """(path, machine, question, layer, subject, ending) of each, written."""
    turn = itertools.count()
    for machine, (name, *gpus) in MACHINES.items():
        recorded = (SOURCE / "tests/machines" / f"{name}.snap").read_text(errors="surrogateescape")
        (WORK / machine).mkdir()
        for question, layer, scope in questions():
            for ending in ENDINGS:
                if next(turn) % EVERY:
                    continue
                word, _, number = ending.partition(" ")
                subject = subject_of(scope, gpus)
                path = WORK / machine / f"{question}-{word}{number}.snap"
                path.write_text(f"{recorded}ask probe\n\twalk 2 1763190000 system\n"
                                f"\t{question} {subject} all {word} 20000 {number}".rstrip() +
                                "\n\t call theCall\n" + 9 * "\t said it printed this\n", errors="surrogateescape")
                yield path, machine, question, layer, "" if subject == "-" else subject, ending


def expected(machine, question, layer, ending):
    """fault, gap or nothing."""
    word = ending.split()[0]
    if machine == "without" or ending in ("answered", "skipped"):
        return "nothing"
    if word == "missing":
        return "gap" if layer in ("nodes", "hsa", "hip") else "nothing"
    if ending in GAPS:
        return "gap"
    excused = word in EXCUSED or (word in DIED and question not in ALLOCATE_NOTHING)
    return "gap" if machine == "full" and excused and layer != "nodes" else "fault"


def judge_check(machine, reports):
    """What check says of all of a machine's walks, in one run."""
    done = subprocess.run([PROGRAM, "check", "--json", "--verbose", "--from", str(WORK / machine)], stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        report = json.loads(line)
        reports[machine, report["node"]] = report


def usual(machine):
    done = subprocess.run([PROGRAM, "check", "--json", "--verbose", "--from", str(SOURCE / "tests/machines" / f"{MACHINES[machine][0]}.snap")],
                          stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)["verdict"]


def hold_check(report, usual_verdict, row):
    path, machine, question, layer, subject, ending = row
    found = [f for f in report["findings"] if f["cause"] == "gpu-test-fails" and f["belief"] in ("likely", "certain")]
    want = expected(machine, question, layer, ending)
    name = f"{machine}: {question} {ending}"
    if want != "fault":
        check("check", f"{name}: no finding", not found)
        check("check", f"{name}: {report['verdict']}, as ever or unclear",
              report["verdict"] == ("undecided" if want == "gap" and usual_verdict == "ready" else usual_verdict))
        check("check", f"{name}: the gap is named", (want == "gap") == bool(report["untested"] and layer in report["untested"]))
        return
    check("check", f"{name}: {report['verdict']} {report['exit_status']}", (report["verdict"], report["exit_status"]) == ("not_ready", 2))
    check("check", f"{name}: one finding that names its layer", len(found) == 1 and found[0]["severity"] == "problem"
          and (found[0]["subject"] or "") == subject and f"layer {layer}" in found[0]["title"])
    if not found:
        return
    steps = json.dumps(found[0]["remedies"])
    check("check", f"{name}: has a step of its own", f"rocsteady probe --layer {layer}" in steps)
    check("check", f"{name}: explained where a cause is", (found[0]["because_of"] is not None) ==
          (machine == "explained" and subject in ("", MACHINES["explained"][1])))
    check("check", f"{name}: equal lines once", json.dumps(found[0]).count("it printed this (9 times)") >= 1
          and "this / it" not in json.dumps(found[0]))


def ask(words):
    done = subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def hold_others(row):
    """The commands that take one machine at a time."""
    path, machine, question, layer, subject, ending = row
    want, name, held = expected(machine, question, layer, ending), f"{row[1]}: {row[2]} {row[5]}", []
    status, text = ask(["gate", "--from", str(path)])
    closed = machine == "explained"
    held.append(("gate", f"{name}: {status} {text}", status == (2 if closed else 3 if want in ("fault", "gap") else 0)))
    held.append(("gate", f"{name}: the layer, {text}", closed or (want in ("fault", "gap")) == (f"GPU test ({layer})" in text)))
    held.append(("gate", f"{name}: closes nothing itself", "gpu-test-fails" not in text))
    if machine == "healthy":
        status, text = ask(["probe", "--quiet", "--from", str(path)])
        held.append(("probe", f"{name}: {status}", (status == 2) == (ending not in ("answered", "skipped"))))
        status, text = ask(["fix", "--from", str(path)])
        held.append(("fix", f"{name}: {status} {text}", (want == "fault") == ("gpu-test-fails" in text)))
    return held


def hold_forms(row):
    """Every form of the report has it."""
    path, machine, question, layer, subject, ending = row
    for form in ("text", "json", "html", "markdown", "github"):
        status, text = ask(["check", "--format", form, "--from", str(path)])
        check("forms", f"{form}: {question} {ending}", status == 2 and f"layer {layer}" in re.sub(r"\s+", " ", text))


def main():
    rows, reports = list(snapshots()), {}
    for machine in MACHINES:
        judge_check(machine, reports)
    verdicts = {machine: usual(machine) for machine in MACHINES}
    for row in rows:
        hold_check(reports[row[1], row[0].name.removesuffix(".snap")], verdicts[row[1]], row)
    few = os.environ.get("ROCSTEADY_TEST_LONG") is None
    chosen = [r for i, r in enumerate(rows) if not few or i % 7 == 0]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for held in pool.map(hold_others, chosen):
            for command, text, holds in held:
                check(command, text, holds)
    for row in rows:
        if row[1] == "healthy" and row[2] in ("hsa.init", "kernel.run") and row[5] in FAULTS:
            hold_forms(row)
    print(f"{len(questions())} questions x {len(ENDINGS)} endings x {len(MACHINES)} machines: {len(rows)} walks; " +
          ", ".join(f"{command} {n}" for command, n in checks.items()) + f" checks, {failed} failed")
    sys.exit(failed > 0 or len(questions()) < 34)


main()
