#!/usr/bin/env python3
"""Preflight and retries of `rocsteady run`, each case a function below.

usage: heal.py [NAME...]      with ROCSTEADY, the built program, and ROCSTEADY_SOURCE

Small jobs print the real error texts under the real conditions, on recorded
machines. Nothing is healed by luck: a job succeeds only with the one setting.
"""
import fcntl
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import gpus  # noqa: E402
import pool  # noqa: E402

PROGRAM = os.environ["ROCSTEADY"]
SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
MACHINES = SOURCE / "tests/machines"
TWO_CARDS = "rx7900xt-x2-ubuntu2204-rocm62-torch251"
WITH_IGPU = "rx7900xtx-ubuntu2404-rocm64-old-extension"
NO_GPU = "nogpu-debian12-k61-guest"
UNCOVERED = "rx6600-debian12-k61-torch291"
CASES = []

NO_KERNEL = "RuntimeError: HIP error: no kernel image is available for execution on the device"
LT = "RuntimeError: CUDA error: HIPBLAS_STATUS_NOT_SUPPORTED when calling `hipblasLtMatmulAlgoGetHeuristic`"
HANDLE = "RuntimeError: CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `hipblasCreate(handle)`"
HARD = "RuntimeError: Attempting to use hipBLASLt on a unsupported architecture!"
OOM = ("torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 19.98 GiB "
       "of which {free} is free. Of the allocated memory 12.50 GiB is allocated by PyTorch, and {held} is reserved by "
       "PyTorch but unallocated.")
BUG = "ValueError: not enough values to unpack (expected 2, got 1)"


def case(function):
    CASES.append(function)
    return function


def job(error, good="False"):
    """A training that gets on only where the Python expression `good` holds; it counts its starts."""
    text = f"""
import os, sys
with open("starts", "a") as f:
    f.write(" ".join(sys.argv[1:]) + "\\n")
for batch in range(1, 4):
    print(f"Epoch 1/3 Batch {{batch}}/192 loss 0.69", flush=True)
    if batch == 3 and not ({good}):
        print({error!r}, file=sys.stderr)
        sys.exit(3)
print("model saved")
"""
    pathlib.Path("job.py").write_text(text)
    return [sys.executable, "job.py"]


def run(words, *options, machine=TWO_CARDS, env=None, **more):
    more.setdefault("timeout", 300)
    started = time.monotonic()
    done = subprocess.run([PROGRAM, "run", "--dir", "d", "--from", machine_file(machine), *options, "--", *words],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**clean(), **(env or {})}, **more)
    done.seconds = time.monotonic() - started
    return done


def clean():
    gone = ("HIP_", "HSA_", "ROCR_", "CUDA_", "PYTORCH_", "TORCH_", "GPU_", "ROCBLAS_", "ROCSTEADY_M", "PYTHONPATH")
    return {k: v for k, v in os.environ.items() if not k.startswith(gone)}


def machine_file(name):
    return str(name) if "/" in str(name) else str(MACHINES / f"{name}.snap")


def edited(machine, *lines):
    path = pathlib.Path("machine.snap").absolute()
    path.write_text((MACHINES / f"{machine}.snap").read_text() + "".join(line + "\n" for line in lines))
    return path


def with_torch(version, hip):
    return edited(TWO_CARDS, "ask packages /home/ada/venv/lib/python3.10/site-packages",
                  f"\tpackage torch {version} torch-{version}.dist-info", f"\tbuild torch __version__ {version}",
                  f"\tbuild torch hip {hip}", "\tlibrary torch torch/lib/libtorch_hip.so")


def starts():
    path = pathlib.Path("starts")
    return path.read_text().splitlines() if path.exists() else []


def journal(number=1):
    """The journal's bytes: records are readable text."""
    return pathlib.Path("d/journal" if number == 1 else f"d/journal-{number}").read_bytes().decode(errors="replace")


def healed(done, attempts, setting):
    assert done.returncode == 0, done.stderr
    assert "model saved" in done.stdout
    assert len(starts()) == attempts, starts()
    assert setting in done.stderr and "source: " in done.stderr, done.stderr
    if attempts > 1:
        assert f"done in {attempts} attempts" in done.stderr, done.stderr
        assert "outcome again" in journal(1)
        assert "outcome healed" in journal(attempts)
        assert "why " in journal(attempts) and "set " in journal(attempts)


