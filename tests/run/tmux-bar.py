#!/usr/bin/env python3
"""A training with a progress bar in tmux, bare and under `rocsteady run`: the pictures must be the same.

usage: tmux-bar.py [--show]      with ROCSTEADY, the built program

Looked at are the middle of the second epoch (where the training stands still, so that there is a
picture to compare), what Ctrl-C leaves, the end of a training that ends well, and the modes of
the terminal. Times and rates are figures of the moment, and are masked; so is how far an unfinished
bar was drawn (ten times a second, and later on a busy machine), and how wide a bar is beside them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ.get("ROCSTEADY_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
sys.path.insert(0, str(SOURCE / "tests/samples"))
import torch_tree

EXAMPLE = SOURCE / "examples/es-vpoc"
JOB = """#!/bin/sh
rm -rf out mark
SHIM_FAULT=$1 SHIM_MARK=$PWD/mark PYTHONPATH={shim} OMP_NUM_THREADS=1 exec {run} {tree}/python {train} --data bars.csv --output out --bar
"""


class Pane:
    """A tmux of our own with one shell."""

    def __init__(self, place):
        self.place, self.name = place, f"rocsteady-{os.getpid()}"
        environment = {"PATH": os.environ["PATH"], "HOME": str(place), "LC_ALL": "C.UTF-8", "TERM": "xterm",
                       **{n: os.environ[n] for n in ("TMPDIR", "ROCSTEADY_SAMPLES") if n in os.environ}}
        self.environment = environment
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", str(place), "sh")
        self.type("PS1='$ '; clear", "Enter")  # root's would be another
        try:
            self.wait(lambda text: text == "$", 20)
        except AssertionError:
            self.close()
            raise

    def tmux(self, *words):
        done = subprocess.run(["tmux", "-L", self.name, *words], env=self.environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def type(self, *keys):
        self.tmux("send-keys", *keys)

    def picture(self):
        return self.tmux("capture-pane", "-p", "-J").rstrip()

    def wait(self, good, seconds=90):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            text = self.picture()
            if good(text):
                return text
            time.sleep(0.2)
        raise AssertionError(f"waited in vain:\n{self.picture()}")

    def close(self):
        subprocess.run(["tmux", "-L", self.name, "kill-server"], env=self.environment, capture_output=True)


def masked(text):
    text = re.sub(r"\[\d+:\d+<[^,\]]*, *[^,\]]*(?:it/s|s/it)", "[TIME, RATE", text)
    text = re.sub(r"\|[\u2588-\u258f ]*\|", "|BAR|", text)
    text = re.sub(r" +(?!100%)\d+%\|BAR\| \d+/(\d+) \[TIME, RATE(?:, loss=[\d.]+)?\]", r" PART|BAR|/\1", text)
    return re.sub(r"line \d+|0x[0-9a-f]+", "N", text)


def at_prompt(text):
    return text.endswith("\n$")


def look(pane, script):
    """The pictures: in the middle, after Ctrl-C, at the end; and the modes."""
    pictures = {}
    pane.type("clear", "Enter")
    pane.wait(lambda text: text == "$")
    pane.type(f"./{script} hang", "Enter")
    pane.wait(lambda text: (pane.place / "mark").exists() and "Epoch 2/3" in text)
    time.sleep(1)  # the bar is drawn ten times a second
    pictures["middle"] = pane.picture()
    pane.type("C-c")
    pane.wait(at_prompt)
    pictures["interrupted"] = pane.picture()
    pane.type("clear; stty -a", "Enter")
    pictures["modes"] = pane.wait(lambda text: "speed" in text and at_prompt(text))
    pane.type("clear", "Enter")
    pane.wait(lambda text: text == "$")
    pane.type(f"./{script} none", "Enter")
    pictures["end"] = pane.wait(lambda text: "metadata.json" in text and at_prompt(text))
    return pictures


def compare(bare, watched, failures):
    for name, picture in bare.items():
        a, b = ([line.rstrip() for line in masked(text).replace("./watched", "./bare").splitlines()]
                for text in (picture, watched[name]))
        if name == "interrupted":  # what we say of it comes behind
            b = [line for line in b if not line.startswith("rocsteady: ")]
        good = a == b
        print(f"{'ok' if good else 'FAIL'}\t{name}: {len(a)} lines")
        if not good:
            failures.append(name)
            print("\n".join(["-- bare", *a, "-- watched", *b]))


def main():
    tree = torch_tree.find()
    if not tree or not shutil.which("tmux"):
        print("0 passed, 0 failed, 1 skipped")
        print(f"skipped: no {'tmux' if tree else 'PyTorch'} here")
        return 77
    place = pathlib.Path(tempfile.mkdtemp(prefix="tmux-bar."))
    failures = []
    subprocess.run([sys.executable, EXAMPLE / "make_data.py", place / "bars.csv"], check=True)
    for name, run in ("bare", ""), ("watched", f"{os.environ['ROCSTEADY']} run --no-preflight --dir run --"):
        (place / name).write_text(JOB.format(shim=SOURCE / "tests/run/shim", run=run, tree=tree, train=EXAMPLE / "train.py"))
        (place / name).chmod(0o755)
    pane = Pane(place)
    try:
        bare, watched = look(pane, "bare"), look(pane, "watched")
    finally:
        pane.close()
    if "--show" in sys.argv:
        for name in bare:
            print(f"---- {name}, bare\n{bare[name]}\n---- {name}, under run\n{watched[name]}")
    compare(bare, watched, failures)
    shutil.rmtree(place, ignore_errors=True)
    torch_tree.forget(tree)
    print(f"{len(bare) - len(failures)} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
