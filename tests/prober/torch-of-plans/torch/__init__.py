"""A PyTorch that is none: imports as $FAKE_TORCH says, and fails in use as it says.

FAKE_TORCH is `BUILD IMPORT USE`, BUILD hip, cuda or cpu; the others a word of ACTIONS.
"""
import ctypes
import os
import signal
import sys
import time
import types


class AcceleratorError(RuntimeError):
    error_code = 98


def refuse():
    raise RuntimeError("HIP error: the plan says so")


def refuse_with_number():
    raise AcceleratorError("HIP error: invalid device function")


def full():
    raise RuntimeError("HIP out of memory. Tried to allocate 2.00 GiB")


def lack():
    raise ImportError("libamdhip64.so.6: cannot open shared object file: No such file or directory")


def crash():
    ctypes.string_at(0)


def stay():
    if os.fork() == 0:
        time.sleep(3600)


def flood():
    for stream in 1, 2:
        os.write(stream, b"x" * 65536 + b"\n")


def deaf():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(3600)


def exhaust():
    held = []
    while True:
        held.append(bytearray(1 << 24))


def escapes():
    print("\x1b]0;owned\x07\x1b[2J", file=sys.stderr)
    raise RuntimeError("\x1b[31mred\r")


ACTIONS = {"ok": lambda: None, "refuse": refuse, "refuse98": refuse_with_number, "full": full, "lack": lack,
           "abort": os.abort, "segv": crash, "exit3": lambda: os._exit(3), "sysexit": lambda: sys.exit(5), "fork": stay,
           "flood": flood, "sleep": lambda: time.sleep(3600), "deaf": deaf, "exhaust": exhaust, "escapes": escapes}

_build, _import, _use = os.environ["FAKE_TORCH"].split()
__version__ = "2.9.1+fake"
version = types.SimpleNamespace(hip="6.4.4" if _build == "hip" else None, cuda="12.8" if _build == "cuda" else None)
ACTIONS[_import]()


def device(*words):
    ACTIONS[_use]()
    os._exit(0)  # a GPU that is none ends the process without a word
