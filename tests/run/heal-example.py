#!/usr/bin/env python3
"""The training of examples/es-vpoc under `rocsteady run`: what is healed, what is not, and why.

usage: heal-example.py [--list] [NAME...]      with ROCSTEADY, the built program

The training is real, on a PyTorch for processors (tests/samples/torch_tree.py); only its GPUs are
made up, by shim/sitecustomize.py, and fail with the words of real ones. The machine that is judged
is a recorded one that has these GPUs and this torch.

Healed means: status 0, all epochs, the model and the losses of a run without a fault, and a journal
that has the change and its reason. Not healed means: one attempt, the true reason and its numbers.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ.get("ROCSTEADY_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
sys.path.insert(0, str(SOURCE / "tests/samples"))
import torch_tree

PROGRAM = os.environ["ROCSTEADY"]
EXAMPLE = SOURCE / "examples/es-vpoc"
SHIM = SOURCE / "tests/run/shim"
PAIR = "rx7900xt-x2-ubuntu2204-rocm62-torch251"
ATTEMPT, PREFLIGHT, HANG, END = 11, 9, 10, 5
TESTS = []


def test(function):
    TESTS.append(function)
    return function


# ---- running ----

class Run:
    """One run in a directory of its own."""

    def __init__(self, fault, machine, *options, script=EXAMPLE / "train.py", words=(), launcher=("python",), **variables):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix=f"{fault}.", dir=WORK))
        tool = [str(TREE / launcher[0]), *launcher[1:]]
        command = [PROGRAM, "run", "--dir", "run", *options]
        if machine:
            command += ["--from", str(SOURCE / "tests/machines" / f"{machine}.snap")]
        command += ["--", *tool, str(script), "--data", str(WORK / "bars.csv"), "--output", "out", *words]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HIP_", "ROCR_"))}
        environment.update(PYTHONPATH=str(SHIM), SHIM_FAULT=fault, SHIM_MARK=str(self.place / "mark"),
                           OMP_NUM_THREADS="1", **variables)
        done = subprocess.run(command, cwd=self.place, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=300)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.said = "\n".join(line for line in self.err.splitlines() if line.startswith("rocsteady: "))

    def journals(self):
        """The records of each attempt: [(kind, payload)]."""
        names = ["journal"] + [f"journal-{n}" for n in range(2, 10)]
        return [read_journal(self.place / "run" / name) for name in names if (self.place / "run" / name).exists()]

    def lines(self, attempt, *kinds):
        return [line for kind, text in self.journals()[attempt - 1] if kind in kinds for line in text.splitlines()]

    def report(self):
        done = subprocess.run([PROGRAM, "run", "--report", "run", "--verbose"], cwd=self.place, capture_output=True, text=True, timeout=300)
        must(done.returncode == 0, f"--report ended with {done.returncode}: {done.stderr}")
        return done.stdout


def read_journal(path):
    """As docs/design/0010-run.md tells; a record that is not whole ends it."""
    data = path.read_bytes()
    at = data.index(b"\n") + 1
    records = []
    while at + 24 <= len(data):
        size, kind = struct.unpack_from("<II", data, at)
        if kind == 0 or at + 24 + size > len(data):
            break
        records.append((kind, data[at + 24:at + 24 + size].decode("utf-8", "replace")))
        at += 24 + size
    return records


def must(good, what):
    if not good:
        raise AssertionError(what)


def has(text, *words):
    for word in words:
        must(word in text, f"{word!r} is not in:\n{text[-3000:]}")


def finished(run):
    """All epochs, and the losses of a training that nothing happened to."""
    must(run.status == 0, f"status {run.status}\n{run.said}\n{run.err[-2000:]}")
    must((run.place / "out/model.pt").stat().st_size > 1000, "no model.pt")
    about = json.loads((run.place / "out/metadata.json").read_text())
    must(about["epochs"] == 3 and about["losses"] == LOSSES, f"{about} instead of {LOSSES}")
    must("Epoch 3/3  Batch 192/192" in run.out, "no last batch")


def healed(run, attempts, *words, told=None):
    """In so many attempts, with these words in the journal of the last one, and the report tells the change."""
    finished(run)
    must(len(run.journals()) == attempts, f"{len(run.journals())} attempts\n{run.said}")
    lines = run.lines(attempts, ATTEMPT, PREFLIGHT)
    has("\n".join(lines), *words)
    must(any(line.startswith("outcome healed") for line in lines), "\n".join(lines))
    has(run.report(), told or words[0].split(" ")[1])


def ended(run, *words):
    """At once, and told why."""
    must(run.status not in (0, 125, 126, 127), f"status {run.status}\n{run.err[-2000:]}")
    must(len(run.journals()) == 1, f"{len(run.journals())} attempts\n{run.said}")
    must(not (run.place / "out/model.pt").exists(), "there is a model")
    has(run.said, *words)
    lines = run.lines(1, ATTEMPT)
    must(any(line.startswith("outcome no-lever") for line in lines), "\n".join(lines))
    run.report()


def heal(fault, machine, *options, **more):
    return Run(fault, machine, "--heal", "--attempts", "3", *options, **more)


# ---- healed ----

@test
def nothing_wrong():
    """Nothing is set, nothing said, one attempt."""
    run = heal("none", PAIR)
    finished(run)
    must(run.said == "" and len(run.journals()) == 1, run.said)


@test
def no_kernel_image():
    """Seen before the start: no attempt is lost on it."""
    run = heal("no-kernel-image", "rx7900xtx-gfx1036-ubuntu2404-rocm64-torch291")
    healed(run, 1, "set HIP_VISIBLE_DEVICES 0 hide-uncovered-gpus", "gfx1036")
    has(run.said, "HIP_VISIBLE_DEVICES=0", "gfx1036", "source: ")


@test
def hipblaslt():
    run = heal("hipblaslt", "rx9070xt-fedora42-k616-torch212-no-hipblaslt")
    healed(run, 2, "set TORCH_BLAS_PREFER_HIPBLASLT 0 no-hipblaslt", "why hipblaslt-unsupported-arch")


@test
def fragmentation():
    run = heal("fragmentation", "rx9070xt-fedora42-k616-torch212")
    healed(run, 2, "set PYTORCH_ALLOC_CONF expandable_segments:True", "why allocator-fragmentation", "5.90\\x20GiB")


@test
def alloc_failed():
    run = heal("alloc-failed", PAIR)
    healed(run, 2, "set ROCSTEADY_MEMORY_FRACTION 0.9", "why vram-exhausted")


@test
def hang():
    """In the second epoch: ended, and gone on with from the checkpoint."""
    run = heal("hang", PAIR, "--on-hang", "retry", "--hang-after", "15", "--resume=--resume", words=("--log_every", "2"))
    healed(run, 2, "resume --resume", told="every thread waits")
    has("\n".join(run.lines(1, HANG)), "hang ")
    has(run.out, "resumed behind batch")


# ---- not healed ----

@test
def fragmentation_of_an_older_release():
    """The option that its message advises is not supported by this build: nothing is tried."""
    ended(heal("fragmentation-old", PAIR), "allocator-fragmentation", "5.90 GiB", "2.00 GiB")


@test
def out_of_memory():
    run = heal("out-of-memory", PAIR)
    ended(run, "job-too-large", "2.50 GiB", "19.98 GiB", "131.00 MiB")
    has(run.out, "Batch 1/192")


@test
def nightly():
    ended(heal("nightly", "rx7900xt-x2-ubuntu2204-rocm62-nightly"), "hipblaslt-unsupported-arch",
          "Attempting to use hipBLASLt on a unsupported architecture")


@test
def wheel_lacks_target():
    """Said before the start as well, in the first line."""
    run = heal("wheel-lacks-target", "strixhalo-ubuntu2604-torch241-lacks-gfx1151")
    ended(run, "framework-lacks-arch", "torch 2.4.1+rocm6.1 has no code for gfx1151")
    has(run.said.splitlines()[0], "gfx1151")


@test
def wheel_lacks_target_strictly():
    """--strict: no job is started."""
    run = heal("wheel-lacks-target", "strixhalo-ubuntu2604-torch241-lacks-gfx1151", "--strict")
    must(run.status == 125 and run.out == "" and not (run.place / "out").exists(), f"{run.status} {run.out}")
    has(run.said, "gfx1151")


@test
def own_bug():
    """Six inputs where there are seven: nobody's fault but the script's."""
    script = WORK / "bug.py"
    script.write_text((EXAMPLE / "train.py").read_text().replace("make_model(features.shape[1]", "make_model(6"))
    ended(heal("none", PAIR, script=script), "mat1 and mat2 shapes cannot be multiplied (8x7 and 6x32)", "user-code")


@test
def nobody_asked():
    """Without --heal nothing is set and nothing is run twice."""
    run = Run("alloc-failed", PAIR)
    must(run.status == 1 and len(run.journals()) == 1, run.said)
    has(run.said, "vram-exhausted")


# ---- ranks ----

def torchrun(*options):
    with socket.socket() as free:  # the port that torchrun takes by itself may be another's
        free.bind(("127.0.0.1", 0))
        return "torchrun", "--nproc_per_node", "2", "--master_port", str(free.getsockname()[1]), *options


@test
def two_ranks():
    run = Run("none", None, launcher=torchrun())
    must(run.status == 0, run.err[-2000:])
    about = json.loads((run.place / "out/metadata.json").read_text())
    must(about["ranks"] == 2 and about["epochs"] == 3, str(about))
    events = [text.split() for kind, text in run.journals()[0] if kind == 4]
    must(sorted(e[1] for e in events if e[0] == "rank") == ["0", "1"], str(events))


def a_rank_fails(fault, *options):
    run = Run(fault, None, launcher=torchrun(*options), SHIM_RANK="1")
    must(run.status == 1, f"status {run.status}\n{run.err[-2000:]}")
    has(run.said, "first failure: rank 1: ")
    return run


@test
def a_rank_out_of_memory():
    has(a_rank_fails("out-of-memory").said, "rank 1: torch.OutOfMemoryError: HIP out of memory")


@test
def a_rank_out_of_memory_with_marks():
    has(a_rank_fails("out-of-memory", "--tee", "3").said, "rank 1: torch.OutOfMemoryError: HIP out of memory")


@test
def a_rank_killed():
    """It says nothing itself, and the other one complains first."""
    has(a_rank_fails("killed").said, "exitcode: -9")


# ---- the example itself ----

@test
def killed_and_resumed():
    """Anywhere, three times: the same losses in the end."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="resumed.", dir=WORK))
    command = [TREE / "python", EXAMPLE / "train.py", "--data", WORK / "bars.csv", "--output", place / "out", "--resume"]
    for wait_for in "Epoch 1/3  Batch 112", "Epoch 2/3  Batch 16", "Epoch 3/3  Batch 176":
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            if line.startswith(wait_for):
                break
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    done = subprocess.run(command, capture_output=True, text=True)
    must(done.returncode == 0 and "resumed behind batch" in done.stdout, done.stderr[-2000:])
    about = json.loads((place / "out/metadata.json").read_text())
    must(about["losses"] == LOSSES, f"{about['losses']} instead of {LOSSES}")


