#!/usr/bin/env python3
"""Journals of runs as they would be on machines with GPUs, written through the program's own writer.

usage: made_runs.py WRITER DIRECTORY      makes DIRECTORY/NAME/journal... for each run

The numbers are made up; the forms are those of docs/design/0010-run.md.
"""
import math
import pathlib
import random
import subprocess
import sys

G = 1 << 30
START = 1763200000000


def word(text):
    return "".join(c if 32 < ord(c) < 127 and c != "\\" else "".join(f"\\x{b:02x}" for b in c.encode()) for c in text) or "-"


class Journal:
    def __init__(self):
        self.lines = []

    def add(self, kind, seconds, *lines):
        self.lines += [f"= {kind} {START + int(seconds * 1000)}", *lines]

    def start(self, at, command="python train.py --epochs 3 --batch-size 64", user="ada", host="gpubox7"):
        self.add("start", at, "command " + " ".join(map(word, command.split())), f"directory /home/{user}/es-vpoc", f"host {host}",
                 "program rocsteady 0.1.0", "keeper 4242", "variable HIP_VISIBLE_DEVICES 0,1", f"variable HOME /home/{user}",
                 f"variable HF_HOME /home/{user}/hf", "variable PYTORCH_HIP_ALLOC_CONF " + word("max_split_size_mb:128"))

    def sample(self, at, gpus, host=22, rss=6):
        rows = [f"gpu {a} vram {int(used * G)} {int(total * G)} gtt {G // 8} {32 * G} job {int(job * G)} others {int(others * G)} "
                f"busy {busy} temp {45000 + busy * 300} sclk {500 + busy * 18} power {(40 + busy * 2) * 1000000}"
                for a, used, total, job, others, busy in gpus]
        self.add("sample", at, *rows, f"host used {int(host * G)} total {64 * G} swap 0", f"cgroup used {int(rss * G)} max -",
                 f"job processes 5 threads 80 rss {int(rss * G)} cpu_ms {int(at * 900)} read {int(at) << 20} written {int(at) << 18}",
                 f"process 4250 vram {int(gpus[0][3] * G) if gpus else 0} gtt 0 rss {int(rss * G)} python3" if gpus else "process 4250 vram - gtt - rss - python3")

    def write(self, writer, directory, attempt):
        directory.mkdir(parents=True, exist_ok=True)
        subprocess.run([writer, directory, str(attempt)], input="\n".join(self.lines) + "\n", text=True, check=True)


def train(journal, begin, end, first_epoch, epochs, memory, others=0.6, total=20.0, addresses=("0000:03:00.0", "0000:06:00.0"), noise=1):
    random.seed(begin + noise)
    length = end - begin
    for i in range(length + 1):
        at, part = begin + i, i / length
        ramp = min(1, i / 12)
        gpus = [(a, others + 0.5 + memory * ramp * (1 - 0.12 * n), total, memory * ramp * (1 - 0.12 * n), others,
                 min(99, int(ramp * (88 + 10 * math.sin(i / 3 + n)) + random.random() * 3))) for n, a in enumerate(addresses)]
        journal.sample(at, gpus, host=18 + 5 * ramp + math.sin(i / 9), rss=2 + 5 * ramp)
        if i > 8 and i % 2 == 0:
            done = first_epoch - 1 + part * (epochs - first_epoch + 1)
            epoch, batch = min(epochs, int(done) + 1), int(done % 1 * 192)
            journal.add("progress", at, f"stdout epoch {epoch} epochs {epochs} batch {batch} batches 192 loss {0.69 * math.exp(-done * 0.7) + 0.05 * random.random():.4f} rate 512.5")


