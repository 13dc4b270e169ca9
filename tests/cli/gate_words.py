"""Cause and subject of every recorded machine, in the words of each program that asks: they must be equal.

usage: gate_words.py ROCSTEADY SOURCE WORK

check says them as text and JSON; the gate as text, as reason of Slurm, condition, label, metric and line of a monitor.
Every cause is enforced, and a program in the place of scontrol keeps the reason.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

PROGRAM, SOURCE, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
BOOT = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
UPTIME = pathlib.Path("/proc/uptime").read_text().split(".")[0]
SCOPES, ACTIONS = ("node", "gpu", "link", "nic"), ("reset-gpu", "reboot", "drain", "replace")
REASON, CONF, SCONTROL = WORK / "reason", WORK / "gate.conf", WORK / "scontrol"
CLOSED = {"npd": 1, "nagios": 2, "nfd": 0, "textfile": 0, "text": 2}
checks = failed = ill = 0


def check(text, holds):
    global checks, failed
    checks += 1
    if not holds:
        failed += 1
        print(f"FAILED: {text}")


def ask(*words, **more):
    done = subprocess.run([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    return done.returncode, done.stdout


def of_check(snap):
    """(cause, subject) of what takes a node out of service, by check."""
    report = json.loads(ask("check", "--json", "--verbose", "--from", snap)[1])
    return [(f["cause"], f["subject"] or "") for f in report["findings"]
            if f["belief"] in ("likely", "certain") and f["kind"] == "cause" and not f["because_of"] and not f.get("acknowledged")
            and f["scope"] in SCOPES and f["action"] in ACTIONS]


def in_this_boot(snap):
    """The recording, as if made a moment ago: only such a verdict tells a reader anything."""
    text = re.sub(r"(?m)^\tboot_id .*", f"\tboot_id {BOOT}", snap.read_text(errors="surrogateescape"))
    path = WORK / "machine.snap"
    path.write_text(re.sub(r"(?m)^\tuptime .*", f"\tuptime {UPTIME}", text), errors="surrogateescape")
    return path


def first(text):
    """(cause, subject) at the head of `cause subject: action`."""
    found = re.match(r"([a-z0-9-]+)(?: ([^ ]+))?: [a-z-]+", text)
    return (found[1], found[2] or "") if found else None


def readers(verdict):
    """What each reader says is the first cause and subject, None if there is none."""
    said = {}
    for reader in ("npd", "nagios", "nfd", "textfile"):
        said[reader] = ask("gate", "--for", reader, "--verdict", verdict, "--config", CONF)
    REASON.unlink(missing_ok=True)
    status, out = ask("gate", "--for", "slurm-prolog", "--verdict", verdict, "--config", CONF, env=dict(os.environ, SLURMD_NODENAME="n1"))
    reason = REASON.read_text() if REASON.exists() else ""
    labels = dict(line.split("=", 1) for line in said["nfd"][1].splitlines() if line.startswith("rocsteady.io/"))
    metrics = re.findall(r'^rocsteady_gate_finding\{cause="([^"]*)",subject="([^"]*)",', said["textfile"][1], re.M)
    label = labels.get("rocsteady.io/cause"), labels.get("rocsteady.io/subject", "").replace("_", ":")
    return {"condition": first(said["npd"][1]), "monitor": first(said["nagios"][1].partition(" - ")[2]),
            "label": label if label[0] else None, "metric": metrics[0] if metrics else None,
            "reason": first(reason.removeprefix("rocsteady: ")) if status == 1 else None}, metrics


def try_machine(snap):
    global ill
    wanted = of_check(snap)
    ill += bool(wanted)
    CONF.write_text(f"slurm_ms 10000\nscontrol {SCONTROL}\n" + "".join(f"enforce {c} replace\n" for c in {c for c, _ in wanted}) + "max_drained 5\n")
    verdict = WORK / "run" / "verdict"
    verdict.unlink(missing_ok=True)
    text = ask("gate", "--from", in_this_boot(snap), "--verdict", verdict, "--config", CONF)[1]
    told = re.findall(r"^problem .*\(([a-z0-9-]+)(?: ([^ ()]+))?\): ", text, re.M)
    said, metrics = readers(verdict)
    check(f"{snap.name}: gate says {told}, check {wanted}", sorted(told) == sorted(wanted))
    check(f"{snap.name}: metrics {metrics}, check {wanted}", sorted(metrics) == sorted(wanted))
    for reader, words in said.items():
        check(f"{snap.name}: {reader} says {words}, the gate {told[:1]}", words == (told[0] if told else None))
    shown = ask("check", "--from", snap)[1] if wanted else ""
    for cause, subject in wanted:
        check(f"{snap.name}: check shows {cause} {subject}", cause in shown and subject in shown)


def main():
    (WORK / "run").mkdir()
    SCONTROL.write_text(f"""#!/bin/sh
case "$1 $3" in
"update State=DRAIN") printf '%s' "${{4#Reason=}}" >{REASON} ;;
show*) echo "NodeName=n1"; echo "   State=IDLE ThreadsPerCore=1" ;;
esac
""")
    sinfo = WORK / "sinfo"
    sinfo.write_text(f'#!/bin/sh\n[ ! -e {REASON} ] || echo "n1|2026-11-16T21:05:23|$(cat {REASON})"\n')
    for path in (SCONTROL, sinfo):
        path.chmod(0o755)
    every = int(os.environ.get("ROCSTEADY_TEST_EVERY", "1"))  # more in a build with sanitizers
    machines = sorted((SOURCE / "tests/machines").glob("*.snap"))[every - 1::every]
    for snap in machines:
        try_machine(snap)
    check(f"at least one machine in twenty is ill (got {ill})", ill * 20 >= len(machines))
    print(f"{len(machines)} machines, {ill} ill; {checks} checks, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
