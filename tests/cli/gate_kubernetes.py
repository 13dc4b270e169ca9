"""The gate in Kubernetes, byte by byte: exit status, 80 and 4,096 bytes, timeout with children, expiry, 64 kB.

usage: gate_kubernetes.py ROCSTEADY SOURCE WORK
"""
import datetime
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import yaml

import kubernetes_contract as contract

PROGRAM, SOURCE, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
EXAMPLES, MACHINES = SOURCE / "examples/fleet/kubernetes", SOURCE / "tests/machines"
VERDICT = WORK / "run" / "verdict"
BOOT = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
failed, checks = 0, 0


def check(text, holds):
    global failed, checks
    checks += 1
    if not holds:
        failed += 1
        print(f"FAILED: {text}")


def uptime():
    return int(float(pathlib.Path("/proc/uptime").read_text().split()[0]))


def verdict(*lines, age=0, boot=BOOT):
    second = max(uptime() - age, 0)
    VERDICT.parent.mkdir(exist_ok=True)
    VERDICT.write_text("\n".join(("rocsteady-verdict 1", f"boot {boot}", f"second {second}", "knowledge x", *lines, "")))


# ---- node-problem-detector ----

CONFIG = json.loads((EXAMPLES / "node-problem-detector.json").read_text())
SETTINGS, RULE = CONFIG["pluginConfig"], CONFIG["rules"][0]


def turn(path=PROGRAM, *more, **settings):
    """One turn of the detector with the shipped rule, this program and this verdict."""
    rule = dict(RULE, path=str(path), args=[*RULE["args"], "--verdict", str(VERDICT), *more])
    return contract.condition(rule, dict(SETTINGS, **settings), {"PATH": "/usr/bin:/bin"})


def check_config():
    check("one rule of one condition", len(CONFIG["rules"]) == len(CONFIG["conditions"]) == 1)
    name = CONFIG["conditions"][0]["type"]
    check("a permanent rule has a condition with a default", RULE["type"] == "permanent" and RULE["condition"] == name == "RocsteadyProblem")
    check("AMD's operator acts on names that begin with AMDGPU", not name.startswith("AMDGPU"))
    check("a rule may not take longer than all", contract.seconds(RULE["timeout"]) <= contract.seconds(SETTINGS["timeout"]))
    check("it keeps what we cut to", SETTINGS["max_output_length"] == 80)


def check_conditions():
    long_one = "c" * 200
    ecc = "finding ecc-uncorrectable 0000:47:00.0 drain 1 log lost"
    rows = [
        (["mode observe"], {}, "False", "no fault that takes this node out of service"),
        ([f"{ecc} enforce"], {}, "True", "ecc-uncorrectable 0000:47:00.0: drain"),
        (["finding gpu-missing - drain 1 log lost enforce"], {}, "True", None),
        ([f"finding {long_one} 0000:47:00.0 drain 1 log lost enforce"], {}, "True", long_one[:80]),
        ([f"{ecc} enforce", "more 7"], {}, "True", "ecc-uncorrectable 0000:47:00.0: drain, and 7 more"),
        (["mode observe", f"{ecc} observe"], {}, "False", "observed only: ecc-uncorrectable 0000:47:00.0: drain"),
        ([ecc, "more 7"], {}, "False", "observed only: ecc-uncorrectable 0000:47:00.0: drain, and 7 more"),
        (["mode enforce", f"{ecc} observe", "finding pcie-errors 0000:05:00.0 drain 1 log lost enforce"], {}, "True",
         "pcie-errors 0000:05:00.0: drain, and 1 more"),
        ([f"{ecc} observe", "unknown gpu-missing"], {}, "Unknown", "observed only: ecc-uncorrectable 0000:47:00.0: drain; not decided: gpu-missing"),
        (["unknown ecc-uncorrectable"], {}, "Unknown", "not decided: ecc-uncorrectable"),
        ([f"{ecc} enforce"], {"age": 700}, "Unknown", "the verdict is older than 10 minutes"),
        ([f"{ecc} enforce"], {"boot": "another"}, "Unknown", "the verdict is of another boot"),
    ]
    for lines, how, state, message in rows:
        if how.get("age", 0) > uptime():
            continue  # a host that has just booted has no old verdict
        verdict(*lines, **how)
        got, said, out = turn()
        check(f"{lines} {how}: {got} '{said}'", got == state and message in (None, said))
        check(f"{lines}: one line of at most 80 bytes: {out}", out.count(b"\n") == 1 and out.endswith(b"\n") and len(out) <= 81)
    verdict("mode observe", f"{ecc} observe")
    got, said, _ = turn(PROGRAM, "--observed")
    check(f"whoever asks for what is observed: {got} '{said}'", (got, said) == ("True", "ecc-uncorrectable 0000:47:00.0: drain, observed only"))
    unknown = [f"unknown cause-{i:03}" for i in range(150)]
    verdict(*unknown)
    got, said, out = turn()
    check(f"150 causes that are not decided: {got}, {len(out)} bytes", got == "Unknown" and len(out) <= 81)
    VERDICT.unlink()
    check("no verdict", turn()[:2] == ("Unknown", "there is no verdict yet"))
    VERDICT.write_bytes(b"\xff" * 3000)
    check("a damaged verdict", turn()[0] == "Unknown")


