"""Each line of tests/data/klog-examples.tsv to explain, and planted alone in a healthy machine to check and gate.

The action of its class in data/kernel-log.tsv is the verdict that all three must give:
  drain, reboot, replace  a failure to explain; one that closes the node to check and gate, by the same cause
  note                    known to explain; nothing that closes the node
  nothing                 no failure to explain, no finding above info to check, an open node
Where check has a finding, explain names the same cause first; tests/data/klog-causes.tsv has the classes where it does not, and why.
One line a class is planted, in the GPU and the root port of the machine; KERNEL_LINES=all plants every line.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

PROGRAM, SOURCE, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
MACHINE = (SOURCE / "tests/machines/mi300x-x8-ubuntu2204-rocm63-healthy.snap").read_text()
GPU, PORT, UPTIME_S = "0000:05:00.0", "0000:00:01.1", 1296000
EVERY = int(os.environ.get("ROCSTEADY_TEST_EVERY", "1"))  # more in a build with sanitizers
CLOSES = {"drain": ("drain", "reset-gpu"), "reboot": ("reboot",), "replace": ("replace",)}
# explain takes a line with the name of a process for the end of the report above it, wherever that is.
ELSEWHERE = ("gpu-job-process",)
failed, agreed = [], []


def rows(name):
    return [line.split("\t") for line in (SOURCE / name).read_text().splitlines() if line and not line.startswith("#")]


def expect(good, what, line):
    if not good:
        failed.append(what)
        print(f"{what}: {line}")


def asked(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120)


def explained(lines):
    records = "".join(json.dumps({"id": i, "log": line + "\n"}) + "\n" for i, line in enumerate(lines))
    told = subprocess.run([PROGRAM, "explain", "--batch", "--verbose", "--no-machine"], input=records, capture_output=True, text=True, timeout=300)
    return {answer["id"]: answer for answer in map(json.loads, told.stdout.splitlines())}


def kinds(answer):
    return {event["kind"] for event in answer["events"]}


def check_explained(action, severity, answer, line):
    last_error = answer["ending"]["last_error"]
    if action == "nothing":
        expect(answer["answer"] in ("nothing", "not-recognised") and "failure" not in kinds(answer) and not last_error, "explain alarms", line)
    elif severity == "problem" or action in CLOSES:
        expect("failure" in kinds(answer) and answer["causes"], "explain does not know", line)
    else:
        expect({"failure", "warning"} & kinds(answer), "explain does not know", line)


def plant(number, line):
    """The machine with this line alone as news: the GPU's, and ten seconds old."""
    line = re.sub(r"\b0000:(?:03|05|c2|c3|19):00\.0\b", GPU, line).replace("0000:00:01.1", PORT)
    path = WORK / f"{number}.snap"
    path.write_text(f"{MACHINE}ask kernel-log\n\t. - {(UPTIME_S - 10) * 1000000} 3 {line}\n")
    check = json.loads(asked("check", "--json", "--verbose", "--from", path).stdout)
    verdict = WORK / f"{number}.verdict"
    gate = asked("gate", "--from", path, "--verdict", verdict)
    path.unlink()
    return check, gate


def check_planted(action, check, gate, line):
    told = [finding for finding in check["findings"] if finding["severity"] != "info"]
    closing = {word for words in CLOSES.values() for word in words}
    if action in CLOSES:
        expect(any(finding["action"] in CLOSES[action] for finding in told), f"check does not ask to {action}", line)
        expect(gate.returncode == 2, f"gate is open ({gate.returncode})", line)
        return
    expect(not any(finding["action"] in closing for finding in told), "check closes", line)
    expect(gate.returncode == 0, f"gate is not open ({gate.returncode})", line)
    if action == "nothing":
        expect(not told, "check tells", line)


def check_cause(name, answer, check, line):
    """What check calls the cause is the first one of explain, or the reason stands in klog-causes.tsv."""
    told = {finding["cause"] for finding in check["findings"] if finding["severity"] != "info"}
    named = answer["causes"][0]["cause"] if answer["causes"] else None
    if not told or named in told:
        return
    reason = next((row for row in rows("tests/data/klog-causes.tsv") if row[0] == name), None)
    expect(reason and reason[1] in told and reason[2] == named, f"{name}: check says {sorted(told)}, explain {named}", line)
    agreed.append(name)


def sweep(classes):
    lines = [(row[0], row[2].split("\\x0a")[0]) for row in rows("tests/data/klog-examples.tsv") if row[1] == "+"]
    answers = explained([line for _, line in lines])
    for i, (name, line) in enumerate(lines):
        if name not in ELSEWHERE:
            check_explained(classes[name][1], classes[name][0], answers[i], line)
    by_line = {line: answers[i] for i, (_, line) in enumerate(lines)}
    planted = lines if os.environ.get("KERNEL_LINES") == "all" else list({name: (name, line) for name, line in reversed(lines)}.values())[EVERY - 1::EVERY]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, line), (check, gate) in zip(planted, pool.map(plant, range(len(planted)), [line for _, line in planted])):
            check_planted(classes[name][1], check, gate, line)
            check_cause(name, by_line[line], check, line)
    harmless = [name for name, _ in planted if classes[name][1] == "nothing"]
    print(f"{len(classes)} classes, {len(lines)} lines explained, {len(planted)} planted, {len(harmless)} of them harmless, {len(agreed)} with another cause")


def sweep_node_scraper():
    """Each line that one of AMD's patterns is made for is known here, or says why it means nothing."""
    listed = rows("tests/data/node-scraper-lines.tsv")
    answers = explained([row[2] for row in listed])
    for i, row in enumerate(listed):
        name, line = row[1], row[2]
        signatures = {event["signature"] for event in answers[i]["events"]}
        if name == "-":
            expect(len(row) == 4 and "failure" not in kinds(answers[i]), "no reason why it means nothing", line)
        elif name.startswith("explain:"):
            expect(name[8:] in signatures, f"explain does not know {name}", line)
        else:
            path = WORK / "scraped.snap"
            path.write_text(f"{MACHINE}ask kernel-log\n\t. - 1 3 {line}\n")
            told = json.loads(asked("query", "--json", "--from", path, "SELECT class FROM kernel_log").stdout)
            expect(name in str(told), f"the list does not know {name}", line)
    print(f"{len(listed)} lines of node-scraper")


sweep({row[0]: (row[1], row[2]) for row in rows("data/kernel-log.tsv")})
sweep_node_scraper()
sys.exit(1 if failed else 0)
