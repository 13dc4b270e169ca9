#!/usr/bin/env python3
"""A new environment beside the old one: made, interrupted, resumed, undone.

The packages come from an index in a directory, by the same pip that a user's
would come by; nothing is fetched. What somebody puts into the new environment
is not removed with it.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import trips

check, run = trips.check, trips.run
TIMES = int(os.environ.get("FIX_TIMES", "10"))  # seconds each; by hand 100

# Installing pip costs most of a new environment, and is none of our steps: after the first time it is copied.
QUICK = """#!/bin/sh
[ "$1 $3" = "-I venv" ] || exec {python} "$@"
{python} -I -m venv --without-pip "$4" && cp -Rp {kept}/lib "$4/"
"""


def make_wheel(index, name, version="1.0", hip=None, library=None):
    folder = index / name
    folder.mkdir(parents=True)
    info = f"{name}-{version}.dist-info"
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(folder / wheel, "w") as z:
        z.writestr(f"{name}/__init__.py", "answer = 42\n")
        z.writestr(f"{name}/version.py", f"__version__ = '{version}'\nhip = {hip!r}\n")
        if library:
            z.writestr(f"{name}/lib/libtorch_hip.so", library)
        z.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        z.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        z.writestr(f"{info}/RECORD", "")
    (folder / "index.html").write_text(f'<a href="{wheel}">{name}</a>\n')


def main():
    try:
        import ensurepip  # noqa: F401, pylint: disable=unused-import
    except ImportError:
        print("skipped: this Python makes no environments with pip")
        return 77
    with trips.Place() as place:
        home = place / "home"
        old, new, record_dir = home / "venv", home / "venv-rocsteady", home / ".local/state/rocsteady/fix"
        (home / ".local/state").mkdir(parents=True)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", old], check=True)
        index = place / "simple"
        for name in ("torch", "torchvision"):
            make_wheel(index, name)
        rest = ["torch-wheel-for-gpu", str(old)]
        head = [trips.DRIVER, "", str(record_dir)]
        action = ["venv", str(old), "torch torchvision", index.as_uri()]
        apply, undo = [*head, "apply", *rest, *action], [*head, "undo", *rest]
        now = lambda: trips.fingerprint(home)

        before = now()
        os.environ["XDG_CACHE_HOME"] = str(home / ".cache")
        done = run(*apply)
        check(f"applied: {done.stderr}", done.returncode == 0)
        said = run(new / "bin/python", "-c", "import torch, torchvision; print(torch.answer)")
        check(f"the new environment has the packages: {said.stderr}", said.stdout == "42\n")
        check("a second time is refused kindly", run(*apply).returncode == 3)
        done = run(*head, "apply", "another-remedy", str(old), *action)
        check(f"another remedy is told whose it is: {done.stderr}",
              done.returncode == 2 and "torch-wheel-for-gpu created it" in done.stderr)
        check("pip keeps nothing elsewhere", not (home / ".cache").exists())
        shutil.copytree(new / "lib", place / "kept/lib", ignore=shutil.ignore_patterns("torch*"), symlinks=True)

        theirs = new / "lib" / "notes.txt"
        theirs.write_text("mine\n")
        done = run(*undo)
        check(f"what somebody put there is named: {done.stderr}", done.returncode == 2 and "notes.txt" in done.stderr)
        check("and nothing is removed", theirs.exists() and (new / "bin/python").exists())
        theirs.unlink()
        made = next(new.glob("lib/python*/site-packages/torch/__init__.py"))
        text, st = made.read_text(), made.stat()
        made.write_text("answer = 43\n")
        done = run(*undo)
        check(f"so is what somebody changed: {done.stderr}", done.returncode == 2 and "__init__.py" in done.stderr)
        made.write_text(text)
        os.utime(made, ns=(st.st_atime_ns, st.st_mtime_ns))
        done = run(*undo)
        check(f"undone: {done.stderr}", done.returncode == 0)
        check(f"as before: {trips.difference(before, now())}", before == now())

        be_quick(old / "bin/python", place / "kept")
        before = now()
        new.mkdir()
        done = run(*apply)
        check(f"a directory of that name is somebody's: {done.stderr}", done.returncode == 2 and new.is_dir())
        new.rmdir()
        bad = [*head, "apply", *rest, "venv", str(old), "nosuchpackage", index.as_uri()]
        done = run(*bad)
        check(f"what cannot be had is taken back at once: {done.stderr[-200:]}",
              done.returncode == 2 and "nothing was changed" in done.stderr and before == now())
        made_by_hand(before, now, new, record_dir, apply, undo)
        not_startable(old / "bin/python", apply)
        kills = trips.interrupted("venv", now, apply, undo, settle(new), times=min(TIMES, 100))
        print(f"venv: {kills} kills")
    return trips.end()


def made_by_hand(before, now, new, record_dir, apply, undo):
    """An apply that was killed at each of its calls, and then somebody's own environment under that name."""
    calls = trips.number_of_calls(*apply)
    check("undone", run(*undo).returncode == 0)
    stood = 0
    for at in range(1, calls + 1):
        check(f"killed at {at}", run(trips.KILLER, at, *apply).returncode == 137)
        settle(new)()
        if new.exists():
            stood += 1
            shutil.rmtree(new)
        new.mkdir()
        (new / "lib").mkdir()
        for name in ("pyvenv.cfg", "lib/mine.py"):
            (new / name).write_text("mine\n")
        begun = run(*undo)
        check(f"killed at {at}: {begun.stderr}", begun.returncode == 4 or (begun.returncode == 2 and "cannot tell whether rocsteady created" in begun.stderr))
        ended = "\ndone 0\n" in "".join(p.read_text() for p in record_dir.glob("torch-wheel-for-gpu@????????"))
        done = run(*apply)
        check(f"killed at {at}: nor does it go on: {done.stderr}", ended or (done.returncode == 2 and "did not create it" in done.stderr))
        check(f"killed at {at}: what was made by hand stays", (new / "lib/mine.py").exists() and (new / "pyvenv.cfg").exists())
        shutil.rmtree(new)
        check(f"killed at {at}: undone when it is away", run(*undo).returncode in (0, 4))
        check(f"killed at {at}: as before: {trips.difference(before, now())}", before == now())
    check(f"ours was there {stood} of {calls} times", 0 < stood < calls)


def not_startable(python, apply):
    text = python.read_text()
    python.unlink()
    done = run(*apply)
    check(f"no Python: {done.stderr}", done.returncode == 4 and "bin/python" in done.stderr and "No such" in done.stderr)
    python.write_text("#!/nowhere/sh\n")
    python.chmod(0o755)
    done = run(*apply)
    check(f"a Python that cannot be started: {done.stderr}", done.returncode == 4 and "cannot be started: No such file" in done.stderr)
    python.unlink()
    python.write_text(text)
    python.chmod(0o755)


def be_quick(python, kept):
    python.unlink()
    python.write_text(QUICK.format(python=sys.executable, kept=kept))
    python.chmod(0o755)


def settle(new):
    """pip of a killed apply goes on; a person would see it, and so do we."""
    def wait():
        for _ in range(3000):
            at_work = False
            for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    at_work |= bytes(new) in line.read_bytes()
                except OSError:
                    pass
            if not at_work:
                return
            time.sleep(0.02)
    return wait


if __name__ == "__main__":
    sys.exit(main())
