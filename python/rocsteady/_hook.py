"""Explain an uncaught GPU error below its traceback.

The traceback is printed first, by whoever printed it before; only then is the
program asked. Whatever goes wrong here is silent: it must not hide an error.
"""
from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Callable

from . import _ipython
from ._ask import explain, text_of

MOST_LINES = 10
SECONDS = 1.0
MACHINE_SHARE = 0.6  # of the seconds: a GPU that hangs must not cost the answer that the text alone gives

Hook = Callable[[type, BaseException, "TracebackType | None"], object]
_previous: Hook | None = None


def install(seconds: float = SECONDS) -> None:
    """Explain uncaught GPU errors from now on, in at most ten lines and one second, below the traceback."""
    global _previous
    if _previous is None:
        _previous = sys.excepthook
        sys.excepthook = _after(_previous, seconds)
    _ipython.watch(lambda error: print_explanation(error, seconds))


def uninstall() -> None:
    """Take back what install() did."""
    global _previous
    if _previous is not None and getattr(sys.excepthook, "of_rocsteady", False):
        sys.excepthook = _previous
        _previous = None
    _ipython.unwatch()


def _after(previous: Hook, seconds: float) -> Hook:
    def hook(kind: type, error: BaseException, trace: TracebackType | None) -> None:
        previous(kind, error, trace)
        print_explanation(error, seconds)

    setattr(hook, "of_rocsteady", True)
    return hook


def print_explanation(error: BaseException, seconds: float) -> None:
    """Print the explanation of a GPU error to standard error; of any other error nothing."""
    try:
        sys.stderr.flush()
        said = explanation_lines(text_of(error), seconds) if isinstance(error, Exception) else []
        if said:
            sys.stderr.write("\n".join(said) + "\n")
            sys.stderr.flush()
    except BaseException:  # Ctrl-C while the program is asked, a full disk, no memory: the traceback stands
        pass


def explanation_lines(text: str, seconds: float = SECONDS) -> list[str]:
    """Return the explanation in at most ten lines, or nothing if the text shows no GPU error or time is over."""
    end = time.monotonic() + seconds
    for text_only, share in ((False, MACHINE_SHARE), (True, 1)):
        try:
            answer = explain(text + "\n", text_only=text_only, seconds=(end - time.monotonic()) * share)
            first, *others = answer.lines() if answer.known and not answer.of_script else [""]
        except Exception:  # no program, no time, an answer of another shape: the failure itself is told anyway
            continue
        return [f"rocsteady: {first}", *others][:MOST_LINES] if first else []
    return []