def ended(done, word, *says):
    assert done.returncode == 3, (done.returncode, done.stderr)
    assert len(starts()) == 1, starts()
    assert f"outcome {word}" in journal(), done.stderr
    for text in says:
        assert text in done.stderr, (text, done.stderr)


# ---- healed ----

@case
def a_gpu_without_code_is_hidden_before_the_start():
    healed(run(job(NO_KERNEL, "os.environ.get('HIP_VISIBLE_DEVICES') == '0'"), "--heal", machine=WITH_IGPU),
           1, "HIP_VISIBLE_DEVICES=0 set: torch 2.9.1+rocm6.4 has no code for gfx1036")
    assert "set HIP_VISIBLE_DEVICES 0 hide-uncovered-gpus" in journal()


@case
def a_second_card_without_code_is_hidden_when_the_job_has_failed():
    """No finding before the start: a job that chooses the first card works."""
    text = (MACHINES / f"{TWO_CARDS}.snap").read_text()
    first, second, rest = text.split("gfx_target_version 110000")
    pathlib.Path("machine.snap").write_text(f"{first}gfx_target_version 110000{second}gfx_target_version 100100{rest}")
    healed(run(job(NO_KERNEL, "os.environ.get('HIP_VISIBLE_DEVICES') == '0'"), "--heal", "--attempts", "3",
               machine=pathlib.Path("machine.snap").absolute()),
           2, "attempt 2 with HIP_VISIBLE_DEVICES=0: torch 2.5.1+rocm6.2 has no code for gfx1010, device 1")


@case
def without_heal_nothing_is_set_and_nothing_runs_twice():
    done = run(job(NO_KERNEL, "os.environ.get('HIP_VISIBLE_DEVICES') == '0'"), machine=WITH_IGPU)
    assert done.returncode == 3 and len(starts()) == 1, done.stderr
    assert "HIP_VISIBLE_DEVICES=" not in done.stderr
    assert not os.path.exists("d/journal-2")


@case
def hipblaslt_is_left_where_the_version_reads_the_preference():
    healed(run(job(LT, "os.environ.get('TORCH_BLAS_PREFER_HIPBLASLT') == '0'"), "--heal", "--attempts", "3"),
           2, "attempt 2 with TORCH_BLAS_PREFER_HIPBLASLT=0")


@case
def blocks_that_grow_where_the_build_has_them():
    healed(run(job(OOM.format(free="1.20 GiB", held="6.00 GiB"),
                   "os.environ.get('PYTORCH_ALLOC_CONF') == 'expandable_segments:True'"),
               "--heal", "--attempts", "3", machine=with_torch("2.12.1+rocm7.2", "7.2.26015")),
           2, "attempt 2 with PYTORCH_ALLOC_CONF=expandable_segments:True: 6.00 GiB are reserved and unused")


@case
def a_share_of_the_memory_leaves_room_for_a_handle():
    pathlib.Path("torch").mkdir()
    pathlib.Path("torch/__init__.py").write_text("""
class cuda:
    limits = {}
    def device_count(): return 2
    def set_per_process_memory_fraction(fraction, device): cuda.limits[device] = fraction
    def _lazy_call(call): call()
""")
    pathlib.Path("site").mkdir()
    pathlib.Path("site/sitecustomize.py").write_text("import os\nos.environ['OTHER_HOOK'] = 'ran'\n")
    words = job(HANDLE, "__import__('torch').cuda.limits == {0: 0.94, 1: 0.94} and os.environ['OTHER_HOOK'] == 'ran'")
    healed(run(words, "--heal", "--attempts", "2", env={"PYTHONPATH": os.path.abspath("site")}),
           2, "attempt 2 with ROCSTEADY_MEMORY_FRACTION=0.94")


# ---- what has changed meanwhile ----

def unpacked():
    subprocess.run([PROGRAM, "snapshot", "--from", machine_file(TWO_CARDS), "--unpack", "tree"], check=True, capture_output=True)
    cards = sorted(pathlib.Path("tree/sys/devices").rglob("mem_info_vram_used"))
    assert len(cards) == 2, cards
    return [card.parent.absolute() for card in cards]


def on_tree(change, good):
    """The machine is a directory, which the job changes before it fails."""
    words = job(HANDLE, good)
    path = pathlib.Path("job.py")
    path.write_text(path.read_text().replace("for batch", change + "\nfor batch", 1))
    line = [PROGRAM, "run", "--dir", "d", "--root", "tree", "--heal", "--attempts", "2", "--", *words]
    started = time.monotonic()
    done = subprocess.run(line, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=clean(), timeout=300)
    done.seconds = time.monotonic() - started
    return done


