"""What the tests of `fix` share: machines as trees, what a tree is, commands killed on their way."""
import hashlib
import os
import pathlib
import random
import stat
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
PROGRAM, DRIVER, KILLER = (os.environ[k] for k in ("ROCSTEADY", "FIX_DRIVER", "KILL_AT"))
TIMES = int(os.environ.get("FIX_TIMES", "100"))
MACHINES = SOURCE / "tests" / "machines"
ROOT = os.geteuid() == 0
RECORD_DIR = "/var/lib/rocsteady/fix"

PASSWD = "root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000::/home/ada:/bin/bash\nollama:x:998:998::/:/bin/false\n"
SHADOW = "root:*:19000:0:99999:7:::\nada:*:19000:0:99999:7:::\nollama:*:19000:0:99999:7:::\n"
GROUP = "root:x:0:\nvideo:x:44:ada\nrender:x:992:\nada:x:1000:\nollama:x:998:\n"
GSHADOW = "root:*::\nvideo:!::ada\nrender:!::\nada:!::\nollama:!::\n"


def put(record, *lines):
    """Replace a record of a snapshot: its head, up to the value, and the lines below it."""
    def edit(text):
        out, skip = [], False
        for line in text.split("\n"):
            if line == record or line.startswith(record + " "):
                skip = True
                continue
            if skip and line.startswith("\t"):
                continue
            skip = False
            out.append(line)
        out[-1:] = [*lines, ""]
        return "\n".join(out)
    return edit


# remedy, machine, edits that make it one where the remedy applies itself
CASES = [
    ("join-render-group", "rx7900xtx-ubuntu2404-rocm64-outside-render", []),
    ("service-join-group", "rx7900xtx-ubuntu2404-rocm64-ollama", []),
    ("udev-rule-for-kfd", "rx7900xtx-ubuntu2404-rocm64-outside-render",
     [put("node /dev/kfd", "node /dev/kfd char 0600 0:0 235:0")]),
    ("hide-igpu", "rx7900xtx-gfx1036-ubuntu2404-rocm64-healthy", []),
    ("raise-limits", "rx6600-debian12-k61-healthy",
     [put("file /proc/self/limits", "file /proc/self/limits",
          "\tLimit                     Soft Limit           Hard Limit           Units",
          "\tMax open files            256                  256                  files")]),
    ("service-allow-devices", "rx7900xtx-ubuntu2404-rocm64-ollama",
     [put("file /etc/systemd/system/ollama.service", "file /etc/systemd/system/ollama.service excerpt",
          "\t7:User=ollama", "\t8:Group=ollama", "\t9:PrivateDevices=yes")]),
    ("apu-raise-pages-limit", "strixhalo-ubuntu2604-k70-gtt112",
     [put("file /proc/cmdline", "file /proc/cmdline", "\tBOOT_IMAGE=/boot/vmlinuz ro ttm.page_limit=29360128"),
      put("file /sys/devices/pci0000:00/0000:00:08.1/0000:c2:00.0/mem_info_gtt_total",
          "file /sys/devices/pci0000:00/0000:00:08.1/0000:c2:00.0/mem_info_gtt_total", "\t65900000000")]),
]

count = failed = 0


def check(text, good):
    global count, failed
    count += 1
    if not good:
        failed += 1
        print(f"FAILED: {text}")
    return good


def end(what=""):
    print(f"{what}{count} checks, {failed} failed")
    return 1 if failed or not count else 0


def fingerprint(tree):
    lines = []
    for path in sorted(tree.rglob("*"), key=str):
        st = path.lstat()
        line = [str(path.relative_to(tree)), oct(st.st_mode), st.st_uid, st.st_gid]
        if stat.S_ISREG(st.st_mode):
            line += [st.st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest()]
        elif stat.S_ISLNK(st.st_mode):
            line.append(os.readlink(path))
        lines.append(" ".join(map(str, line)))
    return lines


def difference(before, after):
    return "\n\t".join(sorted(set(before) ^ set(after))[:6])


class Place(tempfile.TemporaryDirectory):
    """A directory, in memory if it can be: each change is synced, and no power fails here."""
    MEMORY = pathlib.Path("/dev/shm")

    def __init__(self):
        super().__init__(dir=self.MEMORY if self.fits() else None)

    def fits(self):
        if not os.access(self.MEMORY, os.W_OK | os.X_OK):
            return False
        st = os.statvfs(self.MEMORY)
        return not st.f_flag & os.ST_NOEXEC and st.f_bavail * st.f_frsize > 512 << 20

    def __enter__(self):
        return pathlib.Path(super().__enter__()).resolve()


def run(*args, **kw):
    return subprocess.run([str(a) for a in args], capture_output=True, stdin=subprocess.DEVNULL, text=True, timeout=300, **kw)


def make_tree(place, machine, edits):
    text = (MACHINES / f"{machine}.snap").read_text()
    for edit in edits:
        text = edit(text)
    snap, tree = place / "edited.snap", place / "a tree"
    snap.write_text(text)
    run(PROGRAM, "snapshot", "--no-scrub", "--from", snap, "--unpack", tree, check=True)
    tree.chmod(0o755)
    for path in ("etc", "var/lib", "home/ada"):
        (tree / path).mkdir(parents=True, exist_ok=True)
    for name, text, mode in (("passwd", PASSWD, 0o644), ("shadow", SHADOW, 0o640), ("group", GROUP, 0o644),
                             ("gshadow", GSHADOW, 0o640)):
        (tree / "etc" / name).write_text(text)
        (tree / "etc" / name).chmod(mode)
        os.utime(tree / "etc" / name, ns=(10**18, 10**18 + 123456789))
    return tree


def number_of_calls(*command):
    return int(run(KILLER, "0", *command).stdout)


def finish(*command):
    """To the end; what the killed one left running may need a moment."""
    for _ in range(100):
        done = run(*command)
        if "try again in a moment" not in done.stderr:
            return done
        time.sleep(0.05)
    return done


def interrupted(name, fingerprint_now, apply, undo, calm=lambda: None, times=TIMES):
    dice = random.Random(name)
    before = fingerprint_now()
    calls = number_of_calls(*apply)
    back = number_of_calls(*undo)
    check(f"{name}: as before", before == fingerprint_now())
    check(f"{name}: {calls} calls to apply, {back} to undo", calls > 10 and back > 5)
    kills = 0
    for i in range(times):
        ways = []
        for command, most in ((apply, calls), (undo, back)):
            if dice.random() < 0.75:
                at = dice.randint(1, most)
                ways.append(f"{command[3]} killed at {at}")
                kills += run(KILLER, at, *command).returncode == 137
                calm()
            if command is apply and dice.random() < 0.4:
                ways.append("resumed")
                done = finish(*apply)
                check(f"{name} {i}: {ways}: resumed: {done.stderr}", done.returncode in (0, 3))
        done = finish(*undo)
        check(f"{name} {i}: {ways}: undone: {done.stderr}", done.returncode in (0, 4))
        after = fingerprint_now()
        if not check(f"{name} {i}: {ways}: as before: {difference(before, after)}", before == after):
            return kills
    check(f"{name}: it was killed often: {kills}", kills > times // 2)
    return kills
