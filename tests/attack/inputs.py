#!/usr/bin/env python3
"""Hostile inputs for every command that takes bytes of strangers.

usage: inputs.py [--seed N] [--inputs N] [--seconds N] [--only KIND]... [--jobs N] [--keep DIR]
                 [--kb FILE] PROGRAM

N inputs (200) are shared among the kinds of the table KINDS by their weight; the same seed gives the same inputs. After
N seconds no more are begun. FILE is a sound kb.db; without it one is made. Best with a build of sanitizers (docs/testing.md).
Failed is: a signal, a report of a sanitizer, a status that the manual does not have, no end within 30 s of CPU or 300 s in all,
a byte on the output that acts on a terminal, JSON that is none, and an answer "ready", "ok" or "yes" that ignorance earned.
What failed is kept in DIR. One line a kind: tried, failed; the last line is "N passed, N failed".
"""
import argparse
import bz2
import concurrent.futures
import gzip
import json
import lzma
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from damage import cut, damage, foreign

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
MACHINES = SOURCE / "tests" / "machines"
CORPUS = SOURCE / "tests" / "fuzz" / "corpus"
STATUSES = {0, 1, 2, 3, 64, 66}
CPU_SECONDS, SECONDS = 30, 300
FATAL = b"RuntimeError: HIP error: invalid device function\n"
ILL = "mi300x-x8-ubuntu2204-rocm63-ecc"
HEALTHY = "rx6600-debian12-k61-healthy"


def files(*patterns):
    return sorted(p for pattern in patterns for p in SOURCE.glob(pattern) if p.is_file())


