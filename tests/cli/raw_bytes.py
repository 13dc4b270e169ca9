"""Runs each command on names and bodies with control bytes, through pipes and through a
terminal of its own, and looks at the raw bytes. Called by raw-bytes.sh with a directory."""
import base64
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import time

PROGRAM, SOURCE = os.environ["ROCSTEADY"], os.environ["ROCSTEADY_SOURCE"]
TOP = os.fsencode(sys.argv[1])
MACHINE = os.path.join(SOURCE, "tests/machines/rx6600-debian12-k61-healthy.snap")

# ESC with CSI and OSC, BEL, C1 as UTF-8 and as bare bytes, bidi overrides and isolates,
# a zero-width space, a line's end, CR, BS, DEL, and the colours that we write ourselves.
HOSTILE = {
    "all": b"a\x1b[31m\x1b]0;owned\x07\xc2\x9b2J\x9b1m\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8bb\nc\rd\x08\x7f",
    "colour": b"x\x1b[31mowned\x1b[0m",
    "osc": b"y\x1b]52;c;b3duZWQ=\x07\x1bP+q\x1b\\",
}
OURS = re.compile(rb"\x1b\[(?:[0-9;]*m|K)")
IN_BODIES = "\x1b]0;owned\x07\x1b[31mowned\x1b[2J\u202e\u2066\x9b2J\r\x7f"


def evil_snapshot():
    text = open(MACHINE, encoding="utf-8").read()
    raw = lambda path, value: f"file {path}\n\t{value}\n"
    coded = lambda path, value: f"file {path} base64\n\t{base64.b64encode(value.encode()).decode()}\n"
    gpu = re.search(r"^files (/sys/devices/\S*)\n(?:\t.*\n)*\tmem_info_vram_total", text, re.M).group(1)
    word = IN_BODIES.replace(" ", "").replace("\r", "")
    return text + "".join([
        raw(gpu + "/product_name", "Radeon" + IN_BODIES), coded(gpu + "/vbios_version", "113" + IN_BODIES),
        raw("/proc/sys/kernel/hostname", IN_BODIES), raw("/etc/os-release", f'NAME="{IN_BODIES}"'), raw("/proc/cmdline", "ro " + IN_BODIES),
        f"ask environment\n\tHSA_X={IN_BODIES}\n\tHIP_{word}=1\n", f"ask identity\n\tuid 1\n\thow {IN_BODIES}\n\tuser {IN_BODIES}\n",
        f"ask kernel-log\n\t. 1 1 3 amdgpu 0000:03:00.0: {IN_BODIES} GPU reset begin!\n", f"dir /etc/profile.d\n\t{word}.sh\n",
        f"quux {IN_BODIES}\n", f"note {IN_BODIES}\n", f"file /etc/{word}\n\tx\n", f"link /etc/x -> {word}\n", f"ask probe\n\t{IN_BODIES}\n",
    ])


LOG = (f"RuntimeError: HIP error: invalid device function {IN_BODIES}\n"
       f"torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB {IN_BODIES}\n"
       f"  File \"/home/{IN_BODIES}/train.py\", line 3\nValueError: {IN_BODIES}\n")


def make(name):
    """Files of each kind under one hostile name."""
    place = TOP + b"/" + base64.b16encode(name[:4])
    os.makedirs(place, exist_ok=True)
    base = place + b"/" + name
    for suffix in (b".snap", b".gz"):
        with open(base + suffix, "w", encoding="utf-8") as f:
            f.write(evil_snapshot())
    with open(base + b".log", "w", encoding="utf-8") as f:
        f.write(LOG)
    for suffix in (b".so", b".whl", b".db", b".yaml", b".jsonl"):
        shutil.copy("/bin/true", base + suffix)
    os.makedirs(base + b".d/causes", exist_ok=True)
    with open(base + b".d/causes/" + name + b".yaml", "wb") as f:
        f.write(b"cause: " + name + b"\n\x1b[31m: \xff\n")
    os.makedirs(base + b".acks", exist_ok=True)
    with open(base + b".acks/" + name + b".conf", "wb") as f:
        f.write(b"cause = " + name + b"\n")
    with open(base + b".facts", "wb") as f:
        f.write(b"{\"" + name + b"\": 1")
    return place, base


