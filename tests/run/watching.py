#!/usr/bin/env python3
"""What `rocsteady run` keeps of a job's progress, of the GPUs and of the kernel's log.

usage: watching.py [NAME...]      with ROCSTEADY, the built program

GPUs are a tree in a mount namespace, the kernel's log is a FIFO there.
"""
import fcntl
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import gpus  # noqa: E402
import pool  # noqa: E402

PROGRAM = os.environ["ROCSTEADY"]
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def run(*words, tree=None, more="true", options=("--no-preflight",), **others):
    line = [PROGRAM, "run", "--dir", "j", *options, "--", *words]
    return subprocess.run(tree.around(line, more) if tree else line, capture_output=True, text=True, timeout=300, **others)


def records():
    """(kind, milliseconds, payload), as docs/design/0010-run.md has it."""
    data = pathlib.Path("j/journal").read_bytes()[20:]
    while len(data) >= 24:
        size, kind, at = struct.unpack("<IIQ", data[:16])
        if kind == 0:
            return
        yield kind, at, data[24:24 + size].decode()
        data = data[24 + size:]


def payloads(kind):
    return [text for k, _, text in records() if k == kind]


EVENT, END, SAMPLE, PROGRESS, KERNEL = 4, 5, 6, 7, 8


def is_(got, want, what=""):
    assert got == want, f"{what}: {got!r} is not {want!r}"


@test
def progress_of_a_bar():
    script = "\n".join(["import sys, time", "for i in range(1, 31):",
                        "    sys.stderr.write(f'\\rEpoch 1/3:  {i * 3}%|##  | {i}/30 [00:01<00:09, 9.0it/s, loss=0.{i}]')",
                        "    sys.stderr.flush(); time.sleep(0.1)"])
    is_(run(sys.executable, "-c", script).returncode, 0)
    told = payloads(PROGRESS)
    assert 3 <= len(told) <= 6, told
    is_(told[-1], "stderr epoch 1 epochs 3 batch 30 batches 30 loss 0.3 rate 9 percent 90\n")


@test
def progress_among_noise():
    script = "\n".join(["import time", "for i in range(1, 41):", "    for k in range(50): print('noise', k)",
                        "    print(f'step {i}/40 loss 0.5')", "    print('saved', flush=True); time.sleep(0.05)"])
    run(sys.executable, "-c", script)
    is_(payloads(PROGRESS)[-1], "stdout step 40 steps 40 loss 0.5\n")


@test
def the_place_of_a_failure_is_exact():
    """However fast it came: a retry compares places."""
    script = "\n".join(["for i in range(1, 301): print(f'Epoch 2/3 Batch {i}/400 loss 0.5', flush=True)",
                        "for i in range(30): print('  File \"/x.py\", line', i)",
                        "print('torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB', flush=True)",
                        "import time; time.sleep(0.3)", "print('Epoch 2/3 Batch 400/400', flush=True)", "raise SystemExit(1)"])
    for _ in range(5):
        run(sys.executable, "-c", script)
        told = payloads(PROGRESS)
        is_([w.split()[6] for w in told[-2:]], ["300", "400"], told)
        pathlib.Path("j/journal").unlink()


@test
def sixteen_gpus_in_a_sample():
    tree = gpus.Tree(16)
    is_(run("sh", "-c", "sleep 1.5", tree=tree).returncode, 0)
    lines = payloads(SAMPLE)[-1].splitlines()
    is_([line.split()[1] for line in lines[:16]], tree.addresses)
    is_(lines[2], "gpu 0000:05:00.0 vram 283000002 206158430208 gtt 14000002 137438953472 job 0 others 283000002 busy 2 "
        "temp 45002 sclk 2100 power 141000000")
    assert re.fullmatch(r"host used \d+ total \d+ swap \d+", lines[16]), lines[16]
    assert re.fullmatch(r"cgroup used (\d+|-) max (\d+|-)", lines[17]), lines[17]
    assert re.fullmatch(r"job processes 2 threads 2 rss \d+ cpu_ms \d+ read \d+ written \d+", lines[18]), lines[18]
    assert re.fullmatch(r"process \d+ vram - gtt - rss \d+ (sh|sleep)", lines[19]), lines[19]


@test
def memory_that_stays():
    tree = gpus.Tree(2)
    path = tree.path(tree.addresses[1], "mem_info_vram_used")
    done = run("sh", "-c", f"sleep 0.5; echo 9000000000 >{path}; sleep 1; exit 3", tree=tree)
    is_(done.returncode, 3)
    is_([e for e in payloads(EVENT) if e.startswith("vram")], ["vram-left 0000:04:00.0 8716999999\n"])
    assert "8.1 GiB of VRAM on 0000:04:00.0 stayed in use after the job" in done.stderr, done.stderr
    assert "vram-left" in subprocess.run([PROGRAM, "run", "--report", "j", "--verbose"], capture_output=True, text=True).stdout


@test
def memory_that_stays_after_a_success():
    tree = gpus.Tree(1)
    path = tree.path(tree.addresses[0], "mem_info_vram_used")
    done = run("sh", "-c", f"sleep 0.5; echo 9000000000 >{path}; sleep 1", tree=tree)
    is_(done.returncode, 0)
    assert "rocsteady: 8.1 GiB of VRAM on 0000:03:00.0 stayed in use after the job" in done.stderr, done.stderr


