#!/usr/bin/env python3
"""What `rocsteady mcp --allow DIR` opens when DIR is hostile, call by call, under strace.

usage: mcp_opens.py PROGRAM SOURCE WORK

A call that does not look at this machine may open what OWN lists, libraries that the
program is linked with, and what lies below DIR. One that does may open what the same tool
opens for a harmless input. What is no regular file or directory is never opened to be
read. The last lines count calls, opens and those outside.
"""
import ctypes
import json
import os
import pathlib
import re
import socket
import stat
import struct
import subprocess
import sys
import threading
import time

PROGRAM, SOURCE, WORK = os.path.realpath(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
sys.path.insert(0, str(SOURCE / "tests/cli"))
import targets_make as make  # noqa: E402

DIR, OUTSIDE = WORK / "allow", WORK / "outside"
SECRET = "gfx942secret"
# As src/door/wall.c has them, and what the C library asks for.
OWN = re.compile(r"/etc/ld\.so\.(cache|preload)|/etc/localtime|/usr/share/zoneinfo(/.*)?|/dev/(urandom|null)|/etc/rocsteady(/.*)?|"
                 r"/var/lib/rocsteady(/.*)?|/proc/(self|\d+)(/(task/.*|maps|stat(us)?|exe|cmdline|environ|fd(/.*)?))?|/proc|/sys/kernel/mm/.*")
LIBRARY = re.compile(r".*/lib[^/]*\.so[.\d]*|.*/ld-[^/]*\.so[.\d]*")
OPEN = re.compile(r"^(\d+) +(?:open|openat|openat2|creat)\((.*)\) += (-?\d+)(?:<(.*?)>)?(?: (\w+).*)?$")
failed = passed = 0
calls, opens, outside = 0, 0, []


def check(what, holds):
    global failed, passed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print(f"FAIL {what}")


# ---- a directory that means harm ----

def text(t):
    data = t.encode()
    return (bytes([0xa0 | len(data)]) if len(data) < 32 else b"\xd9" + bytes([len(data)])) + data


def referring(*paths):
    ref = b"\x82" + text("kpack_search_paths") + b"\xdc" + struct.pack(">H", len(paths)) + b"".join(map(text, paths)) + text("kernel_name") + text("lib/x.so")
    return make.library(ref, name=".rocm_kpack_ref")


UP = "../" * 12
REFERENCES = [
    "{up}etc/shadow", "{up}etc/{none}", "../outside/secret", "../outside/{none}", "{up}root", "{up}dev/null", "{up}dev/zero", "/etc/shadow",
    "//etc/shadow", "./../../outside/secret", "a/../../outside/secret", "../allow/../outside/secret", "../.kpack/../outside/secret", "..", "../..",
    "{up}.kpack/x.kpack", "../../.kpack/out.kpack", "link", "linked/secret", "abs", "fifo", "device", "socket", "loop", "self/environ", ".kpack/out.kpack",
    "{up}tmp/@GFXARCH@", "{up}root/@GFXARCH@.x", "../outside/@GFXARCH@.kpack", "linked/@GFXARCH@.kpack", "{up}proc/self/@GFXARCH@", "@GFXARCH@/../../outside/secret",
    "../outside/@GFXARCH@/secret", "..//..//..//etc/shadow", "lib/./../../outside/secret", "....//outside/secret", "..\\outside\\secret",
]


def link(path, to):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(to)


def odd_ones(at):
    """Under these names in a directory: everything that is no file, and every way out."""
    at.mkdir(parents=True, exist_ok=True)
    for name, to in [("link", OUTSIDE / "secret"), ("linked", OUTSIDE), ("abs", "/etc/passwd"), ("loop", "loop"), ("self", "/proc/self"), ("up", "..")]:
        link(at / name, to)
    os.mkfifo(at / "fifo")
    here = os.getcwd()
    os.chdir(at)
    socket.socket(socket.AF_UNIX).bind("socket")
    os.chdir(here)
    try:
        os.mknod(at / "device", 0o644 | stat.S_IFCHR, os.makedev(1, 5))  # /dev/zero, which never ends
    except PermissionError:
        pass


def plant():
    (OUTSIDE / ".kpack").mkdir(parents=True)
    (OUTSIDE / "secret").write_text("password")
    (OUTSIDE / "lib.so").write_bytes(make.library(make.bundle(SECRET)))
    (OUTSIDE / "k.json").write_text(json.dumps({"target": {"backend": "hip", "arch": SECRET, "warp_size": 64}}))
    (OUTSIDE / "log").write_text(f"RuntimeError: HIP error: out of memory {SECRET}\n")
    DIR.mkdir()
    odd_ones(DIR)
    odd_ones(DIR / "tree")
    (DIR / ".kpack").mkdir()
    link(DIR / ".kpack/out.kpack", OUTSIDE / "secret")
    for i, form in enumerate(REFERENCES):
        (DIR / f"there{i:02}.so").write_bytes(referring(form.format(up=UP, none="passwd")))
        (DIR / f"absent{i:02}.so").write_bytes(referring(form.format(up=UP, none="no-such")))
    (DIR / "lib").mkdir()
    (DIR / "lib/all.so").write_bytes(referring(*(f.format(up=UP, none="passwd") for f in REFERENCES)))
    for kernels in ("rocblas/library", "hipblaslt/library", ".triton/cache/ab", "aotriton.images/amd-gfx942", "miopen/db"):
        at = DIR / kernels
        odd_ones(at)
        for name in ("TensileLibrary_gfx1100.dat", "TensileLibrary_lazy_gfx1100.dat", "TensileLibrary.yaml", "kernel.json", "x.aks2", "gfx942.kdb"):
            link(at / name, OUTSIDE / "k.json")
        for name, to in [("TensileLibrary_gfx1101.dat", "/dev/zero"), ("TensileLibrary_gfx1102.dat", "/etc/shadow"), ("other.json", "../../../../outside/k.json")]:
            link(at / name, to)
        os.mkfifo(at / "TensileLibrary_gfx1103.dat")
        os.mkfifo(at / "fifo.json")
    make.write_zip(DIR / "up.whl", {"../../outside/x.so": make.library(make.bundle("gfx1100")), "/etc/x.so": make.library(make.bundle("gfx1100")),
                                    "torch/lib/r.so": referring(UP + "etc/shadow", "../../outside/secret", "../../../.kpack/@GFXARCH@.kpack")})
    oci = DIR / "image"
    (oci / "blobs/sha256").mkdir(parents=True)
    (oci / "oci-layout").write_text("{}")
    link(oci / "blobs/sha256/abc", OUTSIDE / "lib.so")
    link(oci / "index.json", "/etc/passwd")
    (DIR / "log").write_text("RuntimeError: HIP error: out of memory\n")
    (DIR / "good.so").write_bytes(make.library(make.bundle("gfx1100")))
    link(DIR / "own", "log")
    (DIR / "machine.snap").write_bytes((SOURCE / "tests/machines/rx7900xtx-ubuntu2404-rocm64-ollama.snap").read_bytes())


# ---- the server, and what it and its runs open ----

class Server:
    def __init__(self, trace, *words):
        self.trace = trace
        self.process = subprocess.Popen(["strace", "-f", "-y", "-qq", "-s", "4096", "-e", "trace=open,openat,openat2,creat,execve,landlock_restrict_self", "-e", "signal=none", "-o", str(trace), PROGRAM, "mcp",
                                         "--allow", str(DIR), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def post(self, tool, arguments):
        self.number += 1
        line = {"jsonrpc": "2.0", "id": self.number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        if tool == "resource":
            line.update(method="resources/read", params=arguments)
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, tool, arguments):
        self.post(tool, arguments)
        return self.process.stdout.readline().decode()

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.wait()
        return whole_lines(self.trace.read_text(errors="replace"))


def whole_lines(trace):
    """A call that another process interrupted is two lines: joined."""
    begun = {}
    for line in trace.splitlines():
        pid = line.split(" ", 1)[0]
        if line.endswith(" <unfinished ...>"):
            begun[pid] = line[:-len(" <unfinished ...>")]
        elif "resumed>" in line:
            yield begun.pop(pid, pid + " ") + line.split("resumed>", 1)[1]
        else:
            yield line


def opened(lines):
    """Of each open: the words, whether it is only a look (O_PATH), what was opened or asked for, or None if the kernel refused the name."""
    for line in lines:
        m = OPEN.match(line)
        if not m:
            continue
        words, number, got, error = m[2], int(m[3]), m[4], m[5]
        base, name = re.match(r'(?:(?:AT_FDCWD|\d+)<(.*?)>, )?"(.*?)"', words).groups()
        if number < 0:
            got = None if error in ("EXDEV", "ELOOP") and "RESOLVE_BENEATH" in words else os.path.normpath(os.path.join(base or "/", name))
        yield words, "O_PATH" in words, got


def is_allowed(path):
    return path == "/" or path == str(DIR) or path.startswith(f"{DIR}/") or path == PROGRAM or OWN.fullmatch(path) or LIBRARY.fullmatch(path)


def is_odd(path):
    """A pipe, a socket or a device. Without O_PATH the kernel opens no link itself: one that stands here now was exchanged for what was opened."""
    try:
        mode = os.stat(path, follow_symlinks=False).st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))
    except OSError:
        return False


def judge(what, lines, also=frozenset()):
    global opens
    for words, look, path in opened(lines):
        opens += 1
        if path is None:
            continue
        if not is_allowed(path) and without_numbers(path) not in also and not (look and path == "/"):
            outside.append(f"{what}: {words}")
        if not look and path.startswith(f"{DIR}/") and is_odd(path):
            outside.append(f"{what}: opened what is no file: {words}")


def without_numbers(path):
    return re.sub(r"\d+", "0", path)


# ---- calls ----

def walled_calls():
    for path in sorted(DIR.rglob("*")):
        yield "targets", {"paths": [str(path)]}
    for path in [DIR, DIR / "..", DIR / "tree/up/..", DIR / "linked/lib.so", DIR / "tree/linked/lib.so", OUTSIDE, OUTSIDE / "lib.so", "/etc/shadow", "/", "/proc/self/root", "/dev/zero",
                 "/proc/self/fd/3", "/proc/self/fd/3/../outside", f"{DIR}/../outside/lib.so", "..", ".", "", "good.so", f"{DIR}/{UP}etc/shadow", "--help", f"--allow={OUTSIDE}"]:
        yield "targets", {"paths": [str(path)]}
        yield "explain", {"path": str(path), "text_only": True}
        yield "check", {"snapshot_path": str(path)}
    yield "targets", {"paths": [str(DIR / "good.so"), str(DIR / "lib"), str(DIR / "tree")], "require": "gfx1100"}
    for name in ("log", "own", "link", "linked/log", "abs", "fifo", "device", "socket", "loop", "self/environ", "up/outside/log", "machine.snap", "image", "none"):
        yield "explain", {"path": str(DIR / name), "text_only": True}
        yield "check", {"snapshot_path": str(DIR / name)}
    for word in ("vram-exhausted", "../../../etc/shadow", "/etc/shadow", "--kb=/etc/shadow", "-"):
        yield "kb_show", {"name": word}
        yield "resource", {"uri": f"rocsteady://cause/{word}"}
        yield "advise", {"gpu": word, "for": word, "os": "linux", "python": word}
    yield "explain", {"text": "HIP error: out of memory\n--from=/etc/shadow\n@/etc/shadow", "text_only": True}
    yield "resource", {"uri": "rocsteady://causes"}
    yield "resource", {"uri": "file:///etc/shadow"}


MACHINE = [
    ("facts", {"topic": "gpus"}, [{"topic": "../../etc/shadow"}, {"topic": "--from=/etc/shadow"}]),
    ("query", {"sql": "SELECT 1"}, [{"sql": "ATTACH '/etc/shadow' AS x"}, {"sql": "SELECT readfile('/etc/shadow')"}, {"sql": "SELECT load_extension('/tmp/x')"},
                                    {"sql": "VACUUM INTO '/tmp/rocsteady-vacuum'"}, {"sql": "SELECT * FROM pragma_database_list"}]),
    ("explain", {"text": "x"}, [{"path": str(DIR / "log")}, {"path": str(DIR / "link")}, {"text": f"error while loading shared libraries: {OUTSIDE}/lib.so: cannot open /etc/shadow"}]),
    ("snapshot", {"brief": True}, [{"brief": True}]),
    ("check", {}, [{}]),
]


def fits(answer):
    return SECRET not in answer and "password" not in answer


def check_walled():
    global calls
    server = Server(WORK / "walled")
    for tool, arguments in walled_calls():
        calls += 1
        check(f"{tool} {arguments}: nothing of what lies outside", fits(server.ask(tool, arguments).replace(json.dumps(arguments), "")))
    check("good.so is read", "gfx1100" in server.ask("targets", {"paths": [str(DIR / "good.so")]}))
    check("a link that stays inside is read", '"isError": true' not in server.ask("explain", {"path": str(DIR / "own"), "text_only": True}))
    for i, form in enumerate(REFERENCES):
        there, absent = (server.ask("targets", {"paths": [str(DIR / f"{word}{i:02}.so")]}).split('"result"')[1] for word in ("there", "absent"))
        check(f"{form}: whether it is there is not told", there.replace("there", "absent").replace("passwd", "no-such") == absent)
    calls += 2 * len(REFERENCES) + 2
    lines = list(server.end())
    judge("walled", lines)
    walls = sum("landlock_restrict_self" in line and line.endswith("= 0") for line in lines)
    runs = sum('execve("/proc/self/exe"' in line for line in lines)
    if landlock():
        check(f"a wall around each of {runs} runs: {walls}", walls == runs > 100)
    else:
        print("this kernel has no Landlock: the second wall was not tried")


def landlock():
    return ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) > 0


