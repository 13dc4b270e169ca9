#!/usr/bin/env python3
"""The power fails at every point of a command that writes files.

usage: power-loss.py [--times N] [--seed N] [CASE...]      with ROCSTEADY, ROCSTEADY_SOURCE, FIX_DRIVER; strace records

A command runs once under strace. Then, for each call that changes a file or a name, directories are made as a disk
may have them if the power fails right there: what was synced is there; of all else each write, in sectors of 512
bytes, and each change of a name may be there or not, in any order; a rename never loses both names. A sync of a directory keeps its own names alone,
and what lies in a directory whose name is lost is lost with it. Each of N such states for a point is given to
whoever reads it next: it must see the old state or the new one, or, of a journal, the records up to some point.
"""
import argparse
import collections
import contextlib
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

PROGRAM, DRIVER, SOURCE = os.environ["ROCSTEADY"], os.environ["FIX_DRIVER"], pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
SNAP = str(SOURCE / "tests/machines/nogpu-debian12-k61-guest.snap")
CALLS = "openat,fchmod,write,pwrite64,ftruncate,fallocate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,linkat,mkdir,mkdirat"
SECTOR = 512
JOB = ["sh", "-c", "echo 'HIP out of memory. Tried to allocate 2.00 GiB'; exit 3"]
MEMORY = "/dev/shm"  # each change is synced, and a real disk takes its time
DAYS = ["2091-01-01", "2091-02-02"]
DIRECTORY = "directory"


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


def contents(place):
    return {str(p.relative_to(place)): DIRECTORY if p.is_dir() else p.read_bytes() for p in sorted(place.rglob("*"))}


def number_files(old):
    return {name: number for number, name in enumerate(n for n, body in old.items() if body is not DIRECTORY)}


def record(command, work, old):
    """What the command did to names and files below `work`, in order; a file has a number, those of `old` come first."""
    log = work.parent / "strace"
    done = subprocess.run(["strace", "-f", "-y", "-xx", "-s", "20000000", "-e", f"trace={CALLS}", "-o", str(log), *command], cwd=work,
                          stdin=subprocess.DEVNULL, capture_output=True)
    inodes, ops = number_files(old), []
    ends = {number: len(old[name]) for name, number in inodes.items()}
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
            if one in inodes and b"O_TRUNC" in words:
                ops.append(("size", inodes[one], 0))
            if one and b"O_CREAT" in words and one not in inodes:
                inodes[one] = len(ends)
                ends[inodes[one]] = 0
                ops.append(("mode", inodes[one], int(words.split(b",")[-1], 8) & ~0o022))
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
            if a in inodes or b"AT_REMOVEDIR" in words:
                ops.append(("gone", a, inodes.pop(a, None)))
        elif name.startswith("mkdir"):
            a = path(0, texts[0])
            if a:
                ops.append(("name", a, DIRECTORY))
        elif fds:
            one = os.path.relpath(fds[0], here) if fds[0].startswith(here) else None
            if one in inodes:
                number = inodes[one]
                if "sync" in name:
                    ops.append(("sync", number, None))
                elif name == "fchmod":
                    ops.append(("mode", number, int(words.split(b",")[-1], 8)))
                elif "write" in name:
                    at = int(numbers[-1]) if name == "pwrite64" else ends[number]
                    ends[number] = at + len(texts[0])
                    ops.append(("write", number, (at, texts[0])))
                else:
                    ops.append(("size", number, int(numbers[-1])))
            elif one and "sync" in name:
                ops.append(("sync-names", one, None))
    return done, ops


def crash(ops, at, rng, place, old):
    """A directory as a disk may have it when the power fails before ops[at]."""
    synced, names_synced = collections.defaultdict(lambda: -1), collections.defaultdict(lambda: -1)
    for i, (kind, what, _) in enumerate(ops[:at]):
        if kind == "sync":
            synced[what] = i
        elif kind == "sync-names":
            names_synced[what] = i
    numbers = number_files(old)
    files = {number: bytearray(old[name]) for name, number in numbers.items()}
    names = {name: numbers.get(name, DIRECTORY) for name in old}
    modes = collections.defaultdict(lambda: 0o644)
    taken = None  # the last name that got there
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
        elif kind == "mode" and (what not in modes or i < synced[what] or rng.random() < calm):
            modes[what] = more
        elif kind in ("name", "move", "gone") and (i < names_synced[os.path.dirname(what) or "."] or rng.random() < calm):
            if kind == "name":
                names[what] = more
                taken = i
            elif kind == "gone" or taken == i - 1:  # no disk loses the old name of a rename and has not the new one
                names.pop(what, None)
    for name, body in sorted(names.items()):
        if not (place / name).parent.is_dir():
            continue
        if body is DIRECTORY:
            (place / name).mkdir(exist_ok=True)
        else:
            (place / name).write_bytes(files.get(body, b""))
            (place / name).chmod(modes[body])


