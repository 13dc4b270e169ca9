#!/usr/bin/env python3
"""How often the gate closes a machine that is healthy.

usage: false-drain.py [--machines N] [--mixtures N] [--lines N] [--seed S] [--table] ROCSTEADY MACHINES

Every machine of MACHINES whose .about says `state: healthy`, or N of them, is changed in ways that
must not take a node out of service, and judged by `rocsteady gate --from DIR --json`:

  line      one line of the kernel log that data/kernel-log.tsv gives the action `note` or `nothing`
  mixture   2 to 30 of them that are no sign of a cause that closes a node (100 for each machine)
  signs     the same with those that are a lesser sign of such a cause: two signs of one cause may
            close, which is counted and is no failure
  sensors   all sensors answer with an error
  lost      all error counters do: closed by none, and open without a word by none either
  counters  replays, corrected errors and a heat that are high and allowed

As a control every line that asks for a drain, a reboot or a replacement is planted, too: most of
them must close the machine, or the planting itself is broken.

Prints each machine that was closed, then one line for each cause with --table, and the sum.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HARMLESS, HARMFUL = {"note", "nothing"}, {"drain", "reboot", "replace"}
GPU_OF_EXAMPLES = "0000:03:00.0"
# What a file of the driver or the kernel may hold on a machine that works.
HIGH = [
    (r"^\tpcie_replay_count \d+$", "\tpcie_replay_count 100000"),
    (r"^\tce: \d+$", "\tce: 5000"),
    (r"^\tgpu_busy_percent \d+$", "\tgpu_busy_percent 100"),
    (r"^\tmem_busy_percent \d+$", "\tmem_busy_percent 100"),
]


def read_lines():
    """The examples of the harmless and of the harmful classes, as (class, line)."""
    actions = collections.defaultdict(set)
    for row in (SOURCE / "data/kernel-log.tsv").read_text().splitlines():
        if row and not row.startswith("#"):
            cells = row.split("\t")
            actions[cells[0]].add(cells[2])
    harmless, harmful = [], []
    for row in (SOURCE / "tests/data/klog-examples.tsv").read_text().splitlines():
        cells = row.split("\t")
        if row.startswith("#") or len(cells) != 3 or cells[1] != "+":
            continue
        line = cells[2].split("\\x0a")[0]
        if actions[cells[0]] <= HARMLESS:
            harmless.append((cells[0], line))
        elif actions[cells[0]] <= HARMFUL:
            harmful.append((cells[0], line))
    return harmless, harmful


def healthy_machines(directory):
    for about in sorted(pathlib.Path(directory).glob("*.about")):
        if re.search(r"^state: healthy", about.read_text(), re.M):
            yield about.with_suffix(".snap")


def plant(text, lines):
    """The snapshot with these lines at the end of its kernel log, or None if it holds none."""
    log = re.search(r"^ask kernel-log\n((?:\t.*\n)+)", text, re.M)
    gpus = collections.Counter(re.findall(r"amdgpu (\w{4}:\w\w:\w\w\.\d):", text))
    if not log or not gpus:
        return None
    last = int(log.group(1).rstrip("\n").splitlines()[-1].split()[2])
    address = gpus.most_common(1)[0][0]
    added = ""
    for i, (_, line) in enumerate(lines):
        added += f"\t. - {last + (i + 1) * 1000} 4 {line.replace(GPU_OF_EXAMPLES, address)}\n"
    return text[: log.end()] + added + text[log.end():]


def lose_sensors(text, error):
    def lose(record):
        return record.group(1) + re.sub(r"^\t(\w+_(?:input|average)) .*$", rf"\t\1 !{error}", record.group(2), flags=re.M)

    return re.sub(r"^(files \S+/hwmon\d+\n)((?:\t.*\n)+)", lose, text, flags=re.M)


def lose_counters(text):
    return re.sub(r"^(file \S+/ras/\w+_err_count)$", r"\1 !EIO", text, flags=re.M)


def heat(text):
    """Each temperature two degrees below the one at which the GPU throttles, where the machine states it."""
    def warm(record):
        limits = dict(re.findall(r"^\t(temp\d+)_crit (\d+)$", record.group(2), re.M))
        body = record.group(2)
        for name, limit in limits.items():
            body = re.sub(rf"^\t{name}_input \d+$", f"\t{name}_input {int(limit) - 2000}", body, flags=re.M)
        return record.group(1) + body

    return re.sub(r"^(files \S+/hwmon\d+\n)((?:\t.*\n)+)", warm, text, flags=re.M)


def high_counters(text):
    for pattern, value in HIGH:
        yield re.sub(pattern, value, text, flags=re.M)
    everything = text
    for pattern, value in HIGH:
        everything = re.sub(pattern, value, everything, flags=re.M)
    yield heat(text)
    yield heat(everything)


def changes(text, harmless, plain, harmful, options, draw):
    """(kind, what, snapshot) of everything that one machine goes through."""
    yield "as it is", "", text
    lines = harmless if options.lines == 0 else draw.sample(harmless, options.lines)
    for line in lines:
        yield "line", line[0], plant(text, [line])
    for kind, all_lines in ("mixture", plain), ("signs", harmless):
        for _ in range(options.mixtures):
            some = draw.sample(all_lines, draw.randint(2, 30))
            yield kind, " ".join(name for name, _ in some), plant(text, some)
    for error in "EIO", "EBUSY", "ENODATA", "ENOENT":
        yield "sensors", error, lose_sensors(text, error)
    if lose_counters(text) != text:
        yield "lost", "EIO", lose_counters(text)
    for one in high_counters(text):
        yield "counters", "", one
    for line in harmful if options.lines == 0 else draw.sample(harmful, min(options.lines, len(harmful))):
        yield "control", line[0], plant(text, [line])


def judge(program, kb, made):
    """The answers of one machine's changes, by their number."""
    with tempfile.TemporaryDirectory() as where:
        for i, (_, _, text) in enumerate(made):
            pathlib.Path(where, f"{i:05}.snap").write_text(text)
        command = [program, "gate", "--from", where, "--json"] + (["--kb", kb] if kb else [])
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode not in (0, 2, 3):
            sys.exit(f"FAILED: {' '.join(command)}: {run.returncode} {run.stderr}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def closing_causes():
    """Each cause for which a node is taken out of service, with the classes of the kernel log that speak for it."""
    found = {}
    for path in sorted((SOURCE / "kb/causes").glob("*.yaml")):
        text = path.read_text()
        if re.search(r"^action: (\S+)", text, re.M).group(1) in HARMFUL | {"reset-gpu"}:
            signs = re.findall(r"gate: kernel_log\.class (.*)", text) + re.findall(r"k\.class (?:IN|=) ([^;]*?)(?:AND|\n\n|$)", text)
            found[path.stem] = set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", " ".join(signs)))
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    parser.add_argument("--machines", type=int, default=0)
    parser.add_argument("--mixtures", type=int, default=100)
    parser.add_argument("--lines", type=int, default=0, help="0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kb")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("program")
    parser.add_argument("directory")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    harmless, harmful = read_lines()
    causes = closing_causes()
    signs = set().union(*causes.values())
    plain = [line for line in harmless if line[0] not in signs]
    machines = list(healthy_machines(options.directory))
    if options.machines:
        machines = draw.sample(machines, options.machines)
    asked, closed, unclear, false = collections.Counter(), collections.Counter(), 0, []
    by_cause, by_signs = collections.Counter(), collections.Counter()
    for machine in machines:
        made = [one for one in changes(machine.read_text(), harmless, plain, harmful, options, draw) if one[2]]
        for (kind, what, _), answer in zip(made, judge(options.program, options.kb, made), strict=True):
            if "error" in answer:
                sys.exit(f"FAILED: {machine.stem} {kind} {what}: {answer['error']}")
            asked[kind] += 1
            unclear += answer["would"] == "unclear" and kind != "control"
            if kind == "lost" and answer["would"] == "pass":
                false.append(f"{machine.stem}: open without a word, and its error counters cannot be read")
            if answer["would"] not in ("drain", "observe"):
                continue
            closed[kind] += 1
            if kind == "signs":
                by_signs[answer["because"]["cause"]] += 1
            elif kind != "control":
                by_cause[answer["because"]["cause"]] += 1
                false.append(f"closed: {machine.stem} {kind} {what}: {answer['because']}")
    for one in false:
        print(f"FAILED: {one}")
    total = sum(n for kind, n in asked.items() if kind not in ("control", "signs"))
    if options.table:
        for cause in causes:
            print(f"| `{cause}` | {by_cause[cause]} of {total} | {by_signs[cause]} of {asked['signs']} |")
    for kind, count in asked.items():
        print(f"{kind}: {closed[kind]} of {count} closed")
    print(f"{len(machines)} machines, {len(harmless)} harmless lines, {len(harmless) - len(plain)} of them signs, {total} verdicts, {len(false)} false drains, {unclear} unclear")
    control = closed["control"] * 10 >= asked["control"] * 7 and asked["control"] > 0
    if not control:
        print("FAILED: lines that ask for a drain close too few machines: nothing was planted?")
    return 1 if false or not control else 0


if __name__ == "__main__":
    sys.exit(main())