def healed(user="ada", host="gpubox7"):
    one, two = Journal(), Journal()
    one.start(0, user=user, host=host)
    one.add("attempt", 0.1, "attempt 1 3")
    one.add("preflight", 0.2, "took 180", "finding warning igpu-interference 0000:7a:00.0 " + word("An integrated GPU is offered to programs beside the card: 0000:7a:00.0"),
            "harmful PYTORCH_HIP_ALLOC_CONF max_split_size_mb:128 " + word("splits blocks and does not help against a full memory"))
    train(one, 1, 70, 1, 3, 17.4)
    one.add("failure", 70.5, "stderr 212 hipblas-alloc-failed " + word("RuntimeError: CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `hipblasCreate(handle)`"))
    one.add("kernel", 70.7, "gpu-page-fault-gfx 0000:03:00.0 " + word("amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:32773)"))
    one.add("attempt", 71, "outcome again " + word("attempt 2 follows with PYTORCH_HIP_ALLOC_CONF=expandable_segments:True"))
    one.add("end", 71.2, "status 1", "out 18220", "err 4100", "unscanned 0",
            "said " + word("the job failed with exit code 1; first failure: HIPBLAS_STATUS_ALLOC_FAILED"))
    two.start(72, user=user, host=host)
    two.add("attempt", 72.1, "attempt 2 3", "set PYTORCH_HIP_ALLOC_CONF expandable_segments:True allocator-grow "
            + word("3.1 GiB were reserved and not used; this build has expandable segments") + " " + word("pytorch c10/hip, 2.9"),
            "why allocator-fragmentation " + word("Much of the memory is reserved by the framework and not used"), "resume " + word("--resume checkpoints/last.pt"))
    train(two, 73, 190, 1.3, 3, 13.2, noise=2)
    two.add("hang", 150, "hang slow 42 400 " + word("a GPU is partly busy"), "file hang-2.txt", "thread 4250 4250 S futex_wait_queue")
    two.add("hang", 154, "over 46")
    two.add("attempt", 191, "outcome healed " + word("attempt 2 succeeded"))
    two.add("end", 191.2, "status 0", "out 52220", "err 1100", "unscanned 0")
    return [one, two]


def killed():
    one = Journal()
    one.start(0)
    train(one, 1, 40, 1, 3, 19.1)
    one.add("failure", 40.5, "stderr 98 torch-oom " + word("torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.50 GiB."))
    one.add("end", 41, "status 1", "out 1", "err 2", "unscanned 0", "said " + word("the job failed with exit code 1; first failure: HIP out of memory"),
            "said " + word("certain: GPU memory is full (vram-exhausted): 19.7 of 20.0 GiB in use"), "said " + word("see: rocsteady run --report killed"))
    return [one]


def unfinished():
    one = Journal()
    one.start(0)
    train(one, 1, 20, 1, 3, 9)
    return [one]


def eight():
    one = Journal()
    one.start(0, "torchrun --nproc-per-node 8 pretrain.py")
    train(one, 1, 60, 1, 1, 170, total=192.0, addresses=[f"0000:{b}:00.0" for b in "05 27 47 65 85 a7 c7 e5".split()])
    one.add("end", 61, "signal 9", "out 5", "err 5", "unscanned 0", "said " + word("killed by SIGKILL; no known error in its 120 lines"))
    return [one]


def hostile():
    evil = "<script>owned()</script>\"><img src=x onerror='owned()'> \x1b[31m\u202e"
    one = Journal()
    one.add("start", 0, "command " + word(evil), "directory " + word(evil), "host " + word(evil), "variable " + word(evil) + " " + word(evil), "program " + word(evil))
    one.add("attempt", 1, "attempt 1 2", "set " + " ".join([word(evil)] * 5), "why " + word(evil) + " " + word(evil), "resume " + word(evil))
    one.add("sample", 2, "gpu " + word("<b>\x1b") + " vram 5 10 job 1 others 1 busy 5 temp 1", "host used x total y", "gpu", "host", "job rss")
    one.add("progress", 2, "stdout loss nan epoch -5 epochs 0 batch 1e400 step x percent inf")
    one.add("progress", 3, "stdout loss 1e308 epoch 99999999999 epochs 1")
    one.add("failure", 3, "stderr 1 x " + word(evil))
    one.add("kernel", 3, word(evil) + " - " + word(evil))
    one.add("hang", 3, "hang " + word(evil) + " 5 5 " + word(evil), "file " + word(evil))
    one.add("preflight", 3, "finding " + " ".join([word(evil)] * 4), "harmful " + " ".join([word(evil)] * 3), "took x")
    one.add("end", 4, "signal 99999", "said " + word(evil))
    return [one]


RUNS = {"healed": healed, "failed": killed, "unfinished": unfinished, "eight": eight, "hostile": hostile}

if __name__ == "__main__":
    writer, top = sys.argv[1], pathlib.Path(sys.argv[2])
    for name, make in RUNS.items():
        for number, journal in enumerate(make(), 1):
            journal.write(writer, top / name, number)
