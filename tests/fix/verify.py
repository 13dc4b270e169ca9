#!/usr/bin/env python3
"""--verify: fixed, not fixed, and cannot tell.

In a tree, where a new session is what its files say; by a walk through libraries
that do as planned; and of a new environment, on a machine that has a GPU in its
/sys. The last two in a mount namespace of our own. That silence is no cure is
what most of it is about.
"""
import itertools
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "lib"), str(HERE.parent / "cli")]
import environments
import targets_make as code
import trips

check, run = trips.check, trips.run
SAYS = {0: "ok fixed: ", 2: "not fixed:\n", 3: "?? cannot tell"}
UNRECORDED = "ok the problem that "
WHEEL = "torch-wheel-for-gpu"


def verify(what, want, remedy, *words, says="", head=None):
    done = run(trips.PROGRAM, "fix", remedy, "--verify", *words)
    check(f"{what}: {done.returncode}, not {want}: {done.stdout}{done.stderr}",
          done.returncode == want and done.stdout.startswith(head or SAYS[want]) and says in " ".join(done.stdout.split()))


# ---- in a tree ----

def recorded_limits(machine):
    """As the machine had them, before a test made them small."""
    text = (trips.MACHINES / f"{machine}.snap").read_text().split("file /proc/self/limits\n", 1)[1]
    return "".join(line[1:] + "\n" for line in itertools.takewhile(lambda l: l.startswith("\t"), text.split("\n")))


def limits(place):
    _, machine, edits = next(c for c in trips.CASES if c[0] == "raise-limits")
    tree = trips.make_tree(place, machine, edits)
    file = tree / "proc/self/limits"
    old = file.read_text()
    root = ("--root", tree)
    before = trips.fingerprint(tree)
    verify("before it is applied", 2, "raise-limits", *root, says="256 open files")
    done = run(trips.PROGRAM, "fix", "raise-limits", *root, "--apply", "--yes")
    check(f"applied: {done.stderr}", done.returncode == 0)
    verify("the session of before", 2, "raise-limits", *root)
    file.write_text(recorded_limits(machine))
    verify("a new session", 0, "raise-limits", *root)
    ours = tree / "etc/security/limits.d/rocsteady-nofile.conf"
    text, times = ours.read_text(), ours.stat()
    ours.unlink()
    verify("our file is gone", 3, "raise-limits", *root, says=f"{ours.name} has changed since it was written")
    ours.write_text(text.replace("65536", "1024"))
    verify("somebody changed it", 3, "raise-limits", *root, says=f"{ours.name} has changed since it was written")
    ours.write_text(text)
    os.utime(ours, ns=(times.st_atime_ns, times.st_mtime_ns))
    verify("it is there again", 0, "raise-limits", *root)
    file.write_text("")
    file.unlink()
    file.mkdir()
    verify("what cannot be read", 3, "raise-limits", *root, says="few-descriptors: resource_limit")
    file.rmdir()
    file.write_text(old)
    os.utime(file, ns=(0, int(next(l for l in before if l.startswith("proc/self/limits ")).split()[4])))
    done = run(trips.PROGRAM, "fix", "raise-limits", *root, "--undo")
    check(f"undone: {done.stderr}", done.returncode == 0)
    check(f"as before: {trips.difference(before, trips.fingerprint(tree))}", trips.fingerprint(tree) == before)
    shutil.rmtree(tree)


def take_away(tree, name):
    """A service or a GPU, from the files and from the session."""
    for path in sorted(tree.rglob(f"*{name}")):
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.exists():
            shutil.rmtree(path)
    session, out, skip = tree / ".rocsteady-snapshot", [], False
    for line in session.read_text().split("\n"):
        skip = name in line if not line.startswith("\t") else skip
        if not skip and name not in line:
            out.append(line)
    session.write_text("\n".join(out))


def gone(place):
    """What a remedy was for is not there any more."""
    for remedy, subject, why in (("service-allow-devices", "ollama.service", "service-without-devices: "),
                                 ("apu-raise-pages-limit", "0000:c2:00.0", "0000:c2:00.0, the subject")):
        _, machine, edits = next(c for c in trips.CASES if c[0] == remedy)
        tree = trips.make_tree(place, machine, edits)
        root = ("--root", tree)
        check(f"{remedy}: applied", run(trips.PROGRAM, "fix", remedy, *root, "--apply", "--yes").returncode == 0)
        verify(f"{remedy}: {subject} is there", 2, remedy, *root)
        take_away(tree, subject)
        verify(f"{remedy}: {subject} is gone", 3, remedy, *root, says=why)
        shutil.rmtree(tree)


