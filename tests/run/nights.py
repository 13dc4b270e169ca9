#!/usr/bin/env python3
"""Nights that fail, with a real PyTorch: what `rocsteady run` says in the morning.

usage: nights.py [--list] [--all] [--keep DIR] [--png] [--stretch N] [NAME...]      with ROCSTEADY, the built program

Each night is a small training on the CPU (tests/samples/torch_tree.py) that fails in its own way. Its
report has to name the reason in the first sentence and a step that helps; the numbers in it are held
against what the training did. --keep leaves the runs in DIR, --png makes a picture of each page there
(chromium), --stretch makes each pause of a training, and what counts as a standstill, N times longer: minutes in the
place of seconds. Without names only those of some seconds are tried. A night that this machine cannot have (no control group to write into) is skipped.

The exit status is 77 where there is no PyTorch.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ.get("ROCSTEADY_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
sys.path.insert(0, str(SOURCE / "tests/samples"))
import torch_tree  # noqa: E402

PROGRAM = os.environ["ROCSTEADY"]
NIGHTS = []
STRETCH = float(os.environ.get("NIGHTS_STRETCH", 1))
SHORT = ["oom_killer", "by_hand", "not_a_number"]

BEGIN = """
import os, sys, threading, time
import torch
pause = time.sleep
time.sleep = lambda seconds: pause(seconds * float(os.environ.get("NIGHTS_STRETCH", 1)))
torch.set_num_threads(1)
torch.manual_seed(1)
STEPS = 2000
model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=float(os.environ.get("LR", "0.01")))

def batch(n=64):
    x = torch.randn(n, 64)
    return x, x.sum(dim=1, keepdim=True)

def step(x, y):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss

def tell(number, loss):
    print(f"step {number}/{STEPS} loss {float(loss):.4f}", flush=True)
"""


class Skip(Exception):
    """This machine cannot have that night."""


def night(function):
    NIGHTS.append(function)
    return function


class Night:
    """One run: its report as text, and what stood on the terminal."""

    def __init__(self, place, text, options=(), command=None, during=None, before=None, variables=None):
        self.place = place
        place.mkdir(parents=True, exist_ok=True)
        (place / "train.py").write_text(BEGIN + text)
        words = [PROGRAM, "run", *([] if "--heal" in options else ["--no-preflight"]), "--dir", "run", *options, "--",
                 *(command or [str(TREE / "python"), "train.py"])]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment.update(OMP_NUM_THREADS="1", **(variables or {}))
        with open(place / "out", "wb") as out, open(place / "err", "wb") as err:
            job = subprocess.Popen(words, cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   preexec_fn=before)
            if during:
                during(self, job)
            self.status = job.wait(timeout=600 * STRETCH)
        self.out, self.err = (place / "out").read_text("utf-8", "replace"), (place / "err").read_text("utf-8", "replace")
        self.report = subprocess.run([PROGRAM, "run", "--report", "run"], cwd=place, capture_output=True, text=True, timeout=60).stdout
        self.sentence = " ".join(self.report.split("\n   " + words[-2][:5])[0].split("\n\n")[0].split())
        self.words = " ".join(self.report.split())

    def wait_for(self, words, seconds=120):
        until = time.monotonic() + seconds * STRETCH
        while words not in (self.place / "out").read_text("utf-8", "replace"):
            must(time.monotonic() < until, f"{words!r} did not come")
            time.sleep(0.1)


def must(good, what):
    if not good:
        raise AssertionError(what)


def says(of, *patterns):
    for text, pattern in patterns:
        must(re.search(pattern, getattr(of, text)), f"{pattern!r} is not in the {text}:\n{of.report}\n{of.err}")


def process_below(pid, word):
    """The newest process below one whose command has a word."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for child in children:
        found = process_below(child, word)
        if found:
            return found
    command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return int(pid) if word in command and " run " not in command else None


# ---- ends ----