@case
def memory_that_others_took_meanwhile_counts():
    cards = unpacked()
    done = on_tree(f"open({str(cards[0] / 'mem_info_vram_used')!r}, 'w').write(str(6 << 30))",
                   "os.environ.get('ROCSTEADY_MEMORY_FRACTION') == '0.64'")
    healed(done, 2, "attempt 2 with ROCSTEADY_MEMORY_FRACTION=0.64")
    assert "14320 MiB are free without the job" in done.stderr, done.stderr
    assert "looked-again" in journal(1), journal(1)[-400:]


@case
def a_card_that_is_gone_meanwhile_is_not_counted_with():
    """The first card is fuller, and falls off the bus and out of KFD when the job fails."""
    cards = unpacked()
    (cards[1] / "mem_info_vram_used").write_text(f"{6 << 30}\n")
    node = max(pathlib.Path("tree/sys/devices").rglob("topology/nodes/*"))
    links = [str(p.absolute()) for p in pathlib.Path("tree/sys/bus/pci/devices").iterdir() if p.name == cards[1].name]
    assert links, list(pathlib.Path("tree/sys/bus/pci/devices").iterdir())
    done = on_tree(f"import shutil; shutil.rmtree({str(node.absolute())!r}, True); [os.remove(p) for p in {links!r} if os.path.lexists(p)]",
                   "os.environ.get('ROCSTEADY_MEMORY_FRACTION') == '0.94'")
    healed(done, 2, "attempt 2 with ROCSTEADY_MEMORY_FRACTION=0.94")


@case
def a_machine_that_does_not_answer_any_more_holds_nobody_up():
    """What was known before the start counts then."""
    if os.getuid() != 0:
        return "not tried: FUSE needs root"
    cards = unpacked()
    deaf = []

    def mount():
        while not starts():
            time.sleep(0.02)
        deaf.append(gpus.Deaf(cards[0]))
        pathlib.Path("deaf").touch()

    thread = threading.Thread(target=mount)
    thread.start()
    try:
        done = on_tree("import time\nwhile not os.path.exists('deaf'): time.sleep(0.05)",
                       "os.environ.get('ROCSTEADY_MEMORY_FRACTION') == '0.94'")
        if not deaf[0].works:
            return "not tried: no FUSE here"
        healed(done, 2, "attempt 2 with ROCSTEADY_MEMORY_FRACTION=0.94")
        assert "not-looked-again" in journal(1) and deaf[0].asked() > 0, journal(1)[-400:]
        assert done.seconds < 100, done.seconds
    finally:
        thread.join()
        deaf[0].end()


@case
def a_wrong_override_is_taken_away():
    healed(run(job(NO_KERNEL, "'HSA_OVERRIDE_GFX_VERSION' not in os.environ"), "--heal",
               env={"HSA_OVERRIDE_GFX_VERSION": "10.3.0"}),
           1, "HSA_OVERRIDE_GFX_VERSION unset: 10.3.0 selects another GPU")


@case
def a_number_without_a_gpu_is_taken_away():
    healed(run(job("RuntimeError: No HIP GPUs are available", "'HIP_VISIBLE_DEVICES' not in os.environ"), "--heal",
               env={"HIP_VISIBLE_DEVICES": "7"}), 1, "HIP_VISIBLE_DEVICES unset: 7 is not a GPU")


@case
def the_processor_comes_last_and_only_if_it_may():
    words = job(NO_KERNEL, "os.environ.get('HIP_VISIBLE_DEVICES') == '-1'")
    healed(run(words, "--heal", "--attempts", "3", "--allow-cpu", machine=UNCOVERED), 2,
           "attempt 2 with HIP_VISIBLE_DEVICES=-1")


@case
def resume_is_added_from_the_second_attempt_on():
    run(job(LT, "os.environ.get('TORCH_BLAS_PREFER_HIPBLASLT') == '0'"), "--heal", "--attempts", "2",
        "--resume", "--resume 'last one.pt'")
    assert starts() == ["", "--resume last one.pt"], starts()
    assert "resume " in journal(2)


# ---- ended at once ----

@case
def a_true_lack_of_memory():
    ended(run(job(OOM.format(free="20.00 MiB", held="30.00 MiB")), "--heal", "--attempts", "3"), "no-lever",
          "vram-exhausted", "2.00 GiB", "19.98 GiB", "no known setting helps", "rocsteady kb show vram-exhausted")