def traced(name, tool, arguments):
    server = Server(WORK / name)
    answer = server.ask(tool, arguments)
    return answer, list(server.end())


def check_machine():
    global calls
    for tool, plain, hostile in MACHINE:
        known = {without_numbers(path) for _, _, path in opened(traced("plain", tool, plain)[1]) if path}
        check(f"{tool} opens something", known)
        for arguments in hostile:
            calls += 1
            answer, lines = traced("hostile", tool, arguments)
            check(f"{tool} {arguments}: nothing of what lies outside", SECRET not in answer)
            judge(f"{tool} {arguments}", lines, known)


def exchange(stop):
    """x is a directory, a link to one outside, a directory, ..., and so is a file in it."""
    (WORK / "allow/x").mkdir()
    (DIR / "x/lib.so").write_bytes((DIR / "good.so").read_bytes())
    (DIR / "x/log").write_text("HIP error: out of memory\n")
    link(DIR / "x2", OUTSIDE)
    rename = ctypes.CDLL(None, use_errno=True).renameat2
    while not stop.is_set():
        rename(-100, bytes(DIR / "x"), -100, bytes(DIR / "x2"), 2)


def check_exchanged():
    """Names that change while calls wait and run, many at once."""
    global calls
    stop = threading.Event()
    thread = threading.Thread(target=exchange, args=(stop,))
    thread.start()
    while not (DIR / "x2").is_symlink() and not (DIR / "x").is_symlink():
        time.sleep(0.01)
    server = Server(WORK / "exchanged")
    asked = [("targets", {"paths": [str(DIR / "x/lib.so"), str(DIR / "x"), str(DIR / "x2/lib.so")]}), ("explain", {"path": str(DIR / "x/log"), "text_only": True}),
             ("check", {"snapshot_path": str(DIR / "x/log")})] * 60
    for tool, arguments in asked:
        server.post(tool, arguments)
    for _ in asked:
        check("a name that changes tells nothing of what lies outside", fits(server.process.stdout.readline().decode()))
    stop.set()
    thread.join()
    calls += len(asked)
    judge("exchanged", list(server.end()))


plant()
check_walled()
check_machine()
check_exchanged()
for line in outside[:40]:
    print(f"outside: {line}")
check(f"{len(outside)} opens outside of the list", not outside)
print(f"{calls} calls, {opens} opens traced, {len(outside)} outside of the list")
print(f"{passed + failed} checks, {failed} failed")
sys.exit(1 if failed else 0)
