#!/usr/bin/env bash
# Commands in reports that are handed on can be pasted as they stand: no pseudonym is in them, a
# shell can read them, and those that change nothing are run, in a home with a real Python.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT

mkdir -p "$WORK/home/venv/bin" "$WORK/home/own/bin" "$WORK/bin"
ln -s "$(command -v python3)" "$WORK/home/venv/bin/python"
ln -s "$(command -v python3)" "$WORK/home/own/bin/python"
mkdir -p "$WORK/home/miniforge3/envs/ml/bin"
ln -s "$(command -v python3)" "$WORK/home/miniforge3/envs/ml/bin/python"
ln -s "$ROCSTEADY" "$WORK/bin/rocsteady"

check "commands of every machine can be pasted" python3 - "$ROCSTEADY" "$SOURCE/tests/machines" "$WORK" <<'END'
import glob, html, os, re, subprocess, sys
program, machines, work = sys.argv[1:]
HARMLESS = re.compile(r"~/\S*python -m pip freeze > ~/|rocsteady (facts|kb|advise)\b|(groups|uname -r|id)\b")
PSEUDONYM = re.compile(r"\b(user|host|serial|name)-[0-9a-f]{8}\b")
here = {**os.environ, "HOME": f"{work}/home", "PATH": f"{work}/bin:{os.environ['PATH']}", "USER": "somebody"}
bad, seen, run = [], set(), 0

def blocks(page, form):
    if form == "html":
        return [html.unescape(b) for b in re.findall(r"<pre><code>(.*?)</code></pre>", page, re.S)]
    return [re.sub(r"(?m)^   ", "", b) for b in re.findall(r"````sh\n(.*?)   ````", page, re.S)]

LOGS = ["RuntimeError: HIP error: invalid device function",
        'File "/home/ada/venv/lib/python3.12/site-packages/torch/cuda/__init__.py", line 319\nRuntimeError: No HIP GPUs are available']

def pages(machine):
    for form in ("markdown", "html"):
        yield form, subprocess.run([program, "check", "--from", machine, "--format", form], capture_output=True, text=True).stdout
        if "/home/" in open(machine).read():
            for log in LOGS:
                yield form, subprocess.run([program, "explain", "--from", machine, "--format", form], input=log, capture_output=True, text=True).stdout

for machine in sorted(glob.glob(machines + "/*.snap")):
    for form, page in pages(machine):
        if "/home/ada" in page or PSEUDONYM.search(page) and "pseudonyms" not in page:
            bad.append(("a name", os.path.basename(machine), form))
        for block in blocks(page, form):
            if PSEUDONYM.search(block):
                bad.append(("a pseudonym", os.path.basename(machine), form, block))
            if block in seen:
                continue
            seen.add(block)
            if "-windows" in os.path.basename(machine):  # PowerShell's
                continue
            if block.startswith("torch."):  # a line for a Python program
                continue
            done = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True)
            if done.returncode != 0:
                bad.append(("not to be read", form, block, done.stderr))
            for line in block.splitlines():
                if HARMLESS.match(line) and not re.search(r"[&|;] *[a-z]|\bNAME\b", line):
                    run += 1
                    done = subprocess.run(["bash", "-c", line], env=here, cwd=work, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
                    if "no AMD GPU found on this machine" in done.stderr:  # nor is there one here
                        continue
                    if done.returncode in (2, 64, 126, 127) or "No such file" in done.stderr:
                        bad.append(("does not run", form, line, done.returncode, done.stderr))
for one in bad:
    print(*one)
print(f"{len(seen)} blocks, {run} lines run")
sys.exit(bool(bad) or len(seen) < 40 or run < 4)
END
check "what was kept lies in that home" sh -c "ls '$WORK/home' | grep -q rocsteady-before-"
"$ROCSTEADY" check --from "$SOURCE/tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap" --format markdown >"$WORK/page"
check "the user is whoever pastes it" grep -qF 'sudo usermod -aG render "$USER"' "$WORK/page"
"$ROCSTEADY" check --from "$SOURCE/tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap" --format markdown --no-scrub >"$WORK/page"
check "and has a name, if names stay" grep -qF 'sudo usermod -aG render ada' "$WORK/page"
finish