@case
def fragments_in_a_build_that_cannot_grow_blocks():
    ended(run(job(OOM.format(free="1.20 GiB", held="6.00 GiB")), "--heal", "--attempts", "3"), "no-lever",
          "allocator-fragmentation")


@case
def the_hard_error_of_october_2024():
    ended(run(job(HARD), "--heal", "--attempts", "3", machine=with_torch("2.6.0.dev20241015+rocm6.2", "6.2.41133")),
          "no-lever", "hipBLASLt")


@case
def hipblaslt_in_a_version_that_does_not_read_the_preference():
    ended(run(job(LT), "--heal", "--attempts", "3", machine=with_torch("2.9.1+rocm6.4", "6.4.43484")), "no-lever")


@case
def a_wheel_without_this_gpu():
    ended(run(job(NO_KERNEL), "--heal", "--attempts", "3", machine=UNCOVERED), "no-lever",
          "torch 2.9.1+rocm6.4 has no code for gfx1032", "framework-lacks-arch")


@case
def a_bug_of_the_user():
    ended(run(job("Traceback (most recent call last):\n" + BUG), "--heal", "--attempts", "3"), "no-lever")


@case
def what_the_kernel_killed_before_is_not_this_job():
    oom = "Out of memory: Killed process 41172 (python3) total-vm:98566144kB, anon-rss:61000000kB"
    machine = edited("rx7900xtx-ubuntu2404-rocm64-reset", "ask kernel-log", f"\t. - 182742000000 3 {oom}")
    done = run(["sh", "-c", "echo 'Error: llama runner process has terminated: signal: killed'; exit 1"], machine=machine)
    assert "certain: " not in done.stderr and "41172" not in done.stderr, done.stderr


@case
def the_same_failure_at_the_same_place():
    done = run(job(HANDLE), "--heal", "--attempts", "5")
    assert done.returncode == 3 and len(starts()) == 2, done.stderr
    assert "the same failure at the same place" in done.stderr, done.stderr
    assert "outcome same-place" in journal(2)


@case
def attempts_are_counted():
    done = run(job(LT, "os.environ.get('TORCH_BLAS_PREFER_HIPBLASLT') == '0'"), "--heal")
    assert done.returncode == 3 and len(starts()) == 1, done.stderr
    assert "not tried: TORCH_BLAS_PREFER_HIPBLASLT=0 (--attempts 2)" in done.stderr, done.stderr


@case
def a_signal_of_the_user_ends_it():
    words = ["sh", "-c", f"echo x >>starts; echo '{NO_KERNEL}' >&2; sleep 1000"]
    p = subprocess.Popen([PROGRAM, "run", "--dir", "d", "--heal", "--attempts", "3", "--allow-cpu", "--from",
                          machine_file(UNCOVERED), "--", *words], stderr=subprocess.PIPE, env=clean())
    while not starts():
        time.sleep(0.02)
    p.send_signal(signal.SIGTERM)
    p.communicate(timeout=120)
    assert p.returncode == -signal.SIGTERM and len(starts()) == 1, (p.returncode, starts())


@case
def an_end_that_was_asked_for_is_not_healed():
    """The job answers with a failure that a workaround would heal; nobody wants it again."""
    words = [sys.executable, "-c", f"""
import os, signal, sys, time
def end(*_):
    os.write(2, b{LT!r} + b"\\n")
    os._exit(3)
signal.signal(signal.SIGTERM, end)
open("starts", "a").write("x\\n")
time.sleep(1000)
"""]
    p = subprocess.Popen([PROGRAM, "run", "--dir", "d", "--heal", "--attempts", "3", "--from", machine_file(TWO_CARDS),
                          "--", *words], stderr=subprocess.PIPE, text=True, env=clean())
    while not starts():
        time.sleep(0.02)
    p.send_signal(signal.SIGTERM)
    _, err = p.communicate(timeout=120)
    assert p.returncode == 3 and len(starts()) == 1, (p.returncode, starts())
    assert "outcome ended" in journal() and "rocsteady run --report d" in err, err


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, *words):
        self.master, self.slave = pty.openpty()
        self.before, self.seen = termios.tcgetattr(self.slave), b""

        def child():
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen([PROGRAM, "run", "--dir", "d", *words], stdin=self.slave, stdout=self.slave,
                                        stderr=self.slave, preexec_fn=child, env=clean())

    def read(self):
        if select.select([self.master], [], [], 0.1)[0]:
            self.seen += os.read(self.master, 65536)
            return True
        return False

    def type_when(self, is_time, keys):
        """And then to the end."""
        typed, until = False, time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < until:
            self.read()
            if not typed and is_time(self.seen):
                typed = os.write(self.master, keys) > 0
        self.process.kill()
        while self.read():
            pass
        assert termios.tcgetattr(self.slave) == self.before
        os.close(self.master)
        os.close(self.slave)
        return self.process.returncode


