#!/usr/bin/env python3
"""Every call that can fail, failing in turn: memory, read, write, open, fsync, rename, fork, pipe, mmap.

usage: points.py [--sample N] [--seed N] [--most N] [--table] [--show COMMAND KIND N] [COMMAND...]
       with ROCSTEADY, the built program; ROCSTEADY_SOURCE, this tree; FAIL_AT, the library of fail-at.c

Each command runs once unharmed and is counted; then once for each point, until it ends without having
reached it. Right is: the answer and status of the unharmed run; or no answer (status 64 and above)
and a message; or an answer that says it is not whole: undecided, or a gap that the unharmed one has not.
Wrong is: a signal, a run without end, another answer that looks whole, silence, a file left behind, half a file.
A job under `run` must have run once, whatever fails on our side, and its status must be its own.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
PROGRAM, SHIM = os.environ["ROCSTEADY"], os.environ["FAIL_AT"]
KINDS = "memory read write open fsync rename fork pipe mmap".split()
SNAP = str(SOURCE / "tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap")
SMALL = str(SOURCE / "tests/machines/nogpu-debian12-k61-guest.snap")
KB = SOURCE / "kb"

JOB = ["sh", "-c", 'echo x >>ran; echo hello; exit "$0"']

# name: arguments. A file `log` and a directory `kb` are beside; `-o out` is judged as a file.
COMMANDS = {
    "check": ["check", "--from", SNAP],
    "check-json-o": ["check", "--from", SNAP, "--json", "-o", "out"],
    "check-html-o": ["check", "--from", SMALL, "--format", "html", "-o", "out"],
    "explain": ["explain", "--no-machine", "log"],
    "explain-machine": ["explain", "--from", SNAP, "log"],
    "explain-packed": ["explain", "--no-machine", "log.gz"],
    "targets": ["targets", "library.so"],
    "advise": ["advise", "--gpu", "gfx1100"],
    "kb-list": ["kb", "list"],
    "kb-show": ["kb", "show", "job-too-large"],
    "kb-lint": ["-kb", "lint", "kb"],
    "kb-build": ["-kb", "build", "kb", "-o", "out"],
    "facts": ["facts", "--from", SNAP],
    "facts-gpu": ["facts", "--from", SNAP, "gpu"],
    "snapshot": ["snapshot", "--no-scrub", "--from", SNAP, "-o", "out"],
    "query": ["query", "--from", SNAP, "SELECT * FROM gpu"],
    "fix": ["fix", "--from", SNAP],
    "fix-plan": ["fix", "--from", SNAP, "join-render-group"],
    "run": ["run", "--no-preflight", "--dir", "kept", "--", *JOB, "0"],
    "run-fails": ["run", "--no-preflight", "--dir", "kept", "--", *JOB, "7"],
    "run-preflight": ["run", "--dir", "kept", "--", *JOB, "7"],
    "run-report": ["run", "--report", "made", "--json"],
    "version": ["--version"],
}
LOG = """epoch 1 step 10 loss 0.9
torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 19.98 GiB of which \
1.00 GiB is free. Of the allocated memory 18.92 GiB is allocated by PyTorch, and 200.00 MiB is reserved by PyTorch but unallocated.
"""
BARE = b"the job runs without rocsteady"
SIGNATURE = '''signatures: x
list:
  - id: x-started
    kind: context
    says: "x {version} started"
    literals: ["the program x has started"]
    pattern: 'the program x has started, version (?<version>[0-9.]+)'
    states: {torch: "{version}"}
    examples: ["the program x has started, version 1.2"]
    near: ["the program y has started"]
    sources:
      - {class: source, ref: "x@0123 x.c", says: "says that it has started"}
'''
CLEAN = re.compile(rb"\d+ ms|\d+\.\d+ s\b|20\d\d-\d\d-\d\d[T ][\d:.]+Z?|-[0-9a-f]{8}\b|(steps|statements|prepared)\": \d+")  # times, names, and what SQLite did
Outcome = collections.namedtuple("Outcome", "status out err files reached counts")


def prepare(work):
    (work / "log").write_text(LOG)
    subprocess.run(["gzip", "-kn", "log"], cwd=work, check=True)
    (work / "library.so").write_bytes(TEMPLATE["library"])
    shutil.copytree(TEMPLATE["kb"], work / "kb", symlinks=True)
    if TEMPLATE.get("made"):
        shutil.copytree(TEMPLATE["made"], work / "made")
    (work / "tmp").mkdir()


TEMPLATE = {}


def words_of(name):
    """Of rocsteady, or of rocsteady-kb beside it."""
    first, *rest = COMMANDS[name]
    return [PROGRAM + first, *rest] if first == "-kb" else [PROGRAM, first, *rest]


def template(top):
    """A small library of real code, a small knowledge and a journal, made once."""
    TEMPLATE["library"] = (SOURCE / "tests/fuzz/corpus/ccob/v1-zstd").read_bytes()
    kb = top / "kb"
    (kb / "signatures").mkdir(parents=True)
    shutil.copy(KB / "VERSION", kb)
    (kb / "signatures" / "x.yaml").write_text(SIGNATURE)
    TEMPLATE["kb"] = kb
    made = top / "made"
    subprocess.run([PROGRAM, "run", "--no-preflight", "--dir", str(made), "--", "sh", "-c", "cat log >&2; exit 3"], cwd=top,
                   stdin=subprocess.DEVNULL, capture_output=True)
    TEMPLATE["made"] = made if made.exists() else None


def files_of(work):
    """What a command left, without what it was given; a journal's bytes are its own."""
    found = {}
    given = {"log", "log.gz", "library.so", "kb", "made"}
    for path in sorted(work.rglob("*")):
        name = path.relative_to(work)
        if name.parts[0] in given or path.is_dir():
            continue
        found[str(name)] = CLEAN.sub(b"#", path.read_bytes()) if str(name) in ("out", "ran") else b""
    return found