@night
def growth(place):
    """A list keeps every loss with its graph until an allocation fails."""
    n = Night(place, """
import resource
limit = int(open("/proc/self/statm").read().split()[0]) * 4096 + (700 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
kept = []
for number in range(1, STEPS + 1):
    x = torch.randn(4096, 512)
    loss = (torch.nn.functional.relu(x @ torch.ones(512, 512, requires_grad=True)) ** 2).mean()
    kept.append(loss)
    tell(number, loss)
    time.sleep(0.5)
""")
    says(n, ("words", r"Host memory of the job grew [1-4]\d\.\d MiB a step: from \d+ MiB at step \d+ to \d+ MiB at step \d+"),
         ("words", r"add loss\.item\(\) to sums and lists"), ("words", r"can't allocate memory"),
         ("sentence", r"exit code 1 after .* at step \d+ of 2000: .*; its host memory grew [1-4]\d\.\d MiB a step"))


@night
def starvation(place):
    """One slow worker of a data loader: the training waits, until its time is over."""
    def end(self, job):
        self.wait_for("step 22/")
        job.send_signal(signal.SIGTERM)

    n = Night(place, """
class Slow(torch.utils.data.Dataset):
    def __len__(self):
        return STEPS
    def __getitem__(self, i):
        time.sleep(1)
        x, y = batch(1)
        return x[0], y[0]

if __name__ == "__main__":
    for number, (x, y) in enumerate(torch.utils.data.DataLoader(Slow(), batch_size=1, num_workers=1), 1):
        tell(number, step(x, y))
""", during=end)
    says(n, ("sentence", rf"SIGTERM, and had waited most of the time: it used 0\.[01]\d CPU cores at ({int(STRETCH) - 1}\.9|{int(STRETCH)})\.?\d* (s a step|steps a second)"),
         ("words", r"num_workers"))


