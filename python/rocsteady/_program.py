"""Find the program and ask it a question."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import Any

ANSWERS = range(4)  # exit statuses that are answers; others are refusals
SCHEMAS = {"check": 1, "explain": 2, "targets": 1, "advise": 1}


class RocsteadyError(Exception):
    """The program could not be asked, or gave no answer; the message is a sentence that says why."""


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
        raise RocsteadyError(f"The program rocsteady is neither in {own.parent} nor on PATH; reinstall the package.")
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
        raise RocsteadyError(f"rocsteady {arguments[0]} gave no answer within {seconds:g} seconds.") from None
    except (OSError, ValueError) as error:
        raise RocsteadyError(f"rocsteady cannot be started: {error}.") from error
    if done.returncode not in ANSWERS:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise RocsteadyError(said[0] if said else f"rocsteady {arguments[0]} ended with status {done.returncode}.")
    return done.stdout.decode("utf-8", "replace")


def ask(command: str, arguments: list[str], text: str | None = None, seconds: float | None = None) -> dict[str, Any]:
    """Ask with --json and return the object, if its schema is the one that this package reads."""
    printed = run([command, "--json", *arguments], text, seconds)
    try:
        answer = json.loads(printed)
        schema = answer["schema"]
    except (ValueError, TypeError, KeyError):
        raise RocsteadyError(f"rocsteady {command} --json did not print one JSON object with a schema.") from None
    if schema != SCHEMAS[command]:
        raise RocsteadyError(f"rocsteady {command} --json has schema {schema}, and this package reads {SCHEMAS[command]}; "
                             "install the program and the package of one version.")
    return dict(answer)
