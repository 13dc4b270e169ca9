#!/usr/bin/env python3
"""Jobs that hang, and jobs that are only silent, under `rocsteady run`.

usage: hangs.py [--list] [NAME...]      with ROCSTEADY, the built program

Each job makes some steps and is silent then, for longer than the limit. The helpers and
the order of a run are those of faults.py.
"""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import faults
from faults import PY, PROGRAM, Terminal, fault, file_has, is_, wait_for

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import gpus  # noqa: E402

faults.FAULTS.clear()

LIMIT = 4    # seconds of silence
SILENCE = 9  # more than a limit, and the half of one in which nothing may happen
OPTIONS = ("--no-preflight", "--hang-after", str(LIMIT))
HANG, EVENT, END = 10, 4, 5

STEPS = """
import os, subprocess, sys, threading, time
def steps(first, last):
    for i in range(first, last + 1):
        print(f"Epoch 1/3 Batch {i}/192 loss 0.6", flush=True)
        time.sleep(0.2)  # a busy machine may see two of them at once, and needs three
SILENCE = %d
def until_over():
    end = time.monotonic() + SILENCE
    while time.monotonic() < end:
        yield
steps(1, 6)
""" % SILENCE
REST = "\nsteps(7, 9)\n"
# Its last line is what the job waits for, and it is said a moment later.
UNTIL_TOLD = "import glob\nwhile not any('\\nclass ' in open(f).read() for f in glob.glob('*/hang-1.txt')): time.sleep(0.1)\ntime.sleep(2)\n"
HANGS = "r, w = os.pipe()\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\nos.read(r, 1)\n"