@night
def oom_killer(place):
    """A control group that is too small."""
    group = make_group(400 << 20)
    try:
        n = Night(place, """
kept = []
for number in range(1, STEPS + 1):
    kept.append(torch.ones(4 << 20))  # 16 MiB
    tell(number, step(*batch()))
    time.sleep(0.3)
""", before=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
    finally:
        drop_group(group)
    says(n, ("sentence", r"Killed by SIGKILL after .* at step \d+ of 2000: the kernel's OOM killer ended it: its control group used \d+ MiB of the 400 MiB"),
         ("words", r"fewer workers of the data loader"))
    must(n.status == -signal.SIGKILL, n.status)


@night
def by_hand(place):
    """kill -9 by somebody, while there is room."""
    def kill(self, job):
        self.wait_for("step 12/")
        os.kill(process_below(job.pid, "train.py"), signal.SIGKILL)

    n = Night(place, """
for number in range(1, STEPS + 1):
    tell(number, step(*batch()))
    time.sleep(0.3)
""", during=kill)
    says(n, ("sentence", r"Killed by SIGKILL after .* at step 1\d of 2000: SIGKILL came from a program or a person and not from the kernel's OOM killer"),
         ("words", r"docker events"))


@night
def not_a_number(place):
    """A learning rate that is too large; the program notices some steps later."""
    n = Night(place, """
for number in range(1, STEPS + 1):
    loss = step(*batch())
    tell(number, loss)
    time.sleep(0.05)
    if number > 30 and not torch.isfinite(loss):
        sys.exit("stopping: the loss is no number")
""", variables={"LR": "0.4"})
    first = re.search(r"step (\d+)/2000 loss (nan|inf)", n.out)
    must(first, n.out[-500:])
    says(n, ("words", rf"[Tt]he loss became (NaN|infinite) at step {first[1]}|The loss is (NaN|infinite) since step {first[1]}"),
         ("words", rf"Go on from a checkpoint before step {first[1]}"))


# ---- standstills ----

HANG = ("--on-hang", "end", "--hang-after", str(int(3 * STRETCH)))
STEPS_BEFORE = """
for number in range(1, 11):
    tell(number, step(*batch()))
    time.sleep(0.1)
"""


@night
def deadlock(place):
    """Two threads take two locks in the other order."""
    n = Night(place, STEPS_BEFORE + """
one, two = threading.Lock(), threading.Lock()
def log_metrics():
    with two:
        time.sleep(0.5)
        with one:
            pass
thread = threading.Thread(target=log_metrics)
thread.start()
with one:
    time.sleep(0.5)
    with two:
        pass
""", options=HANG)
    says(n, ("sentence", r"Hung and was stopped after .* at step 10 of 2000: (two threads wait for each other|it waits for a lock)"),
         ("words", r"the thread that holds the lock is among the other stacks|where each thread stands"))
    python_or_reason(n, "log_metrics")


@night
def loader(place):
    """A worker of the data loader that never answers."""
    n = Night(place, """
class Stuck(torch.utils.data.Dataset):
    def __len__(self):
        return STEPS
    def __getitem__(self, i):
        if i >= 10:
            os.read(os.pipe()[0], 1)
        x, y = batch(1)
        return x[0], y[0]

if __name__ == "__main__":
    for number, (x, y) in enumerate(torch.utils.data.DataLoader(Stuck(), batch_size=1, num_workers=1), 1):
        tell(number, step(x, y))
""", options=HANG)
    says(n, ("sentence", r"Hung and was stopped after .* at step \d+ of 2000: "))
    python_or_reason(n, "_try_get_data", "it waits for data")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@night
def collective(place):
    """A rank that does not come to an all_reduce of gloo."""
    n = Night(place, """
import torch.distributed as dist
dist.init_process_group("gloo")
for number in range(1, STEPS + 1):
    loss = step(*batch())
    if number == 10 and dist.get_rank() == 1:
        time.sleep(600)
    dist.all_reduce(loss.detach())
    if dist.get_rank() == 0:
        tell(number, loss)
    time.sleep(0.1)
""", options=HANG, command=[str(TREE / "torchrun"), "--nproc_per_node", "2", "--master_port", str(free_port()), "train.py"])
    says(n, ("sentence", r"Hung and was stopped after .* at step 9 of 2000: (it waits for another rank|its ranks stand still)"), ("words", r"NCCL_DEBUG=INFO"))


@night
def spins(place):
    """A compile, or anything, that computes and never ends: one line, and the stacks."""
    def end(self, job):
        until = time.monotonic() + 120
        while "no progress for" not in (self.place / "err").read_text():
            must(time.monotonic() < until, "no line came")
            time.sleep(0.3)
        time.sleep(3)
        job.send_signal(signal.SIGTERM)

    n = Night(place, STEPS_BEFORE + """
def lower_the_graph():
    while True:
        torch.ones(8).sum()
lower_the_graph()
""", options=("--hang-after", "2"), during=end)
    must(n.err.count("no progress for") == 1, n.err)
    says(n, ("err", r"no progress for 2\d s .*slow: the job uses the CPU; it computes on the CPU, or runs in circles; stacks: run/hang-1\.txt"))
    python_or_reason(n, "lower_the_graph")


@night
def resumed(place):
    """Out of memory once; the second attempt goes on from the checkpoint that it finds."""
    n = Night(place, """
first, path = 1, "last.pt"
if "--resume" in sys.argv and os.path.exists(path):
    saved = torch.load(path)
    model.load_state_dict(saved["model"])
    first = saved["step"] + 1
    print(f"Resuming from checkpoint {path}, step {saved['step']}", flush=True)
for number in range(first, 41):
    tell(number, step(*batch()))
    time.sleep(0.2)
    if number % 10 == 0:
        torch.save({"step": number, "model": model.state_dict()}, path)
    if number == 27 and os.environ.get("TORCH_BLAS_PREFER_HIPBLASLT") != "0":
        raise RuntimeError("CUDA error: HIPBLAS_STATUS_NOT_SUPPORTED when calling `hipblasLtMatmulAlgoGetHeuristic`")
""", options=("--heal", "--attempts", "3", "--resume", "--resume last", "--from", str(SOURCE / "tests/machines/rx7900xt-x2-ubuntu2204-rocm62-torch251.snap")))
    must(n.status == 0, n.err)
    says(n, ("sentence", r"Healed: attempt 2 succeeded"), ("words", r"Failed with: RuntimeError: CUDA error: HIPBLAS_STATUS_NOT_SUPPORTED"),
         ("words", r"It had reached step 27 of 2000"), ("words", r"TORCH_BLAS_PREFER_HIPBLASLT=0"),
         ("words", r"It went on from: Resuming from checkpoint last\.pt, step 20"), ("words", r"Done again: 7 steps, from step 21 on, which had taken \d+ s"))


def python_or_reason(n, *frames):
    """The frames stand in the report; where py-spy cannot read that Python, its reason does."""
    if "No Python stacks" in n.words:
        must((shutil.which("py-spy") is None) == ("is not installed" in n.words), n.report)
        return
    for frame in frames:
        must(frame in n.words, f"{frame} is not in {n.report}")


# ---- control groups ----

def make_group(limit):
    """Of version 2 or 1, below our own. Skip: it cannot be written."""
    lines = dict(line.split(":", 2)[1:] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines())
    top, files = ("/sys/fs/cgroup/memory" + lines["memory"], ["memory.limit_in_bytes"]) if "memory" in lines else ("/sys/fs/cgroup" + lines.get("", "/"), ["memory.max"])
    group = pathlib.Path(top) / f"rocsteady-nights-{os.getpid()}"
    try:
        group.mkdir()
        (group / files[0]).write_text(str(limit))
        return group
    except OSError as error:
        if group.exists():
            drop_group(group)
        raise Skip(f"no control group can be made: {error}")


def drop_group(group):
    for _ in range(50):
        try:
            return group.rmdir()
        except OSError:
            time.sleep(0.1)


def picture(place):
    subprocess.run([PROGRAM, "run", "--report", "run", "--format", "html", "-o", "page.html", "--no-scrub"], cwd=place, check=True)
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--window-size=1280,2200",
                    f"--screenshot={place}/page.png", f"file://{place.resolve()}/page.html"], cwd=place, capture_output=True, timeout=120)


