#!/usr/bin/env python3
"""Faults of every kind on `rocsteady run`, each a function below.

usage: faults.py [--list] [NAME...]      with ROCSTEADY, the built program

Each fault runs in a directory of its own. Afterwards nothing may be left behind:
no process below the test, and none that carries its mark in the environment.
"""
import concurrent.futures
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import pty
import re
import resource
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import gpus  # noqa: E402
import pool  # noqa: E402

PROGRAM = os.environ["ROCSTEADY"]
SANITIZED = b"__asan_init" in open(PROGRAM, "rb").read()
FAULTS = []
PY = sys.executable


def fault(function):
    FAULTS.append(function)
    return function


def command(*words, options=()):
    return [PROGRAM, "run", "--dir", "journal.d", *options, "--", *words]


def start(*words, options=(), **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen(command(*words, options=options), **more)


def run(*words, options=(), **more):
    more.setdefault("timeout", 300)
    if "input" not in more:
        more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    return subprocess.run(command(*words, options=options), **more)


@functools.cache
def a_run():
    """How long the least there is to run takes here and now: what is bound to a clock is given some of them."""
    begun = time.monotonic()
    subprocess.run([PROGRAM, "run", "--no-preflight", "--dir", "least.d", "--", "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    shutil.rmtree("least.d", ignore_errors=True)
    return time.monotonic() - begun


def report():
    done = subprocess.run([PROGRAM, "run", "--report", "journal.d", "--verbose"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def wait_for(what, seconds=60):
    """Ask until it is so.  A journal that the watcher has not begun yet cannot be reported: that is no answer."""
    until, why = time.monotonic() + seconds, ""
    while time.monotonic() < until:
        try:
            found = what()
            if found:
                return found
        except AssertionError as e:
            why = f": {e}"
        time.sleep(0.01)
    raise AssertionError("waited in vain" + why)


def file_has(path, text):
    try:
        return text in pathlib.Path(path).read_text()
    except OSError:
        return False


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def marked():
    """Processes of this test, by the mark in their environment."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int(entry.name) != os.getpid() and MARK in (entry / "environ").read_bytes() and alive(entry.name):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def is_(got, want, what=""):
    assert got == want, f"{what}: {got!r} is not {want!r}"


class Terminal:
    """The program on a terminal of ours."""

    def __init__(self, *words, options=(), stdin=None, stdout=None, stderr=None, ours=True, whole=None):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 77, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave

        def child():
            os.setsid()
            if ours:
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            whole or command(*words, options=options), preexec_fn=child, stdin=slave if stdin is None else stdin,
            stdout=slave if stdout is None else stdout, stderr=slave if stderr is None else stderr)
        self.seen = b""

    def read(self, seconds=0.05):
        while select.select([self.master], [], [], seconds)[0]:
            try:
                piece = os.read(self.master, 65536)
            except OSError:
                return self.seen
            if not piece:
                break
            self.seen += piece
        return self.seen

    def expect(self, text, seconds=60):
        wait_for(lambda: text in self.read(), seconds)

    def type(self, keys):
        os.write(self.master, keys)

    def end(self, seconds=60):
        until = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < until:
            self.read()
        self.read()
        status = self.process.poll()
        assert status is not None, f"still running; seen {self.seen[-300:]!r}"
        return status

    def is_restored(self):
        return termios.tcgetattr(self.slave) == self.before


# ---- status ----

@fault
def no_room_for_us():
    """With few descriptors or little memory the job gets its own status, watched or not."""
    sizes = () if SANITIZED else (12 << 20, 20 << 20, 30 << 20, 60 << 20)  # a sanitizer alone takes terabytes of addresses
    for limit, values in ((resource.RLIMIT_NOFILE, range(4, 24)), (resource.RLIMIT_AS, sizes)):
        for value in values:
            shutil.rmtree("journal.d", ignore_errors=True)
            done = run("/bin/sh", "-c", "exit 7", options=("--no-preflight",),
                       preexec_fn=lambda: resource.setrlimit(limit, (value, value)))
            if done.returncode != 127:  # not even the loader has room
                is_(done.returncode, 7)


@fault
def report_of_a_fifo():
    """A FIFO under the name of a journal is none, and is not waited for."""
    os.mkdir("d")
    os.mkfifo("d/journal")
    done = subprocess.run([PROGRAM, "run", "--report", "d"], capture_output=True, text=True, timeout=120)
    is_(done.returncode, 125)
    assert "not a journal" in done.stderr, done.stderr


@fault
def a_named_directory_below_one_that_is_gone():
    """Then no journal can be kept below it; the job runs, and nobody is told to be another user."""
    done = subprocess.run(["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh",
                           *command("sh", "-c", "echo ran; exit 3", options=["--no-preflight"])], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    is_(done.stdout, b"ran\n")
    is_(done.returncode, 3)
    assert re.search(rb"no journal is kept in journal\.d: (?:journal\.d: )?No such file or directory", done.stderr), done.stderr  # the door names the part of the path where it may look
    assert b"root" not in done.stderr, done.stderr


@fault
def one_name_for_six():
    """Six containers whose keepers are all process 1, in one directory, at one time."""
    if subprocess.run(["unshare", "-pf", "true"], capture_output=True).returncode:
        return "(no pid namespace may be made here)"
    line = ["unshare", "-pf", "--mount-proc", PROGRAM, "run", "--no-preflight", "--", "true"]
    runs = [subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    for one in runs:
        is_(one.wait(timeout=300), 0)
        assert "no journal" not in one.stderr.read()
    is_(len(list(pathlib.Path(".rocsteady").glob("*/journal"))), 6)


@fault
def exit_statuses_0_to_255():
    def ends(status):
        return run("sh", "-c", f"exit {status}", options=["--leave"]).returncode

    some = range(0, 256, 15 if SANITIZED else 1)
    with concurrent.futures.ThreadPoolExecutor(4) as several:
        is_(list(several.map(ends, some)), list(some))


@fault
def deaths_by_signals():
    for number in (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 31, 34, 64):
        done = run("sh", "-c", f"kill -{number} $$")
        is_(done.returncode, -number)
        word = f"killed by {f'signal {number}' if number > 31 else 'SIG'}"
        assert word in done.stderr.decode(), done.stderr


@fault
def a_signal_while_the_reports_are_written():
    for i in range(12):
        p = start("sh", "-c", "kill -SEGV $$", options=["--no-preflight"], start_new_session=True)
        p.stderr.readline()
        time.sleep(i * 0.0005)
        p.send_signal(signal.SIGINT)
        is_(p.wait(120), -11)
        shutil.rmtree("journal.d", ignore_errors=True)


@fault
def status_127_when_not_found():
    done = run("no-such-program")
    is_(done.returncode, 127)
    assert b"no-such-program" in done.stderr


@fault
def status_126_when_not_executable():
    pathlib.Path("file").write_text("x")
    is_(run("./file").returncode, 126)
    is_(run("/").returncode, 126)


@fault
def the_job_runs_where_no_process_can_be_made():
    """Nobody can be forked, so the job takes our place, and a line says so."""
    import resource
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # the search for leaks needs a process itself
    if os.getuid() == 0:
        done = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", "bash", "-c", 'ulimit -u 0; exec "$@"', "sh",
                               PROGRAM, "run", "--", "sh", "-c", "exit 7"], capture_output=True, env=env)
    else:
        done = run("sh", "-c", "exit 7", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)), env=env)
    if done.returncode == 126:  # of bash
        return "not tried: the program cannot be executed by another user"
    is_(done.returncode, 7, done.stderr)
    assert b"the job runs without rocsteady" in done.stderr, done.stderr


@fault
def status_125_without_a_command():
    is_(subprocess.run([PROGRAM, "run"], capture_output=True).returncode, 125)


@fault
def status_125_for_a_directory_without_a_name():
    done = subprocess.run([PROGRAM, "run", "--no-preflight", "--dir", "", "--", "touch", "ran"], capture_output=True)
    is_(done.returncode, 125)
    assert b"--dir needs the name of a directory" in done.stderr, done.stderr
    is_(os.listdir("."), [])


@fault
def options_of_the_job_are_its_own():
    is_(subprocess.run([PROGRAM, "run", "echo", "--leave", "-h"], capture_output=True).stdout, b"--leave -h\n")


# ---- output ----

FLOOD = """
import os, hashlib
h = hashlib.sha256()
block = os.urandom(1 << 20)
for i in range(%d):
    piece = i.to_bytes(8, 'big') + block[i %% 4096:]
    h.update(piece)
    at = 0
    while at < len(piece):
        at += os.write(1, piece[at:])
open('sum', 'w').write(h.hexdigest())
"""


def digest_of(stream):
    h = hashlib.sha256()
    while piece := stream.read(1 << 20):
        h.update(piece)
    return h.hexdigest()


@fault
def flood_of_a_gigabyte():
    p = start(PY, "-c", FLOOD % 1024, stderr=subprocess.DEVNULL)
    got = digest_of(p.stdout)
    is_(p.wait(), 0)
    is_(got, pathlib.Path("sum").read_text())
    assert re.search(r"unscanned \d+", report())


@fault
def a_line_of_a_gigabyte():
    script = "import os\nb = b'x' * (1 << 20)\nfor i in range(1024): os.write(1, b)\nos.write(1, b'\\n')"
    p = start(PY, "-c", script, stderr=subprocess.DEVNULL)
    n = 0
    while piece := p.stdout.read(1 << 20):
        n += len(piece)
    is_(p.wait(), 0)
    is_(n, (1 << 30) + 1)


@fault
def binary_output():
    data = bytes(range(256)) * 4096
    pathlib.Path("data").write_bytes(data)
    is_(run("cat", "data").stdout, data)


@fault
def both_streams_apart():
    done = run("sh", "-c", "for i in 1 2 3; do echo out$i; echo err$i >&2; done")
    is_(done.stdout, b"out1\nout2\nout3\n")
    is_(done.stderr, b"err1\nerr2\nerr3\n")


@fault
def one_file_keeps_the_order():
    script = "for i in $(seq 500); do echo out$i; echo err$i >&2; done"
    done = run("sh", "-c", script, stderr=subprocess.STDOUT)
    is_(done.stdout, b"".join(b"out%d\nerr%d\n" % (i, i) for i in range(1, 501)))
    with open("file", "wb") as f:
        run("sh", "-c", script, stdout=f, stderr=f, options=["--no-preflight", "--kb", "/nonexistent"])
    is_(pathlib.Path("file").read_bytes(), done.stdout)


@fault
def a_reader_that_goes_away():
    p = start("sh", "-c", "trap '' TERM; exec yes", stderr=subprocess.DEVNULL)
    p.stdout.read(10)
    p.stdout.close()
    is_(p.wait(120), -signal.SIGPIPE)


@fault
def a_slow_reader_loses_nothing_and_holds_up_nothing():
    p = start("sh", "-c", "echo early >&2; head -c 3000000 /dev/zero; echo late >&2; exit 5")
    is_(p.stderr.readline(), b"early\n")
    time.sleep(0.5)
    is_(len(p.stdout.read()), 3000000)
    is_(p.wait(120), 5)


@fault
def a_stream_that_nobody_takes_does_not_stop_the_other():
    p = start("sh", "-c", "(head -c 20000000 /dev/zero; echo) & for i in 1 2 3; do sleep 0.1; echo e$i >&2; done; wait")
    is_(p.stderr.readline() + p.stderr.readline() + p.stderr.readline(), b"e1\ne2\ne3\n")
    is_(len(p.stdout.read()), 20000001)
    is_(p.wait(120), 0)


@fault
def output_on_a_full_disk():
    with open("/dev/full", "wb") as full:
        done = run("sh", "-c", "seq 100000; echo done >&2; exit 4", stdout=full)
    is_(done.returncode, 4)
    assert done.stderr.startswith(b"done\n")
    assert re.search(r"lost-out \d+ ENOSPC", report()), report()


@fault
def output_that_is_lost_is_told():
    says = "588895 bytes of its output could not be written: No space left on device"
    with open("/dev/full", "wb") as full:
        done = run("seq", "100000", stdout=full)
    is_((done.returncode, done.stderr.decode()), (0, f"rocsteady: {says}\n"))
    show = [PROGRAM, "run", "--report", "journal.d"]
    assert says in " ".join(subprocess.run(show, capture_output=True, text=True).stdout.split())
    assert says in subprocess.run([*show, "--format", "html"], capture_output=True, text=True).stdout
    told = json.loads(subprocess.run([*show, "--json"], capture_output=True).stdout)["attempts"][0]
    is_((told["lost_output_bytes"], told["lost_error_bytes"], told["lost_why"]), (588895, 0, "ENOSPC"))


@fault
def a_reader_that_goes_away_is_not_told():
    done = subprocess.run(["bash", "-c", '"$@" | head -c 10', "bash", *command("seq", "100000")], capture_output=True)
    assert b"could not be written" not in done.stderr, done.stderr


@fault
def closed_standard_output():
    p = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command("sh", "-c", "echo x; exit 6")], capture_output=True)
    is_(p.returncode, 6)


@fault
def closed_standard_descriptors():
    p = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", *command("sh", "-c", "exit 6")])
    is_(p.returncode, 6)


@fault
def a_limit_on_the_size_of_files():
    p = subprocess.run(["sh", "-c", 'ulimit -f 1; "$@" >file', "sh", *command("sh", "-c", "seq 10000; exit 9")],
                       stderr=subprocess.PIPE)
    is_(p.returncode, 9)


# ---- standard input ----

@fault
def stdin_from_a_pipe():
    data = os.urandom(3 << 20)
    is_(run("cat", input=data).stdout, data)


@fault
def stdin_from_a_file_leaves_the_rest():
    pathlib.Path("in").write_text("one\ntwo\nthree\n")
    with open("in", "rb", buffering=0) as f:
        is_(run("sh", "-c", "read x; echo $x", stdin=f).stdout, b"one\n")
        f.seek(4)
        is_(run("cat", stdin=f).stdout, b"two\nthree\n")


@fault
def stdin_that_never_ends():
    r, w = os.pipe()
    is_(run("sh", "-c", "exit 3", stdin=r).returncode, 3)
    os.close(r), os.close(w)


# ---- signals ----

# A buffered print in a handler dies when the next signal comes before it has returned.
CATCHER = ("import os, signal, time\n"
           "def caught(n, f):\n    os.write(1, b'%d\\n' % n)\n"
           "for n in (1, 2, 3, 10, 12, 15, 18, 28): signal.signal(n, caught)\n"
           "print('ready', flush=True)\n"
           "while True: time.sleep(1)\n")


@fault
def each_signal_is_passed_once():
    p = start(PY, "-c", CATCHER)
    is_(p.stdout.readline(), b"ready\n")
    for number in (1, 2, 3, 10, 12, 15, 18, 28):
        p.send_signal(number)
        is_(p.stdout.readline(), b"%d\n" % number)
    p.send_signal(signal.SIGINT)
    is_(p.stdout.readline(), b"2\n")
    time.sleep(0.2)
    is_(select.select([p.stdout], [], [], 0)[0], [], "no signal twice")
    job = int(re.search(r"started (\d+)", report())[1])
    os.kill(job, signal.SIGKILL)
    is_(p.wait(120), -9)


@fault
def sigint_while_it_starts():
    for i in range(30):
        p = start("sleep", "30")  # dash catches SIGINT, and one in its first moment is lost to it
        time.sleep(i * 0.0007)
        p.send_signal(signal.SIGINT)
        status = p.wait(120)
        assert status == -2, status
        p.stdout.close(), p.stderr.close()
        shutil.rmtree("journal.d", ignore_errors=True)


@fault
def sigterm_while_it_ends():
    for i in range(20):
        p = start("sh", "-c", "exit 7")
        time.sleep(0.003 + i * 0.001)
        p.send_signal(signal.SIGTERM)
        assert p.wait(120) in (7, -15)
        p.stdout.close(), p.stderr.close()
        shutil.rmtree("journal.d", ignore_errors=True)


@fault
def ignored_signals_stay_ignored():
    script = "grep -E '^Sig(Ign|Blk)' /proc/self/status"
    bare = subprocess.run(["sh", "-c", "trap '' HUP INT PIPE; " + script], capture_output=True).stdout
    got = subprocess.run(["sh", "-c", "trap '' HUP INT PIPE; \"$@\"", "sh", *command("sh", "-c", script)],
                         capture_output=True).stdout
    is_(got, bare)
    bare = subprocess.run(["sh", "-c", script], capture_output=True).stdout
    is_(run("sh", "-c", script).stdout, bare)


@fault
def a_group_that_is_signalled_counts_once():
    p = start(PY, "-c", CATCHER, start_new_session=True)
    is_(p.stdout.readline(), b"ready\n")
    os.killpg(p.pid, signal.SIGINT)
    is_(p.stdout.readline(), b"2\n")
    time.sleep(0.2)
    is_(select.select([p.stdout], [], [], 0)[0], [])
    os.kill(int(re.search(r"started (\d+)", report())[1]), signal.SIGTERM)
    is_(p.stdout.readline(), b"15\n")
    os.kill(int(re.search(r"started (\d+)", report())[1]), signal.SIGKILL)
    is_(p.wait(120), -9)


@fault
def a_job_that_ignores_sigterm_is_not_killed_by_us():
    p = start("sh", "-c", "trap '' TERM; echo ready; sleep 1; echo through")
    is_(p.stdout.readline(), b"ready\n")
    p.terminate()
    is_(p.stdout.readline(), b"through\n")
    is_(p.wait(120), 0)


@fault
def a_job_that_stops_itself():
    p = start("sh", "-c", "kill -STOP $$; echo on; exit 8")
    wait_for(lambda: "stopped 19" in report() if os.path.exists("journal.d/journal") else False)
    p.send_signal(signal.SIGCONT)
    is_(p.stdout.readline(), b"on\n")
    is_(p.wait(120), 8)


@fault
def a_job_that_is_stopped_by_us():
    p = start("sh", "-c", "echo ready; sleep 0.3; exit 8", process_group=0)  # below one who can let it go on
    is_(p.stdout.readline(), b"ready\n")
    p.send_signal(signal.SIGTSTP)
    _, status = os.waitpid(p.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    time.sleep(0.5)
    p.send_signal(signal.SIGCONT)
    is_(p.wait(120), 8)


# ---- what a job leaves behind ----

@fault
def a_job_that_leaves_a_child():
    done = run("sh", "-c", "sleep 1000 & echo $!")
    is_(done.returncode, 0)
    assert not alive(int(done.stdout))


@fault
def a_job_that_daemonises():
    done = run("sh", "-c", "setsid sh -c 'setsid sleep 1000 & echo $!; exec sleep 1000' </dev/null & sleep 0.3")
    is_(done.returncode, 0)
    assert not alive(int(done.stdout))


@fault
def a_job_that_daemonises_where_there_is_no_proc():
    if SANITIZED:
        return "(a sanitizer reads its own maps in /proc)"
    hide = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    if subprocess.run([*hide, "true"], capture_output=True).returncode:
        return "(no mount namespace may be made here)"
    script = "setsid sh -c 'trap \"\" TERM; sleep 1011 & sleep 1012' & setsid sleep 1013 & sleep 0.1; exit 3"
    done = subprocess.run([*hide, *command("sh", "-c", script)], stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    is_(done.returncode, 3)
    is_(marked(), [])


@fault
def a_child_that_ignores_sigterm():
    begun = time.monotonic()
    done = run("sh", "-c", "(trap '' TERM HUP; while :; do sleep 1; done) & exit 3")
    is_(done.returncode, 3)
    assert time.monotonic() - begun < 20 + 20 * a_run()
    assert "killed" in report()


@fault
def a_child_that_is_stopped():
    done = run("sh", "-c", "sleep 1000 & kill -STOP $!; echo $!")
    assert not alive(int(done.stdout))


@fault
def a_thousand_children():
    done = run(PY, "-c", "import os, time\nfor i in range(1000):\n    if os.fork() == 0:\n        time.sleep(1000)\n")
    is_(done.returncode, 0)
    assert re.search(r"terminated 1000", report()), report()


@fault
def children_from_before():
    """A shell that becomes us by exec may have had many: they are not the job's."""
    done = subprocess.run(["bash", "-c", 'for i in {1..100}; do sleep 1000 >/dev/null 2>&1 & echo $!; done; exec "$@"', "sh",
                           *command("sh", "-c", "sleep 1000 & echo job $!")], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=300)
    *before, ours = done.stdout.decode().splitlines()
    living = [int(pid) for pid in before if alive(int(pid))]
    for pid in living:
        os.kill(pid, signal.SIGKILL)
    is_((len(before), len(living)), (100, 100))
    assert not alive(int(ours.split()[1]))


@fault
def children_left_alone():
    done = run("sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!", options=["--leave"])
    pid = int(done.stdout)
    assert alive(pid)
    os.kill(pid, signal.SIGKILL)


@fault
def a_child_that_writes_on_when_left_alone():
    done = run("sh", "-c", "(sleep 0.5; echo late) & exit 2", options=["--leave"])
    is_((done.returncode, done.stdout), (2, b"late\n"))


def ends_after(signalled):
    """Seconds from the job's end to that of run, which waits for a child that ignores SIGTERM."""
    p = start("sh", "-c", "(trap '' TERM; while :; do sleep 1; done) & echo ready")
    is_(p.stdout.readline(), b"ready\n")
    begun = time.monotonic()
    if signalled:
        time.sleep(0.7)
        p.send_signal(signal.SIGINT)
    p.stdout.read()
    is_(p.wait(120), 0)
    return time.monotonic() - begun


@fault
def a_signal_hastens_the_end():
    # 0.7 s of 2.5 that it would wait. On a busy machine one of the two may be late.
    pairs = [(ends_after(False), ends_after(True))]
    while len(pairs) < 4 and pairs[-1][0] - pairs[-1][1] < 0.9:
        pairs.append((ends_after(False), ends_after(True)))
    assert pairs[-1][0] - pairs[-1][1] >= 0.9, pairs


@fault
def a_stranger_keeps_the_pipe_open():
    # Handed over a socket: the holder is no child of the job.
    holder = subprocess.Popen([PY, "-c", "import socket, time\ns = socket.socket(socket.AF_UNIX)\ns.bind('s')\n"
                               "s.listen()\nc, _ = s.accept()\nfds = socket.recv_fds(c, 1, 1)\nprint('got', flush=True)\n"
                               "time.sleep(1000)"], stdout=subprocess.PIPE)
    wait_for(lambda: os.path.exists("s"))
    begun = time.monotonic()
    done = run(PY, "-c", "import socket, time\nc = socket.socket(socket.AF_UNIX)\nc.connect('s')\n"
               "socket.send_fds(c, [b'x'], [1])\ntime.sleep(0.2)\nprint('x')")
    took = time.monotonic() - begun
    holder.kill()
    holder.wait()
    is_((done.returncode, done.stdout), (0, b"x\n"))
    assert took < 20 + 20 * a_run(), took


# ---- the supervisor itself ----

TREE = "setsid sleep 1001 & sleep 1002 & (sleep 1003 & sleep 1004) & echo ready; sleep 1005"


def watcher_of(p):
    for child in pathlib.Path(f"/proc/{p.pid}/task/{p.pid}/children").read_text().split():
        if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "rocsteady-watch":
            return int(child)
    return 0


@fault
def the_keeper_is_killed():
    p = start("sh", "-c", TREE)
    is_(p.stdout.readline(), b"ready\n")
    time.sleep(0.3)
    assert len(marked()) >= 7
    p.kill()
    is_(p.wait(), -9)
    wait_for(lambda: not marked(), 5)
    assert "keeper-died" in report()


@fault
def the_keeper_is_killed_where_descriptors_are_few():
    p = start("sh", "-c", "sleep 1000 & sleep 1000", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48)))
    wait_for(lambda: len(marked()) >= 4)
    p.kill()
    p.wait()
    wait_for(lambda: not marked(), 5)


@fault
def the_keeper_is_killed_early():
    for i in range(15):
        p = start("sh", "-c", TREE)
        time.sleep(i * 0.002)
        p.kill()
        p.wait()
        wait_for(lambda: not marked(), 6)
        p.stdout.close(), p.stderr.close()
        shutil.rmtree("journal.d", ignore_errors=True)


@fault
def the_keeper_is_killed_and_the_job_survives():
    out = open("out", "wb")
    p = start("sh", "-c", "for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.1; done; echo done >mark",
              options=["--survive"], stdout=out)
    wait_for(lambda: file_has("out", "line 2"))  # before, there may be no job yet
    p.kill()
    p.wait()
    wait_for(lambda: file_has("mark", "done"))
    wait_for(lambda: file_has("out", "line 8"))
    is_(pathlib.Path("out").read_text(), "".join(f"line {i}\n" for i in range(1, 9)))


@fault
def the_keeper_is_killed_on_a_terminal_and_the_job_survives():
    t = Terminal("sh", "-c", "for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.1; done; echo done >mark", options=["--survive"])
    t.expect(b"line 2")
    t.process.kill()
    t.process.wait()
    wait_for(lambda: file_has("mark", "done"))
    t.expect(b"line 8")
    is_(t.seen.replace(b"\r", b""), b"".join(b"line %d\n" % i for i in range(1, 9)))


FAILURES = ("hipErrorNoBinaryForGpu: Unable to find code object", "RuntimeError: HIP error: out of memory",
            "ImportError: libamdhip64.so.6: cannot open shared object file: No such file or directory",
            "Memory access fault by GPU node-1 (Agent handle: 0x55) on address 0x7f. Reason: Page not present or supervisor privilege.",
            "rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file or directory for GPU arch : gfx1151")


@fault
def failures_beside_a_slow_disk():
    """Each of them is synced, which takes two seconds here: the watcher reads on, and still explains the first at the end."""
    if not shutil.which("strace"):
        return "not tried: no strace"
    job = "".join(f"echo {shlex.quote(line)}; sleep 0.2; " for line in FAILURES) + "exit 3"
    slow = ["strace", "-D", "-f", "-qq", "-o", "calls", "--seccomp-bpf", "-e", "trace=fsync,fdatasync", "-e",
            "inject=fsync,fdatasync:delay_enter=2000000"]
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # the search for leaks does not work under strace
    done = subprocess.run(slow + command("sh", "-c", job, options=["--no-preflight"]), stdin=subprocess.DEVNULL, capture_output=True, timeout=120, env=env)
    is_(done.returncode, 3)
    assert f"first failure: {FAILURES[0]}".encode() in done.stderr, done.stderr
    # The names of the journal and of its directories too, though the job was over long before, and then the journal.
    wait_for(lambda: re.search(r"fsync[^\n]*= 0(?s:.*)fdatasync[^\n]*= 0", pathlib.Path("calls").read_text()))
    calls = [line for line in pathlib.Path("calls").read_text().splitlines() if "= 0" in line]
    syncs = [line for line in calls if line.split()[0] == next(c.split()[0] for c in calls if "fdatasync" in c)]
    is_([("names", "journal")["fdatasync" in line] for line in syncs][:4], ["names", "names", "names", "journal"])


@fault
def the_watcher_is_killed():
    p = start("sh", "-c", "echo ready; read x; seq 100000; exit 3", stdin=subprocess.PIPE)
    is_(p.stdout.readline(), b"ready\n")
    wait_for(lambda: os.path.exists("journal.d/journal") and os.path.getsize("journal.d/journal") > 0)  # made by the watcher
    os.kill(wait_for(lambda: watcher_of(p)), signal.SIGKILL)
    p.stdin.write(b"\n")
    p.stdin.close()
    is_(len(p.stdout.read()), 588895)
    is_(p.wait(120), 3)
    said = p.stderr.read().replace(b"rocsteady: No AMD GPU on the PCI bus (no-gpu)\n", b"")  # on a host without one
    is_(said, b"rocsteady: the job failed with exit code 3; the watcher process died, so the failure is not explained\n")
    assert "or its watcher was killed" in report()


@fault
def the_watcher_is_late():
    """It is stopped, as one that waits in the kernel: nobody waits for it, and it is not called dead."""
    p = start("sh", "-c", "echo ready; read x; exit 3", stdin=subprocess.PIPE, options=["--no-preflight"])
    is_(p.stdout.readline(), b"ready\n")
    watcher = wait_for(lambda: watcher_of(p))
    os.kill(watcher, signal.SIGSTOP)
    p.stdin.close()
    is_(p.wait(120), 3)
    is_(p.stderr.read(), b"rocsteady: the job failed with exit code 3; the watcher process was too late, so the failure is not explained\n")
    os.kill(watcher, signal.SIGKILL)


@fault
def the_watcher_is_killed_and_nothing_is_tried_again():
    p = start("sh", "-c", "echo ready; read x; kill -SEGV $$", options=("--heal", "--attempts", "3"), stdin=subprocess.PIPE)
    is_(p.stdout.readline(), b"ready\n")
    os.kill(wait_for(lambda: watcher_of(p)), signal.SIGKILL)
    p.stdin.close()
    is_(p.wait(120), -signal.SIGSEGV)
    said = p.stderr.read()
    assert b"killed by signal 11; the watcher process died, so the failure is neither explained nor retried" in said, said


@fault
def the_watcher_is_killed_and_the_job_ends_well():
    p = start("sh", "-c", "echo ready; read x", stdin=subprocess.PIPE)
    is_(p.stdout.readline(), b"ready\n")
    os.kill(wait_for(lambda: watcher_of(p)), signal.SIGKILL)
    p.stdin.write(b"\n")
    p.stdin.close()
    is_((p.wait(120), p.stderr.read()), (0, b""))


@fault
def the_watcher_is_stopped():
    p = start("sh", "-c", "echo ready; read x; head -c 30000000 /dev/zero; exit 3", stdin=subprocess.PIPE)
    is_(p.stdout.readline(), b"ready\n")
    watcher = wait_for(lambda: watcher_of(p))
    os.kill(watcher, signal.SIGSTOP)
    p.stdin.write(b"\n")
    p.stdin.close()
    is_(len(p.stdout.read()), 30000000)
    is_(p.wait(120), 3)
    os.kill(watcher, signal.SIGCONT)
    wait_for(lambda: not alive(watcher))
    assert re.search(r"unscanned 2[0-9]{7}", report()), report()


HOSTILE = "yes 'docker run ' | head -n 100000 | tr -d '\\n'"


@fault
def text_that_costs_patterns_most_gets_its_verdict():
    began = time.monotonic()
    p = run("sh", "-c", HOSTILE + "; echo; echo 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB.'; exit 3")
    is_(p.returncode, 3)
    assert b"memory" in p.stderr, p.stderr
    assert b"not explained" not in p.stderr, p.stderr
    assert time.monotonic() - began < 120


@fault
def the_keeper_is_killed_while_such_text_is_scanned():
    p = start("sh", "-c", HOSTILE + "; echo; sleep 1000")
    p.stdout.read(200000)
    p.kill()
    p.wait()
    wait_for(lambda: not marked(), 10)


@fault
def both_are_killed():
    p = start("sh", "-c", "echo ready; exec sleep 1000")
    is_(p.stdout.readline(), b"ready\n")
    os.kill(wait_for(lambda: watcher_of(p)), signal.SIGKILL)
    p.kill()
    p.wait()
    wait_for(lambda: not marked(), 3)


# ---- the journal ----

@fault
def a_journal_on_a_full_disk():
    if os.getuid() != 0:
        return "not tried: needs a file system of its own"
    os.mkdir("small")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", "small"], check=True)
    try:
        subprocess.run("head -c 65536 /dev/zero >small/full", shell=True)
        done = subprocess.run([PROGRAM, "run", "--dir", "small/j", "--", "sh", "-c", "echo x; exit 3"],
                              capture_output=True, timeout=120)
        is_((done.returncode, done.stdout), (3, b"x\n"))
        assert b"no journal is kept in small/j: No space left on device\n" in done.stderr, done.stderr
        os.unlink("small/full")
        pathlib.Path("small/most").write_bytes(bytes(56000))
        done = subprocess.run([PROGRAM, "run", "--dir", "small/k", "--", "sh", "-c", "seq 100000; exit 3"],
                              capture_output=True, timeout=120)
        is_((done.returncode, len(done.stdout)), (3, 588895))
    finally:
        subprocess.run(["umount", "-l", "small"])


@fault
def a_journal_directory_that_is_removed():
    p = start("sh", "-c", "echo ready; read x; seq 1000; exit 3", stdin=subprocess.PIPE)
    is_(p.stdout.readline(), b"ready\n")
    wait_for(lambda: os.path.exists("journal.d/journal"))
    shutil.rmtree("journal.d")
    p.stdin.write(b"\n")
    p.stdin.close()
    is_(len(p.stdout.read()), 3893)
    is_(p.wait(120), 3)


@fault
def a_journal_that_cannot_be_made():
    pathlib.Path("journal.d").write_text("a file")
    for last in ("true", "sleep 0.5"):
        done = run("sh", "-c", f"{last}; exit 3", options=("--no-preflight",))
        is_(done.returncode, 3)
        is_(done.stderr.count(b"rocsteady: no journal is kept in journal.d: Not a directory\n"), 1, done.stderr)
    done = run("true", options=("--no-preflight",))
    is_((done.returncode, done.stderr), (0, b"rocsteady: no journal is kept in journal.d: Not a directory\n"))


@fault
def a_journal_below_directories_that_are_not_there():
    done = subprocess.run([PROGRAM, "run", "--no-preflight", "--dir", "a/b//c/", "--", "true"], capture_output=True, timeout=120)
    is_((done.returncode, done.stderr), (0, b""))
    assert os.path.exists("a/b/c/journal")


@fault
def a_journal_takes_no_more_than_it_holds():
    run("./no-such-program")
    run("sh", "-c", "exit 0")
    sizes = [p.stat().st_size for p in pathlib.Path("journal.d").rglob("journal")]
    assert len(sizes) == 2 and max(sizes) < 200000, sizes
    told = subprocess.run([PROGRAM, "run", "--report", "journal.d"], capture_output=True, text=True).stdout
    assert "Not started: No such file or directory" in told and "1 later run is below it: --report" in told, told


@fault
def a_working_directory_that_is_gone():
    os.mkdir("gone")
    p = subprocess.run(["sh", "-c", 'cd gone; rmdir ../gone; "$@"', "sh", PROGRAM, "run", "--", "sh", "-c", "echo x"],
                       capture_output=True, timeout=120)
    is_((p.returncode, p.stdout), (0, b"x\n"))


@fault
def a_journal_that_is_there_already():
    run("sh", "-c", "exit 3")
    first = report()
    run("sh", "-c", "exit 4")
    is_(report(), first)
    is_(len([e for e in os.listdir("journal.d") if os.path.isdir(f"journal.d/{e}")]), 1)
    pathlib.Path("journal.d/journal").rename("journal.d/journal-2")  # the rest of a run is no part of the next
    run("sh", "-c", "exit 5")
    assert not pathlib.Path("journal.d/journal").exists()
    is_(len([e for e in os.listdir("journal.d") if os.path.isdir(f"journal.d/{e}")]), 2)


@fault
def a_directory_of_many_runs():
    """The newest is among them, wherever it stands in the directory; the others are counted."""
    run("true")
    for i in range(1100):
        os.makedirs(f"runs/{i}")
        os.link("journal.d/journal", f"runs/{i}/journal")
    shutil.copytree("journal.d", "runs/newest")
    os.utime("runs/newest/journal", (time.time() + 100, time.time() + 100))
    done = subprocess.run([PROGRAM, "run", "--report", "runs"], stdout=subprocess.PIPE, timeout=300)
    lines = done.stdout.decode().splitlines()
    assert any("runs/newest" in line for line in lines[:6]), lines[:6]
    assert "and 1061 older ones" in lines, lines[-3:]


@fault
def a_journal_cut_at_every_byte():
    run("sh", "-c", "echo 'HIPBLAS_STATUS_ALLOC_FAILED when calling hipblasCreate(handle)'; exit 3")
    whole = pathlib.Path("journal.d/journal").read_bytes()
    lines = report().splitlines()
    used = len(whole.rstrip(b"\0"))
    before = -1
    for cut in list(range(0, used, max(1, used // (30 if SANITIZED else 300)))) + [used]:
        pathlib.Path("journal.d/journal").write_bytes(whole[:cut])
        got = [l for l in report().splitlines() if "the journal" not in l and "no exit recorded" not in l]
        is_(got, lines[:len(got)])
        assert len(got) >= before
        before = len(got)
    is_(before, len(lines))


@fault
def killed_at_200_random_points():
    script = "i=0; while :; do echo line $i; i=$((i+1)); done >/dev/null & " \
             "echo 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB'; sleep 5"
    import random
    random.seed(7)
    seen = 0
    # The slower the program starts (a sanitizer, a busy machine), the later it is killed.
    began = time.monotonic()
    run("true", options=["--no-preflight"])
    most = max(0.06, 2 * (time.monotonic() - began))
    shutil.rmtree("journal.d", ignore_errors=True)
    tried, until = 0, began + 200  # a busy machine makes fewer of them in this time
    while tried < 200 and time.monotonic() < until:
        tried += 1
        p = start("sh", "-c", script, options=["--no-preflight"], stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.002, most))
        watcher = watcher_of(p)
        if watcher:
            os.kill(watcher, signal.SIGKILL)
        p.kill()
        p.wait()
        p.stdout.close()
        if os.path.exists("journal.d/journal") and os.path.getsize("journal.d/journal") >= 20:
            text = report()
            seen += "command sh" in text
            assert "not whole" not in text, text
        shutil.rmtree("journal.d", ignore_errors=True)
        for pid in marked():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    assert tried >= 20 and seen > tried // 2, (tried, seen)


# ---- terminals ----

@fault
def a_terminal_is_kept():
    t = Terminal("sh", "-c", "[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size && tty; exit 4")
    is_(t.end(), 4)
    assert b"33 77\r\n" in t.seen and b"/dev/pts/" in t.seen, t.seen
    assert t.is_restored()


@fault
def ctrl_c_on_a_terminal():
    t = Terminal("sh", "-c", "echo ready; sleep 1000")
    t.expect(b"ready")
    t.type(b"\x03")
    is_(t.end(), -2)
    assert t.is_restored()


@fault
def ctrl_c_twice():
    t = Terminal(PY, "-c", CATCHER)
    t.expect(b"ready")
    t.type(b"\x03")
    t.expect(b"2\r\n")
    t.type(b"\x03")
    wait_for(lambda: t.read().count(b"2\r\n") == 2)
    t.type(b"\x1c")
    t.expect(b"3\r\n")
    os.kill(int(re.search(r"started (\d+)", report())[1]), signal.SIGKILL)
    is_(t.end(), -9)


@fault
def stdin_from_a_terminal():
    t = Terminal("sh", "-c", "read x; echo got $x; cat; echo end")
    t.type(b"hello\n")
    t.expect(b"got hello")
    t.type(b"\x04")
    t.expect(b"end")
    is_(t.end(), 0)


@fault
def a_window_that_changes_its_size():
    t = Terminal("sh", "-c", "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done")
    t.expect(b"ready")
    fcntl.ioctl(t.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 50, 0, 0))
    t.process.send_signal(signal.SIGWINCH)
    t.expect(b"20 50")
    is_(t.end(), 0)


@fault
def a_terminal_that_is_closed():
    t = Terminal("sh", "-c", "trap 'echo hup >mark; exit 0' HUP; echo ready; while :; do sleep 0.05; done")
    t.expect(b"ready")
    os.close(t.slave)
    os.close(t.master)
    t.process.wait(120)
    assert file_has("mark", "hup")


@fault
def a_terminal_that_is_closed_under_nohup():
    t = Terminal("sh", "-c", "trap '' HUP; exec \"$@\"", "sh", PROGRAM, "run", "--", "sh", "-c",
                 "echo ready; sleep 0.5; seq 100000; echo through >mark")
    t.expect(b"ready")
    os.close(t.slave)
    os.close(t.master)
    wait_for(lambda: file_has("mark", "through"))
    t.process.wait(120)


def words_of(*words):
    return " ".join(map(shlex.quote, command(*words)))


@fault
def ctrl_z_and_back():
    job = words_of("sh", "-c", "echo ready; sleep 0.2; read x; echo got $x")
    t = Terminal(whole=["bash", "--norc", "-c", f"set -m; {job}; echo behind; sleep 0.5; fg"])
    t.expect(b"ready")
    t.type(b"\x1a")
    t.expect(b"behind")
    assert t.is_restored()
    wait_for(lambda: not t.is_restored())
    t.type(b"again\n")
    t.expect(b"got again")
    is_(t.end(), 0)
    assert t.is_restored()


@fault
def ctrl_z_where_nobody_could_continue_it():
    """As by `ssh -t`, or as the first process of a container: the kernel lets a bare one run on."""
    t = Terminal("sh", "-c", "echo ready; i=0; while [ $i -lt 15 ]; do sleep 0.1; i=$((i + 1)); done; echo through")
    t.expect(b"ready")
    t.type(b"\x1a")
    t.expect(b"through")
    is_(t.end(), 0)


@fault
def somebody_before_us_asks_at_the_keyboard():
    job = words_of("cat")
    t = Terminal(whole=["bash", "--norc", "-c", f'(read -r -p "password: " p </dev/tty; echo "pw=$p") | {job}'])
    t.expect(b"password: ")
    time.sleep(0.5)
    for key in b"secret\r":
        t.type(bytes([key]))
        time.sleep(0.02)
    t.expect(b"pw=secret")
    is_(t.end(), 0)
    assert t.is_restored()


@fault
def the_keeper_is_killed_on_a_terminal():
    t = Terminal("sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000")
    t.expect(b"ready")
    time.sleep(0.3)
    assert not t.is_restored()
    t.process.kill()
    t.process.wait()
    wait_for(t.is_restored)
    wait_for(lambda: not marked(), 5)


@fault
def a_pipe_behind_a_terminal():
    with open("out", "wb") as out:
        t = Terminal("sh", "-c", "[ -t 2 ] && [ ! -t 1 ] && [ -t 0 ] && read x && echo out $x && echo err >&2", stdout=out)
        t.type(b"hello\n")
        is_(t.end(), 0)
    is_(pathlib.Path("out").read_text(), "out hello\n")
    assert b"err\r\n" in t.seen
    assert b"\r\r" not in t.seen


@fault
def a_pipe_before_a_terminal():
    r, w = os.pipe()
    os.write(w, b"piped\n")
    os.close(w)
    t = Terminal("sh", "-c", "[ -t 1 ] && cat && read x </dev/tty && echo tty $x", stdin=r)
    t.expect(b"piped")
    t.type(b"typed\n")
    t.expect(b"tty typed")
    is_(t.end(), 0)


@fault
def a_terminal_of_somebody_else():
    t = Terminal("printf", "a\\nb\\n", ours=False)
    is_(t.end(), 0)
    is_(t.seen, b"a\r\nb\r\n")


@fault
def a_terminal_from_behind_and_in_front():
    """In the background both terminals would work on a line's end; in front again ours is raw."""
    words = words_of("sh", "-c", "echo a; read x; echo b $x")
    t = Terminal(whole=["bash", "--norc", "-c", f"set -m; {words} & sleep 0.6; fg"])
    t.expect(b"a\r\n")
    wait_for(lambda: not t.is_restored())
    t.type(b"typed\n")
    is_(t.end(), 0)
    assert b"a\r\n" in t.seen and b"b typed\r\n" in t.seen and b"\r\r" not in t.seen, t.seen
    assert t.is_restored()


@fault
def a_flood_on_a_terminal():
    t = Terminal("sh", "-c", "stty -opost; seq 300000")
    is_(t.end(60), 0)
    is_(hashlib.sha256(t.seen).hexdigest(),
        hashlib.sha256("".join(f"{i}\n" for i in range(1, 300001)).encode()).hexdigest())


@fault
def the_first_failure_is_told():
    done = run("sh", "-c", "echo fine; echo 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB'; exit 1")
    is_(done.returncode, 1)
    assert b"first failure: torch.OutOfMemoryError" in done.stderr, done.stderr
    is_(run("sh", "-c", "echo 'HIP out of memory. Tried to allocate 2.00 GiB'").stderr, b"", "no word on success")


# ---- what is sampled ----

def samples(text=None):
    """Of each sample its lines as lists of words."""
    found = []
    for line in (text or report()).splitlines():
        words = line.split()
        if len(words) > 2 and words[2] == "sample":
            found.append([])
            words = words[2:]
        elif not line.startswith(" " * 23):
            words = []
        if words and found and (words[0] == "sample" or found[-1]):
            found[-1].append(words[words[0] == "sample":])
    return found


def of_gpu(sample, address):
    """Values of a GPU's line by name; None where it is not known."""
    words = next(w for w in sample if w[:2] == ["gpu", address])
    line = dict(zip(("vram", "vram_total", "gtt", "gtt_total"), (words[3], words[4], words[6], words[7])))
    line.update(zip(words[8::2], words[9::2]))
    return {k: None if v == "-" else int(v) for k, v in line.items()}


def among_gpus(tree, *words, options=(), **more):
    return subprocess.Popen(tree.around(command(*words, options=options)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def needs_gpus(function):
    def tried():
        return f"not tried: {gpus.why_not()}" if gpus.why_not() else function()
    tried.__name__ = function.__name__
    return tried


@fault
@needs_gpus
def sysfs_files_that_vanish_and_come_back():
    tree = gpus.Tree(16)
    third = tree.addresses[3]
    p = among_gpus(tree, "sh", "-c", "seq 1000; sleep 7; exit 3")
    wait_for(lambda: os.path.exists("journal.d/journal") and len(samples()) >= 2, 20)
    tree.take_away(third)
    wait_for(lambda: of_gpu(samples()[-1], third)["vram"] is None)
    assert of_gpu(samples()[-1], tree.addresses[4])["vram"] == 283000004
    tree.make(third, 77)
    wait_for(lambda: of_gpu(samples()[-1], third)["vram"] == 283000077 and of_gpu(samples()[-1], third)["power"])
    is_(len(p.stdout.read()), 3893)
    is_(p.wait(120), 3)
    assert "sampler-stuck" not in report()


@fault
@needs_gpus
def a_gpu_that_never_answers():
    tree = gpus.Tree(16)
    silent = tree.addresses[5]
    deaf = gpus.Deaf(tree.path(silent, "hwmon"))
    if not deaf.works:
        return "not tried: no FUSE here"
    try:
        p = among_gpus(tree, "sh", "-c", "seq 1000; sleep 9; exit 3")
        is_(len(p.stdout.read()), 3893)
        begun = time.monotonic()
        is_(p.wait(120), 3)
        assert time.monotonic() - begun < 20 + 20 * a_run(), "the thread that stands is not waited for"
        text = report()
        assert "sampler-stuck 1" in text, text
        assert deaf.asked() > 0
        last = samples(text)[-1]
        is_(of_gpu(last, silent)["vram"], None)
        is_([of_gpu(last, a)["vram"] for a in tree.addresses if a != silent],
            [283000000 + i for i in range(16) if i != 5])
    finally:
        deaf.end()
    wait_for(lambda: not marked(), 5)


@fault
@needs_gpus
def a_gpu_that_sleeps_is_not_asked():
    tree = gpus.Tree(2)
    asleep, idle = tree.addresses
    tree.set(asleep, "power/runtime_status", "suspended")
    tree.set(idle, "power/control", "auto")
    deaf = gpus.Deaf(tree.path(asleep, "hwmon"))
    if not deaf.works:
        return "not tried: no FUSE here"
    try:
        p = among_gpus(tree, "sh", "-c", "sleep 3; exit 3", options=["--no-preflight"])
        is_(p.wait(120), 3)
        p.communicate()
        is_(deaf.asked(), 0)
        last = samples()[-1]
        is_({k for k, v in of_gpu(last, asleep).items() if v is not None}, {"job"})
        is_(of_gpu(last, idle)["vram"], 283000001)
        is_(of_gpu(last, idle)["busy"], None, "reading it would keep an idle GPU awake")
    finally:
        deaf.end()


@fault
@needs_gpus
def a_fifo_in_the_place_of_a_sensor():
    tree = gpus.Tree(1)
    path = tree.path(tree.addresses[0], "gpu_busy_percent")
    path.unlink()
    os.mkfifo(path)
    p = among_gpus(tree, "sh", "-c", "echo x; sleep 2.5; exit 3")
    is_((p.communicate(timeout=120)[0], p.returncode), (b"x\n", 3))
    last = of_gpu(samples()[-1], tree.addresses[0])
    is_((last["busy"], last["vram"]), (None, 283000000))
    assert "sampler-stuck" not in report()


@fault
def a_memory_limit_is_hit():
    version2 = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
    group = pathlib.Path("/sys/fs/cgroup" if version2 else "/sys/fs/cgroup/memory") / f"rocsteady-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / ("memory.max" if version2 else "memory.limit_in_bytes")).write_text("200M")
    except OSError as e:
        return f"not tried: no control group: {e}"
    try:
        # Not as python: a check of this host would find for a day that a job of GPUs was killed.
        hog = "import time\nopen('/proc/self/comm', 'w').write('hog')\nprint('before', flush=True)\ntime.sleep(1.3)\nb = []\n" \
              "while True: b.append(bytearray(b'x') * (8 << 20))"
        done = subprocess.run(["sh", "-c", 'echo $$ >"$0"; exec "$@"', str(group / "cgroup.procs"),
                               *command(PY, "-c", hog)], capture_output=True, timeout=300)
        is_((done.returncode, done.stdout), (-9, b"before\n"), done.stderr)
        text = report()
        assert re.search(r"cgroup used \d+ max 209715200", text), text
        assert "  end " in text and "signal 9" in text, text
    finally:
        for _ in range(50):
            try:
                group.rmdir()
                break
            except OSError:
                time.sleep(0.1)


@fault
def the_watcher_gets_no_more_memory():
    import resource
    p = start("sh", "-c", "echo ready; read x; seq 200000; exit 3", stdin=subprocess.PIPE)
    is_(p.stdout.readline(), b"ready\n")
    resource.prlimit(wait_for(lambda: watcher_of(p)), resource.RLIMIT_AS, (1 << 20, 1 << 20))
    p.stdin.write(b"\n")
    p.stdin.close()
    is_(len(p.stdout.read()), 1288895)
    is_(p.wait(120), 3)


CLOCK = """
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t which, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);
	char text[32] = "";
	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	int r = real(which, t), fd = which == CLOCK_REALTIME ? open(OFFSET, O_RDONLY) : -1;
	if (fd >= 0) {
		(void)!read(fd, text, sizeof(text) - 1);
		close(fd);
		t->tv_sec += atol(text);
	}
	return r;
}
"""


@fault
def clock_jumps():
    if not shutil.which("cc"):
        return "not tried: no compiler"
    offset = pathlib.Path("offset").resolve()
    offset.write_text("0")
    pathlib.Path("clock.c").write_text(CLOCK)
    subprocess.run(["cc", "-D_GNU_SOURCE", f'-DOFFSET="{offset}"', "-shared", "-fPIC", "-o", "clock.so", "clock.c",
                    "-ldl"], check=True)
    p = start("sh", "-c", "i=0; until [ -e done ]; do i=$((i + 1)); echo step $i/99; sleep 1; done; exit 3",
              env={**os.environ, "LD_PRELOAD": str(pathlib.Path("clock.so").resolve()),
                   "ASAN_OPTIONS": "verify_asan_link_order=0"})
    is_(p.stdout.readline(), b"step 1/99\n")
    begun = time.time()
    for days in (-1, 400):
        offset.write_text(str(86400 * days))
        seen = [time.strftime("%Y-%m-%d", time.gmtime(t + 86400 * days)) for t in (begun, begun + 60)]
        wait_for(lambda: re.search(rf"^({'|'.join(seen)}) \S+ +sample", report(), re.M), 60)
    pathlib.Path("done").touch()
    steps = p.stdout.read().count(b"\n") + 1
    is_(p.wait(120), 3)
    text = report()
    assert 2 <= len(samples(text)) <= steps + 5, text
    told = [int(n) for n in re.findall(r"  progress +stdout step (\d+)", text)]  # once a second, as the steps come
    assert told[-1] == steps and told == sorted(told), text
    assert "  end " in text and "not whole" not in text


# ---- the test ----

def one(function):
    global MARK
    MARK = f"FAULT_MARK={os.getpid()}-{function.__name__}".encode()
    os.environ["FAULT_MARK"] = MARK.decode().split("=")[1]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        try:
            result = function()
            left = [] if not marked() else (time.sleep(0.5), marked())[1]
            assert not left, f"left behind: {left}"
        except Exception as e:  # a fault that fails must not hide the others
            for pid in marked():
                os.kill(pid, signal.SIGKILL)
            os.chdir("/")
            print(f"FAILED  {function.__name__}: {type(e).__name__}: {e}", flush=True)
            return False
        os.chdir("/")
    print(f"{'passed ' if not result else 'skipped'} {function.__name__} {time.monotonic() - begun:.1f} s {result or ''}",
          flush=True)
    return True


# Those that mostly sleep, and of which none measures how fast something is.
PATIENT = """a_child_that_ignores_sigterm a_fifo_in_the_place_of_a_sensor a_gpu_that_never_answers
a_gpu_that_sleeps_is_not_asked a_journal_cut_at_every_byte exit_statuses_0_to_255
killed_at_200_random_points sysfs_files_that_vanish_and_come_back the_watcher_is_stopped""".split()


def main(alone=lambda f: f.__name__ not in PATIENT, width=5):
    """Those that must not be disturbed one by one, and the others side by side."""
    # Whoever runs this may ignore signals (nohup does), and a job inherits that.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_DFL)
    chosen = [f for f in FAULTS if not sys.argv[1:] or f.__name__ in sys.argv[1:]]
    if sys.argv[1:] == ["--list"]:
        print("\n".join(f.__name__ for f in FAULTS))
        return 0
    beside = [f.__name__ for f in chosen if not alone(f)] if len(chosen) > 1 else []
    failed = pool.run(beside, width) + [f.__name__ for f in chosen if f.__name__ not in beside and not one(f)]
    print(f"{len(chosen)} faults, {len(failed)} failed {' '.join(failed)}")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
