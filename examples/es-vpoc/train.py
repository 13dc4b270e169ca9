#!/usr/bin/env python3
"""Train a small network on minute bars: where does ES go in the next half hour?

usage: train.py --data FILE --output DIRECTORY [--epochs N] [--resume] ...

1. The price of the most volume (VPOC) of each trading day, in chunks of bars that go
   round over all GPUs.
2. Samples of every quarter of an hour: how far the price is from the VPOC of the day
   before, how it has moved, what was traded, the VIX, the time of the day.
3. A network with a few hidden layers on the first GPU, or one on each under torchrun.

A checkpoint is kept while it runs; at the end there are model.pt and metadata.json.
"""
import argparse
import csv
import json
import os

import torch
import torch.distributed as dist
from torch import nn

MINUTES, EVERY, AHEAD = 390, 15, 30
TICK = 0.25


def read_order():
    parser = argparse.ArgumentParser(description="Train a small network on minute bars of ES and VIX.")
    parser.add_argument("--data", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--learning_rate", type=float, default=0.002)
    parser.add_argument("--hidden_layers", default="32,16")
    parser.add_argument("--chunk_size", type=int, default=130, help="bars of the VPOC at a time")
    parser.add_argument("--device", choices=("auto", "cpu"), default="auto")
    parser.add_argument("--checkpoint_every", type=int, default=48, help="batches")
    parser.add_argument("--log_every", type=int, default=16, help="batches")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --output, if there is one")
    parser.add_argument("--bar", action="store_true", help="a progress bar (tqdm)")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def find_devices(order):
    """The GPUs of this process; under torchrun its own one."""
    if order.device == "cpu" or not torch.cuda.is_available():
        return [torch.device("cpu")]
    count = torch.cuda.device_count()
    if "LOCAL_RANK" in os.environ:
        return [torch.device("cuda", int(os.environ["LOCAL_RANK"]) % count)]
    return [torch.device("cuda", index) for index in range(count)]


def read_bars(path):
    """The names of the columns; days, minutes, columns."""
    with open(path, newline="") as file:
        rows = csv.reader(file)
        names = next(rows)[1:]
        bars = torch.tensor([[float(value) for value in row[1:]] for row in rows])
    return names, bars.view(-1, MINUTES, len(names))


def find_vpoc(low, high, volume, devices, chunk):
    """The price at which most was traded in one day: a bar's volume is spread over its prices."""
    levels = torch.arange(int((high.max() - low.min()) / TICK) + 1) * TICK + low.min()
    profile = torch.zeros(len(levels))
    for turn, start in enumerate(range(0, len(low), chunk)):
        here = devices[turn % len(devices)]
        part = slice(start, start + chunk)
        at, lo, hi = levels.to(here), low[part, None].to(here), high[part, None].to(here)
        inside = ((at >= lo) & (at <= hi)).float()
        profile += (inside * (volume[part, None].to(here) / inside.sum(1, keepdim=True))).sum(0).cpu()
    return levels[profile.argmax()]


def scaled(values):
    return (values - values.mean(0)) / values.std(0).clamp_min(1e-6)


def make_samples(names, bars, vpoc):
    """Features and target of every quarter of an hour that has both."""
    close, volume, vix = (bars[1:, :, names.index(name)] for name in ("es_close", "es_volume", "vix_close"))
    at = torch.arange(EVERY, MINUTES - AHEAD + 1, EVERY) - 1
    now, then = close[:, at], at - EVERY + 1
    features = torch.stack([
        vpoc[:-1, None] - now, now - close[:, at - 5], now - close[:, then], volume.cumsum(1)[:, at] / (at + 1),
        vix[:, at], vix[:, at] - vix[:, then], (at / MINUTES).expand_as(now)], dim=-1)
    return scaled(features.flatten(0, 1)), scaled((close[:, at + AHEAD] - now).flatten()[:, None])


def make_model(inputs, hidden):
    sizes = [inputs] + [int(size) for size in hidden.split(",")]
    layers = [layer for a, b in zip(sizes, sizes[1:]) for layer in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], 1))


def replace(path, write):
    """All or nothing: who dies while writing leaves the old file."""
    with open(f"{path}.new", "wb") as file:
        write(file)
    os.replace(f"{path}.new", path)