class Attack:
    """What all cases share: the program, the samples, what was found."""

    def __init__(self, program, work, keep, knowledge):
        self.program, self.work, self.keep = program, work, keep
        self.lock = threading.RLock()
        self.tried, self.failed, self.runs, self.until = {}, {}, 0, float("inf")
        self.snapshots = [p.read_bytes() for p in files("tests/machines/*.snap")]
        self.ill, self.healthy = ((MACHINES / f"{name}.snap").read_bytes() for name in (ILL, HEALTHY))
        self.logs = [p.read_bytes() for p in files("tests/logs/healthy/*")]
        quoted = "\n".join(p.read_text() for p in files("kb/signatures/*.yaml", "tests/secrets/*"))
        self.phrases = [line.strip(" -'\"").encode() for line in quoted.splitlines() if len(line) > 12]
        self.binaries = [p.read_bytes() for p in files("tests/fuzz/corpus/*/*") if p.parent.name in
                         ("elf", "pe", "code", "archive", "ccob", "bundle", "kpack", "code-object", "offload-binary", "kernels", "tensile")]
        self.binaries += [p.read_bytes() for p in map(pathlib.Path, ("/bin/true", "/bin/cat")) if p.exists()]
        if not knowledge:
            knowledge = work / "sound.db"
            subprocess.run([f"{program}-kb", "build", SOURCE / "kb", "-o", knowledge], check=True, capture_output=True)
        self.sound = knowledge.read_bytes()
        self.run_of_old = self.make_run()

    def make_run(self):
        """The journal of a job that failed."""
        place = self.work / "journal"
        subprocess.run([self.program, "run", "--no-preflight", "--dir", place, "--", "sh", "-c", "echo step 1; echo 'RuntimeError: HIP error' >&2; exit 3"],
                       cwd=self.work, capture_output=True)
        return {p.name: p.read_bytes() for p in place.iterdir() if p.is_file()}

    def ask(self, case, *words, given=b"", statuses=STATUSES, as_json=False, never=(), program=""):
        """One run; what is wrong with it is kept under the case."""
        command = ["prlimit", f"--cpu={CPU_SECONDS}", "--core=0", f"{self.program}{program}", *map(str, words)]
        try:
            done = subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, cwd=case.place,
                                  env={**os.environ, "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "exitcode=99:print_stacktrace=1", "HOME": str(case.place)})
        except subprocess.TimeoutExpired:
            return case.wrong("no end", words, given, b"")
        said = done.stdout + done.stderr
        with self.lock:
            self.runs += 1
        if b"Sanitizer" in said or b"runtime error:" in said:
            case.wrong("sanitizer", words, given, said)
        elif done.returncode < 0 or done.returncode == 99:
            case.wrong("no end" if done.returncode in (-24, -9) else f"signal {-done.returncode}", words, given, said)
        elif done.returncode not in statuses:
            case.wrong(f"status {done.returncode}", words, given, said)
        elif done.returncode in never:
            case.wrong("ignorance", words, given, said)
        elif foreign(said):
            case.wrong(f"control {foreign(said)[:3]}", words, given, said)
        elif as_json and not is_json(done.stdout):
            case.wrong("no JSON", words, given, said)
        return done


def is_json(raw):
    try:
        return not raw or [json.loads(line) for line in raw.splitlines()] is not None
    except ValueError:
        try:
            return json.loads(raw) is not None
        except ValueError:
            return False


class Case:
    """A directory of its own, a die of its own, and what was wrong."""

    def __init__(self, attack, kind, number, seed):
        self.attack, self.kind, self.number = attack, kind, number
        self.die = random.Random(f"{seed} {kind} {number}")
        self.place = attack.work / f"{kind}-{number}"
        self.place.mkdir()
        self.inputs, self.bad = 1, []

    def file(self, name, data):
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def wrong(self, what, words, given, said):
        self.bad.append(what)
        print(f"FAILED {self.kind} {self.number}: {what}: {' '.join(map(str, words))[:300]}", flush=True)
        if self.attack.keep:
            kept = self.attack.keep / f"{self.kind}-{self.number}"
            shutil.copytree(self.place, kept, dirs_exist_ok=True)
            (kept / "stdin").write_bytes(given)
            (kept / "said").write_bytes(f"{what}\n{words}\n".encode() + said)

    def ask(self, *words, **more):
        return self.attack.ask(self, *words, **more)


# ---- the kinds ----

def hostile_text(case):
    """Lines of signatures and good logs, damaged and mixed; half of them end with a failure that everybody knows."""
    a, die = case.attack, case.die
    text = b"\n".join(die.choice(a.phrases) for _ in range(die.choice((1, 5, 40, 400))))
    if die.random() < 0.4:
        text += b"\n" + die.choice(a.logs)[:60000]
    text = damage(text, die) if die.random() < 0.9 else text * die.choice((2, 30))
    fatal = die.random() < 0.5
    return (text + b"\n" + FATAL if fatal else text), fatal


def text(case):
    data, fatal = hostile_text(case)
    form = case.die.choice(("text", "json", "markdown", "html"))
    words = ["explain", "--no-machine", "--format", form, *case.die.choice(((), ("--verbose",), ("--no-scrub",), ("--shell", "powershell")))]
    never = (0,) if fatal else ()
    if case.die.random() < 0.5:
        case.ask(*words, "-", given=data, as_json=form == "json", never=never)
    else:
        case.ask(*words, case.file("train.log", data), as_json=form == "json", never=never)


def batch_line(case, number):
    data, fatal = hostile_text(case)
    row = {"id": number, "log": data[-20000:].decode("utf-8", "surrogateescape" if case.die.random() < 0.2 else "replace")}
    if case.die.random() < 0.2:
        row["facts"] = case.die.choice(({"gfx": "gfx942"}, {"gpu": 7}, [], {"x" * 500: None}, {"rocm": "6" * 3000}))
    line = json.dumps(row, ensure_ascii=case.die.random() < 0.5).encode("utf-8", "surrogatepass")
    if case.die.random() < 0.5:
        return damage(line, case.die, 100000).replace(b"\n", b" "), False
    return line, fatal


def batch(case):
    """Each line gets its answer, and the failures among them are never called ok."""
    rows = [batch_line(case, number) for number in range(50)]
    case.inputs = len(rows)
    given = b"\n".join(line for line, _ in rows) + b"\n"
    done = case.ask("explain", "--batch", given=given, as_json=True, statuses={0})
    if not done or case.bad:
        return
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != sum(1 for line, _ in rows if line.strip()):
        case.wrong(f"{len(answers)} answers to {len(rows)} lines", ("explain", "--batch"), given, done.stdout)
    asked = [fatal for line, fatal in rows if line.strip()]  # an id may be damaged, the order is kept
    if any(fatal and answer.get("answer") == "nothing" for fatal, answer in zip(asked, answers)):
        case.wrong("ignorance", ("explain", "--batch"), given, done.stdout)


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE).stdout


PACKERS = [gzip.compress, bz2.compress, lzma.compress] + ([zstd] if shutil.which("zstd") else [])