def group(place):
    """The snapshot below the tree has the session: its groups, and what opening answers."""
    remedy, machine, edits = trips.CASES[0]
    tree = trips.make_tree(place, machine, edits)
    root = ("--root", tree)
    check("applied", run(trips.PROGRAM, "fix", remedy, *root, "--apply", "--yes").returncode == 0)
    verify("the session of before", 2, remedy, *root)
    session = tree / ".rocsteady-snapshot"
    for name in ("/dev/kfd", "/dev/dri/renderD128"):
        session.write_text(trips.put(f"ask open {name}", f"ask open {name}", "\topened")(session.read_text()))
    verify("a new session", 0, remedy, *root)
    check("undone", run(trips.PROGRAM, "fix", remedy, *root, "--undo").returncode == 0)
    verify("nothing is applied", 0, remedy, *root, head=UNRECORDED)
    shutil.rmtree(tree)


# ---- by a walk, and of an environment ----

def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def node(path, minor):
    os.mknod(path, stat.S_IFCHR, os.makedev(1, minor))
    path.chmod(0o666)


def make_nodes(place):
    dev = place / "dev"
    dev.mkdir()
    mount("-t", "tmpfs", "none", dev)
    for name, minor in (("null", 3), ("zero", 5), ("random", 8), ("urandom", 9), ("kfd", 3)):
        node(dev / name, minor)
    (dev / "dri").mkdir()
    node(dev / "dri/renderD128", 3)
    mount("--bind", dev, "/dev")


def make_rocm(place):
    made = subprocess.run(["bash", trips.SOURCE / "tests/fakes/make-fakes", place / "libraries", "7"], capture_output=True, text=True)
    check(f"the fakes are made: {made.stderr}", made.returncode == 0)
    mount("-t", "tmpfs", "none", "/opt")
    lib = pathlib.Path("/opt/rocm-7.0.0/lib")
    shutil.copytree(place / "libraries", lib, symlinks=True)
    for file in lib.glob("lib*.so.*"):
        (lib / (file.name.split(".so.")[0] + ".so")).symlink_to(file.name)
    (lib.parent / ".info").mkdir()
    (lib.parent / ".info/version").write_text("7.0.0\n")
    pathlib.Path("/opt/rocm").symlink_to("rocm-7.0.0")
    return lib / "plan"


def walks(place):
    plan = make_rocm(place)
    gpus = "device 0000:03:00.0 gfx1100 21474836480\ndevice 0000:06:00.0 gfx1100 21474836480\n"
    plan.write_text(gpus)
    verify("a walk that gets through", 0, "prove-p2p", head=UNRECORDED)
    plan.write_text(gpus + "hipMemcpyPeer refuse 1\n")
    verify("a walk that finds it", 2, "prove-p2p", says="tested now")
    plan.write_text("")
    verify("a walk that does not get there", 3, "prove-p2p", says="probe hsa.init: refused")
    plan.write_text(gpus.splitlines()[0] + "\n")
    verify("one GPU has no other to copy to", 3, "prove-p2p", says="the layer peer could not be tested")


def made(place):
    """An environment that the engine makes from an index in a directory, judged by the command."""
    (place / "machine").mkdir()
    tree = trips.make_tree(place / "machine", "rx7900xtx-ubuntu2404-rocm64-cuda-wheel", [])
    mount("--rbind", tree / "sys", "/sys")
    mount("-t", "tmpfs", "none", "/var/lib")
    old, new = place / "venv", place / "venv-rocsteady"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", old], check=True)
    head = [trips.DRIVER, "", trips.RECORD_DIR]
    words = {**os.environ, "FIX_CAUSE": "cpu-or-cuda-framework"}
    torch = code.library(code.bundle("gfx1100"))
    for tag, hip, library in (("cu126", None, None), ("rocm6.4", "6.4", torch)):
        index = place / tag
        environments.make_wheel(index, "torch", f"2.9.1+{tag}", hip, library)
        done = run(*head, "apply", WHEEL, old, "venv", old, "torch", index.as_uri(), env=words)
        check(f"made: {done.stderr}", done.returncode == 0)
        if hip:
            good(place, new)
        else:
            verify("the new environment is for another GPU", 2, WHEEL, says="a build for CUDA")
        done = run(*head, "undo", WHEEL, old)
        check(f"undone: {done.stderr}", done.returncode == 0 and not new.exists())


def good(place, new):
    verify("the new environment is for this GPU", 0, WHEEL)
    file = next(new.glob("lib/python*/site-packages/torch/lib/libtorch_hip.so"))
    file.rename(place / "away")
    verify("its code cannot be read", 3, WHEEL, says="its code could not be read")
    (place / "away").rename(file)
    new.rename(place / "away")
    verify("the new environment is gone", 3, WHEEL, says=f"no environment found at {new}")
    (place / "away").rename(new)


def inside(place):
    make_nodes(place)
    walks(place)
    made(place)
    return trips.end("walks and environments: ")


def main():
    if sys.argv[1:2] == ["--inside"]:
        return inside(pathlib.Path(sys.argv[2]))
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place).resolve()
        limits(place)
        gone(place)
        if trips.ROOT:
            group(place)
        if trips.ROOT and subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0:
            check("walks and environments", subprocess.run(["unshare", "-m", sys.executable, __file__, "--inside", place]).returncode == 0)
        else:
            print("skipped: walks and environments: they need root and mount namespaces")
    return trips.end()


if __name__ == "__main__":
    sys.exit(main())