def script(name, text, mode=0o755):
    path = WORK / name
    path.write_text(text)
    path.chmod(mode)
    return path


def check_deaths():
    """Whatever happens to the program, the condition is not True."""
    verdict("finding ecc-uncorrectable 0000:47:00.0 drain 1 log lost enforce")
    (WORK / "foreign").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xf3\x00" + bytes(44))
    (WORK / "foreign").chmod(0o755)
    for what, path in (("missing", WORK / "none"), ("not executable", script("plain", "#!/bin/sh\n", 0o644)), ("wrong architecture", WORK / "foreign"),
                       ("killed", script("killed", "#!/bin/sh\nkill -9 $$\n")), ("broken", script("broken", "#!/bin/sh\nexit 70\n")),
                       ("no loader", script("loader", "#!/no/such/loader\n"))):
        check(f"{what}: {turn(path)}", turn(path)[0] == "Unknown")
    kept = WORK / "kept"
    hang = script("hang", f"#!/bin/sh\nsleep 300 &\necho $! >{kept}\nwait\n")
    began = time.monotonic()
    state, said, _ = turn(hang, timeout="1s")
    check(f"hung, with a child: {state} '{said}'", state == "Unknown" and said.startswith("Timeout"))
    check("and it is over in time", time.monotonic() - began < 60)
    check("the child is gone", not alive(int(kept.read_text())))
    noise = script("noise", "#!/bin/sh\nhead -c 100000 /dev/zero | tr '\\0' x\nexit 2\n")
    check("much output is cut", len(turn(noise)[1]) == 80)


def alive(pid):
    for _ in range(100):
        try:
            if pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return False
        except OSError:
            return False
        time.sleep(0.1)
    return True


def check_children():
    """A reader starts nothing, so a timeout of the detector leaves nothing behind."""
    trace = WORK / "trace"
    subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=process", PROGRAM, *RULE["args"], "--verdict", VERDICT], stdout=subprocess.DEVNULL,
                   env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))  # which has a helper of its own
    calls = [line for line in trace.read_text().splitlines() if any(f" {c}(" in line for c in ("fork", "vfork", "clone", "clone3"))]
    check(f"a reader has no child: {calls}", not calls)


# ---- node-feature-discovery ----

def feature_file(*words):
    path = WORK / "features.d" / "rocsteady"
    path.parent.mkdir(exist_ok=True)
    subprocess.run([PROGRAM, "gate", "--for", "nfd", "-o", path, *words], check=True)
    return path.read_bytes()