def start(script, options=OPTIONS, around=lambda words: words, **more):
    line = [PROGRAM, "run", "--dir", "j", *options, "--", PY, "-c", STEPS + script]
    more.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen(around(line), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def records(kind, name="j/journal"):
    data = pathlib.Path(name).read_bytes()[20:]
    found = []
    while len(data) >= 24:
        size, this, _ = struct.unpack("<IIQ", data[:16])
        if this == kind:
            found.append(data[24:24 + size].decode())
        if this == 0:
            break
        data = data[24 + size:]
    return found


def kinds():
    return [line.split()[1] for text in records(HANG) for line in text.splitlines() if line.startswith("hang ")]


def proofs():
    return [line for text in records(HANG) for line in text.splitlines() if line.startswith("proof ")]


def job_of():
    return int(re.search(r"started (\d+)", "".join(records(EVENT)))[1])


def stays_silent(script, may_be=(), **more):
    """The job is well and ends well: no word, no record but one of these kinds, no file."""
    p = start(script + REST, **more)
    out, err = p.communicate(timeout=300)
    is_(p.returncode, 0, err)
    is_(err, "")
    is_(out.count("Batch"), 9)
    assert set(kinds()) <= set(may_be), records(HANG)
    is_(list(pathlib.Path("j").glob("hang-*")), [])


def is_found(script, kind, options=OPTIONS, **more):
    """A line is said and the evidence is there before; the job goes on hanging until we end it."""
    p = start(script, options=options, **more)
    line = p.stderr.readline()
    assert f": {kind}: " in line and "no progress for " in line, line
    is_(kinds(), [kind])
    assert p.poll() is None
    evidence = pathlib.Path("j/hang-1.txt").read_text()
    p.send_signal(signal.SIGTERM)
    _, err = p.communicate(timeout=120)
    is_(p.returncode, -15, err)
    return line, evidence


# ---- jobs that hang ----

@fault
def a_hang_is_told_and_its_stacks_are_kept():
    line, evidence = is_found(HANGS, "host-stall")
    job = job_of()
    assert line.startswith("rocsteady: ") and "j/hang-1.txt" in line, line
    is_(len(re.findall(rf"^thread {job} \d+ S \S+ ", evidence, re.M)), 2)
    assert re.search(r"read|pipe", evidence) and "futex" in evidence, evidence
    assert re.search(r"libc\.so\.6\+0x[0-9a-f]+  \(here\)", evidence), evidence
    assert "python" in evidence and "user stack (scanned)" in evidence
    is_(len(re.findall(rf"^thread {job} \d+ S \S+$", records(HANG)[0], re.M)), 2)


@fault
def what_a_tracer_says_is_made_clean():
    os.mkdir("bin")
    spy = pathlib.Path("bin/py-spy")
    spy.write_text("#!/bin/sh\nprintf 'Thread 1\\033[31m (train.py:6)\\n'\n")
    spy.chmod(0o755)
    is_found(HANGS, "host-stall", env={**os.environ, "PATH": f"{os.getcwd()}/bin:{os.environ['PATH']}"})
    text = pathlib.Path("j/hang-1.txt").read_bytes()
    assert b"py-spy of process" in text and b"Thread 1\\x1b[31m (train.py:6)" in text and b"\x1b" not in text, text[-600:]


@fault
def a_hang_of_a_child_shows_all_processes():
    _, evidence = is_found("subprocess.run([sys.executable, '-c', 'import time; time.sleep(1000)'])\n", "host-stall")
    is_(len(re.findall(r"^process \d+: ", evidence, re.M)), 2)


@fault
def a_hang_is_ended():
    p = start(HANGS, options=(*OPTIONS, "--on-hang", "end"))
    _, err = p.communicate(timeout=120)
    is_(p.returncode, -15, err)
    is_(kinds(), ["host-stall"] * 2)
    assert "the job will be stopped if this lasts" in err.splitlines()[0], err
    assert re.search("stopped because it hung: .*every thread waits; .* second observation period", err), err
    assert any("ended-hung 15" in text for text in records(EVENT))
    is_(len(proofs()), 1)
    shown = subprocess.run([PROGRAM, "run", "--report", "j"], capture_output=True, text=True).stdout
    assert "stopped because a second observation period" in " ".join(shown.split()), shown


@fault
def a_step_of_no_time():
    p = start("for i in range(7, 40): print(f'Epoch 1/3 Batch {i}/192 loss 0.6', flush=True); time.sleep(0.01)\n" + HANGS)
    line = p.stderr.readline()
    p.terminate()
    p.communicate(timeout=120)
    assert re.search(r"a step usually takes (less than 1|[1-9]\d*) ms", line), line


@fault
def a_hang_that_ignores_sigterm_is_ended():
    p = start("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + HANGS, options=(*OPTIONS, "--on-hang", "end"))
    _, err = p.communicate(timeout=300)
    is_(p.returncode, -9, err)
    assert any("killed 1" in text for text in records(EVENT))


@fault
def a_hang_that_answers_sigterm_has_its_own_status():
    script = "import signal\nsignal.signal(signal.SIGTERM, lambda *a: (print('saved', flush=True), os._exit(7)))\n"
    p = start(script + HANGS, options=(*OPTIONS, "--on-hang", "end"))
    out, err = p.communicate(timeout=120)
    is_(p.returncode, 7, err)
    assert "saved" in out


@fault
def a_hang_is_tried_again():
    p = start("if os.path.exists('once'): sys.exit(steps(7, 9))\nopen('once', 'w')\n" + HANGS,
              options=("--hang-after", str(LIMIT), "--heal", "--attempts", "3", "--on-hang", "retry"))
    out, err = p.communicate(timeout=300)
    is_(p.returncode, 0, err)
    is_(out.count("Batch 9/192"), 1)
    assert pathlib.Path("j/journal-2").exists() and not pathlib.Path("j/journal-3").exists()
    told = subprocess.run([PROGRAM, "run", "--report", "j"], capture_output=True, text=True).stdout
    assert "reason: it hung and was stopped" in told, told


@fault
def a_hang_that_saves_and_ends_well_is_tried_again():
    """Status 0 as the answer to SIGTERM says that it was saved, not that it is done."""
    script = ("import signal\nif os.path.exists('once'): sys.exit(steps(7, 9))\nopen('once', 'w')\n"
              "signal.signal(signal.SIGTERM, lambda *a: os._exit(0))\n")
    p = start(script + HANGS, options=("--hang-after", str(LIMIT), "--heal", "--attempts", "3", "--on-hang", "retry"))
    out, err = p.communicate(timeout=300)
    is_(p.returncode, 0, err)
    is_(out.count("Batch 9/192"), 1)
    assert "done in 2 attempts" in err, err


@fault
def a_hang_that_is_dumped_twice():
    p = start(HANGS, options=(*OPTIONS, "--on-hang", "dump"))
    wait_for(lambda: pathlib.Path("j/hang-2.txt").exists() and len(kinds()) == 2, 60)
    p.terminate()
    _, err = p.communicate(timeout=120)
    is_(kinds(), ["host-stall"] * 2)
    is_(err.count("no progress"), 1)


@fault
def a_hang_beside_a_slow_disk():
    """Names that are synced for seconds must not hide the job's first steps: without three no hang is told."""
    if not shutil.which("strace"):
        return "not tried: no strace"
    slow = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "--seccomp-bpf", "-e", "trace=fsync", "-e", "inject=fsync:delay_enter=3000000"]
    is_found(HANGS, "host-stall", around=lambda words: slow + words)


@fault
def progress_that_comes_back():
    p = start(UNTIL_TOLD + REST)
    out, err = p.communicate(timeout=300)
    is_(p.returncode, 0)
    is_(out.count("Batch"), 9)
    is_(err.count("no progress"), 1)
    over = [int(m[1]) for m in (re.match(r"over (\d+)\n", text) for text in records(HANG)) if m]
    assert len(over) == 1 and over[0] >= LIMIT, records(HANG)


@fault
def computing_for_ever_is_told_once():
    """After ten of the shortest limits, with the stacks; the job is let alone."""
    p = start("end = time.monotonic() + 24\nwhile time.monotonic() < end: pass\n" + REST, ("--no-preflight", "--hang-after", "1", "--on-hang", "end"))
    out, err = p.communicate(timeout=300)
    is_(p.returncode, 0)
    is_(out.count("Batch"), 9)
    is_(err.count("no progress for"), 1)
    assert re.search("no progress for 1[0-9] s .*: slow: the job uses the CPU; it computes on the CPU, or runs in circles; stacks: j/hang-1.txt", err), err
    assert any(text.startswith("hang slow") and "\nmeans it\\x20computes" in text for text in records(HANG)), records(HANG)


@fault
def a_start_that_does_not_come_is_told_once():
    p = subprocess.run([PROGRAM, "run", "--dir", "j", "--no-preflight", "--hang-after", "1", "--on-hang", "end", "--", PY, "-c",
                        "import time; print('starting', flush=True); time.sleep(18)"], capture_output=True, text=True, timeout=300)
    is_(p.returncode, 0)
    is_(p.stderr.count("no progress for"), 1)
    assert re.search("no progress for 1[0-9] s: unknown: it has printed nothing, and fewer than three progress steps before; it sleeps", p.stderr), p.stderr


@fault
def a_bar_on_a_terminal():
    bar = ("for i in range(1, 7):\n    sys.stderr.write(f'\\r {i}%|##  | {i}/100 [00:01<00:09]'); sys.stderr.flush(); time.sleep(0.1)\n"
           + UNTIL_TOLD + "for i in range(7, 10):\n    sys.stderr.write(f'\\r {i}%|##  | {i}/100 [00:01<00:09]'); time.sleep(0.1)\n")
    t = Terminal(PY, "-c", STEPS.replace("steps(1, 6)", "") + bar, options=OPTIONS)
    is_(t.end(90), 0)
    assert re.search(rb"6/100 \[00:01<00:09\]\r\nrocsteady: no progress for [^\r\n]*\r\n\r 7%", t.seen), t.seen
    without = re.sub(rb"\r\nrocsteady: [^\r\n]*\r\n", b"", t.seen)
    is_(without, b"".join(b"\r %d%%|##  | %d/100 [00:01<00:09]" % (i, i) for i in range(1, 10)))


def needs_gpus():
    why = gpus.why_not()
    return f"not tried: {why}" if why else ""


@fault
def a_gpu_that_is_busy_for_ever():
    if needs_gpus():
        return needs_gpus()
    tree = gpus.Tree(2)
    tree.set(tree.addresses[1], "gpu_busy_percent", 100)
    dev = "mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && touch /dev/kfd"
    is_found("kfd = open('/dev/kfd')\n" + HANGS, "device-stall", around=lambda words: tree.around(words, dev))


def kernel_says(log, line):
    """Again and again: what stands there before the watcher has seen the last step is of an earlier time."""
    return (f"def kernel():\n    while True: open({log!r}, 'wb', 0).write({line!r}); time.sleep(1)\n"
            "threading.Thread(target=kernel, daemon=True).start()\n")


def with_busy_gpu(script, *options, shakes=False, line=b""):
    """A job that waits for a GPU which is busy all the time; what it said, and its status."""
    tree = gpus.Tree(2)
    tree.set(tree.addresses[1], "gpu_busy_percent", 100)
    os.mkfifo("kmsg")
    keeper = os.open("kmsg", os.O_RDWR)
    dev = (f'mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && touch /dev/kfd /dev/kmsg && mount --bind "{os.getcwd()}/kmsg" /dev/kmsg')
    said = kernel_says("/dev/kmsg", line) if line else ""
    p = start("kfd = open('/dev/kfd')\n" + said + script, options=(*OPTIONS, *options), around=lambda words: tree.around(words, dev))
    last = until = time.monotonic() + 60
    power = 141000000
    while p.poll() is None and time.monotonic() < last:
        if last == until and pathlib.Path("j/hang-1.txt").exists():
            last = time.monotonic() + 10 + SILENCE  # ten seconds at least are the second window
        time.sleep(0.3)
        power = int(power * 1.04) if shakes else power  # no two looks are alike
        tree.set(tree.addresses[1], "hwmon/hwmon4/power1_average", power)
    lives = p.poll() is None
    p.terminate()
    _, err = p.communicate(timeout=120)
    os.close(keeper)
    return lives, err


@fault
def a_busy_gpu_that_does_not_stir_is_ended_later():
    if needs_gpus():
        return needs_gpus()
    lives, err = with_busy_gpu(HANGS, "--on-hang", "end")
    assert not lives, err
    is_(kinds(), ["device-stall"] * 2)
    assert "not stopped, because long work would look the same" in err.splitlines()[0], err
    assert re.search("stopped because it hung: .* second observation period", err), err
    is_(len(proofs()), 1)
    assert "second" in proofs()[0], proofs()
    shown = subprocess.run([PROGRAM, "run", "--report", "j"], capture_output=True, text=True).stdout
    assert "stopped because in a second" in " ".join(shown.split()), shown


@fault
def a_busy_gpu_of_which_the_kernel_tells_is_ended_at_once():
    if needs_gpus():
        return needs_gpus()
    line = b"6,1,2,-;amdgpu 0000:04:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:3 pasid:32772)\n"
    lives, err = with_busy_gpu(HANGS, "--on-hang", "end", line=line)
    assert not lives, err
    is_(kinds(), ["device-stall"])
    assert "fault of that GPU" in err and "fault" in proofs()[0], err


@fault
def a_long_kernel_is_told_and_not_ended():
    if needs_gpus():
        return needs_gpus()
    lives, err = with_busy_gpu(HANGS, "--on-hang", "end", shakes=True)
    assert lives, err
    is_(kinds(), ["device-stall"])
    is_(proofs(), [])
    assert "not stopped, because long work would look the same" in err, err


@fault
def a_line_about_another_gpu_ends_nothing():
    if needs_gpus():
        return needs_gpus()
    line = b"6,1,2,-;amdgpu 0000:63:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=5, emitted seq=7\n"
    lives, err = with_busy_gpu(HANGS, "--on-hang", "end", shakes=True, line=line)
    assert lives, err
    is_(proofs(), [])


@fault
def a_gpu_that_others_use():
    if needs_gpus():
        return needs_gpus()
    tree = gpus.Tree(2)
    tree.set(tree.addresses[1], "gpu_busy_percent", 100)
    is_found(HANGS, "host-stall", around=tree.around)


@fault
def a_gpu_that_the_kernel_resets():
    if needs_gpus():
        return needs_gpus()
    tree = gpus.Tree(1)
    os.mkfifo("kmsg")
    keeper = os.open("kmsg", os.O_RDWR)
    line = b"6,1,2,-;amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=5, emitted seq=7\n"
    spin = kernel_says(f"{os.getcwd()}/kmsg", line) + "while True: pass\n"
    _, evidence = is_found(spin, "device-stall",
                           around=lambda words: tree.around(words, f'mount --bind "{os.getcwd()}/kmsg" /dev/kmsg'))
    os.close(keeper)
    assert "ring gfx_0.0.0 timeout" in evidence


# ---- jobs that are silent and well ----

@fault
def a_compiler_at_work():
    pathlib.Path("big.c").write_text("\n".join(
        f"double f{i}(double *a, int n) {{ double s = 0; for (int k = 0; k < n; k++) s += a[k] * a[(k * {i}) % n] / ({i} + k); return s; }}"
        for i in range(300)))
    stays_silent("for _ in until_over(): subprocess.run(['gcc', '-O2', '-c', 'big.c', '-o', '/dev/null'], check=True)\n")


IN_A_THREAD = "def work(): {}\nt = threading.Thread(target=work)\nt.start()\nt.join()\n"


@fault
def a_compiler_that_a_thread_has_started():
    """It computes too little to count as work: only its name tells."""
    os.mkdir("bin")
    shutil.copy(PY, "bin/ld.lld")
    script = "import time\nfor i in range(90): sum(range(100000)); time.sleep(0.1)"
    stays_silent(IN_A_THREAD.format(f"subprocess.run(['{os.getcwd()}/bin/ld.lld', '-c', {script!r}], check=True)"))


def everybody(pid):
    """A process and all below it, the last first."""
    below = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    return [p for child in below for p in everybody(int(child))] + [pid]


@fault
def a_machine_that_stands_still():
    """A virtual machine that its host lets wait, in the middle of a rest that is short enough."""
    p = start("open('ready', 'w').close()\nfor _ in range(30): time.sleep(0.1)\n" + REST)
    wait_for(lambda: os.path.exists("ready"))
    all_of_it = everybody(p.pid)
    for pid in all_of_it:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(SILENCE)
    for pid in all_of_it:
        os.kill(pid, signal.SIGCONT)
    out, err = p.communicate(timeout=120)
    is_((p.returncode, err, out.count("Batch"), kinds()), (0, "", 9, []))


@fault
def a_worker_that_a_thread_has_started():
    script = f"import time\nend = time.monotonic() + {SILENCE}\nwhile time.monotonic() < end: sum(range(1000))"
    stays_silent(IN_A_THREAD.format(f"subprocess.run([sys.executable, '-c', {script!r}], check=True)"), may_be=("slow",),
                 options=(*OPTIONS, "--on-hang", "end"))


@fault
def a_checkpoint_that_is_written_slowly():
    stays_silent("f = open('checkpoint', 'wb')\n"
                 "for _ in until_over():\n    f.write(os.urandom(1 << 20)); f.flush(); os.fsync(f.fileno()); time.sleep(0.3)\n")


def over_the_network(script):
    """A job that sends to us or receives from us, 2 MB in a second and with next to no CPU time."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve():
            peer, _ = server.accept()
            with peer, contextlib.suppress(OSError):
                if "recv" in script:
                    peer.sendall(bytes(60_000_000))
                while peer.recv(200_000):
                    time.sleep(0.1)
        threading.Thread(target=serve, daemon=True).start()
        stays_silent(f"import socket\nc = socket.create_connection(('127.0.0.1', {server.getsockname()[1]}))\n"
                     f"for _ in until_over(): {script}\nc.close()\n", options=(*OPTIONS, "--on-hang", "end"))


@fault
def a_checkpoint_that_is_sent_away():
    over_the_network("c.sendall(bytes(200_000)); time.sleep(0.1)")


@fault
def weights_that_are_received():
    over_the_network("c.recv(200_000); time.sleep(0.1)")


@fault
def weights_that_are_read():
    pathlib.Path("weights").write_bytes(os.urandom(32 << 20))
    stays_silent("fd = os.open('weights', os.O_RDONLY)\n"
                 "for _ in until_over():\n    os.read(fd, 1 << 20) or os.lseek(fd, 0, 0); time.sleep(0.2)\n")


@fault
def a_barrier_at_which_one_works():
    stays_silent("subprocess.run([sys.executable, '-c', f'import time\\nend = time.monotonic() + {SILENCE}\\n'\n"
                 "    'while time.monotonic() < end: sum(range(1000))'])\n", may_be=("slow",))


@fault
def a_search_that_computes_and_writes_its_cache():
    stays_silent("f = open('cache', 'wb')\nfor _ in until_over():\n    sum(range(300000)); f.write(bytes(1 << 16)); f.flush()\n",
                 may_be=("slow",))


@fault
def before_three_steps_nothing_is_known():
    p = subprocess.run([PROGRAM, "run", "--dir", "j", *OPTIONS, "--", PY, "-c",
                        STEPS.replace("steps(1, 6)", "steps(1, 2)") + "time.sleep(SILENCE)\n"],
                       capture_output=True, text=True, timeout=300)
    is_((p.returncode, p.stderr, kinds()), (0, "", []))


@fault
def all_steps_are_done():
    p = subprocess.run([PROGRAM, "run", "--dir", "j", *OPTIONS, "--", PY, "-c",
                        STEPS.replace("1/3", "3/3").replace("192", "6") + "time.sleep(SILENCE)\n"],
                       capture_output=True, text=True, timeout=300)
    is_((p.returncode, p.stderr, kinds()), (0, "", []))


@fault
def a_job_that_is_stopped():
    p = start("open('ready', 'w')\ntime.sleep(0.2)\n" + REST)
    wait_for(lambda: os.path.exists("ready"))
    os.kill(job_of(), signal.SIGSTOP)
    time.sleep(SILENCE)
    os.kill(job_of(), signal.SIGCONT)
    _, err = p.communicate(timeout=120)
    is_((p.returncode, err, kinds()), (0, "", []))


@fault
def output_that_nobody_takes():
    p = start("print('x' * (1 << 21), flush=True)\nopen('through', 'w')\n" + REST)
    time.sleep(SILENCE + 1)
    assert not file_has("through", "")
    out, err = p.communicate(timeout=120)
    is_((p.returncode, err, kinds()), (0, "", []))
    is_(out.count("Batch"), 9)


@fault
def a_job_that_reads_the_keyboard():
    t = Terminal(PY, "-c", STEPS + "sys.stdin.readline()\n" + REST, options=OPTIONS)
    t.expect(b"Batch 6/")
    time.sleep(SILENCE)
    t.read()
    t.type(b"on\n")
    is_(t.end(), 0)
    assert b"rocsteady" not in t.seen, t.seen


if __name__ == "__main__":
    sys.exit(faults.main(alone=lambda f: False, width=6))
