"""The questions: each is one run of the program with --json."""
from __future__ import annotations

import os
import traceback
from collections.abc import Iterable
from typing import Union

from ._answers import Advice, Check, Explanation, Snapshot, Targets
from ._program import ask, run

Path = Union[str, "os.PathLike[str]"]
Machine = Union[Path, Snapshot]
MOST_TEXT = 1 << 20  # characters of an exception: messages may hold whole tensors


def _machine(machine: Machine | None) -> tuple[list[str], str | None]:
    """Return the arguments that name a recorded machine, and its text if it is in memory."""
    if machine is None:
        return [], None
    if isinstance(machine, Snapshot):
        return ["--from", "-"], machine.text
    return ["--from", os.fspath(machine)], None


def check(machine: Machine | None = None) -> Check:
    """Find what is wrong with this machine, or with a recorded one."""
    return Check.of(ask("check", *_machine(machine)))


def explain(what: Path | BaseException, machine: Path | None = None, *, text_only: bool = False,
            seconds: float | None = None) -> Explanation:
    """Explain a log, an error message or an exception.

    A path object, or a text of one line that names a file, is a log to read; of a
    directory all files are one text. Any other text is the log itself. The facts
    of this machine, or of the recorded one, are used unless text_only is set. After
    so many seconds without an answer RocsteadyError is raised.
    """
    arguments = ["--no-machine"] if text_only else []
    if machine is not None:
        arguments += ["--from", os.fspath(machine)]
    if isinstance(what, BaseException):
        return Explanation.of(ask("explain", arguments, text_of(what), seconds))
    if isinstance(what, str) and not _names_file(what):
        return Explanation.of(ask("explain", arguments, what, seconds))
    path = os.fspath(what)
    if not os.path.lexists(path):  # the program would take a name without a slash for a text
        path = os.path.join(os.curdir, path)
    together = ["--together"] if os.path.isdir(path) else []
    return Explanation.of(ask("explain", [*arguments, *together, "--", path], None, seconds))


def targets(paths: Path | Iterable[Path], require: str | Iterable[str] = (), *, machine: Path | None = None) -> Targets:
    """List the GPUs that libraries, wheels, packages or directories have code for, and judge whether all required are covered.

    The required targets may be one text with commas. With a recorded machine its GPUs are required.
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    needs = [require] if isinstance(require, str) else list(require)
    arguments = ["--require", ",".join(needs)] if any(needs) else []
    if machine is not None:
        arguments += ["--from", os.fspath(machine)]
    return Targets.of(ask("targets", [*arguments, "--", *[os.fspath(path) for path in several]]))


def advise(gpu: str | None = None, program: str | None = None, *, system: str | None = None,
           python: str | None = None) -> Advice:
    """Say what to install for a GPU, or for this machine's: torch, or another program."""
    given = {"--gpu": gpu, "--for": program, "--os": system, "--python": python}
    return Advice.of(ask("advise", [f"{option}={value}" for option, value in given.items() if value is not None]))


def snapshot(*, brief: bool = False) -> Snapshot:
    """Record this machine as text, without names and secrets."""
    text = run(["snapshot", "--brief"] if brief else ["snapshot"])
    return Snapshot.of({"text": text})


def text_of(error: BaseException) -> str:
    """Return the traceback as Python prints it, at most its last million characters."""
    return "".join(traceback.format_exception(type(error), error, error.__traceback__))[-MOST_TEXT:]


def _names_file(text: str) -> bool:
    try:
        return "\n" not in text and os.path.exists(text)
    except (OSError, ValueError):
        return False
