"""The gate in hostile hands: home, environment, kernel log and configuration of somebody else.

usage: gate_hostile.py ROCSTEADY SOURCE WORK

Under strace: nothing below a home is opened, whatever variables say, and no program of another user is started. A
kernel log that says what its writer likes becomes neither an order nor a line of its own.
"""
import os
import pathlib
import re
import subprocess
import sys

PROGRAM, SOURCE, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
HOME, RAN = WORK / "home" / "evil", WORK / "ran"
VERDICT, CONF = WORK / "run" / "verdict", WORK / "etc" / "gate.conf"
OTHER = 65534
BOOT = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
OPENED = re.compile(r'\b(openat|openat2|open|creat|execve|readlinkat|readlink)\([^"]*"([^"]*)"')
PROGRAMS = ("scontrol", "sinfo", "logger", "sh", "timeout", "readlink", "rocsteady", "python3", "env", "rocsteady-probe")
READERS = ("npd", "nagios", "nfd", "textfile")
checks = failed = 0


def check(text, holds):
    global checks, failed
    checks += 1
    if not holds:
        failed += 1
        print(f"FAILED: {text}")


def plant():
    """A home full of traps: programs that leave a mark, configuration, a time zone that never ends."""
    for directory in (HOME / "bin", HOME / ".config" / "rocsteady", HOME / ".rocsteady", VERDICT.parent, CONF.parent, WORK / "bin"):
        directory.mkdir(parents=True)
    for name in PROGRAMS:
        path = HOME / "bin" / name
        path.write_text(f"#!/bin/sh\necho {name} >>{RAN}\n")
        path.chmod(0o755)
    for name in ("gate.conf", "kb.db", "ack.d", "expect.conf"):
        (HOME / ".config" / "rocsteady" / name).write_text("enforce everything replace\n")
    os.mkfifo(HOME / "zone")
    if os.geteuid() == 0:
        for path in (WORK / "home", *(WORK / "home").rglob("*")):
            os.chown(path, OTHER, OTHER)


def hostile():
    """Every variable that some part of a program might take for a path; LD_* of a loader are for who starts it."""
    home = str(HOME)
    return {"HOME": home, "PATH": f"{home}/bin", "USER": "evil", "LOGNAME": "evil", "SUDO_USER": "evil", "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_DATA_HOME": home, "XDG_CACHE_HOME": home, "XDG_RUNTIME_DIR": home, "TMPDIR": home, "SQLITE_TMPDIR": home, "TZ": f":{home}/zone",
            "TZDIR": home, "LOCPATH": home, "NLSPATH": f"{home}/%N", "GCONV_PATH": home, "LC_ALL": "xx_YY.UTF-8", "LANGUAGE": "../../home",
            "PYTHONPATH": home, "PYTHONHOME": home, "PYTHONSTARTUP": f"{home}/zone", "VIRTUAL_ENV": home, "CONDA_PREFIX": home, "ROCM_PATH": home,
            "HIP_PATH": home, "ROCM_HOME": home, "SLURM_CONF": f"{home}/slurm.conf", "SLURMD_NODENAME": "n1; touch " + str(RAN), "ENV": f"{home}/zone",
            "BASH_ENV": f"{home}/zone", "IFS": "/", "HSA_OVERRIDE_GFX_VERSION": "1.2.3", "PAGER": f"{home}/bin/sh", "EDITOR": f"{home}/bin/sh",
            "ASAN_OPTIONS": "detect_leaks=0", "ROCSTEADY_HOOK_VERDICT": str(VERDICT), "ROCSTEADY_HOOK_CONFIG": str(CONF)}


