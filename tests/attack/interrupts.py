#!/usr/bin/env python3
"""Signals and kills at random moments: no half file, nothing lost, no status but the job's.

usage: interrupts.py [--seed N] [--times N] [--only KIND]... [--kb FILE] PROGRAM

Each kind of the table KINDS is done about N times (10). FILE is a sound kb.db. A command is started, and gets SIGINT, SIGTERM, SIGHUP or SIGKILL after a
random part of the time that it takes unharmed. Afterwards a file is the old one or the new one, whole; what `fix` did is
taken back byte for byte; the knowledge works; a job has its status and its bytes. `kill` kills any one process of `run`.
One line a kind: tried, interrupted, failed; the last line is "N passed, N failed".
As root in a mount namespace of its own, for what `kb update` writes.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
MACHINES = SOURCE / "tests" / "machines"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
ENDINGS = {0, 1, 2, 3, 64, 66, 75} | {-s for s in SIGNALS} | {128 + s for s in SIGNALS}
SECONDS = 120
LINES = 3000
WHOLE = b"".join(b"line %d of the job\n" % i for i in range(LINES))
JOB = f"""
import os, random, sys, time
die = random.Random(int(sys.argv[1]))
text = b"".join(b"line %d of the job\\n" % i for i in range({LINES}))
at = 0
while at < len(text):
    at += os.write(1, text[at:at + die.choice((8, 100, 552, 3000, 9000))])
    if die.random() < 0.5:
        time.sleep(die.random() * 0.01)