def run(*words, cwd):
    return subprocess.run([PROGRAM, *words], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)


# ---- the cases: what is there before, what writes, and what a state must be ----

class Case:
    """`old` is what is there before; the command is recorded in `work`, and states are made in `place`."""
    old = {}

    def __init__(self, top):
        self.work, self.place = top / "work", top / "state"
        self.work.mkdir()
        for name, body in self.old.items():
            (self.work / name).mkdir() if body is DIRECTORY else (self.work / name).write_bytes(body)
        self.command = [PROGRAM, *self.words]

    def recorded(self):
        """The command has run to its end."""

    def clear(self):
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()


class Answer(Case):
    """-o over an older file: the one or the other; and the same command works afterwards."""
    words = ["facts", "--from", SNAP, "--json", "-o", "out"]
    old = {"out": b"old\n" * 500}

    def recorded(self):
        self.new = (self.work / "out").read_bytes()

    def look(self, done, last):
        got = (self.place / "out").read_bytes()
        assert got == self.new or got == self.old["out"] and not last, f"{len(got)} bytes that are neither the old nor the new file"
        again = run(*self.words, cwd=self.place)
        assert again.returncode == 0 and (self.place / "out").read_bytes() == self.new, again.stderr
        return "new" if got == self.new else "old"


class Journal(Case):
    """Records up to some point; a report says so, or that there is no journal. From its first sync on it is there."""
    words = ["run", "--no-preflight", "--dir", "kept", "--", *JOB]
    directory = "kept"

    def look(self, done, last):
        synced = any(op[0] == "sync" for op in done)
        if not any((self.place / self.directory).rglob("journal")):
            assert not synced, "what was synced has no name"
            return "none"
        shown = run("run", "--report", self.directory, "--json", cwd=self.place)
        assert shown.returncode in (0, 125), shown
        assert shown.returncode == 0 or shown.stderr, "silence"
        assert shown.returncode == 0 or not synced, "what was synced cannot be read"
        whole = b'"ending": "status"' in shown.stdout
        assert whole or not last, "the end was synced and is not there"
        return "whole" if whole else "a part" if shown.returncode == 0 else "none"


class OwnJournal(Journal):
    """The same in the directory that is made where none is named."""
    words = ["run", "--no-preflight", "--", *JOB]
    directory = ".rocsteady"