@test
def memory_that_is_given_back():
    tree = gpus.Tree(2)
    path = tree.path(tree.addresses[1], "mem_info_vram_used")
    late = f"(sleep 1.2; echo 283000001 >{path}) >/dev/null 2>&1 & "
    done = run("sh", "-c", f"echo 9000000000 >{path}; sleep 1.5; echo 283000001 >{path}; exit 3", tree=tree)
    is_([e for e in payloads(EVENT) if e.startswith("vram")], [])
    assert "stayed" not in done.stderr
    # the kernel may take its time
    pathlib.Path("j/journal").unlink()
    done = run("sh", "-c", f"sleep 0.5; echo 9000000000 >{path}; {late} exit 3", tree=tree, options=("--no-preflight", "--leave"))
    is_([e for e in payloads(EVENT) if e.startswith("vram")], [])


RING = "4,1339,5140900,-;amdgpu 0000:03:00.0: amdgpu: ring comp_1.0.0 timeout, signaled seq=5, emitted seq=7\n"


@test
def lines_of_the_kernel():
    os.mkfifo("kmsg")
    keeper = os.open("kmsg", os.O_RDWR)
    writer = os.open("kmsg", os.O_WRONLY)
    fcntl.fcntl(writer, fcntl.F_SETFL, os.O_DIRECT)  # a write is a record
    line = gpus.Tree(1).around([PROGRAM, "run", "--dir", "j", "--no-preflight", "--", "sleep", "3"],
                               f'mount --bind "{os.getcwd()}/kmsg" /dev/kmsg')
    p = subprocess.Popen(line)
    time.sleep(1.5)
    for text in (RING, "6,1340,5140901,-;usb 1-1: new device\n", "6,1342,5140903,-;amdgpu: nothing that is known\n",
                 RING.replace("4,", "12,", 1), " SUBSYSTEM=pci\n", "garbage\n",
                 "4,1343,5140904,-;amdgpu 0000:03:00.0: amdgpu: GPU reset begin!\n SUBSYSTEM=pci\n DEVICE=+pci:0000:03:00.0\n"):
        os.write(writer, text.encode())
    is_(p.wait(120), 0)
    os.close(keeper), os.close(writer)
    is_([k.split()[:2] for k in payloads(KERNEL)], [["gpu-ring-timeout", "0000:03:00.0"], ["gpu-reset-begin", "0000:03:00.0"]])
    assert "ring\\x20comp_1.0.0\\x20timeout" in payloads(KERNEL)[0]


OOM = "3,1339,5140900,-;Out of memory: Killed process 41172 (python3) total-vm:98566144kB, anon-rss:61000000kB\n"


def killed_with(line_of_the_kernel):
    """A job that is killed, on a host whose kernel says LINE meanwhile, or before: what we say of it."""
    os.mkfifo("kmsg")
    keeper, writer = os.open("kmsg", os.O_RDWR), os.open("kmsg", os.O_WRONLY)
    fcntl.fcntl(writer, fcntl.F_SETFL, os.O_DIRECT)
    line = gpus.Tree(1).around([PROGRAM, "run", "--dir", "j", "--", "sh", "-c", "sleep 2; kill -9 $$"],
                               f'mount --bind "{os.getcwd()}/kmsg" /dev/kmsg')
    p = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    os.write(writer, line_of_the_kernel.encode())
    said = p.communicate(timeout=120)[1]
    os.close(keeper), os.close(writer)
    is_(p.returncode, -9)
    return said


@test
def the_kernel_says_why_a_job_was_killed():
    said = killed_with(OOM)
    assert "killed by SIGKILL; the kernel says: Out of memory: Killed process 41172 (python3)" in said, said


@test
def the_kernel_says_nothing_of_it():
    said = killed_with("6,1340,5140901,-;usb 1-1: new device\n")
    assert "killed by SIGKILL with no output" in said and "the kernel says" not in said, said


@test
def a_kernel_log_that_is_denied():
    pathlib.Path("kmsg").touch(mode=0)
    rights = "-dac_override,-dac_read_search"
    line = ["setpriv", "--bounding-set", rights, "--inh-caps", rights, PROGRAM, "run", "--dir", "j", "--no-preflight", "--", "true"]
    is_(subprocess.run(gpus.Tree(1).around(line, f'mount --bind "{os.getcwd()}/kmsg" /dev/kmsg')).returncode, 0)
    is_([e for e in payloads(EVENT) if e.startswith("kernel-log")], ["kernel-log denied\n"])


@test
def the_last_minute_is_whole_at_a_failure():
    script = "sleep 2.5; echo 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB'; sleep 1; exit 1"
    run("sh", "-c", script)
    times = sorted(at for kind, at, _ in records() if kind == SAMPLE)
    assert len(times) >= 3, times
    assert all(700 < b - a < 2300 for a, b in zip(times, times[1:])), times


def one(function):
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        try:
            function()
            print(f"passed  {function.__name__}", flush=True)
            return True
        except Exception as e:  # one that fails must not hide the others
            print(f"FAILED  {function.__name__}: {type(e).__name__}: {e}", flush=True)
            return False
        finally:
            os.chdir("/")


def main():
    why = gpus.why_not()
    if why:
        print(f"skipped: {why}")
        return 77
    chosen = [t for t in TESTS if not sys.argv[1:] or t.__name__ in sys.argv[1:]]
    if len(chosen) > 1:
        failed = len(pool.run([t.__name__ for t in chosen], 4))
    else:
        failed = sum(not one(t) for t in chosen)
    print(f"{len(chosen)} tests, {failed} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