@case
def a_key_of_the_user_ends_it():
    script = f"""
import sys, time
open("starts", "a").write("x\\n")
try:
    print("ready", flush=True)
    while True: # a key that comes just before a sleep is seen after it
        time.sleep(0.05)
except KeyboardInterrupt:
    print()
    print({LT!r})
    sys.exit(3)
"""
    t = Terminal("--heal", "--attempts", "3", "--from", machine_file(TWO_CARDS), "--", sys.executable, "-c", script)
    status = t.type_when(lambda seen: b"ready\r\n" in seen, b"\x03")
    assert status == 3 and len(starts()) == 1, (status, t.seen)
    assert "outcome ended" in journal() and b"--report d" in t.seen, t.seen


@case
def a_second_attempt_on_a_terminal():
    """The job has a terminal both times, keys reach it, and ours is as it was."""
    words = job(LT, "os.environ.get('TORCH_BLAS_PREFER_HIPBLASLT') == '0' and os.isatty(0) and os.isatty(1) and input() == 'go on'")
    t = Terminal("--heal", "--attempts", "2", "--from", machine_file(TWO_CARDS), "--", *words)
    status = t.type_when(lambda seen: seen.count(b"Batch 3/192") == 2, b"go on\n")
    assert status == 0 and b"model saved" in t.seen and b"done in 2 attempts" in t.seen, (status, t.seen)


@case
def without_a_watcher_nothing_is_tried_again():
    words = ["sh", "-c", f"echo x >>starts; sleep 1; echo '{LT}' >&2; exit 3"]
    p = subprocess.Popen([PROGRAM, "run", "--dir", "d", "--heal", "--attempts", "3", "--from", machine_file(TWO_CARDS),
                          "--", *words], stderr=subprocess.PIPE, env=clean())
    while not starts():
        time.sleep(0.02)
    for pid in pathlib.Path(f"/proc/{p.pid}/task/{p.pid}/children").read_text().split():
        if pathlib.Path(f"/proc/{pid}/comm").read_text().startswith("rocsteady-watc"):
            os.kill(int(pid), signal.SIGKILL)
    p.communicate(timeout=120)
    assert p.returncode == 3 and len(starts()) == 1, (p.returncode, starts())


@case
def a_child_from_before_is_not_the_jobs():
    done = subprocess.run(["sh", "-c", f"sleep 1000 & echo $! >pid; exec {PROGRAM} run --dir d --no-preflight -- true"],
                          stdin=subprocess.DEVNULL, timeout=120)
    pid = int(pathlib.Path("pid").read_text())
    os.kill(pid, signal.SIGKILL)  # it lives
    assert done.returncode == 0 and "left-behind" not in journal() and "terminated" not in journal()


def told():
    return " ".join(subprocess.run([PROGRAM, "run", "--report", "d"], capture_output=True, text=True, check=True).stdout.split())


@case
def a_workaround_that_was_not_allowed_is_told_afterwards():
    run(job(LT, "os.environ.get('TORCH_BLAS_PREFER_HIPBLASLT') == '0'"))
    assert len(starts()) == 1 and "rocsteady run --heal --attempts 2 -- ..." in told(), told()


@case
def a_workaround_is_the_first_help():
    run(job(HANDLE))
    assert "Do this Leave VRAM headroom: PyTorch's allocator does not see all usage: rocsteady run --heal" in told(), told()


@case
def what_was_tried_is_not_told_as_a_help():
    run(job(HANDLE), "--heal", "--attempts", "2")
    assert len(starts()) == 2 and "Do this" in told() and "Leave VRAM headroom" not in told(), told()


@case
def what_check_finds_too_is_told_with_fix():
    run(job(NO_KERNEL), machine=UNCOVERED)
    assert "rocsteady fix " in told(), told()


# ---- before the start ----

