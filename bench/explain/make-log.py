#!/usr/bin/env python3
"""Write a log of about SIZE bytes.

usage: make-log.py training|matching|flood SIZE FILE [SIGNATURES]

training: what a good training prints, progress bars included, with one failure
at its end. matching: the examples of all signatures (a directory of their
YAML), shuffled. flood: five lines that signatures know, over and over.
"""
import pathlib
import random
import sys

TRACEBACK = """Traceback (most recent call last):
  File "/srv/train.py", line 212, in <module>
    loss = model(batch).mean()
RuntimeError: CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `hipblasCreate(handle)`
"""
FLOOD = [
    "[rank{0}]: RuntimeError: HIP error: out of memory {1}\n",
    "torch.OutOfMemoryError: HIP out of memory. Tried to allocate {0}.{1:02} GiB. GPU 0 has a total capacity of 23.98 GiB of which {1} MiB is free.\n",
    "[ {1}.{0}] amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:{1})\n",
    "gpu0{0}:10044:10051 [0] NCCL INFO Kernel version: 6.8.{1}\n",
    "MIOpen(HIP): Warning [IsEnoughWorkspace] Solver <GemmFwdRest>, workspace required: {1}, provided ptr: 0 size: 0\n",
]


def training(rng, step):
    kind = step % 50
    if kind == 49:
        bars = "".join(f"\repoch {step // 5000}: {p:3}%|{'#' * (p // 10):10}| {p}/100 [00:{p % 60:02}]" for p in range(0, 101, 4))
        return bars + "\n"
    if kind == 25:
        return f"2026-11-14 10:{step // 60 % 60:02}:{step % 60:02},113 - trainer - INFO - saved checkpoint out/step-{step}.pt in {rng.random():.2f} s, {rng.randrange(9999)} MiB\n"
    return (f"2026-11-14 10:{step // 60 % 60:02}:{step % 60:02},{step % 1000:03} - trainer - INFO - epoch {step // 5000} step {step} "
            f"loss {rng.random() * 4:.4f} grad_norm {rng.random():.3f} lr {rng.random() / 1000:.2e} tokens/s {rng.randrange(90000)}\n")


def examples(directory):
    import yaml
    for path in sorted(pathlib.Path(directory).glob("*.yaml")):
        for signature in yaml.safe_load(path.read_text())["list"]:
            yield from (text.replace("\n", " ") for text in signature.get("examples", []))


def matching(rng, directory):
    known = list(examples(directory))
    for _ in range(20):
        rng.shuffle(known)
        for text in known:
            yield f"[rank{rng.randrange(8)}] {rng.randrange(100000):05}: {text}\n"


def lines(kind, rng):
    if kind == "training":
        return [training(rng, step) for step in range(20000)]
    if kind == "flood":
        return [FLOOD[step % 5].format(step % 8, rng.randrange(100000)) for step in range(20000)]
    return list(matching(rng, sys.argv[4]))


def main():
    kind, size, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    data = "".join(lines(kind, random.Random(7))).encode()
    with open(path, "wb") as out:
        written = 0
        while written < size:
            written += out.write(data[:size - written])
        out.write(("\n" + TRACEBACK).encode())


main()
