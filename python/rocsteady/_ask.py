"""The questions: each is one run of the program with --json."""
from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Iterable, Mapping
from typing import Union

from ._answers import Advice, Check, Explanation, Facts, Probe, Run, Snapshot, Targets
from ._program import UsageError, ask, ask_plain, existing, supervise
from ._program import run as print_of

Path = Union[str, "os.PathLike[str]"]
Machine = Union[Path, Snapshot]
MOST_TEXT = 1 << 20  # characters of an exception: messages may hold whole tensors


def _machine(machine: Machine | None) -> tuple[list[str], str | None]:
    """Return the arguments that name a recorded machine, and its text if it is in memory."""
    if machine is None:
        return [], None
    if isinstance(machine, Snapshot):
        return ["--from", "-"], machine.text
    return ["--from", existing(machine)], None


def check(machine: Machine | None = None) -> Check:
    """Find what is wrong with this machine, or with a recorded one."""
    return Check.of(ask("check", *_machine(machine)))


def explain(text: str | BaseException, machine: str | os.PathLike[str] | None = None, *, text_only: bool = False,
            seconds: float | None = None, gpu: str | None = None, gfx: str | None = None, rocm: str | None = None,
            os: str | None = None, kernel: str | None = None, framework: str | None = None, version: str | None = None,
            env: Mapping[str, str] | None = None) -> Explanation:
    """Explain a log, an error message or an exception.

    The text is the log itself: no file is opened, whatever it says; explain_file() reads files.
    The facts of this machine, or of the recorded one, are used unless text_only is set.
    What you know of the machine that failed goes before both: gpu="7900 XTX", rocm="7.1",
    env={"HSA_OVERRIDE_GFX_VERSION": "10.3.0"}. After so many seconds without an answer
    TimeoutError is raised.
    """
    if isinstance(text, BaseException):
        text = text_of(text)
    if not isinstance(text, str):
        raise TypeError(f"explain() takes a text or an exception, not {type(text).__name__}; explain_file() reads files")
    stated = _stated({"gpu": gpu, "gfx": gfx, "rocm": rocm, "os": os, "kernel": kernel, "framework": framework, "version": version}, env)
    return Explanation.of(ask("explain", [*_where(machine, text_only), *stated], text, seconds))


def explain_file(path: str | os.PathLike[str], machine: str | os.PathLike[str] | None = None, *, text_only: bool = False,
                 seconds: float | None = None, gpu: str | None = None, gfx: str | None = None, rocm: str | None = None,
                 os: str | None = None, kernel: str | None = None, framework: str | None = None, version: str | None = None,
                 env: Mapping[str, str] | None = None) -> Explanation:
    """Explain a log file, packed or not; of a directory all files are one text. The rest is as in explain()."""
    stated = _stated({"gpu": gpu, "gfx": gfx, "rocm": rocm, "os": os, "kernel": kernel, "framework": framework, "version": version}, env)
    return Explanation.of(ask("explain", [*_where(machine, text_only), *stated, *_file(path)], None, seconds))


def _where(machine: str | os.PathLike[str] | None, text_only: bool) -> list[str]:
    arguments = ["--no-machine"] if text_only else []
    return arguments if machine is None else [*arguments, "--from", existing(machine)]


def _stated(facts: Mapping[str, str | None], env: Mapping[str, str] | None) -> list[str]:
    """Return --set for each fact that is given."""
    given = {**facts, **{f"env:{name}": value for name, value in (env or {}).items()}}
    return [word for name, value in given.items() if value is not None for word in ("--set", f"{name}={value}")]


def _file(path: str | os.PathLike[str]) -> list[str]:
    """Return the arguments that name a file: the program would take a name without a slash for a text."""
    name = existing(path)
    together = ["--together"] if os.path.isdir(name) else []
    return [*together, "--", name if os.path.isabs(name) else os.path.join(os.curdir, name)]