@case
def a_healthy_machine_is_not_spoken_of():
    done = run(["true"])
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@case
def what_is_acknowledged_is_not_told():
    pathlib.Path("ack").mkdir()
    pathlib.Path("ack/site.conf").write_text("framework-lacks-arch * until 2099-12-31 by ada: the card goes\n"
                                             "no-such-cause - until 2099-12-31 by ada: a mistake\n")
    for options in ((), ("--strict",), ("--strict", "--heal")):
        done = run(["true"], "--ack", "ack", *options, machine=UNCOVERED)
        assert done.returncode == 0, (options, done.stderr)
        assert "framework-lacks-arch" not in done.stderr, (options, done.stderr)
        assert done.stderr.count("no such cause: no-such-cause") == 1, (options, done.stderr)
    assert "has no code for gfx1032" in run(["true"], machine=UNCOVERED).stderr


@case
def strict_refuses_with_the_reason():
    done = run(job(NO_KERNEL, "True"), "--strict", machine=UNCOVERED)
    assert done.returncode == 125 and not starts(), done
    assert "torch 2.9.1+rocm6.4 has no code for gfx1032" in done.stderr and "--strict" in done.stderr
    done = run(job(NO_KERNEL, "True"), "--strict")
    assert done.returncode == 0, done.stderr


@case
def no_gpu_is_told_only_of_a_job_that_fails():
    sentence = "No AMD GPU on the PCI bus (no-gpu)"
    done = run(["true"], machine=NO_GPU)
    assert (done.returncode, done.stderr) == (0, ""), done
    done = run(["false"], machine=NO_GPU)
    assert done.returncode == 1 and sentence in done.stderr, done
    done = run(["true"], "--strict", machine=NO_GPU)
    assert done.returncode == 125 and sentence in done.stderr, done
    done = run(["false"], "--expect", "gpus=0", machine=NO_GPU)
    assert done.returncode == 1 and sentence not in done.stderr, done
    done = run(["true"], "--strict", "--expect", "gpus=0", machine=NO_GPU)
    assert (done.returncode, done.stderr) == (0, ""), done


@case
def useless_variables_are_named():
    done = run(["true"], env={"HIP_DB": "1"})
    assert done.returncode == 0 and "No program reads HIP_DB" in done.stderr, done.stderr
    assert "harmful HIP_DB 1" in journal()


@case
def a_missing_py_spy_is_named_before_the_night():
    os.mkdir("bin")
    os.symlink("/bin/true", "bin/python9")
    says = "py-spy is not installed"
    bare = {"PATH": os.path.abspath("bin")}
    assert says in run(["python9"], "--on-hang", "dump", env=bare).stderr
    shutil.rmtree("d")
    assert says not in run(["python9"], env=bare).stderr  # nobody asked about hangs
    shutil.rmtree("d")
    assert says not in run(["/bin/true"], "--on-hang", "dump", env=bare).stderr
    shutil.rmtree("d")
    os.symlink("/bin/true", "bin/py-spy")
    os.chmod("bin", 0o755)
    assert says not in run(["python9"], "--on-hang", "dump", env=bare).stderr


@case
def three_lines_at_most():
    done = run(["true"], env={"HIP_DB": "1", "HIP_ALLOC_CONF": "x", "PYTORCH_MAX_SPLIT_SIZE_MB": "1",
                              "HSA_OVERRIDE_GFX_VERSION": "10.3.0"})
    assert len(done.stderr.splitlines()) == 3, done.stderr


@case
def no_preflight_looks_at_nothing():
    done = run(["true"], "--no-preflight", env={"HIP_DB": "1"})
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@case
def options_that_do_not_go_together():
    for options in (["--attempts", "2"], ["--heal", "--attempts", "0"], ["--heal", "--attempts", "x"], ["--allow-cpu"],
                    ["--heal", "--no-preflight"], ["--strict", "--no-preflight"], ["--heal", "--resume", "'a"]):
        done = run(["true"], *options)
        assert done.returncode == 125, (options, done.returncode)


def one(c):
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        try:
            said = c()
            print("passed ", c.__name__, said or "", flush=True)
            return True
        except Exception as error:
            print(f"FAILED  {c.__name__}: {type(error).__name__}: {error}", flush=True)
            return False
        finally:
            os.chdir("/")


def main():
    wanted = [c for c in CASES if not sys.argv[1:] or c.__name__ in sys.argv[1:]]
    if len(wanted) > 1:
        failed = pool.run([c.__name__ for c in wanted], 3)
    else:
        failed = [c.__name__ for c in wanted if not one(c)]
    print(f"{len(wanted)} cases, {len(failed)} failed", *failed)
    return 1 if failed or not wanted else 0


sys.exit(main())