sys.exit(7)
"""


class Trial:
    """A directory of its own, a die of its own, and what was wrong."""
    knowledge = None  # a sound kb.db, or one is made

    def __init__(self, program, work, kind, number, seed):
        self.program, self.kind, self.number = program, kind, number
        self.die = random.Random(f"{seed} {kind} {number}")
        self.place = pathlib.Path(tempfile.mkdtemp(dir=work))
        self.hit, self.bad = False, []

    def check(self, what, holds):
        if not holds:
            self.bad.append(what)
            print(f"FAILED {self.kind} {self.number}: {what}", flush=True)
        return holds

    def start(self, *words, **more):
        return subprocess.Popen([self.program, *map(str, words)], stdin=subprocess.DEVNULL, cwd=self.place,
                                **{"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **more})

    def ask(self, *words):
        return subprocess.run([self.program, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=self.place, timeout=SECONDS)

    def interrupt(self, takes, *words):
        """The command, hit within the time that it takes; its status."""
        process = self.start(*words)
        time.sleep(self.die.random() * takes)
        self.hit = process.poll() is None
        self.signal = self.die.choice(SIGNALS)
        if self.hit:
            process.send_signal(self.signal)
        try:
            said = process.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[0]
            self.check(f"{words[0]} does not end after {self.signal.name}", False)
        self.check(f"{words[0]} ends with {process.returncode}: {said[-300:]}", process.returncode in ENDINGS)
        self.check(f"a sanitizer: {said[-600:]}", b"Sanitizer" not in said and b"runtime error:" not in said)
        return process.returncode


TIMES = {}


def takes(what, action):
    """Seconds that it takes unharmed: the longest of three."""
    if what not in TIMES:
        spent = []
        for _ in range(3):
            begin = time.monotonic()
            action()
            spent.append(time.monotonic() - begin)
        TIMES[what] = max(spent)
    return TIMES[what]


# ---- the kinds ----

def output(t):
    """snapshot -o over an older file: that one or the new one, and nothing beside it but after SIGKILL."""
    machine = MACHINES / "mi300x-x8-ubuntu2204-rocm63-ecc.snap"
    words = ("snapshot", "--from", machine, "--scrub-key", "x", "-o", "out.snap")
    new = t.ask(*words[:-2]).stdout
    seconds = takes("output", lambda: t.ask(*words))
    (t.place / "out.snap").write_bytes(b"older\n")
    t.interrupt(seconds, *words)
    t.check("the file is the old one or the new one", (t.place / "out.snap").read_bytes() in (b"older\n", new))
    left = sorted(p.name for p in t.place.iterdir() if p.name != "out.snap")
    t.check(f"left beside it after {t.signal.name}: {left}", not left or t.signal == signal.SIGKILL)


def report(t):
    """check -o, a page of HTML, where there was none."""
    words = ("check", "--format", "html", "--from", MACHINES / "rx6600-debian12-k61-healthy.snap", "-o", "page.html")
    seconds = takes("report", lambda: t.ask(*words))
    (t.place / "page.html").unlink(missing_ok=True)
    t.interrupt(seconds, *words)
    page = t.place / "page.html"
    t.check("half a page", not page.exists() or page.read_bytes().rstrip().endswith(b"</html>"))


def fix(t):
    """Applied or undone, interrupted, and undone to the end: byte for byte as before."""
    os.environ.update(ROCSTEADY_SOURCE=str(SOURCE), ROCSTEADY=t.program, FIX_DRIVER="", KILL_AT="")
    sys.path.insert(0, str(SOURCE / "tests" / "fix" / "lib"))
    import trips
    remedy, machine, edits = trips.CASES[t.die.choice((2, 3, 4, 5))]
    tree = trips.make_tree(t.place, machine, edits)
    before = trips.fingerprint(tree)
    apply = ("fix", remedy, "--root", tree, "--apply", "--yes")
    undo = ("fix", remedy, "--root", tree, "--undo")
    seconds = takes(f"apply {remedy}", lambda: (t.ask(*apply), t.ask(*undo))) / 2
    if t.die.random() < 0.6:
        t.interrupt(seconds, *apply)
        if t.die.random() < 0.3:
            t.ask(*apply)
    else:
        t.ask(*apply)
        t.interrupt(seconds, *undo)
    done = t.ask(*undo)
    t.check(f"undone: {done.returncode} {done.stdout[-300:]}", done.returncode == 0)
    after = trips.fingerprint(tree)
    t.check(f"as before: {trips.difference(before, after)}", before == after)


STATE, KEYS = pathlib.Path("/var/lib/rocsteady"), pathlib.Path("/etc/rocsteady/kb-keys.d")


def signed(t):
    """A kb.db of another day with a signature of a key that is trusted here, made once."""
    home = t.place.parent / "signed"
    if not home.exists():
        home.mkdir()
        run = lambda *words: subprocess.run(list(map(str, words)), check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        if Trial.knowledge:
            shutil.copy(Trial.knowledge, home / "one.db")
        else:
            run(f"{t.program}-kb", "build", SOURCE / "kb", "-o", home / "one.db")
        run("sqlite3", home / "one.db", "UPDATE kb SET version = '2091-01-01', digest = 'x'")
        run("minisign", "-G", "-W", "-f", "-p", home / "k.pub", "-s", home / "k.sec")
        run("minisign", "-S", "-s", home / "k.sec", "-m", home / "one.db", "-t", "knowledge for tests")
        KEYS.mkdir(parents=True, exist_ok=True)
        shutil.copy(home / "k.pub", KEYS / "site.pub")
    return home / "one.db"


def version(t):
    done = t.ask("kb", "version")
    return done.returncode, done.stdout.split(b"\n")[0]


def update(t):
    """kb update, in a mount namespace of its own: the carried knowledge is in use or the new one, and a second try works."""
    db = signed(t)
    shutil.rmtree(STATE, ignore_errors=True)
    carried = version(t)
    seconds = takes("update", lambda: (shutil.rmtree(STATE, ignore_errors=True), t.ask("kb", "update", db)))
    new = (0, b"version 2091-01-01")
    shutil.rmtree(STATE, ignore_errors=True)
    t.interrupt(seconds, "kb", "update", db)
    t.check(f"the knowledge in use: {version(t)}", version(t) in (carried, new))
    done = t.ask("kb", "update", db)
    t.check(f"the second try: {done.stdout[-200:]}", done.returncode == 0 and version(t) == new)


def job(t, *options):
    return ("run", "--no-preflight", "--dir", "kept", *options, "--", sys.executable, "-c", JOB, str(t.number))


def told(t):
    """What `run --report` says of it afterwards, which must be something."""
    done = t.ask("run", "--report", "kept", "--json")
    t.check(f"the journal is readable: {done.returncode} {done.stdout[-200:]}", done.returncode in (0, 1, 2, 3))


def run(t):
    """A signal to `run`: it reaches the job, and what the job had written is on the output."""
    seconds = takes("run", lambda: (shutil.rmtree(t.place / "kept", ignore_errors=True), t.ask(*job(t))))
    shutil.rmtree(t.place / "kept", ignore_errors=True)
    with open(t.place / "out", "wb") as out:
        process = t.start(*job(t), stdout=out, stderr=subprocess.DEVNULL)
        time.sleep(t.die.random() * seconds)
        t.hit = process.poll() is None
        t.signal = t.die.choice(SIGNALS[:3])
        process.send_signal(t.signal)
        try:
            status = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return t.check(f"run does not end after {t.signal.name}", False)
    got = (t.place / "out").read_bytes()
    t.check(f"status {status} after {t.signal.name}", status in (7, -t.signal, 128 + t.signal, 1))
    t.check("the output is what the job wrote, from its start", WHOLE.startswith(got) or b"Traceback" in got)
    t.check("all of it, if the job ended by itself", status != 7 or got == WHOLE)
    if (t.place / "kept").exists():
        told(t)


def children(pid):
    try:
        return list(map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except OSError:
        return []


def family(keeper):
    """The keeper, the watcher, which is its first child, and whoever helps that one. The child that becomes the job is none."""
    below = children(keeper)[:1]
    return [keeper] + below + [helper for watcher in below for helper in children(watcher)]


def kill(t):
    """One process of `run` is killed, half of the time with --survive. Then the job ends as it would, with all of its bytes; else
    it ends with its keeper, and what is there is a beginning."""
    survive = t.die.random() < 0.5
    out = open(t.place / "out", "wb")
    process = t.start(*job(t, *(["--survive"] if survive else [])), stdout=out, stderr=subprocess.DEVNULL)
    time.sleep(0.05 + t.die.random() * 0.6)
    victims = family(process.pid)
    victim = t.die.choice(victims) if victims else process.pid
    started = len(children(process.pid)) > 1  # before that there is no job that could survive
    t.hit = process.poll() is None
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        t.hit = False
    try:
        status = process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return t.check("run does not end", False)
    until = time.monotonic() + (30 if survive else 1)
    while (t.place / "out").stat().st_size < len(WHOLE) and time.monotonic() < until and (survive or victim != process.pid):
        time.sleep(0.05)
    out.close()
    got = (t.place / "out").read_bytes()
    keeper = victim == process.pid and t.hit
    t.check(f"status {status}", status == (-9 if keeper and status != 7 else 7))
    t.check(f"{len(WHOLE) - len(got)} bytes are missing, survive {survive}, keeper {keeper}",
            got == WHOLE if (started or got) and (survive or not keeper) else WHOLE.startswith(got))


KINDS = {output: 3, report: 1, fix: 4, update: 2, run: 3, kill: 4}


def in_namespace():
    """Whether we are in a mount namespace of our own, begun anew if need be."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "minisign", "sqlite3"))):
        return False
    if os.environ.get("IN_NAMESPACE") == "1":
        return True
    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ["IN_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "-m", "--propagation", "private", sys.executable, "-B", *sys.argv])
    return False


def own_places(work):
    for name, place in (("etc", "/etc"), ("var", "/var/lib")):
        (work / name).mkdir()
        if name == "etc":
            for account in ("passwd", "group"):
                shutil.copy(f"/etc/{account}", work / name / account)
        if subprocess.run(["mount", "--bind", work / name, place], stderr=subprocess.DEVNULL).returncode != 0:
            return False
    return True


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--times", type=int, default=10, help="of each kind, by its weight")
    options.add_argument("--only", action="append", choices=[k.__name__ for k in KINDS])
    options.add_argument("--kb", type=os.path.abspath)
    options.add_argument("program", type=os.path.abspath)
    o = options.parse_args()
    Trial.knowledge = o.kb
    kinds = [k for k in KINDS if not o.only or k.__name__ in o.only]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="attack-") as work:
        if update in kinds and not (in_namespace() and own_places(pathlib.Path(work))):
            print("kb update is left out: it takes root, a mount namespace and minisign")
            kinds.remove(update)
        for kind in kinds:
            hits = bad = 0
            count = max(1, o.times * KINDS[kind] // 4)
            for number in range(count):
                trial = Trial(o.program, pathlib.Path(work), kind.__name__, number, o.seed)
                kind(trial)
                hits, bad = hits + trial.hit, bad + bool(trial.bad)
                shutil.rmtree(trial.place, ignore_errors=True)
            print(f"{kind.__name__:10} {count:5} tried {hits:5} interrupted {bad:4} failed", flush=True)
            passed, failed = passed + count - bad, failed + bad
        if update in kinds:
            for place in ("/etc", "/var/lib"):
                subprocess.run(["umount", place])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