def traced(*words):
    """Which paths a command asked for, which programs it started, and what it said."""
    trace = WORK / "trace"
    done = subprocess.run(["/usr/bin/strace", "-f", "-qq", "-s", "4096", "-o", trace, "-e", "trace=%file", *map(str, words)], env=hostile(),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    calls = [m.groups() for m in map(OPENED.search, trace.read_text(errors="replace").splitlines()) if m]
    return {p for c, p in calls if c != "execve"}, [p for c, p in calls if c == "execve"], done


def check_traced(what, words, programs):
    paths, started, done = traced(*words)
    below = sorted(p for p in paths if p.startswith(("/home", "/root", str(WORK / "home"))))
    check(f"{what}: below a home: {below}", not below)
    check(f"{what}: something was looked at: {len(paths)} paths", len(paths) > 2)
    foreign = [p for p in started if p not in programs]
    check(f"{what}: programs: {foreign}", not foreign)
    check(f"{what}: ran: {RAN.read_text() if RAN.exists() else ''}", not RAN.exists())
    return done


def verdict(*lines):
    second = pathlib.Path("/proc/uptime").read_text().split(".")[0]
    VERDICT.write_text("\n".join(("rocsteady-verdict 1", f"boot {BOOT}", f"second {second}", "knowledge x", *lines, "")))


def check_home():
    given = ("--verdict", VERDICT, "--config", CONF)
    check_traced("a look", (PROGRAM, "gate", *given), [PROGRAM])
    for reader in READERS:
        check_traced(reader, (PROGRAM, "gate", "--for", reader, *given), [PROGRAM])
    for hook in ("slurm-prolog", "slurm-epilog", "slurm-health"):
        check_traced(hook, (PROGRAM, "gate", "--for", hook, *given), [PROGRAM])


def check_scontrol():
    """Slurm's program is run by a path that only root could have changed, or who runs us."""
    if os.geteuid() != 0:
        return
    for what, path in (("in a home", HOME / "bin" / "scontrol"), ("a link to it", WORK / "bin" / "scontrol")):
        if what == "a link to it":
            path.symlink_to(HOME / "bin" / "scontrol")
        verdict("mode enforce", "max_drained 5", f"scontrol {path}", "finding ecc-uncorrectable 0000:47:00.0 drain 1 log lost enforce")
        done = check_traced(f"scontrol {what}", (PROGRAM, "gate", "--for", "slurm-prolog", "--verdict", VERDICT, "--config", CONF), [PROGRAM])
        check(f"scontrol {what}: passes: {done.stderr}", done.returncode == 0 and b"passes" in done.stderr)


def check_hook():
    """The shim sets its own PATH; sh reads no file of the user for a script."""
    beside = WORK / "bin"
    (beside / "rocsteady-hook").write_bytes((SOURCE / "data/hook/rocsteady-hook").read_bytes())
    (beside / "rocsteady-hook").chmod(0o755)
    (beside / "rocsteady").symlink_to(PROGRAM)
    for name in ("libsqlite3.so.0", "libpcre2-8.so.0"):
        (HOME / name).write_text("not a library\n")
    verdict("mode observe")
    _, started, done = traced("/usr/bin/env", f"LD_LIBRARY_PATH={HOME}", "/bin/sh", beside / "rocsteady-hook", "slurm-prolog")
    foreign = [p for p in started if str(HOME) in p]
    check(f"the hook starts {foreign}", not foreign and len(started) > 2)
    check(f"the hook passes, and the program has started: {done.stderr}", done.returncode == 0 and b"ended with" not in done.stderr)
    check(f"a hook with nothing to tell leaves syslog alone: {started}", "/usr/bin/logger" not in started)
    VERDICT.unlink()
    _, started, done = traced("/bin/sh", beside / "rocsteady-hook", "slurm-prolog")
    check(f"why a node passes goes to syslog: {done.stderr}", done.returncode == 0 and b"passes" in done.stderr and "/usr/bin/logger" in started)
    check("the hook ran nothing of the user", not RAN.exists())


def check_told(what, done):
    """The true finding is told, and nothing of what the log made up."""
    said = done.stdout.decode()
    check(f"{what}: the true finding: {done.returncode} {said!r} {done.stderr!r}", "ecc-uncorrectable" in said)
    check(f"{what}: no escape and no made-up finding: {said!r}",
          not any(c in said for c in ("\x1b", "\u202e", "gpu-missing", "touch")) and all(c.isprintable() or c == "\n" for c in said))


def in_this_boot(path):
    """The recording, as if made a moment ago: a reader tells nothing of a verdict of another boot."""
    text = re.sub(r"(?m)^\tboot_id .*", f"\tboot_id {BOOT}", path.read_text(errors="surrogateescape"))
    uptime = pathlib.Path("/proc/uptime").read_text().split(".")[0]
    path.write_text(re.sub(r"(?m)^\tuptime .*", f"\tuptime {uptime}", text), errors="surrogateescape")
    return path


def check_log():
    """What the kernel log says ends as data, whoever wrote it."""
    snap = (SOURCE / "tests/machines/mi300x-x8-ubuntu2204-rocm63-ecc.snap").read_text(errors="surrogateescape")
    lines = [line for line in snap.splitlines() if "uncorrectable" in line and line.startswith("\t")]
    check("the machine has such lines", lines)
    evil = f"\x1b]0;x\x07$(touch {RAN})`touch {RAN}`;touch {RAN}\u202e|\" % n\\x0afinding gpu-missing 0000:01:00.0 replace 1 log x enforce"
    text = snap
    for line in lines:
        text = text.replace(line, f"{line}\n{line} {evil}\n{line.replace('uncorrectable', evil + ' uncorrectable')}")
    path = WORK / "evil.snap"
    path.write_text(text, errors="surrogateescape")
    for reader in ("text", *READERS):
        done = subprocess.run([PROGRAM, "gate", "--for", reader, "--from", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check_told(f"{reader} of the recording", done)
    done = subprocess.run([PROGRAM, "gate", "--from", in_this_boot(path), "--verdict", VERDICT], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check_told("a new verdict", done)
    for reader in ("text", *READERS):
        done = subprocess.run([PROGRAM, "gate", "--for", reader, "--verdict", VERDICT], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check_told(f"{reader} of the verdict", done)
    check(f"the verdict is whole: {VERDICT.read_text()}", len(VERDICT.read_bytes()) <= 4096 and "gpu-missing" not in VERDICT.read_text())
    check("nothing was run", not RAN.exists())


plant()
for part in (check_home, check_scontrol, check_hook, check_log):
    part()
print(f"{checks} checks, {failed} failed")
sys.exit(1 if failed or not checks else 0)