class Training:
    def __init__(self, order, rank, ranks):
        self.order, self.rank, self.ranks = order, rank, ranks
        self.devices = find_devices(order)
        self.device = self.devices[0]
        self.checkpoint = os.path.join(order.output, "checkpoint.pt")
        self.epoch, self.batch, self.losses = 0, 0, [[]]  # what is done, and the losses of each epoch

    def say(self, text):
        if self.rank == 0:
            print(text, flush=True)

    def prepare(self):
        order, whole = self.order, self.order.batch_size * self.ranks
        names, bars = read_bars(order.data)
        columns = (bars[..., names.index(name)] for name in ("es_low", "es_high", "es_volume"))
        vpoc = torch.stack([find_vpoc(*day, self.devices, order.chunk_size) for day in zip(*columns)])
        self.say(f"VPOC of {len(vpoc)} days, the last at {vpoc[-1]:.2f}")
        features, target = make_samples(names, bars, vpoc)
        self.batches = len(features) * 4 // 5 // whole
        self.known = self.batches * whole  # the later ones are for validation
        self.features, self.target = features.to(self.device), target.to(self.device)
        torch.manual_seed(order.seed)
        self.model = make_model(features.shape[1], order.hidden_layers).to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=order.learning_rate)
        if order.resume and os.path.exists(self.checkpoint):
            self.load()
        gpu = [self.device.index] if self.device.type == "cuda" else None
        self.net = nn.parallel.DistributedDataParallel(self.model, gpu) if self.ranks > 1 else self.model

    def load(self):
        kept = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        self.model.load_state_dict(kept["model"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.epoch, self.batch, self.losses = kept["epoch"], kept["batch"], kept["losses"]
        self.say(f"resumed behind batch {self.batch} of epoch {self.epoch + 1}")

    def keep(self):
        if self.rank == 0:
            state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
                     "epoch": self.epoch, "batch": self.batch, "losses": self.losses}
            replace(self.checkpoint, lambda file: torch.save(state, file))

    def step(self, rows):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.net(self.features[rows]), self.target[rows])
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def tell(self, bar, loss):
        if bar is not None:
            bar.set_postfix(loss=f"{loss:.4f}", refresh=False)
            bar.update()
        elif self.batch == 1 or self.batch % self.order.log_every == 0 or self.batch == self.batches:
            self.say(f"Epoch {self.epoch + 1}/{self.order.epochs}  Batch {self.batch}/{self.batches}  loss {loss:.4f}")

    def run_epoch(self):
        """The order of the samples follows from the epoch, so that one can stop and go on anywhere."""
        chance = torch.Generator().manual_seed(self.order.seed + self.epoch)
        mine = torch.randperm(self.known, generator=chance)[self.rank::self.ranks].split(self.order.batch_size)
        bar = None
        if self.order.bar and self.rank == 0:
            from tqdm import tqdm
            bar = tqdm(total=self.batches, initial=self.batch, desc=f"Epoch {self.epoch + 1}/{self.order.epochs}")
        for rows in mine[self.batch:]:
            loss = self.step(rows.to(self.device))
            self.batch += 1
            self.losses[-1].append(loss)
            self.tell(bar, loss)
            if self.batch % self.order.checkpoint_every == 0 and self.batch < self.batches:
                self.keep()
        if bar is not None:
            bar.close()

    def run(self):
        self.say(f"torch version: {torch.__version__}  device: {self.device}  ranks: {self.ranks}")
        self.prepare()
        while self.epoch < self.order.epochs:
            self.run_epoch()
            self.say(f"Epoch {self.epoch + 1}/{self.order.epochs} done  mean loss {sum(self.losses[-1]) / self.batches:.4f}")
            self.epoch, self.batch = self.epoch + 1, 0
            self.losses.append([])
            self.keep()
        if self.rank == 0:
            self.finish()

    def finish(self):
        with torch.no_grad():
            guess, truth = self.model(self.features[self.known:]), self.target[self.known:]
            error, plain = nn.functional.mse_loss(guess, truth).item(), truth.square().mean().item()
        about = {"torch": torch.__version__, "device": str(self.device), "ranks": self.ranks, "epochs": self.epoch,
                 "hidden_layers": self.order.hidden_layers, "samples": len(self.features),
                 "losses": [sum(epoch) / len(epoch) for epoch in self.losses if epoch],
                 "validation": error, "validation_of_no_guess": plain}
        replace(os.path.join(self.order.output, "model.pt"), lambda file: torch.save(self.model.state_dict(), file))
        replace(os.path.join(self.order.output, "metadata.json"), lambda file: file.write(json.dumps(about, indent=2).encode()))
        self.say(f"validation {error:.4f}, without a guess {plain:.4f}; model.pt and metadata.json are in {self.order.output}")


def main():
    order = read_order()
    os.makedirs(order.output, exist_ok=True)
    rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    if ranks > 1:
        dist.init_process_group("nccl" if find_devices(order)[0].type == "cuda" else "gloo")
    Training(order, rank, ranks).run()
    if ranks > 1:
        dist.destroy_process_group()


main()
