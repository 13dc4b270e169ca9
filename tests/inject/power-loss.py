#!/usr/bin/env python3
"""The power fails at every point of a command that writes files.

usage: power-loss.py [--times N] [--seed N] [CASE...]      with ROCSTEADY and ROCSTEADY_SOURCE; strace records

A command runs once under strace. Then, for each call that changes a file or a name, directories are made as a disk
may have them if the power fails right there: what was synced is there; of all else each write, in sectors of 512
bytes, and each change of a name may be there or not, in any order. Each of N such states for a point is given to
whoever reads it next: it must see the old state or the new one, or, of a journal, the records up to some point.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, SOURCE = os.environ["ROCSTEADY"], pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
SNAP = str(SOURCE / "tests/machines/nogpu-debian12-k61-guest.snap")
CALLS = "openat,write,pwrite64,ftruncate,fallocate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,linkat,mkdir,mkdirat"
SECTOR = 512


def text_of(word):
    return re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), word)


def whole_lines(log):
    """Calls that strace told in two parts, because another thread was faster, are put together."""
    begun = {}
    for line in log.splitlines():
        pid, _, rest = line.partition(b" ")
        if line.endswith(b" <unfinished ...>"):
            begun[pid] = line[:-len(b" <unfinished ...>")]
        elif resumed := re.match(rb" *<\.\.\. \w+ resumed>(.*)", rest):
            yield begun.pop(pid, b"") + resumed[1]
        else:
            yield line


def record(command, work):
    """What the command did to names and files below `work`, in order."""
    log = work.parent / "strace"
    done = subprocess.run(["strace", "-f", "-y", "-xx", "-s", "20000000", "-e", f"trace={CALLS}", "-o", str(log), *command], cwd=work,
                          stdin=subprocess.DEVNULL, capture_output=True)
    inodes, ops, ends = {}, [], {}
    for line in whole_lines(log.read_bytes()):
        call = re.match(rb"\d+ +(\w+)\((.*)\) += +(-?\d+)", line)
        if not call or int(call[3]) < 0:
            continue
        name, words = call[1].decode(), call[2]
        fds = [os.fsdecode(text_of(w)) for w in re.findall(rb"<((?:\\x[0-9a-f]{2})*)>", words)]
        texts = [text_of(w) for w in re.findall(rb'"((?:\\x[0-9a-f]{2})*)"', words)]
        numbers = re.findall(rb"(?:^|, )(-?\d+)(?=,|$)", words)
        here = str(work)

        def path(i, text):
            found = os.path.normpath(os.path.join(fds[i] if i < len(fds) else here, os.fsdecode(text)))
            return os.path.relpath(found, here) if found.startswith(here + "/") else None

        if name == "openat":
            one = path(0, texts[0])
            if one and b"O_CREAT" in words and one not in inodes:
                inodes[one] = len(ends)
                ends[inodes[one]] = 0
                ops.append(("name", one, inodes[one]))
        elif name.startswith("rename") or name == "linkat":
            a, b = path(0, texts[0]), path(1, texts[1])
            if a in inodes and b:
                inodes[b] = inodes[a]
                ops.append(("name", b, inodes[a]))
                if name != "linkat":
                    del inodes[a]
                    ops.append(("move", a, b))
        elif name.startswith("unlink"):
            a = path(0, texts[0])
            if a in inodes:
                ops.append(("gone", a, inodes.pop(a)))
        elif fds:
            one = os.path.relpath(fds[0], here) if fds[0].startswith(here) else None
            if one == "." or one and os.path.isdir(fds[0]):
                if "sync" in name:
                    ops.append(("sync-names", one, None))
            elif one in inodes:
                number = inodes[one]
                if "sync" in name:
                    ops.append(("sync", number, None))
                elif "write" in name:
                    at = int(numbers[-1]) if name == "pwrite64" else ends[number]
                    ends[number] = at + len(texts[0])
                    ops.append(("write", number, (at, texts[0])))
                else:
                    ops.append(("size", number, int(numbers[-1])))
    return done, ops


def crash(ops, at, rng, place, old):
    """A directory as a disk may have it when the power fails before ops[at]."""
    synced = {number: max((i for i in range(at) if ops[i][:2] == ("sync", number)), default=-1) for number in range(len(ops))}
    names_synced = max((i for i in range(at) if ops[i][0] == "sync-names"), default=-1)
    files, names = {}, dict(old)
    calm = rng.random()  # how much of what was not synced got there
    for i, (kind, what, more) in enumerate(ops[:at]):
        if kind in ("write", "size"):
            whole = i < synced[what]
            body = files.setdefault(what, bytearray())
            if kind == "size":
                if whole or rng.random() < calm:
                    body[more:] = bytes(max(0, more - len(body)))
                continue
            start, data = more
            for sector in range(start - start % SECTOR, start + len(data), SECTOR):
                a, b = max(sector, start), min(sector + SECTOR, start + len(data))
                if whole or rng.random() < calm:
                    body.extend(bytes(max(0, b - len(body))))
                    body[a:b] = data[a - start:b - start]
        elif kind in ("name", "move", "gone") and (i < names_synced or rng.random() < calm):
            if kind == "name":
                names[what] = more
            else:
                names.pop(what, None)
    for name, body in names.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(body if isinstance(body, bytes) else bytes(files.get(body, b"")))


def run(*words, cwd):
    return subprocess.run([PROGRAM, *words], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


# ---- the cases: what is there before, what writes, and what a state must be ----

def answer(place, old, new, synced, last):
    """-o over an older file: the one or the other; and the same command works afterwards."""
    got = (place / "out").read_bytes()
    assert got == new or got == old and not last, f"{len(got)} bytes that are neither the old nor the new file"
    done = run(*ANSWER, cwd=place)
    assert done.returncode == 0 and (place / "out").read_bytes() == new, done.stderr
    return "new" if got == new else "old"


def journal(place, old, new, synced, last):
    """Records up to some point; a report says so, or that there is no journal."""
    if not (place / "kept").is_dir():
        assert not synced, "what was synced has no name"
        return "none"
    done = run("run", "--report", "kept", "--json", cwd=place)
    assert done.returncode in (0, 125), done
    assert done.returncode == 0 or done.stderr, "silence"
    assert done.returncode == 0 or not synced, "what was synced cannot be read"
    whole = b'"ending": "status"' in done.stdout
    assert whole or not last, "the end was synced and is not there"
    return "whole" if whole else "a part" if done.returncode == 0 else "none"


ANSWER = ["facts", "--from", SNAP, "--json", "-o", "out"]
JOB = ["run", "--no-preflight", "--dir", "kept", "--", "sh", "-c", "echo 'HIP out of memory. Tried to allocate 2.00 GiB'; exit 3"]
CASES = {"answer": (ANSWER, {"out": b"old\n" * 500}, answer), "journal": (JOB, {}, journal)}


def case(name, times, rng):
    words, old, look = CASES[name]
    seen, wrong = {}, 0
    with tempfile.TemporaryDirectory() as top:
        work = pathlib.Path(top) / "work"
        work.mkdir()
        for path, body in old.items():
            (work / path).write_bytes(body)
        done, ops = record([PROGRAM, *words], work)
        ops = [op for op in ops if not str(op[1]).startswith("kept/report")]
        assert ops and not done.stderr.startswith(b"strace"), done.stderr
        new = (work / "out").read_bytes() if (work / "out").exists() else b""
        states = [(at, i) for at in range(len(ops) + 1) for i in range(times)]
        for at, i in states:
            place = pathlib.Path(top) / "state"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            crash(ops, at, rng, place, old)
            try:
                word = look(place, next(iter(old.values()), b""), new, any(op[0] == "sync" for op in ops[:at]), at == len(ops))
            except AssertionError as e:
                word, wrong = "WRONG", wrong + 1
                print(f"{name}: after {at} of {len(ops)} calls: {e}", flush=True)
            seen[word] = seen.get(word, 0) + 1
    print(f"{name}: {len(ops)} calls, {len(states)} states: " + ", ".join(f"{count} {word}" for word, count in sorted(seen.items())), flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=4, help="states for each point")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("cases", nargs="*", default=list(CASES))
    given = parser.parse_args()
    if not shutil.which("strace"):
        print("skipped: no strace to record the calls with")
        return 77
    wrong = sum(case(name, given.times, random.Random(given.seed)) for name in given.cases)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
