"""rocsteady for Python: why a GPU job does not run on an AMD machine.

Each function asks the program of the same package with --json and returns what
it says as a small dataclass, which a notebook shows as HTML:

    import rocsteady
    print(rocsteady.check())
    print(rocsteady.explain_file("train.log"))
    print(rocsteady.explain("RuntimeError: HIP error: out of memory", gpu="7900 XTX"))
    rocsteady.install()      # explain uncaught GPU errors below their traceback

Importing this module imports nothing else: the parts are loaded on first use.
"""
from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, whose import costs more than this module
if TYPE_CHECKING:
    from ._answers import (Advice, AdvisedGpus, Answer, Cause, Check, CodeFile, Evidence, Explanation, Facts, Finding, FirstLook,
                           Probe, Remedy, RequiredTarget, Run, Snapshot, Step, Targets, Way)
    from ._ask import advise, check, explain, explain_file, facts, probe, run, snapshot, targets
    from ._hook import install, uninstall
    from ._ipython import load_ipython_extension, unload_ipython_extension
    from ._program import NoFileError, NoTimeError, RocsteadyError, UsageError

__all__ = ["Advice", "AdvisedGpus", "Answer", "Cause", "Check", "CodeFile", "Evidence", "Explanation", "Facts", "Finding",
           "FirstLook", "NoFileError", "NoTimeError", "Probe", "Remedy", "RequiredTarget", "RocsteadyError", "Run", "Snapshot",
           "Step", "Targets", "UsageError", "Way", "advise", "check", "explain", "explain_file", "facts", "install",
           "load_ipython_extension", "probe", "run", "snapshot", "targets", "uninstall", "unload_ipython_extension"]

_HOMES = {  # classes of answers are in _answers
    "_ask": ("advise", "check", "explain", "explain_file", "facts", "probe", "run", "snapshot", "targets"),
    "_hook": ("install", "uninstall"),
    "_ipython": ("load_ipython_extension", "unload_ipython_extension"),
    "_program": ("NoFileError", "NoTimeError", "RocsteadyError", "UsageError"),
}


def __dir__() -> list[str]:
    return sorted(__all__)


if not TYPE_CHECKING:
    def __getattr__(name):
        """Load the part that has this name."""
        if name not in __all__:
            raise AttributeError(f"module 'rocsteady' has no attribute {name!r}")
        from importlib import import_module
        home = next((part for part, names in _HOMES.items() if name in names), "_answers")
        value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
        return value
