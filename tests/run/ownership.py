#!/usr/bin/env python3
"""What root executes, loads, reads and writes, in the hands of another user.

Reads the table of docs/design/0016-ownership.md and tries each row. A trial plants
something of another user, runs the program as root, and looks at who did what.
"""
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(os.environ["ROCSTEADY"])
SANITIZED = b"__asan_init" in PROGRAM.read_bytes()
SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
TABLE = SOURCE / "docs/design/0016-ownership.md"
OTHER, SECOND = 65534, 65533
PY = "/usr/bin/python3"  # another user may run it
TRIALS = {}
failed = 0


def check(text, good):
    global failed
    if not good:
        failed += 1
        print(f"FAILED: {text}")


def trial(function):
    TRIALS[function.__name__.replace("_", "-")] = function
    return function


def run(*words, program=PROGRAM, cwd=None, env=None, timeout=300, **more):
    return subprocess.run([str(w) for w in (program, *words)], cwd=cwd, env={**os.environ, **(env or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=timeout, **more)


def give(path, uid=OTHER):
    os.chown(path, uid, uid, follow_symlinks=False)
    return path


def script(path, text, uid=0):
    path.write_text("#!/bin/sh\n" + text + "\n")
    path.chmod(0o755)
    return give(path, uid)


def theirs(place, mode=0o755):
    place.mkdir()
    place.chmod(mode)
    return give(place)


# ---- programs ----

def installed(place):
    """The program where only root could have put it; with what lies beside it."""
    place.mkdir(exist_ok=True)
    shutil.copy(PROGRAM, place / "rocsteady")
    return place / "rocsteady"


@trial
def prober(top):
    for mode in (0o1777, 0o755):
        place = top / f"bin{mode:o}"
        program = installed(place)
        place.chmod(mode)
        script(place / "rocsteady-probe", f"id -u >>{top}/ran", OTHER)
        done = run("probe", program=program)
        check(f"{mode:o}: {done.stderr}", done.returncode == 70 and "belongs to user 65534" in done.stderr)
        check("and is not run", not (top / "ran").exists())
    shutil.copy(PROGRAM.with_name("rocsteady-probe"), place / "rocsteady-probe")
    os.chown(place / "rocsteady-probe", 0, 0)
    check("root's own is run", run("probe", program=program).returncode != 70)


HANG = """
import os, time
for i in range(6):
    print(f"Epoch 1/3 Batch {i}/192 loss 0.6", flush=True)
    time.sleep(0.1)
time.sleep(9)
"""


@trial
def tracers(top):
    bad, good = theirs(top / "bad"), top / "good"
    good.mkdir()
    for name in ("py-spy", "eu-stack"):
        script(bad / name, f"id -u >>{top}/ran", OTHER)
        script(good / name, "echo good")
    sticky = top / "sticky"
    sticky.mkdir()
    sticky.chmod(0o1777)
    script(sticky / "py-spy", f"id -u >>{top}/ran", OTHER)
    path = f"{bad}:{sticky}::.:{good}:{os.environ['PATH']}"
    done = run("run", "--no-preflight", "--hang-after", 2, "--dir", top / "j", "--", PY, "-c", HANG, env={"PATH": path}, cwd=bad)
    text = "".join(p.read_text(errors="replace") for p in (top / "j").glob("hang-*.txt"))
    check(f"the hang is looked at: {done.stderr}", "py-spy of process" in text)
    check("another user's tracer is not run", not (top / "ran").exists())
    check("the next one in PATH is", "good" in text)


def fakes(top, *names):
    """Vendor libraries that do nothing but note who loads them."""
    top.mkdir(exist_ok=True)
    source = top / "spy.c"
    source.write_text('#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void note(void)\n'
                      '{ FILE *f = fopen(PROOF, "a"); if (f) { fprintf(f, "%d\\n", (int)geteuid()); fclose(f); } }\n')
    return source


def compile_library(source, out, proof, *more):
    subprocess.run(["cc", "-shared", "-fPIC", f'-DPROOF="{proof}"', "-o", out, source, *more], check=True)
    return out


def proof_in(top):
    place = top / "proof"
    place.mkdir(exist_ok=True)
    place.chmod(0o777)
    return place / "who"


def loaded_by(proof):
    return set(proof.read_text().split()) if proof.exists() else set()


def probe(libraries, *more, **kinds):
    return run("probe", "--keep-going", "--libraries", libraries, "--layer", "hsa", "-v", *more, **kinds)


def expect_other(what, done, proof):
    who = loaded_by(proof)
    check(f"{what}: it is loaded, and by its owner only: {who} {done.stdout}{done.stderr}", who == {str(OTHER)})


@trial
def library(top):
    proof, source = proof_in(top), fakes(top / "made")
    place = top / "lib"
    place.mkdir()
    give(compile_library(source, place / "libhsa-runtime64.so", proof))
    expect_other("a library", probe(place), proof)
    proof.unlink()
    give(place, SECOND)
    done = probe(place)
    check(f"two other users: {done.stdout}", not loaded_by(proof) and "and something else to user" in done.stdout)


@trial
def needed(top):
    """A library of root's with RUNPATH $ORIGIN that needs another user's."""
    proof, source = proof_in(top), fakes(top / "made")
    for kind in ("--enable-new-dtags", "--disable-new-dtags"):
        place = top / kind
        place.mkdir()
        evil = compile_library(source, place / "libevil.so", proof)
        plain = top / "made/plain.c"
        plain.write_text("int plain;\n")
        compile_library(plain, place / "libhsa-runtime64.so", proof, f"-L{place}", "-Wl,--no-as-needed", "-levil",
                        f"-Wl,{kind},-rpath,$ORIGIN")
        give(evil)
        expect_other(f"a needed library, {kind}", probe(place), proof)
        proof.unlink()


@trial
def searched(top):
    proof, source = proof_in(top), fakes(top / "made")
    place = top / "lib"
    place.mkdir()
    opens = top / "made/opens.c"
    opens.write_text('#include <dlfcn.h>\n__attribute__((constructor)) static void go(void) { dlopen("libplugin.so", RTLD_NOW); }\n')
    compile_library(opens, place / "libhsa-runtime64.so", proof, "-Wl,--enable-new-dtags,-rpath,$ORIGIN")
    give(compile_library(source, place / "libplugin.so", proof))
    if not SANITIZED:  # whose dlopen() searches for the program, not for the library that called it
        expect_other("a plugin", probe(place), proof)
        proof.unlink()
    (place / "libplugin.so").unlink()
    variant = place / "glibc-hwcaps" / "x86-64-v2"
    variant.mkdir(parents=True)
    give(compile_library(source, variant / "libplugin.so", proof))
    done = probe(place)
    check(f"a variant for newer processors is not loaded by root: {done.stdout}", "0" not in loaded_by(proof))


@trial
def searched_by_all(top):
    proof = proof_in(top)
    plain = top / "plain.c"
    plain.write_text("int plain;\n")
    for runpath in (f"{top}/open", f"{top}/open/none", "/tmp", f"/tmp/none-{os.getpid()}"):
        place = top / f"lib{abs(hash(runpath))}"
        place.mkdir()
        (top / "open").mkdir(exist_ok=True)
        (top / "open").chmod(0o1777)
        compile_library(plain, place / "libhsa-runtime64.so", proof, f"-Wl,--enable-new-dtags,-rpath,{runpath}")
        done = probe(place)
        check(f"RUNPATH {runpath}: {done.stdout}", "not asked" in done.stdout and ("made by anybody" in done.stdout or "can make files" in done.stdout))


@trial
def variables(top):
    proof, source = proof_in(top), fakes(top / "made")
    place, other = top / "lib", theirs(top / "theirs")
    place.mkdir()
    compile_library(source, place / "libamdhip64.so.7", proof)
    evil = give(compile_library(source, other / "evil.so", proof))
    for variable in (f"LD_PRELOAD={evil}", f"LD_LIBRARY_PATH={other}"):
        job = subprocess.Popen(["setpriv", "--reuid", str(OTHER), "--clear-groups", "env", variable, PY, "-c",
                                "import ctypes, sys, time; ctypes.CDLL(sys.argv[1]); print('up', flush=True); time.sleep(60)",
                                str(place / "libamdhip64.so.7")], stdout=subprocess.PIPE, text=True)
        job.stdout.readline()
        proof.unlink(missing_ok=True)
        done = run("probe", "--keep-going", "--layer", "hsa", "-v", "--like-pid", job.pid)
        job.kill()
        job.wait()
        check(f"{variable}: nothing is loaded by root: {done.stdout}", "0" not in loaded_by(proof))


# ---- Python ----

def environment(top):
    """A virtual environment of root's with a torch that does nothing."""
    venv = top / "venv"
    subprocess.run([PY, "-m", "venv", "--without-pip", venv], check=True)
    site = next(venv.glob("lib/python3*/site-packages"))
    (site / "torch/lib").mkdir(parents=True)
    (site / "torch/__init__.py").write_text("class cuda:\n    is_available = staticmethod(lambda: False)\n")
    (site / "torch/version.py").write_text("__version__ = '2.4.1+rocm6.1'\nhip = '6.1'\n")
    (site / "torch/lib/libtorch_hip.so").write_bytes(b"")
    info = site / "torch-2.4.1+rocm6.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.4.1+rocm6.1\n")
    return venv, site


def probe_python(venv, **more):
    return run("probe", "--keep-going", "--layer", "torch", "-v", "--like", f"torch@{venv}", **more)


def python_trial(top, plant):
    venv, site = environment(top)
    proof = proof_in(top)
    code = f"import os; open({str(proof)!r}, 'a').write(f'{{os.geteuid()}}\\n')\n"
    write(site / "notes.pth", code, 0)  # who runs this environment is told by a file of root's
    plant(venv, site, code)
    done = probe_python(venv)
    who = loaded_by(proof)
    check(f"it runs, as its owner only: {who} {done.stdout}{done.stderr}", who == {str(OTHER)})


def write(path, text, uid=OTHER):
    path.write_text(text)
    give(path, uid)


@trial
def framework_python(top):
    def plant(venv, site, code):
        (venv / "bin").joinpath("python").unlink()
        other = theirs(venv.parent / "theirs")
        (other / "python").symlink_to(PY)
        give(other / "python")
        (venv / "bin/python").symlink_to(other / "python")
    python_trial(top, plant)


@trial
def pth(top):
    python_trial(top, lambda venv, site, code: write(site / "x.pth", code))


@trial
def pth_directory(top):
    def plant(venv, site, code):
        other = theirs(venv.parent / "editable")
        write(other / "numpy.py", code)
        write(site / "x.pth", f"{other}\n", 0)
    python_trial(top, plant)


@trial
def sitecustomize(top):
    for name in ("sitecustomize.py", "usercustomize.py"):
        python_trial(top, lambda venv, site, code, name=name: write(site / name, code))
        shutil.rmtree(top / "venv")
        (top / "proof/who").unlink(missing_ok=True)
    venv, site = environment(top)
    write(site / "notes.pth", f"import os; open({str(top / 'proof/who')!r}, 'a').write(f'{{os.geteuid()}}\\n')\n", 0)
    done = probe_python(venv)
    check(f"an environment of root's alone is run by root: {done.stdout}", loaded_by(top / "proof/who") == {"0"})


# ---- fix: tests/fix/strangers.py has the rest ----

def driver(top, *words, **more):
    return run(*words, program=os.environ["FIX_DRIVER"], **more)


@trial
def usermod(top):
    """Nobody can swap usermod without a root of one's own: a mount namespace has one."""
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        print("skipped: usermod: no mount namespaces")
        return
    tree = top / "tree"
    (tree / "etc").mkdir(parents=True)
    for name, text in (("passwd", "ada:x:1000:1000::/:/bin/sh\n"), ("shadow", "ada:*:19000:0:99999:7:::\n"),
                       ("group", "render:x:992:\n"), ("gshadow", "render:!::\n")):
        (tree / "etc" / name).write_text(text)
    script(top / "usermod", f"id -u >>{top}/ran", OTHER)
    places = [p for p in ("/usr/sbin/usermod", "/sbin/usermod", "/usr/bin/usermod") if os.path.exists(p)]
    if not places:
        print("skipped: usermod: not installed")
        return
    mounts = "; ".join(f"mount --bind {top}/usermod {p}" for p in {os.path.realpath(p) for p in places})
    words = [os.environ["FIX_DRIVER"], tree, "/var/lib/rocsteady/fix", "apply", "test-remedy", "", "join-group", "ada:render", "-", "-"]
    done = run("-m", "sh", "-c", mounts + '; exec "$@"', "sh", *words, program="unshare")
    check(f"another user's usermod is not run: {done.stderr}", done.returncode == 2 and not (top / "ran").exists())


@trial
def fix_python(top):
    venv, site = environment(top)
    write(site / "x.pth", f"import os; open({str(top / 'ran')!r}, 'w')\n")
    done = driver(top, "", top / "record_dir", "apply", "test-remedy", "", "venv", venv, "torch", top.as_uri(), cwd="/")
    check(f"refused: {done.stderr}", done.returncode == 2 and "belongs to user 65534" in done.stderr and "as its owner" in done.stderr)
    check("and not run", not (top / "ran").exists())


@trial
def fix_records(top):
    tree = top / "tree"
    record_dir = tree / "var/lib/rocsteady/fix"
    record_dir.mkdir(parents=True)
    (tree / "etc").mkdir()
    record = record_dir / "test-remedy"
    record.write_text("rocsteady-fix 1\nremedy test-remedy\nsubject =\ncause test\nat 1\naction write =/etc/x =y -\nplanned\n")
    record.chmod(0o600)
    give(record)
    done = driver(top, tree, "/var/lib/rocsteady/fix", "undo", "test-remedy", "")
    check(f"refused: {done.stderr}", done.returncode == 2 and "belongs to" in done.stderr)


@trial
def fix_tree(top):
    tree, outside = top / "tree", top / "outside"
    (tree / "etc/udev").mkdir(parents=True)
    (tree / "var/lib").mkdir(parents=True)
    outside.mkdir()
    (tree / "etc/udev/rules.d").symlink_to(outside)
    give(tree / "etc/udev/rules.d")
    done = driver(top, tree, "/var/lib/rocsteady/fix", "apply", "test-remedy", "", "write",
                  "/etc/udev/rules.d/rocsteady-amdgpu.rules", '# by us\nKERNEL=="kfd", MODE="0660"\n', "-")
    check(f"refused: {done.stderr}", done.returncode == 2 and not list(outside.iterdir()))


# ---- run ----

def refused(what, done, top):
    check(f"{what}: status {done.returncode}: {done.stderr}", done.returncode == 125)
    check(f"{what}: says whose it is and what to do: {done.stderr}",
          "belongs to user" in done.stderr and "--dir /root" in done.stderr or "can be written by" in done.stderr and "--dir /root" in done.stderr)
    check(f"{what}: the job did not start", not (top / "started").exists())


@trial
def run_dir(top):
    job = ("--", "touch", top / "started")
    place = theirs(top / "theirs")
    refused("another user's", run("run", "--no-preflight", "--dir", place, *job), top)
    refused("below another user's", run("run", "--no-preflight", "--dir", place / "new/er", *job), top)
    check("nothing is made there", not list(place.iterdir()))
    (top / "home").mkdir()
    done = run("run", "--no-preflight", "--", "sh", "-c", "exit 3", cwd=top, env={"ROCSTEADY_RUN_DIR": str(place), "HOME": str(top / "home")})
    check(f"by the variable: the job runs, and it is told: {done.stderr}", done.returncode == 3 and "is not used" in done.stderr)
    check("by the variable: nothing is made there", not list(place.iterdir()))
    refused("by a relative path", run("run", "--no-preflight", "--dir", "sub", *job, cwd=place), top)
    for mode in (0o777, 0o775):
        (top / "shared").mkdir(exist_ok=True)
        (top / "shared").chmod(mode)
        refused(f"mode {mode:o}", run("run", "--no-preflight", "--dir", top / "shared/j", *job), top)
    (top / "shared").chmod(0o1777)
    done = run("run", "--no-preflight", "--dir", top / "shared/j", "--", "true")
    check(f"a new directory in a sticky one is ours: {done.stderr}", done.returncode == 0 and (top / "shared/j/journal").exists())
    check("and nobody else's", stat.S_IMODE((top / "shared/j").stat().st_mode) == 0o700)


@trial
def run_dir_link(top):
    job = ("--", "touch", top / "started")
    (top / "root").mkdir()
    sticky = top / "sticky"
    sticky.mkdir()
    sticky.chmod(0o1777)
    (sticky / "link").symlink_to(top / "root")
    give(sticky / "link")
    refused("another user's link", run("run", "--no-preflight", "--dir", sticky / "link", *job), top)
    check("nothing is written behind it", not list((top / "root").iterdir()))
    os.chown(sticky / "link", 0, 0, follow_symlinks=False)
    done = run("run", "--no-preflight", "--dir", sticky / "link", "--", "true")
    check(f"root's own link is followed: {done.stderr}", done.returncode == 0 and (top / "root/journal").exists())


@trial
def run_dir_own(top):
    place, home = theirs(top / "theirs"), top / "home"
    home.mkdir()
    done = run("run", "--no-preflight", "--", "sh", "-c", "exit 3", cwd=place, env={"HOME": str(home)})
    check(f"the job runs: {done.stderr}", done.returncode == 3)
    check(f"the user is told: {done.stderr}", f"{home}/.rocsteady" in done.stderr and "belongs to user 65534" in done.stderr)
    check("nothing is made in another user's directory", not list(place.iterdir()))
    check("the journal is in the home", list(home.glob(".rocsteady/*/journal")))
    taken, home = top / "taken", top / "other"
    taken.mkdir()
    home.mkdir()
    (taken / ".rocsteady").write_text("a file\n")
    done = run("run", "--no-preflight", "--", "true", cwd=taken, env={"HOME": str(home)})
    check(f"a file of that name is no reason for no journal: {done.stderr}",
          done.returncode == 0 and "Not a directory" in done.stderr and list(home.glob(".rocsteady/*/journal")))
    done = run("run", "--no-preflight", "--dir", taken / ".rocsteady" / "x", "--", "true")
    check(f"what is wrong with a directory is told as it is: {done.stderr}",
          done.returncode == 0 and "Not a directory" in done.stderr and "As root" not in done.stderr)
    (place / ".rocsteady").symlink_to("/etc")
    done = run("run", "--no-preflight", "--", "true", cwd=place, env={"HOME": str(place)})
    check(f"no place at all: the job runs, and it is told: {done.stderr}", done.returncode == 0 and "no journal is kept" in done.stderr)
    check("nothing is made through the link", not list(pathlib.Path("/etc").glob("20*")))


@trial
def journal(top):
    place, victim = top / "j", top / "victim"
    place.mkdir()
    victim.write_text("precious\n")
    (place / "journal").symlink_to(victim)
    give(place / "journal")
    done = run("run", "--no-preflight", "--dir", place, "--", "true")
    check(f"a link under the journal's name is left: {done.stderr}", victim.read_text() == "precious\n" and (place / "journal").is_symlink())
    check("the journal goes beside", list(place.glob("20*/journal")))


@trial
def hook(top):
    """What --heal writes for the job's Python, through a link over another file."""
    victim = top / "victim"
    victim.write_text("precious\n")
    for what in ("file", "directory"):
        place = top / what
        place.mkdir()
        if what == "file":
            (place / "python").mkdir()
            (place / "python/sitecustomize.py").symlink_to(victim)
            give(place / "python/sitecustomize.py")
        else:
            other = theirs(top / "theirs")
            (place / "python").symlink_to(other)
            give(place / "python")
        done = run("hook", place, program=os.environ["WRITE_INTO"])
        check(f"{what}: nothing is written through a link: {done.stdout}", victim.read_text() == "precious\n")
        if what == "file":
            check("the link is replaced by the hook", not (place / "python/sitecustomize.py").is_symlink() and done.returncode == 0)
        else:
            check(f"refused: {done.stdout}", done.returncode != 0 and not list(other.iterdir()))


# ---- knowledge ----

def in_namespace(top, mounts, *words):
    return run("-m", "sh", "-c", mounts + '; exec "$@"', "sh", *words, program="unshare")


def knowledge(top, path, name, uid):
    """A file of the site, with the directories above it of root's or another user's."""
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        return None
    place = top / f"site{uid}"
    (place / name).parent.mkdir(parents=True)
    if name.endswith(".db"):
        shutil.copy(pathlib.Path(PROGRAM).parent / "kb.db", place / name)
    else:
        (place / name).write_text("cause = no-such-cause\nreason = x\n")
    (place / name).chmod(0o644)
    give(place, uid)
    mounts = f"mount -t tmpfs none {pathlib.Path(path).parent} && mkdir -p {path} && mount --bind {place} {path}"
    return in_namespace(top, mounts, PROGRAM, "check", "--from", SOURCE / "tests/machines/rx6600-debian12-k61-healthy.snap")


def left_out(top, path, name):
    done = knowledge(top, path, name, OTHER)
    if done is None:
        print("skipped: no mount namespaces")
        return
    check(f"{path}/{name} below another user's directory is left out, and said: {done.stderr}", "left out: others may write it" in done.stderr)
    done = knowledge(top, path, name, 0)
    check(f"root's own is not: {done.stderr}", "others may write it" not in done.stderr)


@trial
def kb_updated(top):
    left_out(top, "/var/lib/rocsteady", "kb.db")


@trial
def kb_site(top):
    left_out(top, "/etc/rocsteady", "kb.d/site.db")


def with_site(top, place, *words):
    """With this directory in place of /etc/rocsteady."""
    mounts = f"mount -t tmpfs none /etc/rocsteady 2>/dev/null || (mount -t tmpfs none /mnt; mkdir /mnt/u /mnt/w; mount -t overlay none -o lowerdir=/etc,upperdir=/mnt/u,workdir=/mnt/w /etc); mkdir -p /etc/rocsteady; mount --bind {place} /etc/rocsteady"
    return in_namespace(top, mounts, PROGRAM, *words)


@trial
def acks(top):
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        print("skipped: no mount namespaces")
        return
    place = top / "site"
    (place / "ack.d").mkdir(parents=True)
    (place / "ack.d/x.conf").write_text("cause = no-such-cause\n")
    give(place)
    done = with_site(top, place, "check")
    check(f"an acknowledgement of another user is left out: {done.stderr}", "left out" in done.stderr)


def through_link(top):
    """A link of another user, and the directory of root's that it leads to."""
    behind = top / "behind"
    behind.mkdir()
    link = theirs(top / "links") / "link"
    link.symlink_to(behind)
    return give(link), behind


@trial
def kb_install(top):
    for place, good in ((theirs(top / "theirs"), False), (top / "theirs/below", False), (top / "ours", True)):
        done = run("install", place / "kb.db", program=os.environ["WRITE_INTO"])
        check(f"{place.name}: {done.stdout}", (done.returncode == 0) == good)
        check(f"{place.name}: the lock is there only if it is ours", (place / "kb.db.lock").exists() == good)
    link, behind = through_link(top)
    done = run("install", link / "new/kb.db", program=os.environ["WRITE_INTO"])
    check(f"through a link nothing is made: {done.stdout}", done.returncode != 0 and not list(behind.iterdir()))


# ---- files that were named ----

SNAP = SOURCE / "tests/machines/rx6600-debian12-k61-healthy.snap"
LOG = "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB\n"


def writers(top):
    (top / "log").write_text(LOG)
    return [("check", "--from", SNAP), ("check", "--from", SNAP, "--format", "html"), ("facts", "--from", SNAP),
            ("query", "--from", SNAP, "SELECT 1"), ("explain", "--no-machine", top / "log"), ("snapshot", "--from", SNAP),
            ("advise", "--gpu", "7900 xtx"), ("kb", "list"), ("targets", top / "log"),
            ("fix", "--from", SNAP), ("gate", "--from", SNAP)]


@trial
def output(top):
    sticky, victim = top / "sticky", top / "victim"
    sticky.mkdir()
    sticky.chmod(0o1777)
    for words in writers(top):
        out = sticky / "out"
        victim.write_text("precious\n")
        out.symlink_to(victim)
        give(out)
        done = run(*words, "-o", out)
        check(f"{words[0]} -o: the link is not followed: {done.stderr}", victim.read_text() == "precious\n")
        check(f"{words[0]} -o: and is replaced by the answer: {done.stderr}", out.is_file() and not out.is_symlink() and out.stat().st_size > 0)
        out.unlink()
        check(f"{words[0]} -o: nothing is left beside it", not list(sticky.iterdir()))
    out = sticky / "open"
    out.write_text("theirs\n")
    out.chmod(0o666)
    give(out)
    run("kb", "list", "-o", out, umask=0o077)
    check(f"a file of another user hands on no rights: {out.stat().st_mode:o}", out.stat().st_mode & 0o777 == 0o600)
    out.chmod(0o644)
    run("kb", "list", "-o", out, umask=0o077)
    check(f"a file of root's keeps its own: {out.stat().st_mode:o}", out.stat().st_mode & 0o777 == 0o644)


@trial
def output_fifo(top):
    sticky = top / "sticky"
    sticky.mkdir()
    sticky.chmod(0o1777)
    os.mkfifo(sticky / "out")
    give(sticky / "out")
    for words in writers(top):
        try:
            done = run(*words, "-o", sticky / "out", timeout=120)
        except subprocess.TimeoutExpired:
            check(f"{words[0]} -o: waits for another user's FIFO", False)
            continue
        check(f"{words[0]} -o: refused: {done.stderr}", done.returncode == 70 and "belongs to another user" in done.stderr)
    done = run("kb", "list", "-o", "/dev/null")
    check(f"/dev/null is written to: {done.stderr}", done.returncode == 0 and stat.S_ISCHR(os.stat("/dev/null").st_mode))
    with open(top / "redirected", "wb") as file:
        done = subprocess.run([PROGRAM, "kb", "list", "-o", "/dev/stdout"], stdout=file)
    check("/dev/stdout is not replaced", done.returncode == 0 and os.path.islink("/dev/stdout") and (top / "redirected").stat().st_size > 0)


@trial
def output_way(top):
    sticky, behind = top / "sticky", top / "behind"
    sticky.mkdir()
    behind.mkdir()
    sticky.chmod(0o1777)
    (sticky / "dir").symlink_to(behind)
    give(sticky / "dir")
    for words in writers(top):
        done = run(*words, "-o", sticky / "dir/out")
        check(f"{words[0]} -o: refused: {done.stderr}", done.returncode == 70 and "belongs to user 65534" in done.stderr)
    check("nothing is written behind it", not list(behind.iterdir()))


@trial
def expect_conf(top):
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        print("skipped: no mount namespaces")
        return
    link, behind = through_link(top)
    (behind / "expect.conf").write_text("gpus = 99\n")
    (top / "ours").mkdir()
    for place, good in ((theirs(top / "theirs"), False), (top / "ours", True)):
        (place / "expect.conf").write_text("gpus = 99\n")
        done = with_site(top, place, "expect", "show")
        check(f"{place.name}: a node class: {done.stderr}", ("expect.conf is ignored" in done.stderr) != good)
        check(f"{place.name}: obeyed only if it is ours: {done.stdout}", ("99" in done.stdout) == good)
    (top / "ours/expect.conf").unlink()
    (top / "ours/expect.conf").symlink_to(link / "expect.conf")
    done = with_site(top, top / "ours", "expect", "show")
    check(f"through a link of another user: {done.stderr}", "expect.conf is ignored" in done.stderr)
    (top / "ours/expect.conf").unlink()
    done = with_site(top, top / "ours", "expect", "show")
    check(f"none there is nothing to say: {done.stderr}", "ignored" not in done.stderr)


@trial
def gate_conf(top):
    (top / "ours").mkdir()
    for place, good in ((theirs(top / "theirs"), False), (top / "ours", True)):
        (place / "gate.conf").write_text("max_drained 1\n")
        done = run("gate", "--from", SNAP, "--config", place / "gate.conf")
        check(f"{place.name}: {done.stderr}", ("nothing is enforced" in done.stderr) != good)
    give(top / "ours/gate.conf")
    done = run("gate", "--from", SNAP, "--config", top / "ours/gate.conf")
    check(f"of another user: {done.stderr}", "nothing is enforced" in done.stderr and "65534" in done.stderr)


@trial
def verdict(top):
    for place, good in ((theirs(top / "theirs"), False), (top / "theirs/below", False), (top / "ours", True)):
        done = run("gate", "--from", SNAP, "--verdict", place / "verdict")
        check(f"{place.name}: the answer is given: {done.stdout}{done.stderr}", done.returncode in (0, 3) and done.stdout)
        check(f"{place.name}: it is written only if it is ours: {done.stderr}", (place / "verdict").exists() == good)
        check(f"{place.name}: and else that is said: {done.stderr}", ("was not written" in done.stderr) != good)
    victim = top / "victim"
    victim.write_text("precious\n")
    (top / "ours/verdict").unlink()
    (top / "ours/verdict").symlink_to(victim)
    give(top / "ours/verdict")
    run("gate", "--from", SNAP, "--verdict", top / "ours/verdict")
    check("a link under its name is replaced, not followed", victim.read_text() == "precious\n" and not (top / "ours/verdict").is_symlink())
    link, behind = through_link(top)
    done = run("gate", "--from", SNAP, "--verdict", link / "new/verdict")
    check(f"through a link nothing is made: {done.stderr}", "was not written" in done.stderr and not list(behind.iterdir()))


@trial
def verdict_read(top):
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    second = int(float(pathlib.Path("/proc/uptime").read_text().split()[0]))
    text = f"rocsteady-verdict 1\nboot {boot}\nsecond {second}\nknowledge x\nfinding gpu-stuck 0000:05:00.0 reboot 1 log x\n"
    (top / "ours").mkdir()
    for place, status in ((theirs(top / "theirs"), 2), (top / "ours", 0)):  # 0: read, and only observed
        (place / "verdict").write_text(text)
        done = run("gate", "--for", "npd", "--verdict", place / "verdict")
        check(f"{place.name}: {done.stdout}", done.returncode == status)
    give(top / "ours/verdict")
    done = run("gate", "--for", "npd", "--verdict", top / "ours/verdict")
    check(f"of another user: {done.stdout}", done.returncode == 2 and "65534" in done.stdout)


def ill_verdict(place, *more):
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    second = int(float(pathlib.Path("/proc/uptime").read_text().split()[0]))
    lines = [f"boot {boot}", f"second {second}", "knowledge x", "mode enforce", "max_drained 1", *more,
             "finding gpu-stuck 0000:05:00.0 reboot 1 log x enforce"]
    (place / "verdict").write_text("rocsteady-verdict 1\n" + "\n".join(lines) + "\n")


@trial
def slurm(top):
    place = theirs(top / "theirs")
    for name in ("scontrol", "sinfo"):
        (place / name).write_text(f"#!/bin/sh\ntouch {top}/ran\n")
        (place / name).chmod(0o755)
        give(place / name)
    (top / "ours").mkdir()
    ill_verdict(top / "ours", f"scontrol {place}/scontrol")
    done = run("gate", "--for", "slurm-prolog", "--verdict", top / "ours/verdict", "--config", top / "gate.conf",
               env={"SLURMD_NODENAME": "n1"})
    check(f"it passes, and says why: {done.stderr}", done.returncode == 0 and "65534" in done.stderr)
    check("and nothing was run", not (top / "ran").exists())
    (top / "ours/scontrol").mkdir()
    ill_verdict(top / "ours", f"scontrol {top}/ours/scontrol")
    done = run("gate", "--for", "slurm-prolog", "--verdict", top / "ours/verdict", "--config", top / "gate.conf",
               env={"SLURMD_NODENAME": "n1"})
    check(f"a directory is no program: {done.stderr}", done.returncode == 0 and "is no plain file" in done.stderr)


@trial
def passed(top):
    (top / "ours").mkdir()
    victim = top / "victim"
    victim.write_text("precious\n")
    (top / "ours/passed").symlink_to(victim)
    give(top / "ours/passed")
    done = run("gate", "--for", "slurm-prolog", "--verdict", top / "ours/verdict", "--config", top / "gate.conf")
    check(f"a link is not followed: {done.stderr}", victim.read_text() == "precious\n" and "not counted" in done.stderr)
    check("and the node passes", done.returncode == 0)
    place = theirs(top / "theirs")
    os.link(victim, place / "passed")
    done = run("gate", "--for", "slurm-prolog", "--verdict", place / "verdict", "--config", top / "gate.conf")
    check(f"nothing is added in a directory of another user: {done.stderr}", victim.read_text() == "precious\n" and "not counted" in done.stderr)
    shim = shutil.copy(SOURCE / "data/hook/rocsteady-hook", top)  # beside no rocsteady: it lets pass and counts
    for name, plant in (("a hard link", lambda path: os.link(victim, path)), ("a link", lambda path: path.symlink_to(victim)), ("a pipe", os.mkfifo)):
        (place / "passed").unlink()
        plant(place / "passed")
        done = run(shim, "slurm-prolog", program="sh", env={"ROCSTEADY_HOOK_VERDICT": str(place / "verdict")}, timeout=300)
        check(f"the shim: {name} in a directory of another user: {done.stderr}", done.returncode == 0 and victim.read_text() == "precious\n")


@trial
def unpacked(top):
    place, outside = theirs(top / "theirs"), top / "outside"
    outside.mkdir()
    (place / "proc").symlink_to(outside)
    done = run("snapshot", "--from", SNAP, "--unpack", place)
    check(f"not empty, refused: {done.stderr}", done.returncode == 70 and "not empty" in done.stderr and not list(outside.iterdir()))


@trial
def scratch(top):
    sticky = top / "tmp"
    sticky.mkdir()
    sticky.chmod(0o1777)
    done = run("probe", "--layer", "nodes", env={"TMPDIR": str(sticky)})
    check(f"nothing is left: {done.stdout}{done.stderr}", done.returncode >= 0 and not list(sticky.iterdir()))


# ---- the table ----

def rows():
    for line in TABLE.read_text().splitlines():
        match = re.fullmatch(r"\| `([a-z-]+)` \|(.*)\| `(\w+)` in `(\S+)` \|", line)
        if match:
            yield match.group(1), match.group(3), match.group(4)


def main():
    if os.geteuid() != 0:
        print("skipped: another user's files need root")
        return 77
    signal.alarm(800)
    table = list(rows())
    wanted = sys.argv[1:]
    check("the table has rows", len(table) > 20)
    check(f"each row has a trial: {sorted({r[0] for r in table} ^ set(TRIALS))}", {r[0] for r in table} == set(TRIALS))
    for name, function, path in table:
        check(f"{name}: {function} is in {path}", function in (SOURCE / path).read_text())
        if wanted and name not in wanted:
            continue
        with tempfile.TemporaryDirectory(prefix="rocsteady-own-") as top:
            os.chmod(top, 0o755)
            before = failed
            try:
                TRIALS[name](pathlib.Path(top))
            except Exception as e:  # noqa: BLE001
                check(f"{name}: {type(e).__name__}: {e}", False)
            print(f"{'ok    ' if failed == before else 'FAILED'} {name}")
    print(f"{len(table)} rows, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