class Fix(Case):
    """What was told as done is there; wherever the power failed it is undone byte for byte, at once or after it was resumed."""
    words = []
    old = before = {"etc": DIRECTORY, "etc/hosts": b"hosts\n", "var": DIRECTORY, "var/lib": DIRECTORY}
    writes = {"/etc/security/limits.d/rocsteady-nofile.conf": "".join(f"user{i} - nofile 65536\n" for i in range(60)),
              "/etc/modprobe.d/rocsteady-x.conf": "options amdgpu x=1\n"}

    def __init__(self, top):
        super().__init__(top)
        self.turn = 0
        self.command = self.driver(self.work, "apply")

    def driver(self, tree, verb):
        actions = [word for path, text in self.writes.items() for word in ("write", path, text, "-")] if verb == "apply" else []
        return [DRIVER, str(tree), "/var/lib/rocsteady/fix", verb, "raise-limits", "subject", *actions]

    def drive(self, verb, *good):
        done = subprocess.run(self.driver(self.place, verb), stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        assert done.returncode in good, f"{verb} ends with {done.returncode}: {done.stderr}"

    def is_applied(self):
        return all((self.place / path[1:]).is_file() and (self.place / path[1:]).read_text() == text for path, text in self.writes.items())

    def what_is_there(self):
        return "applied" if self.is_applied() else "none" if contents(self.place) == self.before else "a part"

    def look(self, done, last):
        self.turn += 1
        word = self.what_is_there()
        assert word == "applied" or not last, "the change was told as done and is not there"
        if self.turn % 2:
            self.drive("apply", 0, 3)
            assert self.is_applied(), "resumed, and not there"
        self.undo()
        return word

    def undo(self):
        self.drive("undo", 0, 4)
        left = contents(self.place)
        assert left == self.before, f"not as before: {sorted(set(left.items()) ^ set(self.before.items()))}"


class Undo(Fix):
    """The way back: what was told as undone is so, and else it is when it is asked for again."""

    def __init__(self, top):
        super().__init__(top)
        subprocess.run(self.command, check=True)
        self.old = contents(self.work)
        self.command = self.driver(self.work, "undo")

    def look(self, done, last):
        word = self.what_is_there()
        assert word == "none" or not last, "the change was told as undone and is there"
        self.undo()
        return word


class Update(Case):
    """The older knowledge or the newer, each with its signature, in an /etc and a /var/lib that nobody else sees."""

    def __init__(self, top):
        self.work = self.place = pathlib.Path("/var/lib")
        for name in ("etc", "var"):
            (top / name).mkdir()
            (top / name).chmod(0o755)
        for name in ("passwd", "group"):
            shutil.copy(f"/etc/{name}", top / "etc")
        for name, at in (("etc", "/etc"), ("var", "/var/lib")):
            subprocess.run(["mount", "--bind", str(top / name), at], check=True)
        keys = pathlib.Path("/etc/rocsteady/kb-keys.d")
        keys.mkdir(parents=True)
        quiet = {"stdout": subprocess.DEVNULL, "check": True}
        subprocess.run(["minisign", "-G", "-W", "-p", str(keys / "site.pub"), "-s", str(top / "secret")], **quiet)
        self.files = []
        shutil.copy(pathlib.Path(PROGRAM).parent / "kb.db", top / "made.db")  # what it carries, made with it
        for day in DAYS:
            self.files.append(str(top / f"{day}.db"))
            shutil.copy(top / "made.db", self.files[-1])
            with contextlib.closing(sqlite3.connect(self.files[-1])) as db, db:
                db.execute("UPDATE kb SET version = ?, digest = ?", (day, day))
            subprocess.run(["minisign", "-S", "-s", str(top / "secret"), "-m", self.files[-1]], **quiet)
        subprocess.run([PROGRAM, "kb", "update", self.files[0]], **quiet)
        self.old = contents(self.work)
        self.command = [PROGRAM, "kb", "update", self.files[1]]

    def clear(self):
        shutil.rmtree("/var/lib/rocsteady", ignore_errors=True)

    def in_use(self):
        shown = run("kb", "version", cwd="/")
        assert shown.returncode == 0 and b"signed  by site" in shown.stdout, shown
        return re.search(r"version (\S+)", shown.stdout.decode())[1]

    def look(self, done, last):
        day = self.in_use()
        assert day in DAYS[1:] if last else day in DAYS, day
        again = run(*self.command[1:], cwd="/")
        assert again.returncode == 0 and self.in_use() == DAYS[1], again
        return "new" if day == DAYS[1] else "old"


CASES = {"answer": Answer, "journal": Journal, "own-journal": OwnJournal, "fix": Fix, "undo": Undo, "kb-update": Update}


def case(name, times, rng, forget):
    seen, wrong = {}, 0
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as top:
        one = CASES[name](pathlib.Path(top))
        old = one.old
        done, ops = record(one.command, one.work, old)
        ops = [op for op in ops if "/report." not in str(op[1])]  # made from the journal
        ops = [op for op in ops if op[0] != forget]
        assert ops and not done.stderr.startswith(b"strace"), done.stderr
        one.recorded()
        states = [(at, i) for at in range(len(ops) + 1) for i in range(times)]
        for at, i in states:
            one.clear()
            crash(ops, at, rng, one.place, old)
            try:
                word = one.look(ops[:at], at == len(ops))
            except AssertionError as e:
                word, wrong = "WRONG", wrong + 1
                print(f"{name}: after {at} of {len(ops)} calls ({ops[at][:2] if at < len(ops) else 'end'}): {e}", flush=True)
            seen[word] = seen.get(word, 0) + 1
    print(f"{name}: {len(ops)} calls, {len(states)} states: " + ", ".join(f"{count} {word}" for word, count in sorted(seen.items())), flush=True)
    return wrong


def case_apart(name, given):
    """In a mount namespace of its own; each state takes a second, so there are fewer."""
    if os.getuid() != 0 or not shutil.which("minisign") or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        print(f"{name}: not tried: it takes root, minisign and a mount namespace")
        return 0
    return subprocess.run(["unshare", "-m", "--propagation", "private", sys.executable, "-B", __file__, "--here", "--times", str(max(1, given.times // 4)),
                           "--seed", str(given.seed), "--forget", given.forget, name]).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=4, help="states for each point")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--forget", choices=["", "sync", "sync-names"], default="", help="as if it were never called: is that seen?")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not shutil.which("strace"):
        print("skipped: no strace to record the calls with")
        return 77
    wrong = sum(case_apart(name, given) if name == "kb-update" and not given.here else
                case(name, given.times, random.Random(given.seed), given.forget)
                for name in given.cases)
    if not given.here:
        print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
