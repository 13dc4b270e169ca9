"""Cases of a test side by side: most of their time is sleep.

Each is the test itself, started with the case's name, in a process group of its own: working
directory, marks and signals are then its own too. What it prints comes when it has ended.
"""
import concurrent.futures
import os
import signal
import subprocess
import sys

LONGEST = 400  # seconds
TEST = os.path.abspath(sys.argv[0])


def _one(name):
    p = subprocess.Popen([sys.executable, TEST, name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        out, _ = p.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        out = p.communicate()[0] + f"FAILED  {name}: not done after {LONGEST} s\n"
    lines = out.splitlines()
    print("\n".join(lines[:-1] if p.returncode == 0 else lines), flush=True)  # the last one counts to one
    return p.returncode == 0


def run(names, width):
    """The names of those that failed."""
    with concurrent.futures.ThreadPoolExecutor(width) as pool:
        return [name for name, good in zip(names, pool.map(_one, names)) if not good]
