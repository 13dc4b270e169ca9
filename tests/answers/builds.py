#!/usr/bin/env python3
"""A step that promises the install command of a program for a GPU is there only if advise knows one, and its rival only if not.

Each GPU of kb/tables/gfx_target.yaml fails as each program that advise has commands for. What the titles of the steps
promise is asked of advise itself.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PROGRAM = os.environ["ROCSTEADY"]
KB = pathlib.Path(__file__).parent.parent.parent / "kb"
TEXT = "RuntimeError: HIP error: invalid device function\n"
PROMISE = re.compile(r"^Print the install command for the GPU: rocsteady advise --gpu (\S+) --for (\S+)$")
NONE = re.compile(r"^No build of (\S+) that runs on (\S+) is known: see which programs do$")
UNKNOWN = 2  # exit status of advise: nothing is known
WRONG_WORDS = 64  # of explain: a GPU that is planned, and that nobody can state


def programs():
    advice = [path.read_text(encoding="utf-8") for path in (KB / "advice").glob("*.yaml")]
    named = {m.group(1) for text in advice for m in [re.search(r'(?m)^application: "?([^"\n]+)', text)] if m}
    return sorted(named - {"*", "torch", "ollama", "llama.cpp"})  # those have steps of their own


def gpus():
    return re.findall(r"(?m)^  - gfx: (\w+)$", (KB / "tables" / "gfx_target.yaml").read_text(encoding="utf-8"))


def run(*words, text=""):
    return subprocess.run([PROGRAM, *words], input=text.encode(), capture_output=True, check=False)


def ask(question):
    """The steps that speak of a build, as (is one promised, GPU, program)."""
    program, gpu = question
    done = run("explain", "--no-machine", "--json", "--verbose", "--set", f"framework={program}", "--set", f"gfx={gpu}", "-", text=TEXT)
    if done.returncode == WRONG_WORDS:
        return []
    titles = [step["title"] for step in json.loads(done.stdout)["steps"]]
    promised = [(True, *m.groups()) for title in titles for m in [PROMISE.match(title)] if m and m.group(2) != "torch"]
    return promised + [(False, m.group(2), m.group(1)) for title in titles for m in [NONE.match(title)] if m]


def is_known(question):
    _, gpu, program = question
    return run("advise", "--gpu", gpu, "--for", program, "--os", "linux").returncode != UNKNOWN


def main():
    with ThreadPoolExecutor() as pool:
        said = sorted({step for steps in pool.map(ask, ((p, g) for p in programs() for g in gpus())) for step in steps})
        known = dict(zip(said, pool.map(is_known, said)))
    wrong = [step for step in said if step[0] != known[step]]
    for promised, gpu, program in wrong:
        print(f"{program} on {gpu}: {'an install command is promised, and advise knows none' if promised else 'no build is known, says the step, and advise prints one'}")
    kinds = [sum(step[0] == kind for step in said) for kind in (True, False)]
    print(f"{kinds[0]} promises, {kinds[1]} times that none is known, {len(wrong)} wrong")
    assert min(kinds) > 10, "the steps that are asked for have other titles now"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
