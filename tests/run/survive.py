#!/usr/bin/env python3
"""The keeper is killed at random while a job with --survive writes.

usage: survive.py [KILLS [SEED]]      with ROCSTEADY, the built program

The job writes numbered lines in bursts, to a file, a pipe or a pipe that is read
slowly. Not a byte may be missing afterwards. A file has each byte once; at the end
of a pipe nobody can ask how far it was filled, so one piece of at most 4 KiB may
come twice.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = os.environ["ROCSTEADY"]
LINES = 40000
PIECE = 4096

JOB = f"""
import os, random, sys, time
r = random.Random(int(sys.argv[1]))
text = b"".join(b"line %d of the job\\n" % i for i in range({LINES}))
at = 0
open("started", "w").close()
while at < len(text):
    n = r.choice((8, 100, 552, 3000, 9000))
    at += os.write(1, text[at:at + n])
    if r.random() < 0.6:
        time.sleep(r.random() * 0.003)
open("ended", "w").close()
"""
WHOLE = b"".join(b"line %d of the job\n" % i for i in range(LINES))


def take(fd, slow, got):
    while piece := os.read(fd, 3000 if slow else 65536):
        got.append(piece)
        if slow:
            time.sleep(0.002)


def wait_for(what, seconds=60):
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.002)


def compare(got):
    """How many bytes are missing, and how many came twice in one piece."""
    twice = len(got) - len(WHOLE)
    if twice >= 0:
        same = len(os.path.commonprefix([got, WHOLE]))
        for cut in range(max(0, same - twice), same + 1):
            if got[:cut] + got[cut + twice:] == WHOLE:
                return 0, twice
    lines = set(WHOLE.splitlines())
    return sum(len(line) + 1 for line in lines - set(got.splitlines())), -1


def one(number, rng, work):
    where = ("file", "pipe", "slow")[number % 3]
    got, ends = [], (None, None)
    out = open("out", "wb")
    if where != "file":
        ends = os.pipe()
        reader = threading.Thread(target=take, args=(ends[0], where == "slow", got))
        reader.start()
    keeper = subprocess.Popen([PROGRAM, "run", "--no-preflight", "--survive", "--dir", "kept", "--", sys.executable, "-c", JOB,
                               str(rng.random())[2:10]], stdin=subprocess.DEVNULL, stdout=ends[1] or out, stderr=subprocess.DEVNULL)
    if ends[1]:
        os.close(ends[1])
    wait_for(lambda: pathlib.Path("started").exists())
    time.sleep(rng.random() * 0.4)
    keeper.kill()
    died = keeper.wait() == -signal.SIGKILL
    wait_for(lambda: pathlib.Path("ended").exists())
    if where == "file":
        until = time.monotonic() + 30  # the watcher may be late on a busy machine
        while os.path.getsize("out") < len(WHOLE) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.2)  # and would write what is there twice now
        text = pathlib.Path("out").read_bytes()
    else:
        reader.join(60)
        os.close(ends[0])
        text = b"".join(got)
    out.close()
    return (where, died, *compare(text))


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 16)
    lost, twice, died, failed = 0, 0, 0, 0
    for number in range(kills):
        with tempfile.TemporaryDirectory() as work:
            os.chdir(work)
            where, killed, missing, again = one(number, rng, work)
            os.chdir("/")
        died += killed
        lost += missing > 0
        twice += again > 0
        if missing or again < 0 or again > (0 if where == "file" else PIECE):
            failed += 1
            print(f"kill {number}, output to a {where}: {missing} bytes missing, {again} twice", flush=True)
    print(f"{died} of {kills} keepers killed while the job wrote; {lost} lost bytes, {twice} wrote a piece twice, {failed} failed")
    return 1 if failed or not died else 0


if __name__ == "__main__":
    sys.exit(main())
