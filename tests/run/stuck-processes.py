#!/usr/bin/env python3
"""rocsteady watch names what real processes wait for, from outside, by one look.

Each process here is stuck, or works, in its own way. Its class and the process that waits have to be right, the answer
comes in time, the look that --raw keeps is answered alike later, and the process loses next to nothing by it.
"""
import json
import os
import pathlib
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["ROCSTEADY"]
IN_TIME = 6.0  # seconds, of which two are the look
STATUS = {"works": 0, "stuck": 2, "unclear": 3}
LOCK = "import threading; l = threading.Lock(); l.acquire(); l.acquire()"
# The first thread ends alone; another one goes on.
HALF = "import ctypes, threading, time; threading.Thread(target=time.sleep, args=(300,)).start(); " \
       "ctypes.CDLL(None).pthread_exit(None)"
GROWS = """
import time
held = []
while len(held) < 400:
    held.append(bytearray(b'x' * (16 << 20)))
    end = time.process_time() + 0.01
    while time.process_time() < end:
        pass
time.sleep(300)
"""
WORKER = "import multiprocessing as m, os; q = m.Queue(); p = m.Process(target=os._exit, args=(9,)); p.start(); q.get()"
READS = "f = open('{}', 'rb')\nwhile True:\n    f.seek(0)\n    while f.read(1 << 20):\n        pass\n"
EPOLL = "import select; select.epoll().poll()"
wrong = []


def python(code):
    return [sys.executable, "-c", code]


def watch(*words):
    began = time.monotonic()
    done = subprocess.run([PROGRAM, "watch", *map(str, words)], capture_output=True, text=True, check=False)
    return done, time.monotonic() - began


def check(name, wanted, pid, waiting=None):
    done, took = watch(pid, "--json")
    answer = json.loads(done.stdout) if done.returncode in STATUS.values() else {"class": done.stderr, "kind": "-"}
    if answer["class"] not in wanted.split("|"):
        raw = watch(pid, "--raw")[0].stdout
        wrong.append(f"{name}: {answer['class']}, not {wanted}\n{raw}")
        return
    if done.returncode != STATUS[answer["kind"]] or (waiting and answer["waiting_pid"] != waiting):
        wrong.append(f"{name}: status {done.returncode}, waits {answer['waiting_pid']}")
    if took > IN_TIME:
        wrong.append(f"{name}: took {took:.1f} s")
    if "{" in answer["step"]:
        wrong.append(f"{name}: a step with a hole: {answer['step']}")
    print(f"{name}: {answer['class']}, {took:.2f} s")


def try_job(work, name, wanted, command, **how):
    job = subprocess.Popen(command, cwd=work, start_new_session=True, **how)
    try:
        time.sleep(1.5)
        if name == "stopped":
            job.send_signal(signal.SIGSTOP)
        check(name, wanted, job.pid)
    finally:
        os.killpg(job.pid, signal.SIGKILL)  # its children, too
        job.wait()


def try_below(work):
    """A launcher waits for its child; the child is what hangs."""
    job = subprocess.Popen(["bash", "-c", f"'{sys.executable}' -c '{LOCK}'; true"], cwd=work, start_new_session=True)
    time.sleep(1.5)
    child = int(pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()[0])
    check("below a launcher", "waits-for-lock", job.pid, child)
    os.killpg(job.pid, signal.SIGKILL)
    job.wait()


def try_zombie():
    job = subprocess.Popen(["true"])
    time.sleep(0.3)
    check("ended, not collected", "finished", job.pid)
    job.wait()
    gone = watch(job.pid)[0]
    if gone.returncode != 66 or "No such process" not in gone.stderr:
        wrong.append(f"gone: {gone.returncode} {gone.stderr}")


def try_keyboard():
    master, slave = pty.openpty()
    job = subprocess.Popen(["cat"], stdin=slave, start_new_session=True)
    time.sleep(0.5)
    check("keyboard", "keyboard", job.pid)
    job.kill()
    job.wait()
    os.close(master)
    os.close(slave)


def try_peer():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]})).recv(1)"
        job = subprocess.Popen(python(code))
        time.sleep(1)
        check("network", "waits-for-peer", job.pid)
        job.kill()
        job.wait()


def try_replay(work):
    """The look that was kept gives the same answer, and one that was cut says so."""
    job = subprocess.Popen(["sleep", "300"])
    look = work / "job.look"
    watch(job.pid, "--raw", "-o", look)
    text = watch("--from", look)[0]
    if text.returncode != 3 or "hrtimer_nanosleep" not in text.stdout:
        wrong.append(f"replay: {text}")
    look.write_text(look.read_text().replace("end\n", ""))
    if "not all of it" not in watch("--from", look)[0].stdout:
        wrong.append("a look that was cut is taken for whole")
    look.write_text("look 10 2000\nprocess 10 1 S 0 0 0 0 a\x1b[31m\nthread 10 10 S 0 f\x1b[5m x\nend\n")
    if "\x1b" in watch("--from", look)[0].stdout:
        wrong.append("a name in a kept look reaches the terminal as it is")
    look.write_text("hello\n")
    if watch("--from", look)[0].returncode != 66:
        wrong.append("any text is a look")
    for words in ([], ["0"], ["-1"], ["sleep"], [str(job.pid), "2"], ["99999999999999999999"]):
        if watch(*words)[0].returncode != 64:
            wrong.append(f"watch {words}: not refused")
    job.kill()
    job.wait()


def try_cost():
    """A loop that counts its own CPU time in the kernel: what the looks add to it is less than 10 ms each."""
    job = subprocess.Popen(["sleep", "300"])
    time.sleep(0.2)

    def used():
        words = pathlib.Path(f"/proc/{job.pid}/schedstat").read_text().split()
        return int(words[0]) / 1e6

    before = used()
    for _ in range(3):
        watch(job.pid)
    cost = (used() - before) / 3
    print(f"cost to the job: {cost:.3f} ms of its CPU a look")
    if cost > 10:
        wrong.append(f"a look costs the job {cost} ms")
    job.kill()
    job.wait()


def main():
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        os.mkfifo(work / "fifo")
        big = work / "big"
        big.write_bytes(bytes(64 << 20))
        compiler = work / "cc1plus"
        compiler.write_text("#!/bin/bash\nwhile :; do :; done\n")
        compiler.chmod(0o755)
        ranks = dict(os.environ, WORLD_SIZE="2", RANK="0")
        for row in (
            ("spins", "spins", python("while True: pass")),
            ("lock", "waits-for-lock", python(LOCK)),
            ("fifo without a writer", "waits-for-input", ["cat", "fifo"]),
            ("sleeps", "sleeps", ["sleep", "300"]),
            ("allocates", "allocates", python(GROWS)),
            ("reads", "reads-data", python(READS.format(big))),
            ("stopped", "stopped", ["sleep", "300"]),
            ("main thread ended", "half-ended", python(HALF)),
            ("worker died", "lost-child", python(WORKER)),
            ("events", "waits-for-events", python(EPOLL)),
            ("compiles", "compiles", ["bash", "-c", "./cc1plus; true"]),
        ):
            try_job(work, *row)
        try_job(work, "a rank alone", "waits-for-rank", python(LOCK), env=ranks)
        job = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
        time.sleep(1)
        check("pipe without a writer", "waits-for-input", job.pid)
        job.kill()
        job.wait()
        try_below(work)
        try_zombie()
        try_keyboard()
        try_peer()
        try_replay(work)
        try_cost()
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