def main():
    global TREE
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--list", action="store_true")
    words.add_argument("--all", action="store_true")
    words.add_argument("--keep", type=pathlib.Path)
    words.add_argument("--png", action="store_true")
    words.add_argument("--stretch", default="1")
    words.add_argument("names", nargs="*")
    asked = words.parse_args()
    if asked.stretch != os.environ.get("NIGHTS_STRETCH", "1"):
        os.environ["NIGHTS_STRETCH"] = asked.stretch
        os.execv(sys.executable, [sys.executable, *sys.argv])
    if asked.list:
        print("\n".join(f"{n.__name__}\t{n.__doc__}" for n in NIGHTS))
        return 0
    TREE = torch_tree.find()
    if not TREE:
        print("no PyTorch: tools/samples/fetch --set torch")
        return 77
    top = asked.keep or pathlib.Path(tempfile.mkdtemp(prefix="rocsteady-nights-"))
    failed = skipped = 0
    names = asked.names or ([] if asked.all else SHORT)
    chosen = [n for n in NIGHTS if not names or n.__name__ in names]
    for one in chosen:
        place = top / one.__name__
        try:
            one(place)
            print(f"ok      {one.__name__}", flush=True)
        except Skip as reason:
            skipped += 1
            print(f"skipped {one.__name__}: {reason}", flush=True)
        except (AssertionError, subprocess.TimeoutExpired) as problem:
            failed += 1
            print(f"FAILED  {one.__name__}: {problem}", flush=True)
        if asked.png and (place / "run/journal").exists():
            picture(place)
    torch_tree.forget(TREE)
    if not asked.keep:
        shutil.rmtree(top, ignore_errors=True)
    print(f"{len(chosen) - failed - skipped} nights were told, {failed} not, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
