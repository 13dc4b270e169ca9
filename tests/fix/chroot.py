#!/usr/bin/env python3
"""`rocsteady fix` on a system, as its people use it: a Debian of our own, live.

As an ordinary user, through sudo and as root; asked on a terminal and answered
yes, no, by Ctrl-C and by the end of the input. After --undo the system is byte
for byte as before. Device nodes stand in a mount namespace of our own.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import trips

check = trips.check
JOIN, RULE = "join-render-group", "udev-rule-for-kfd"
ADA, RENDER = 1000, 992
WORDS = {"PATH": "/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin", "LC_ALL": "C.UTF-8", "TERM": "dumb"}


# ---- the system ----

def libraries(program):
    out = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"=> (/\S+)", out)


def bring(root, program, to):
    """A program of this machine with its libraries; what the system has of its own stays."""
    for library in libraries(program):
        there = root / library.lstrip("/")
        if not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, there)
    target = root / to
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(program, target)
    os.chown(target, 0, 0)


def bring_sudo(root):
    program = shutil.which("sudo")
    if not program or not pathlib.Path("/usr/libexec/sudo").is_dir():
        return False
    shutil.copytree("/usr/libexec/sudo", root / "usr/libexec/sudo", symlinks=True)
    bring(root, "/usr/libexec/sudo/sudoers.so", "usr/libexec/sudo/sudoers.so")
    bring(root, program, "usr/bin/sudo")
    (root / "usr/bin/sudo").chmod(0o4755)
    for name in ("etc/pam.d/sudo", "etc/sudo.conf"):
        if pathlib.Path("/", name).exists():
            shutil.copy(pathlib.Path("/", name), root / name)
    (root / "etc/sudoers").write_text("ada ALL=(ALL) NOPASSWD: ALL\n")
    (root / "etc/sudoers").chmod(0o440)
    return True


def make_system(place, tar):
    root = place / "root"
    root.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", root], check=True)
    subprocess.run(["tar", "-xf", tar, "-C", root, "--exclude=./dev/*", "--exclude=./var/cache/apt/*",
                    "--exclude=./usr/share/*", "--exclude=./usr/lib/python3*"], check=True)
    bring(root, trips.PROGRAM, "usr/bin/rocsteady")
    bring(root, os.environ["ROCSTEADY_PROBER"], "usr/bin/rocsteady-probe")
    for command in (["groupadd", "-g", str(RENDER), "render"], ["useradd", "-m", "-u", str(ADA), "-s", "/bin/sh", "ada"]):
        subprocess.run(["chroot", root, *command], check=True, env=WORDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(["mount", "-t", "proc", "none", root / "proc"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", root / "dev"], check=True)
    for name, number in (("null", 3), ("zero", 5), ("urandom", 9)):
        os.mknod(root / "dev" / name, stat.S_IFCHR, os.makedev(1, number))
        (root / "dev" / name).chmod(0o666)
    (root / "dev/dri").mkdir()
    (root / "sys/bus/pci/devices").mkdir(parents=True)  # a bus that was not read leaves everything undecided
    for name in ("kfd", "dri/renderD128"):
        os.mknod(root / "dev" / name, stat.S_IFCHR, os.makedev(1, 3))
    give_nodes(root, RENDER, 0o660)
    return root


def give_nodes(root, group, mode):
    for name in ("kfd", "dri/renderD128"):
        os.chown(root / "dev" / name, 0, group)
        (root / "dev" / name).chmod(mode)


def fingerprint(root):
    """Not what the kernel shows, nor the times that sudo keeps."""
    tops = [top for top in sorted(root.iterdir()) if top.name not in ("proc", "dev", "sys", "run")]
    return [str(tops)] + [f"{top.name}/{line}" for top in tops if not top.is_symlink() for line in trips.fingerprint(top)]


# ---- people ----

class Person:
    """Somebody with a session: groups are those of when it began."""
    def __init__(self, root, uid=0, groups=(), sudo=None):
        self.root, self.uid, self.groups, self.sudo = root, uid, groups, sudo

    def enter(self):
        os.chroot(self.root)
        os.chdir("/")
        os.setgroups(self.groups)
        os.setresgid(self.uid, self.uid, self.uid)
        os.setresuid(self.uid, self.uid, self.uid)

    def words(self):
        words = dict(WORDS, HOME="/home/ada" if self.uid else "/root", USER="ada" if self.uid else "root")
        return dict(words, **(self.sudo if isinstance(self.sudo, dict) else {}))

    def command(self, words):
        return [*(["sudo"] if self.sudo == "sudo" else []), "rocsteady", "fix", *words]

    def fix(self, *words):
        return subprocess.run(self.command(words), preexec_fn=self.enter, env=self.words(), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=300)

    def asked(self, answer, *words):
        """On a terminal; (exit status or -signal, what stood on it)."""
        pid, fd = pty.fork()
        if pid == 0:
            self.enter()
            command = self.command(words)
            os.execvpe(command[0], command, self.words())
        text, sent, end = b"", False, time.time() + 60
        while time.time() < end:
            if select.select([fd], [], [], 1)[0]:
                try:
                    more = os.read(fd, 65536)
                except OSError:
                    break
                if not more:
                    break
                text += more
            if not sent and b"[y/N]" in text:
                sent = True
                time.sleep(0.1)
                os.write(fd, answer)
        os.close(fd)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return status, text.decode()


# ---- what happens ----

def user_alone(ada, same):
    done = ada.fix()
    check(f"a user is told: {done.stdout}{done.stderr}", done.returncode == 2 and f"1  {JOIN}" in done.stdout)
    done = ada.fix(JOIN)
    check("the steps are those of this user", "sudo usermod -aG render ada" in done.stdout and done.returncode == 0)
    for words in (["--yes"], []):
        done = ada.fix(JOIN, "--apply", *words)
        check(f"without rights: what to do: {done.returncode} {done.stderr}",
              done.returncode == 2 and f"sudo rocsteady fix {JOIN} --apply" in done.stderr)
    done = ada.fix(JOIN, "--undo")
    check(f"nothing to undo: {done.stderr}", done.returncode == 0 and "nothing to undo" in done.stderr)
    same("a user alone")


def asked(boss, same, root):
    for name, answer, want in (("no", b"n\n", {1}), ("an empty line", b"\n", {1}), ("the end of the input", b"\x04", {1}),
                               ("Ctrl-C", b"\x03", {-2, 130})):
        status, text = boss.asked(answer, JOIN, "--apply")
        check(f"{name}: {status} {text}", status in want and "sudo usermod -a -G render ada" in text)
        same(name)
    done = boss.fix(JOIN, "--apply")
    check(f"no terminal: {done.stderr}", done.returncode == 64 and "--yes" in done.stderr)
    same("no terminal")
    status, text = boss.asked(b"y\n", JOIN, "--apply")
    check(f"yes: {status} {text}", status == 0 and f"{JOIN} is applied" in text)
    check("ada is in the group", f"render:x:{RENDER}:ada\n" in (root / "etc/group").read_text())


def verified(root, boss, ada):
    for who, person, want, says in (("the session of before", ada, 2, "not fixed"),
                                    ("a new session, which cannot read the record", Person(root, ADA, [RENDER]), 0, "the problem that"),
                                    ("root, about the user of the record", Person(root), 0, "fixed"),
                                    ("sudo", boss, 0, "fixed")):
        done = person.fix(JOIN, "--verify")
        check(f"verified by {who}: {done.returncode} {done.stdout}{done.stderr}",
              done.returncode == want and done.stdout.lstrip("ok ").startswith(says))
    done = boss.fix(JOIN, "--apply", "--yes")
    check(f"a second time: {done.returncode} {done.stderr}", done.returncode == 0 and "already applied" in done.stderr)
    check("it is listed", JOIN in boss.fix("--applied").stdout)


AFTER = {JOIN: "Log out and in again", RULE: "sudo udevadm control --reload-rules"}


def undone(boss, same, remedy):
    done = boss.fix(remedy, "--undo")
    check(f"{remedy}: undone: {done.returncode} {done.stderr}", done.returncode == 0 and "undone: the files are as they were; then, by hand:" in done.stdout and AFTER[remedy] in done.stdout)
    same(f"{remedy}: undo")


def rule(root, boss, ada, same):
    """udev itself does not run here; what it would do with the rule is done by us."""
    give_nodes(root, 0, 0o600)
    done = boss.fix(RULE, "--apply", "--yes")
    check(f"{RULE}: applied: {done.stderr}", done.returncode == 0)
    check(f"{RULE}: before udev has read it", boss.fix(RULE, "--verify").returncode == 2)
    text = (root / "etc/udev/rules.d/rocsteady-amdgpu.rules").read_text()
    check("the rule gives the node away", 'KERNEL=="kfd", GROUP="render", MODE="0660"' in text)
    give_nodes(root, RENDER, 0o660)
    done = ada.fix(RULE, "--verify")
    check(f"{RULE}: ada is not in the group yet: {done.stdout}", done.returncode == 2)
    done = Person(root, ADA, [RENDER]).fix(RULE, "--verify")
    check(f"{RULE}: cured: {done.stdout}", done.returncode == 0)
    undone(boss, same, RULE)


def inside(place, tar):
    root = make_system(place, tar)
    real = bring_sudo(root)
    if not real:
        print("there is no sudo here: its variables are set, as it would")
    ada = Person(root, ADA)
    boss = Person(root, ADA, sudo="sudo") if real else Person(root, sudo={"SUDO_UID": str(ADA), "SUDO_USER": "ada"})
    boss.fix("--applied")  # what sudo makes at its first use
    before = fingerprint(root)

    def same(what):
        after = fingerprint(root)
        check(f"{what}: as before: {trips.difference(before, after)}", after == before)

    user_alone(ada, same)
    asked(boss, same, root)
    verified(root, boss, ada)
    undone(boss, same, JOIN)
    done = Person(root).fix(JOIN, "--user", "ada", "--apply", "--yes")
    check(f"root, for a user: {done.stderr}", done.returncode == 0 and f"render:x:{RENDER}:ada\n" in (root / "etc/group").read_text())
    undone(Person(root), same, JOIN)
    rule(root, boss, ada, same)
    return trips.end(f"{len(before)} files; ")


def main():
    if sys.argv[1:2] == ["--inside"]:
        return inside(pathlib.Path(sys.argv[2]), sys.argv[3])
    if not trips.ROOT:
        print("skipped: a system of our own needs root")
        return 77
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        print("skipped: no mount namespaces")
        return 77
    made = subprocess.run([trips.SOURCE / "tools/package/root", "bookworm"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if made.returncode:
        print(f"skipped: no small Debian: {made.stderr.strip()[-300:]}")
        return 77
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        return subprocess.run(["unshare", "-m", sys.executable, __file__, "--inside", place, made.stdout.strip()]).returncode


if __name__ == "__main__":
    sys.exit(main())