def packed(case):
    data, fatal = hostile_text(case)
    whole = case.die.choice(PACKERS)(data)
    if case.die.random() < 0.2:
        whole += case.die.choice(PACKERS)(data)
    body = damage(whole, case.die)
    path = case.file("train.log.gz", body)
    case.ask("explain", "--no-machine", "--json", path, as_json=True, never=(0,) if fatal and body[:4] == whole[:4] else ())


SELECTS = ("SELECT * FROM gap", "SELECT * FROM gpu", "SELECT address, gfx FROM gpu JOIN host", "SELECT * FROM env", "SELECT * FROM process")


def snapshot(case):
    die = case.die
    base = die.choice(case.attack.snapshots)
    path = case.file("machine.snap", damage(base, die) if die.random() < 0.8 else gzip.compress(damage(base, die)))
    words = die.choice((("check", "--json"), ("check",), ("check", "--verbose"), ("check", "--format", "html"), ("check", "--format", "markdown"),
                        ("facts",), ("facts", "--json"), ("facts", "gaps"), ("query", die.choice(SELECTS)), ("query", "--json", die.choice(SELECTS)),
                        ("snapshot",), ("snapshot", "--brief"), ("fix",), ("fix", "--json"), ("gate", "--verdict", case.place / "verdict"),
                        ("advise",), ("expect", "record"), ("explain", "--json", case.file("log", FATAL))))
    case.ask(*words, "--from", path, as_json="--json" in words)


def ill_snapshot(case):
    """The end of the file of an ill machine is cut off: it is not ready for that."""
    path = case.file("machine.snap", cut(case.attack.ill, case.die))
    case.ask("check", "--json", "--from", path, as_json=True, never=(0,))
    case.ask("gate", "--verdict", case.place / "verdict", "--from", path, never=(0,))


def fleet(case):
    die = case.die
    for number in range(4):
        base = die.choice(case.attack.snapshots[:20])
        case.file(f"nodes/n{number}.snap", base if number < 2 else damage(base, die))
    nodes = case.place / "nodes"
    case.inputs = 2
    case.ask(*die.choice((("outliers", nodes), ("outliers", "--json", nodes), ("check", "--json", "--from", nodes), ("check", "--from", nodes),
                          ("query", "--from", nodes, die.choice(SELECTS)), ("diff", nodes / "n0.snap", nodes / "n3.snap"),
                          ("diff", "--json", nodes / "n2.snap", nodes / "n3.snap"))))


def fleet_db(case):
    """A fleet.db that is none any more."""
    db = case.attack.work / "fleet.db"
    with case.attack.lock:
        if not db.exists():
            case.file("nodes/a.snap", case.attack.ill)
            case.file("nodes/b.snap", case.attack.healthy)
            case.ask("query", "--from", case.place / "nodes", "-o", db)
    case.ask("outliers", *case.die.choice(((), ("--json",))), case.file("fleet.db", damage(db.read_bytes(), case.die)))


def targets(case):
    die = case.die
    body = damage(die.choice(case.attack.binaries), die)
    name = die.choice(("x.so", "x.whl", "x.deb", "x.co", "x.hsaco", "x.tar.gz", "x.exe", "x.kpack", "x.dat", "tree/lib/x.so"))
    path = case.file(name, body)
    words = die.choice(((), ("--json",), ("--sarif",), ("--format", "github"), ("--verbose",), ("--require", "gfx1100,gfx942")))
    case.ask("targets", *words, path if name[0] == "x" else case.place / "tree", as_json=words in (("--json",), ("--sarif",)))


def kb(case):
    """Knowledge whose bytes are damaged. With all of it gone no machine is ready."""
    die = case.die
    body = damage(case.attack.sound, die) if die.random() < 0.8 else case.attack.sound[:100] + die.randbytes(5000)
    path = case.file("kb.db", body)
    snap = MACHINES / f"{ILL}.snap"
    case.ask(*die.choice((("kb", "show", "vram-exhausted", "--kb", path), ("kb", "list", "--kb", path), ("kb", "version", "--kb", path),
                          ("kb", "try", path, "--from", snap), ("check", "--kb", path, "--from", snap), ("check", "--json", "--kb", path, "--from", snap),
                          ("explain", "--no-machine", "--kb", path, case.file("log", FATAL)), ("advise", "--gpu", "gfx1100", "--kb", path),
                          ("fix", "--kb", path, "--from", snap), ("kb", "update", path))))