def bare():
    """The losses without a fault and without us."""
    subprocess.run([sys.executable, EXAMPLE / "make_data.py", WORK / "bars.csv"], check=True)
    subprocess.run([TREE / "python", EXAMPLE / "train.py", "--data", WORK / "bars.csv", "--output", WORK / "bare"],
                   check=True, stdout=subprocess.DEVNULL)
    about = json.loads((WORK / "bare/metadata.json").read_text())
    must(about["validation"] < about["validation_of_no_guess"], "nothing was learnt")
    return about["losses"]


def run_one(function):
    start = time.monotonic()
    word, why = "ok", ""
    try:
        function()
    except Exception as error:  # an assertion, or a file that is not there
        word, why = "FAIL", f"{type(error).__name__}: {error}"
    return function.__name__, word, why, time.monotonic() - start


def main():
    global TREE, WORK, LOSSES
    names = sys.argv[1:]
    if names == ["--list"]:
        print("\n".join(t.__name__ for t in TESTS))
        return 0
    TREE = torch_tree.find()
    if not TREE:
        print("0 passed, 0 failed, 1 skipped")
        print(f"skipped: no PyTorch in {torch_tree.SAMPLES}: tools/samples/fetch --set torch")
        return 77
    WORK = pathlib.Path(tempfile.mkdtemp(prefix="heal-example."))
    chosen = [t for t in TESTS if not names or t.__name__ in names]
    ends = []
    try:
        LOSSES = bare()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, word, why, seconds in pool.map(run_one, chosen):
                ends.append(word)
                print(f"{word}\t{name}  {seconds:.1f} s", flush=True)
                if why:
                    print("\t" + why.replace("\n", "\n\t"), flush=True)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
        torch_tree.forget(TREE)
    print(f"{ends.count('ok')} passed, {ends.count('FAIL')} failed")
    return "FAIL" in ends or "ok" not in ends


if __name__ == "__main__":
    sys.exit(main())