def run(name, kind=0, at=0):
    with tempfile.TemporaryDirectory(dir=BASE) as place:
        work = pathlib.Path(place)
        prepare(work)
        state = BASE / f"state.{work.name}"
        state.write_bytes(struct.pack("<QQQ", kind, at, 0) + bytes(8 * len(KINDS)))
        env = {"PATH": os.environ["PATH"], "LD_PRELOAD": SHIM, "FAIL_STATE": str(state), "HOME": place, "TMPDIR": f"{place}/tmp",
               "FAIL_PROGRAM": pathlib.Path(words_of(name)[0]).name, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        process = subprocess.Popen(words_of(name), cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(timeout=300)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, err = process.communicate()
            status = "no end"
        wait_for_watcher(name, work)
        numbers = struct.unpack(f"<QQQ{len(KINDS)}Q", state.read_bytes())
        state.unlink()
        out, err = out.replace(place.encode(), b"@"), err.replace(place.encode(), b"@")
        return Outcome(status, CLEAN.sub(b"#", out), err, files_of(work), bool(numbers[2]), numbers[3:])


def wait_for_watcher(name, work):
    """run: its watcher, whose directory this is, may still end the journal when the job's status is known."""
    until = time.monotonic() + 10
    while is_job(name) and time.monotonic() < until and any(is_in(work, entry) for entry in pathlib.Path("/proc").glob("[0-9]*")):
        time.sleep(0.02)


def is_in(work, process):
    try:
        return os.readlink(process / "cwd") == str(work) and process.name != str(os.getpid())
    except OSError:
        return False


def is_job(name):
    return "--" in COMMANDS[name]


def judge_job(whole, got):
    """The job is what its user wants: it ran once, its status is its own, and what its output lacks is told."""
    ran = got.files.get("ran", b"").count(b"x")
    if got.status == "no end" or ran != 1:
        return "ENDLESS" if got.status == "no end" else "NOT RUN" if ran == 0 else f"RUN {ran} TIMES"
    if got.status == -13 and b"SIGPIPE" in got.err:  # the job's: nobody reads its output any more
        return "told"
    if got.status != whole.status:
        return f"SIGNAL {-got.status}" if got.status < 0 else "OTHER STATUS"
    if got.out != whole.out:
        return "told" if b"could not be written" in got.err else "LOST"
    if got.err == whole.err:
        return "same"
    return "bare" if BARE in got.err else "same, told" if got.err else "SILENT"


def judge(name, whole, got):
    """A word for what came of it; those in capitals are wrong."""
    if is_job(name):
        return judge_job(whole, got)
    if got.status == "no end" or got.status < 0:
        return "ENDLESS" if got.status == "no end" else f"SIGNAL {-got.status}"
    left = set(got.files) - set(whole.files)
    if left:
        return "LEFT " + " ".join(sorted(left))
    same = got.out == whole.out and got.files.get("out") == whole.files.get("out")
    if got.status == whole.status and same:
        return "same" if not got.err or got.err == whole.err else "same, told"
    if got.status >= 64:
        if not got.err.strip():
            return "SILENT"
        if "out" in got.files:
            return "HALF"
        return "refused"
    if got.status == 3 and whole.status != 3:
        return "undecided"
    return "gap" if tells(got, whole) else "OTHER"


WORDS = (b"could not", b"could be read", b"cannot", b"unknown", b"unread", b"not read", b"no memory", b"out of memory", b"not looked", b"without", b"gap")


def tells(got, whole):
    both, before = got.out + got.err + (got.files.get("out") or b""), whole.out + whole.err + (whole.files.get("out") or b"")
    return unknown(both) > unknown(before) or any(both.lower().count(word) > before.lower().count(word) for word in WORDS)


def unknown(text):
    """How many gaps an answer of check names."""
    return sum(map(int, re.findall(rb"Not known: .*?(\d+) more", text))) + sum(map(int, re.findall(rb'"standing": "\w+", "count": (\d+)', text)))


def points(whole, kinds, most, rng, sample):
    """(kind, N) of every point, or of a seeded sample; where there are more than `most`, every so manyeth."""
    found = []
    for kind, count in enumerate(whole.counts):
        step = max(1, -(-count // most)) if most else 1
        found += [(kind, at) for at in range(1, count + 1, step)] if not kinds or KINDS[kind] in kinds else []
    if sample and len(found) > sample:
        found = rng.sample(found, sample)
    return found


def main():
    global BASE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=0, help="so many points of each command, by chance")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--most", type=int, default=0, help="at most so many points of a kind, evenly spread")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, help="of these kinds only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--table", action="store_true", help="a table in Markdown")
    parser.add_argument("--show", nargs=3, metavar=("COMMAND", "KIND", "N"), help="what one point gives")
    parser.add_argument("commands", nargs="*")
    given = parser.parse_args()
    rng, wrong, total = random.Random(given.seed), 0, 0
    with tempfile.TemporaryDirectory() as top:
        BASE = pathlib.Path(top)
        (BASE / "log").write_text(LOG)
        template(BASE)
        if given.show:
            name, kind, at = given.show
            got = run(name, KINDS.index(kind), int(at))
            print(f"status {got.status}, reached {got.reached}, files {list(got.files)}\n--- out\n{got.out.decode(errors='replace')}\n--- err\n"
                  f"{got.err.decode(errors='replace')}")
            return 0
        if given.table:
            print("| command | " + " | ".join(KINDS) + " | tried | outcomes |\n|---" * 1 + "|---" * (len(KINDS) + 2) + "|")
        for name in given.commands or COMMANDS:
            whole = run(name)
            again = run(name)
            if (whole.out, whole.status, whole.files) != (again.out, again.status, again.files):
                print(f"{name}: two unharmed runs differ", flush=True)
                wrong += 1
                continue
            if not any(whole.counts):
                print(f"{name}: {SHIM} was not loaded: {whole.err.decode(errors='replace')}", flush=True)
                wrong += 1
                continue
            chosen = points(whole, given.kinds, given.most, rng, given.sample)
            with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
                got = list(pool.map(lambda p: run(name, *p), chosen))
            words = collections.Counter()
            for (kind, at), one in zip(chosen, got):
                word = judge(name, whole, one) if one.reached else "not reached"
                words[word.split(" ")[0] if word[0].isupper() else word] += 1
                if word[0].isupper():
                    wrong += 1
                    print(f"{name}: {KINDS[kind]} {at}: {word}; status {one.status}, not {whole.status}; {one.err[-160:]!r}", flush=True)
            total += len(chosen)
            told = ", ".join(f"{count} {word}" for word, count in words.most_common())
            if given.table:
                print(f"| `{name}` | " + " | ".join(map(str, whole.counts)) + f" | {len(chosen)} | {told} |", flush=True)
            else:
                print(f"{name}: status {whole.status}, {sum(whole.counts)} points, {len(chosen)} tried: {told}", flush=True)
    print(f"{total} points tried, {wrong} wrong")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