def commands(place, p, n):
    snap, log = (b"--from", p + b".snap"), (b"--no-machine", p + b".log")
    yield from ((b"targets", p + b".so"), (b"targets", place), (b"targets", p + b".whl"), (b"targets", b"--json", place),
                (b"targets", b"--format", b"sarif", place), (b"targets", p + b".none"), (b"targets", b"--require", n, place))
    yield from ((b"snapshot", *snap), (b"snapshot", b"--no-scrub", *snap), (b"snapshot", b"--brief", *snap), (b"snapshot", b"--from", p + b".none"),
                (b"snapshot", *snap, b"-o", b"/nowhere/" + n), (b"snapshot", *snap, b"--unpack", p + b".log"))
    for more in ((), (b"--verbose",), (b"--json",), (b"--format", b"markdown"), (b"--format", b"html"), (b"--no-scrub", b"--format", b"markdown"),
                 (b"--why", n), (b"--why", b"device-permission"), (b"--ack", p + b".acks"), (b"--ack", p + b".none"), (b"--kb", p + b".db"),
                 (b"--only", n), (b"--expect", n), (b"-o", b"/nowhere/" + n), (b"--format", n)):
        yield (b"check", *snap, *more)
    yield from ((b"check", b"--from", p + b".log"), (b"check", b"--root", p + b".none"), (b"check", b"--user", n), (b"check", b"--pid", n))
    for topic in ((), (b"gpus",), (b"host",), (b"env",), (b"log",), (b"gaps",), (b"--json",), (n,)):
        yield (b"facts", *topic, *snap)
    yield from ((b"query", *snap, b"SELECT " + n), (b"query", *snap, b"SELECT '" + n + b"' AS \"" + n + b"\""), (b"query", b"--csv", *snap, b"SELECT * FROM env"),
                (b"query", b"--json", *snap, b"SELECT * FROM env"), (b"query", *snap, b"SELECT * FROM env"))
    for more in ((), (b"--verbose",), (b"--json",), (b"--format", b"markdown"), (b"--format", b"html"), (b"--set", n + b"=1"), (b"--facts", p + b".facts"),
                 (b"--why", n)):
        yield (b"explain", *log, *more)
    yield from ((b"explain", b"--no-machine", place), (b"explain", b"--no-machine", p + b".none"), (b"explain", b"--no-machine", b"--together", p + b".log", p + b".yaml"),
                (b"explain", *snap, p + b".log"))
    yield from ((b"advise", b"--gpu", n), (b"advise", b"--for", n), (b"advise", b"--os", n), (b"fix", *snap), (b"fix", *snap, n), (b"fix", b"--root", p, n))
    yield from ((b"kb", b"show", n), (b"-kb", b"lint", p + b".none"), (b"-kb", b"lint", p + b".d"), (b"-kb", b"build", p + b".d", b"-o", p + b".out"),
                (b"-kb", b"test", p + b".d", n), (b"-kb", b"score", p + b".jsonl"), (b"kb", b"try", p + b".db"), (b"kb", n), (b"kb", b"list", b"--kb", p + b".db"))
    yield from ((b"probe", b"--like", n), (b"probe", b"--layer", n), (b"probe", b"--device", n, b"--layer", b"nodes"), (b"probe", b"--libraries", p + b".none", b"--layer", b"hsa"),
                (b"probe", *snap), (b"probe", b"--like-pid", n))
    yield from ((b"run", b"--report", p + b".none"), (b"run", b"--report", place), (b"run", b"--no-preflight", b"--dir", p + b".j", b"--", b"sh", b"-c", b"exit 2"),
                (b"run", b"--report", p + b".j"), (b"run", b"--report", p + b".j", b"--verbose"), (b"run", b"--report", p + b".j", b"--json"),
                (b"run", b"--no-preflight", b"--dir", p + b".log", b"--", b"true"), (b"run", b"--no-preflight", b"--dir", p + b".k", b"--", p + b".none"),
                (b"run", b"--heal", b"--attempts", n, b"--", b"true"))
    yield from ((b"gate", *snap), (b"gate", b"--for", n), (b"gate", *snap, b"--verdict", p + b".verdict", b"--config", p + b".log"),
                (b"gate", b"--for", b"npd", b"--verdict", p + b".verdict"), (b"gate", b"--for", b"nagios", b"--verdict", p + b".log"),
                (b"gate", b"--for", b"textfile", b"--verdict", p + b".none"), (b"gate", *snap, b"--verdict", p + b".log/" + n))
    yield from ((n,), (b"help", n), (b"completion", n), (b"--" + n,), (b"check", b"--" + n))


def command(words):
    """Of rocsteady, or of rocsteady-kb beside it."""
    return [os.fsencode(PROGRAM) + words[0], *words[1:]] if words[0] == b"-kb" else [os.fsencode(PROGRAM), *words]


def through_pipe(words):
    done = subprocess.run(command(words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return done.returncode, done.stdout + b"\n" + done.stderr


def through_terminal(words):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(command(words)[0], command(words))
    out, until = b"", time.monotonic() + 120
    while time.monotonic() < until:
        if not select.select([fd], [], [], 1)[0]:
            continue
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        out += data
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), out


def foreign(raw, terminal):
    """What no line of ours has: our own colours stand alone, theirs beside the word `owned`."""
    raw = raw.replace(b"\r\n", b"\n")
    if re.search(rb"\x1b\[31m(?:owned|\x1b\])", raw):
        return ["a colour of theirs"]
    if terminal:
        raw = OURS.sub(b"", raw).replace(b"\r", b"")
    text = raw.decode("utf-8", "surrogateescape")
    return [repr(c) for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0 or 0xdc80 <= ord(c) < 0xdd00
            or c in "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]


def main():
    tried = failed = 0
    for kind, name in HOSTILE.items():
        place, base = make(name)
        for words in commands(place, base, name):
            for way in (through_pipe, through_terminal) if kind == "all" else (through_pipe,):
                for again in (b".j", b".k"):
                    if words[0] == b"run" and b"--report" not in words:
                        shutil.rmtree(base + again, ignore_errors=True)
                status, raw = way(words)
                bad = foreign(raw, way is through_terminal)
                tried += 1
                if status < 0 or bad:
                    failed += 1
                    print(f"FAILED: {way.__name__} {kind}: {[w[:24] for w in words]}: status {status}, {bad[:4]}")
    print(f"{tried} commands, {failed} failed")
    return 1 if failed or tried < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