def check_features():
    rows = [
        (["mode observe"], {"rocsteady.io/gate": "open"}),
        (["finding ecc-uncorrectable 0000:47:00.0 drain 1 log lost"],
         {"rocsteady.io/gate": "closed", "rocsteady.io/cause": "ecc-uncorrectable", "rocsteady.io/subject": "0000_47_00.0",
          "rocsteady.io/mode": "observe", "rocsteady.io/repair": "none"}),
        (["finding ecc-uncorrectable 0000:47:00.0 drain 1 log lost enforce"],
         {"rocsteady.io/gate": "closed", "rocsteady.io/cause": "ecc-uncorrectable", "rocsteady.io/subject": "0000_47_00.0",
          "rocsteady.io/mode": "enforce"}),
        (["finding nic-link-down 0000:51:00.0 drain 1 log lost enforce reseat"],
         {"rocsteady.io/gate": "closed", "rocsteady.io/cause": "nic-link-down", "rocsteady.io/subject": "0000_51_00.0",
          "rocsteady.io/mode": "enforce", "rocsteady.io/repair": "reseat"}),
        (["unknown ecc-uncorrectable"], {"rocsteady.io/gate": "unknown"}),
    ]
    for lines, want in rows:
        verdict(*lines)
        before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        data = feature_file("--verdict", str(VERDICT))
        after = datetime.datetime.now(datetime.timezone.utc)
        check(f"{lines}: {contract.labels(data, after)}", contract.labels(data, after) == want)
        check(f"they hold for three minutes: {data}", contract.labels(data, before + datetime.timedelta(seconds=179)) == want)
        check(f"and then no more: {data}", contract.labels(data, after + datetime.timedelta(seconds=181)) == {})
        check(f"{len(data)} bytes of 64 kB", len(data) <= 1024)
        check(f"{data}: Kubernetes takes them", all(contract.is_label(k, v) for k, v in want.items()))
    for cause in ("-odd-", "a" * 90, r"x\x20y", "..", "a" * 62 + "-b"):
        verdict(f"finding {cause} 0000:47:00.0 drain 1 log lost")
        got = contract.labels(feature_file("--verdict", str(VERDICT)), datetime.datetime.now(datetime.timezone.utc))
        check(f"{cause}: {got}", all(contract.is_label(k, v) for k, v in got.items()))
    check("the contract refuses a file above 64 kB", contract.labels(b"x/y\n" * 20000, datetime.datetime.now(datetime.timezone.utc)) is None)


def check_renames():
    """While the file is replaced again and again, a reader sees it whole, and no other name that does not begin with a dot."""
    done, names, cut = threading.Event(), set(), []
    directory = WORK / "features.d"
    verdict("finding ecc-uncorrectable 0000:47:00.0 drain 1 log lost")
    feature_file("--verdict", str(VERDICT))

    def watch():
        while not done.is_set():
            names.update(n for n in os.listdir(directory) if not n.startswith("."))
            data = (directory / "rocsteady").read_bytes()
            if not data.endswith(b"rocsteady.io/repair=none\n"):
                cut.append(data)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(50):
        feature_file("--verdict", str(VERDICT))
    done.set()
    watcher.join()
    check(f"names that are read: {names}", names == {"rocsteady"})
    check(f"half a file was seen: {cut[:1]}", not cut)
    check(f"nothing is left beside it: {os.listdir(directory)}", os.listdir(directory) == ["rocsteady"])


def check_rule():
    """The rule as shipped taints nobody, and with its two lines those who are closed and enforced."""
    text = (EXAMPLES / "node-feature-rule.yaml").read_text()
    shipped = yaml.safe_load(text)["spec"]["rules"]
    check("shipped switched off", len(shipped) == 1 and "taints" not in shipped[0])
    on = yaml.safe_load(text.replace("      # taints:\n      #   -", "      taints:\n        -"))["spec"]["rules"][0]
    check(f"switched on: {on.get('taints')}", on.get("taints") == [{"effect": "NoSchedule", "key": "rocsteady.io/gate", "value": "closed"}])
    wanted = on["matchFeatures"][0]["matchExpressions"]
    for mode, matches in (("observe", False), ("enforce", True)):
        verdict(f"finding ecc-uncorrectable 0000:47:00.0 drain 1 log lost{' enforce' if mode == 'enforce' else ''}")
        got = contract.labels(feature_file("--verdict", str(VERDICT)), datetime.datetime.now(datetime.timezone.utc))
        check(f"{mode}: matches {matches}", all(got.get(k) in e["value"] for k, e in wanted.items()) == matches)


for part in (check_config, check_conditions, check_deaths, check_children, check_features, check_renames, check_rule):
    part()
print(f"{checks} checks, {failed} failed")
sys.exit(1 if failed or not checks else 0)
