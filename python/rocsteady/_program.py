"""Find the program and ask it a question."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import Any

ANSWERS = range(4)  # exit statuses that are answers; others are refusals
WHOLE = {"check": ["--verbose"], "explain": ["--verbose"]}  # without it they print what a reader pays for by the byte
SCHEMAS = {"check": 1, "explain": 2, "targets": 1, "advise": 1, "facts": 1, "run": 1}


class RocsteadyError(Exception):
    """The program could not be asked, or gave no answer; the message is a sentence that says why."""

    __module__ = "rocsteady"  # as people import it, and as a traceback names it


class UsageError(RocsteadyError, ValueError):
    """A value that was given is none: an unknown GPU, a fact of another name."""

    __module__ = "rocsteady"


class NoFileError(RocsteadyError, FileNotFoundError):
    """A file that was named is not there, or the program itself is not installed."""

    __module__ = "rocsteady"


class NoTimeError(RocsteadyError, TimeoutError):
    """The answer did not come in the seconds that were given."""

    __module__ = "rocsteady"


EXIT_USAGE = 64


def sentence(said: str) -> str:
    """Return a message of the program without its name in front: the class says whose it is."""
    return said[len("rocsteady: "):] if said.startswith("rocsteady: ") else said


def existing(path: str | os.PathLike[str]) -> str:
    """Return a path that the program is given; a name that is not there is refused here, as by open()."""
    name = os.fspath(path)
    if not os.path.lexists(name):
        raise NoFileError(f"{name}: No such file or directory")
    return name


def find() -> str:
    """Return the path of the program: the one that was installed with this package, else the one on PATH.

    pip and uv put it into the scripts directory: `bin` beside `lib/pythonX.Y/site-packages`,
    or `bin` in the directory of `pip install --target`.
    """
    site = pathlib.Path(__file__).resolve().parent.parent
    prefix = site.parents[2] if site.name in ("site-packages", "dist-packages") else site
    own = prefix / "bin" / "rocsteady"
    path = str(own) if os.access(own, os.X_OK) else shutil.which("rocsteady")
    if path is None:
        raise NoFileError(f"The program rocsteady is neither in {own.parent} nor on PATH; reinstall the package.")
    return path


def run(arguments: list[str], text: str | None = None, seconds: float | None = None) -> str:
    """Run the program with these arguments and return what it prints.

    The text becomes its standard input. After so many seconds it is killed.
    """
    given = None if text is None else text.encode("utf-8", "replace")
    source: dict[str, Any] = {"stdin": subprocess.DEVNULL} if given is None else {"input": given}
    done: subprocess.CompletedProcess[bytes]
    try:
        done = subprocess.run([find(), *arguments], capture_output=True, timeout=seconds, **source)
    except subprocess.TimeoutExpired:
        raise NoTimeError(f"rocsteady {arguments[0]} gave no answer within {seconds:g} seconds.") from None
    except (OSError, ValueError) as error:
        raise RocsteadyError(f"rocsteady cannot be started: {error}.") from error
    if done.returncode not in ANSWERS:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        kind = UsageError if done.returncode == EXIT_USAGE else RocsteadyError
        raise kind(sentence(said[0]) if said else f"rocsteady {arguments[0]} ended with status {done.returncode}.")
    return done.stdout.decode("utf-8", "replace")


def supervise(arguments: list[str]) -> int:
    """Run the program with the standard streams of this process, and return its exit status."""
    try:
        return subprocess.run([find(), *arguments]).returncode
    except (OSError, ValueError) as error:
        raise RocsteadyError(f"rocsteady cannot be started: {error}.") from error


def ask(command: str, arguments: list[str], text: str | None = None, seconds: float | None = None) -> dict[str, Any]:
    """Ask with --json and return the object, if its schema is the one that this package reads."""
    answer = ask_plain(command, arguments, text, seconds)
    schema = answer.get("schema")
    if schema is None:
        raise RocsteadyError(f"rocsteady {command} --json did not print one JSON object with a schema.")
    if schema != SCHEMAS[command]:
        raise RocsteadyError(f"rocsteady {command} --json has schema {schema}, and this package reads {SCHEMAS[command]}; "
                             "install the program and the package of one version.")
    return answer


def ask_plain(command: str, arguments: list[str], text: str | None = None, seconds: float | None = None) -> dict[str, Any]:
    """Ask with --json and return the object, of a command whose JSON has no number of a schema."""
    printed = run([command, "--json", *WHOLE.get(command, []), *arguments], text, seconds)
    try:
        answer = json.loads(printed)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise RocsteadyError(f"rocsteady {command} --json did not print one JSON object with a schema.")
    return answer