REFUSED = ("\x1b[2J", "\u009b2J", "\u202e", "A" * 40000, 1e308, b"\xff\x00", "x\0y")  # with these the file is damaged
CELLS = ("\n::error::made up", "", None, -1, 2**63 - 1, -2**63, "{gpu}", "{", "{" * 5000, "$(id)", "SELECT 1",
         "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", "SELECT randomblob(1000000000)", "ATTACH 'x' AS x", "<script>",
         "(a|a)*b" * 50, "(" * 3000, "[", "short", "2026-99-99", "9" * 30, "gfx1100", "docker")
READ = "cause evidence literal python_package remedy signature program program_act states suggests wheel workaround".split()  # of every row, by our own code


def kb_rows(case):
    """Knowledge in which SQLite sees nothing wrong, with cells that no compiler writes."""
    die = case.die
    path = case.file("kb.db", case.attack.sound)
    db = sqlite3.connect(path)
    tables = [name for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for _ in range(die.choice((1, 1, 2, 4, 20))):
        table = die.choice(tables if die.random() < 0.5 else READ)
        column = die.choice([row[1] for row in db.execute(f'PRAGMA table_info("{table}")')])
        rows = [row[0] for row in db.execute(f'SELECT rowid FROM "{table}"')]
        which, cell = die.choice(rows), die.choice(CELLS if die.random() < 0.95 else REFUSED)
        old, = db.execute(f'SELECT "{column}" FROM "{table}" WHERE rowid = ?', (which,)).fetchone()
        if isinstance(old, str) and isinstance(cell, str) and die.random() < 0.4:
            at = die.randrange(len(old) + 1)
            cell = old[:at] + cell + old[at:]
        try:
            db.execute(f'UPDATE "{table}" SET "{column}" = ?1 WHERE rowid = ?2 OR ?3', (cell, which, die.random() < 0.2))
        except sqlite3.Error:
            pass  # a key, or nothing where something must be
    db.commit()
    db.close()
    snap, log = die.choice(files("tests/machines/*.snap")), die.choice(files("tests/explain/*.log"))
    program = die.choice("torch bitsandbytes comfyui cupy invokeai jax llama.cpp ollama sglang stable-diffusion.cpp tensorflow vllm".split())
    case.ask(*die.choice((("explain", "--no-machine", "--verbose", log), ("explain", "--json", "--from", snap, log), ("explain", "--no-machine", "--format", "github", log),
                          ("explain", "--no-machine", "--set", "framework=ollama", "--set", "container=docker", log), ("check", "--json", "--from", snap),
                          ("check", "--verbose", "--from", snap), ("fix", "--from", snap), ("kb", "list"), ("kb", "show", "vram-exhausted"),
                          ("kb", "show", "--verbose", "no-gpu"), ("advise", "--gpu", "gfx1100", "--for", program, "--verbose"),
                          ("advise", "--gpu", "gfx1201", "--for", program, "--os", "windows", "--json"))), "--kb", path)


COMMANDS = (b"::error::made up", b"\r::add-mask::made up\r", b"::stop-commands::made up", b"##[error]made up", b"\x0b::error::made up", b"\xc2\x85::error::made up",
            b"\xe2\x80\xa8::error::made up", b"%0A::error::made up", b"   ::error::made up", b",title=made up::x", b"::error file=made up::x")


def workflow(case):
    """Lines of a log that a forge would obey: an annotation has our own head, and no other line begins like a command."""
    die = case.die
    lines = die.choice(files("tests/explain/*.log")).read_bytes().splitlines()
    for _ in range(die.randint(1, 6)):
        at = die.randrange(len(lines) + 1)
        word = die.choice(COMMANDS)
        lines[at:at] = [word if die.random() < 0.6 else word + b" " + die.choice(case.attack.phrases)]
    name = die.choice(("train.log", "a,title=made up::b.log", "a\n::error::made up.log", "a%0Ab.log"))
    done = case.ask("explain", "--no-machine", "--format", "github", *die.choice(((), ("--no-scrub",), ("--verbose",))), case.file(name, b"\n".join(lines)))
    if not done or case.bad:
        return
    for line in re.split("[\n\r\v\f\x85\u2028\u2029]", done.stdout.decode()):
        if re.match(r"\s*(::|##\[)", line) and not re.match(r"::(error|warning|notice) ((file|line|endLine|title)=[^:,]*,?)*::(?!made up)", line):
            case.wrong("a command", ("explain", "--format", "github", name), b"\n".join(lines), line.encode())


def yaml(case):
    """Knowledge in YAML, damaged: lint tells, and nothing is built of it by half."""
    die = case.die
    for directory in ("causes", "signatures", "remedies", "defects"):
        for path in die.sample(files(f"kb/{directory}/*.yaml"), 2):
            case.file(f"kb/{directory}/{path.name}", damage(path.read_bytes(), die))
    case.ask(*die.choice((("lint", "kb"), ("build", "kb", "-o", "out.db"))), program="-kb")
    if (case.place / "out.db").exists() and not (case.place / "out.db").read_bytes().startswith(b"SQLite format 3"):
        case.wrong("half a file", ("build",), b"", b"")


def journal(case):
    die = case.die
    story = [p for p in files("tests/fuzz/corpus/story/*", "tests/fuzz/corpus/journal/*")]
    for name, body in case.attack.run_of_old.items():
        if not name.startswith("report"):
            case.file(f"run/{name}", damage(body, die) if die.random() < 0.7 else body)
    if die.random() < 0.4:
        case.file("run/journal", damage(die.choice(story).read_bytes(), die))
    form = die.choice(("text", "json", "html", "markdown"))
    case.ask("run", "--report", case.place / "run", "--format", form, statuses=STATUSES | {125}, as_json=form == "json")


MESSAGES = [
    {"method": "tools/list"}, {"method": "ping"}, {"method": "resources/list"}, {"method": "resources/read", "params": {"uri": "rocsteady://cause/vram-exhausted"}},
    {"method": "tools/call", "params": {"name": "advise", "arguments": {"gpu": "gfx1100", "for": "torch"}}},
    {"method": "tools/call", "params": {"name": "explain", "arguments": {"text": FATAL.decode(), "text_only": True}}},
    {"method": "tools/call", "params": {"name": "query", "arguments": {"sql": "SELECT 1"}}}, {"method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
    {"method": "tools/call", "params": {"name": "explain", "arguments": {"path": "/etc/passwd"}}},
]


def mcp(case):
    """Thirty messages to one server, which answers the last one, a sound one, too."""
    die = case.die
    lines = [damage(json.dumps({"jsonrpc": "2.0", "id": n, **die.choice(MESSAGES)}).encode(), die).replace(b"\n", b" ") for n in range(30)]
    case.inputs = len(lines)
    given = b"\n".join(lines) + b'\n{"jsonrpc": "2.0", "id": "last", "method": "ping"}\n'
    done = case.ask("mcp", given=given, as_json=True, statuses={0})
    if done and not case.bad and b'"last"' not in done.stdout:
        case.wrong("the last message has no answer", ("mcp",), given, done.stdout + done.stderr)


def conf(case):
    """Files of a site: what is expected, what may be enforced, what is acknowledged, facts that were stated."""
    die = case.die
    pick = lambda name: damage(die.choice(files(f"tests/fuzz/corpus/{name}/*", *({"gate-conf": ["examples/fleet/slurm/gate.conf"]}.get(name, [])))).read_bytes(), die)
    snap = MACHINES / f"{HEALTHY}.snap"
    which = die.choice(("expect", "show", "gate", "ack", "facts", "set"))
    if which == "expect":
        case.ask("check", "--json", "--expect", case.file("expect.conf", pick("expect")), "--from", snap, as_json=True)
    elif which == "show":
        case.ask("expect", "show", "--expect", case.file("expect.conf", pick("expect")), "--from", snap)
    elif which == "gate":
        case.ask("gate", "--config", case.file("gate.conf", pick("gate-conf")), "--verdict", case.place / "verdict", "--from", snap)
    elif which == "ack":
        case.file("ack.d/a.conf", damage(b"cause = ecc-uncorrectable\nuntil = 2027-01-01\nreason = known\nsubject = 0000:47:00.0\n", die))
        case.ask("check", "--json", "--ack", case.place / "ack.d", "--from", MACHINES / f"{ILL}.snap", as_json=True)
    elif which == "facts":
        case.ask("explain", "--no-machine", "--json", "--facts", case.file("facts.json", pick("state")), case.file("log", FATAL), as_json=True)
    else:
        word = damage(b"gfx=gfx1100", die, 100000).replace(b"\0", b"").decode("utf-8", "surrogateescape")
        case.ask("explain", "--no-machine", "--json", "--set", word, case.file("log", FATAL), as_json=True)


READERS = ("npd", "nagios", "nfd", "textfile", "slurm-prolog", "slurm-epilog", "slurm-health")
BOOT = pathlib.Path("/proc/sys/kernel/random/boot_id")


def verdict(case):
    """A verdict that says no, damaged: a monitor never reads a yes out of it."""
    die = case.die
    head = f"rocsteady-verdict 1\nlines 6\nboot {BOOT.read_text().strip()}\nsecond {pathlib.Path('/proc/uptime').read_text().split('.')[0]}\nknowledge x\n"
    ill = (head + "mode enforce\nmax_drained 5\nfinding ecc-uncorrectable 0000:47:00.0 drain 1 log lost enforce\n").encode()
    body = cut(ill, die) if die.random() < 0.3 else damage(ill, die)
    reader = die.choice(READERS)
    never = (0,) if reader == "nagios" and body != ill and ill.startswith(body.rstrip(b"\n")) else ()
    case.ask("gate", "--for", reader, "--verdict", case.file("verdict", body), "--config", case.file("gate.conf", b"max_drained 5\n"), never=never)


def fix_record(case):
    """Records of fixes, damaged, below a tree of its own."""
    die = case.die
    for number in range(die.choice((1, 3))):
        case.file(f"tree/var/lib/rocsteady/fix/{number}-join-render-group", damage(die.choice(files("tests/fuzz/corpus/fix-record/*")).read_bytes(), die))
    case.file("tree/.rocsteady-snapshot", case.attack.healthy)
    case.ask("fix", *die.choice((("--applied",), ("--applied", "--json"), ("join-render-group", "--undo", "--yes"), ("--undo", "--yes"), ("--verify",))),
             "--root", case.place / "tree")


KINDS = {text: 22, batch: 18, packed: 9, snapshot: 18, ill_snapshot: 2, fleet: 3, fleet_db: 1, targets: 15, kb: 6, kb_rows: 4, workflow: 4, yaml: 2, journal: 7, mcp: 8, conf: 6, verdict: 5,
         fix_record: 3}
AT_ONCE = {batch: 50, mcp: 30, fleet: 2}


def one(attack, kind, number, seed):
    if time.monotonic() > attack.until:
        return
    case = Case(attack, kind.__name__, number, seed)
    try:
        kind(case)
    finally:
        with attack.lock:
            attack.tried[kind.__name__] = attack.tried.get(kind.__name__, 0) + case.inputs
            attack.failed.setdefault(kind.__name__, []).extend(case.bad[:1])
        shutil.rmtree(case.place, ignore_errors=True)


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--inputs", type=int, default=200)
    options.add_argument("--seconds", type=float)
    options.add_argument("--only", action="append", choices=[k.__name__ for k in KINDS])
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--keep", type=pathlib.Path)
    options.add_argument("--kb", type=pathlib.Path)
    options.add_argument("program")
    o = options.parse_args()
    kinds = {k: w for k, w in KINDS.items() if not o.only or k.__name__ in o.only}
    if o.keep:
        o.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="attack-") as work, concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        attack = Attack(os.path.abspath(o.program), pathlib.Path(work), o.keep, o.kb)
        attack.until = time.monotonic() + (o.seconds or float("inf"))
        cases = [(kind, n) for kind, weight in kinds.items() for n in range(-(-o.inputs * weight // sum(kinds.values()) // AT_ONCE.get(kind, 1)))]
        random.Random(o.seed).shuffle(cases)
        for done in [pool.submit(one, attack, kind, number, o.seed) for kind, number in cases]:
            done.result()
    for kind in kinds:
        bad = attack.failed.get(kind.__name__, [])
        print(f"{kind.__name__:14} {attack.tried.get(kind.__name__, 0):6} tried {len(bad):4} failed {' '.join(sorted(set(bad)))}")
    tried, failed = sum(attack.tried.values()), sum(map(len, attack.failed.values()))
    print(f"{attack.runs} runs of the program, seed {o.seed}")
    print(f"{tried - failed} passed, {failed} failed")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
