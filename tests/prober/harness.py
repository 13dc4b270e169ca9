"""Runs rocsteady-probe as its parent would, as simply as can be, and says how it ended."""
import os
import pathlib
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
PROBER = os.environ["ROCSTEADY_PROBER"]
FAKES = os.environ["ROCSTEADY_FAKES"]
SAMPLES = pathlib.Path(os.environ.get("ROCSTEADY_SAMPLES") or "/var/cache/rocsteady-samples")

# Where AddressSanitizer is in it: its shadow wants all the address space, and it has its own say on heaps.
SANITIZED = b"__asan_init" in pathlib.Path(PROBER).read_bytes()

# Descriptor 3 of the child is made from another: here it must be nobody's, least of all subprocess's own.
while os.open("/dev/null", os.O_RDONLY) < 3:
    pass

LAST = "answered", "refused", "wrong", "missing"


class Ended:
    """ending: as in docs/design/0009-probe.md; lines: of descriptor 3; said: standard output and error."""

    def __init__(self, ending, number, lines, said, seconds):
        self.ending, self.number, self.lines, self.said, self.seconds = ending, number, lines, said, seconds

    def of(self, word):
        return [line[len(word) + 1:] for line in self.lines if line.startswith(word + " ")]

    def last(self, word):
        return (self.of(word) or [""])[-1]

    def __str__(self):
        number = "" if self.number is None else f" {self.number}"
        return f"{self.ending}{number}"


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_DATA, (512 << 20, 512 << 20))


def drain(channels, deadline):
    """Everything from the pipes, by name, until all are closed or the time is over."""
    kept = {name: b"" for name, _ in channels}
    with selectors.DefaultSelector() as selector:
        for name, fd in channels:
            selector.register(fd, selectors.EVENT_READ, name)
        while selector.get_map() and time.monotonic() < deadline:
            for key, _ in selector.select(max(0, deadline - time.monotonic())):
                piece = os.read(key.fd, 1 << 16)
                if piece:
                    kept[key.data] = (kept[key.data] + piece)[-(8 << 20):]
                else:
                    selector.unregister(key.fd)
    return kept


def tell(status, lines, late):
    last = lines[-1].split(" ", 1) if lines else [""]
    if late:
        return "timeout", None
    if status < 0:
        return "crashed", -status
    if last[0] in LAST:
        return last[0], int(last[1]) if last[0] == "refused" else None
    return "exited", status


def run(*arguments, env=None, seconds=10, program=(PROBER,), bounded=True):
    """One prober. Its child, where one stays, is ended with its group, after it."""
    read3, write3 = os.pipe()
    started = time.monotonic()

    def child():
        os.dup2(write3, 3, inheritable=True)
        if bounded:
            limits()

    process = subprocess.Popen([*program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env={"PATH": "/usr/bin:/bin", "ASAN_OPTIONS": "detect_leaks=0", **(env or {})},
                               start_new_session=True, preexec_fn=child, pass_fds=(3,))
    os.close(write3)
    channels = ("3", read3), ("1", process.stdout.fileno()), ("2", process.stderr.fileno())
    kept = {"3": b"", "1": b"", "2": b""}
    while time.monotonic() < started + seconds:
        for name, piece in drain(channels, time.monotonic() + 0.02).items():
            kept[name] += piece
        if process.poll() is not None:
            break
    late = process.poll() is None
    if late:
        os.killpg(process.pid, signal.SIGTERM)
        for name, piece in drain(channels, time.monotonic() + 0.1).items():
            kept[name] += piece
    left_child = False
    try:
        os.killpg(process.pid, signal.SIGKILL)
        left_child = not late
    except ProcessLookupError:
        pass
    status = process.wait()
    for name, piece in drain(channels, time.monotonic() + 0.5).items():
        kept[name] += piece
    os.close(read3)
    process.stdout.close()
    process.stderr.close()
    lines = kept["3"].decode(errors="surrogateescape").splitlines()
    ended = Ended(*tell(status, lines, late), lines, (kept["1"] + kept["2"]).decode(errors="replace"),
                  time.monotonic() - started)
    ended.left_child, ended.status, ended.raw = left_child, status, kept["3"]
    return ended


def scenario(plan, libraries=FAKES):
    """A directory with the fake libraries and this plan."""
    place = tempfile.mkdtemp(prefix="fakes-")
    for file in os.listdir(libraries):
        if ".so" in file:
            os.symlink(os.path.join(libraries, file), os.path.join(place, file))
    pathlib.Path(place, "plan").write_text(plan)
    return place


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, []

    def check(self, name, ok, detail=""):
        if ok:
            self.passed += 1
        else:
            self.failed.append(f"FAIL {name}{': ' if detail else ''}{detail}")

    def end(self):
        for line in self.failed:
            print(line)
        print(f"{self.passed} passed, {len(self.failed)} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def remove(place):
    shutil.rmtree(place, ignore_errors=True)
