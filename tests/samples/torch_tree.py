"""A Python with a real PyTorch: Debian's CPU build, unpacked by tools/samples/fetch --set torch.

find() gives a directory with `python` and `torchrun`, or None where the packages are not
there. They are scripts, since the C library that they need is not this host's. The tree
takes half a minute to make, so it is kept beside the packages where that can be written.
"""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

SAMPLES = pathlib.Path(os.environ.get("ROCSTEADY_SAMPLES") or "/var/cache/rocsteady-samples")
DISTRIBUTED = "usr/lib/python3/dist-packages/torch/distributed/__init__.py"

PYTHON = """#!/bin/sh
export PYTHONHOME={place}/usr PYTHONPATH=$PYTHONPATH:{place}/usr/lib/python3/dist-packages
export PYTHON_EXEC={place}/python USE_LIBUV=0
exec {libraries}/ld-linux-x86-64.so.2 --library-path {libraries}:{place}/usr/lib:{libraries}/openmpi/lib {python} "$@"
"""
TORCHRUN = """#!/bin/sh
exec {place}/python -m torch.distributed.run "$@"
"""


def target_of(path, place):
    """A file of a package, or where a link of it points to in the tree of all packages."""
    if not path.is_symlink():
        return path
    target = os.readlink(path)
    return f"{place}{target}" if target.startswith("/") else target


def link_all(parts, at, place):
    """One tree of links, as Python wants its own files in one place."""
    for part in parts:
        for path in part.rglob("*"):
            if not path.is_dir() or path.is_symlink():
                link = at / "usr" / path.relative_to(part)
                link.parent.mkdir(parents=True, exist_ok=True)
                if not link.is_symlink():
                    link.symlink_to(target_of(path, place))
    libraries = at / "usr/lib/x86_64-linux-gnu"
    for name, folder in ("libblas.so.3", "blas"), ("liblapack.so.3", "lapack"):  # made by update-alternatives elsewhere
        if not (libraries / name).exists() and not (libraries / name).is_symlink():
            (libraries / name).symlink_to(f"{folder}/{name}")


def mend_store(at):
    """Debian builds without libuv, which torchrun of 2.6 asks for whatever USE_LIBUV says."""
    text = (at / DISTRIBUTED).read_text()
    mended = text.replace("    from .device_mesh import", "    import functools\n\n"
                          "    TCPStore = functools.partial(TCPStore, use_libuv=False)\n"
                          "    from .device_mesh import", 1)
    (at / DISTRIBUTED).unlink()
    (at / DISTRIBUTED).write_text(mended)


def write_scripts(at, place, python):
    words = {"place": place, "libraries": f"{place}/usr/lib/x86_64-linux-gnu", "python": python}
    for name, text in ("python", PYTHON), ("torchrun", TORCHRUN):
        (at / name).write_text(text.format(**words))
        (at / name).chmod(0o755)


def make(parts, python, place):
    """Whole or not at all: made beside its place and moved there."""
    at = place.with_name(f"{place.name}.{os.getpid()}")
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir(parents=True)
    link_all(parts, at, place)
    mend_store(at)
    write_scripts(at, place, python)
    at.rename(place)
    # Compiled once here, where it is ours; others write nothing.
    subprocess.run([place / "python", "-c", "import torch, torch.distributed.run, torch._dynamo"], capture_output=True,
                   env={"PATH": "/usr/bin:/bin"})


def kept_place(parts):
    """Its name tells what it is made of, this file included."""
    made_of = hashlib.sha256(pathlib.Path(__file__).read_bytes())
    for part in parts:
        made_of.update(f"{part} {part.stat().st_mtime_ns}\n".encode())
    return SAMPLES / "trees" / f"torch-{made_of.hexdigest()[:12]}"


def find():
    """Remove with forget() what this gives."""
    parts = sorted(SAMPLES.glob("loadable/trixie/*/usr"))
    python = next((p for part in parts for p in part.glob("bin/python3.13")), None)
    if not python or not any(part.parent.name == "python3-torch" for part in parts):
        return None
    place = kept_place(parts)
    if not place.exists() and not os.access(SAMPLES, os.W_OK):
        place = pathlib.Path(tempfile.mkdtemp(prefix="torch-")) / "tree"
    place.parent.mkdir(exist_ok=True)
    if not place.exists():
        lock = os.open(place.parent, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            make(parts, python, place)
        os.close(lock)
    return place


def forget(place):
    if SAMPLES not in place.parents:
        shutil.rmtree(place.parent, ignore_errors=True)