def facts(topic: str | None = None, machine: Machine | None = None) -> Facts:
    """Return what is known of this machine, or of a recorded one: tables by their names, as rows."""
    said = ask("facts", *_machine(machine))
    tables = {name: rows for name, rows in said.items() if isinstance(rows, (list, dict))}
    if topic is not None and topic not in tables:
        raise UsageError(f"facts() knows no table {topic}; there are {', '.join(sorted(tables))}")
    return Facts.of({"tables": tables if topic is None else {topic: tables[topic]}})


def probe(level: int = 1, layers: str | Iterable[str] = (), *, device: str | int | None = None, seconds: float | None = None) -> Probe:
    """Test the GPUs of this machine, from the device nodes up. Level 1 is quick, 2 asks every library, 3 takes minutes."""
    names = layers if isinstance(layers, str) else ",".join(layers)
    arguments = [f"--level={level}", *([f"--layer={names}"] if names else []), *([f"--device={device}"] if device is not None else [])]
    return Probe.of(ask_plain("probe", arguments, None, seconds))


def run(command: Iterable[str | os.PathLike[str]], *, directory: str | os.PathLike[str] | None = None, heal: bool = False,
        attempts: int | None = None, preflight: bool = True) -> Run:
    """Run a job under `rocsteady run`, with the streams of this process, and return how it ended and why.

    The journal stays in `directory`; without one it is kept only until this returns.
    """
    words = [os.fspath(word) for word in command]
    options = [*(["--heal"] if heal else []), *([f"--attempts={attempts}"] if attempts is not None else []),
               *([] if preflight else ["--no-preflight"])]
    if not words:
        raise UsageError("run() needs a command")
    with tempfile.TemporaryDirectory() as scratch:
        journal = os.path.join(scratch, "run") if directory is None else os.fspath(directory)
        status = supervise(["run", "--dir", journal, *options, "--", *words])
        return Run.of({**ask("run", ["--report", journal]), "status": status})


def targets(paths: Path | Iterable[Path], require: str | Iterable[str] = (), *, machine: Path | None = None,
            skip: str | Iterable[str] = (), rules: Path | None = None, baseline: Path | None = None) -> Targets:
    """List the GPUs that libraries, wheels, packages or directories have code for, and judge whether all required are covered.

    The required targets may be one text with commas. With a recorded machine its GPUs are required.
    Members that fit `skip` are not judged, a file of rules requires and skips, and of the baseline,
    the last release, nothing may be lost.
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    needs = [require] if isinstance(require, str) else list(require)
    globs = [skip] if isinstance(skip, str) else list(skip)
    arguments = ["--require", ",".join(needs)] if any(needs) else []
    arguments += ["--skip", ",".join(globs)] if any(globs) else []
    arguments += ["--rules", existing(rules)] if rules is not None else []
    arguments += ["--baseline", existing(baseline)] if baseline is not None else []
    if machine is not None:
        arguments += ["--from", existing(machine)]
    return Targets.of(ask("targets", [*arguments, "--", *[existing(path) for path in several]]))


def advise(gpu: str | None = None, program: str | None = None, *, system: str | None = None,
           python: str | None = None) -> Advice:
    """Say what to install for a GPU, or for this machine's: torch, or another program."""
    given = {"--gpu": gpu, "--for": program, "--os": system, "--python": python}
    return Advice.of(ask("advise", [f"{option}={value}" for option, value in given.items() if value is not None]))


def snapshot(*, brief: bool = False) -> Snapshot:
    """Record this machine as text, without names and secrets."""
    text = print_of(["snapshot", "--brief"] if brief else ["snapshot"])
    return Snapshot.of({"text": text})


def text_of(error: BaseException) -> str:
    """Return the traceback as Python prints it, at most its last million characters."""
    return "".join(traceback.format_exception(type(error), error, error.__traceback__))[-MOST_TEXT:]
