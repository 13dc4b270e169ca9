"""What the program says, as dataclasses that print as text and show as HTML.

Fields have the names of the JSON, which docs/*.schema.json describe; `raw` keeps
the whole object, with the fields that no class names.
"""
from __future__ import annotations

import html
import os
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Tuple, TypeVar

Part = Tuple[str, str]  # a kind, which is one of STYLES, and a text
T = TypeVar("T", bound="Answer")
MOST_STEPS = 3
MOST_COMMANDS = 4  # of a step
MOST_FILES = 20

STYLES = {  # of a part: the indent in text; the element and its style in HTML
    "title": ("", "strong", "display:block"),
    "line": ("  ", "span", "display:block"),
    "step": ("  ", "span", "display:block;margin-left:1em"),
    "command": ("       ", "code", "display:block;margin-left:3em;white-space:pre-wrap"),
    "note": ("  ", "small", "display:block"),
    "text": ("", "pre", "margin:0;max-height:20em;overflow:auto"),
}


def many(of: type[Answer]) -> Any:
    """Declare a field that holds a list of these."""
    return field(metadata={"of": of}, default_factory=list)


def one_line(text: object) -> str:
    """Return the text without line breaks and other control characters."""
    return "".join(c if c.isprintable() else " " for c in str(text))


def plain_lines(text: object) -> str:
    """Return the text line by line: no character turns the direction or drives anything."""
    return "\n".join(one_line(line) for line in str(text).split("\n"))


@dataclass(frozen=True, repr=False)
class Answer:
    """An object of the program's JSON."""
    raw: dict[str, Any] = field(compare=False)

    @classmethod
    def of(cls: type[T], raw: dict[str, Any]) -> T:
        """Make one from the JSON object; a list of objects becomes a list of their class."""
        values = {}
        for f in fields(cls):
            if f.name in raw and f.name != "raw":
                kind = f.metadata.get("of")
                values[f.name] = [kind.of(item) for item in raw[f.name] or []] if kind else raw[f.name]
        return cls(raw=raw, **values)

    def parts(self) -> Iterator[Part]:
        """Yield what a person is shown, as pairs of a kind and a text."""
        yield "title", ", ".join(str(value) for name, value in self.raw.items() if isinstance(value, (str, int)) and name != "schema")

    def lines(self) -> list[str]:
        """Return what a person is shown, one item a line."""
        return [STYLES[kind][0] + (plain_lines(text) if kind == "text" else one_line(text)) for kind, text in self.parts()]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<rocsteady.{type(self).__name__}: {(self.lines() or [''])[0].strip()}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a terminal: the answer with its commands."""
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self) -> str:
        return "<div>" + "".join(
            f'<{STYLES[kind][1]} style="{STYLES[kind][2]}">{html.escape(plain_lines(text))}</{STYLES[kind][1]}>'
            for kind, text in self.parts()) + "</div>"


@dataclass(frozen=True, repr=False)
class Evidence(Answer):
    """A line of evidence: what was seen and where."""
    says: str | None = None
    source: str | None = None
    answer: str = "yes"

    def parts(self) -> Iterator[Part]:
        yield "line", f"{self.says} ({self.source})" if self.source else str(self.says)


@dataclass(frozen=True, repr=False)
class Remedy(Answer):
    """A way out. Lines of `steps` that begin with four blanks are commands."""
    id: str = ""
    title: str = ""
    risk: str = ""
    steps: str = ""
    verify: str = ""
    undo: str = ""

    @property
    def commands(self) -> list[str]:
        return commands_of(self.steps)

    def parts(self) -> Iterator[Part]:
        yield "step", self.title
        for command in self.commands:
            yield "command", command


@dataclass(frozen=True, repr=False)
class Named(Answer):
    """A cause by its name, with what speaks for it and what cures it."""
    cause: str = ""
    title: str = ""
    evidence: list[Evidence] = many(Evidence)
    remedies: list[Remedy] = many(Remedy)

    def seen(self) -> list[str]:
        """Return what speaks for it, in the program's words."""
        return [f"Seen: {line.says}" for line in self.evidence if line.answer == "yes" and line.says]

    def parts(self) -> Iterator[Part]:
        yield "title", f"{self.title} ({self.cause})"
        for line in self.seen():
            yield "line", line


@dataclass(frozen=True, repr=False)
class Finding(Named):
    """A cause that holds on the machine, or may."""
    name: str = ""
    severity: str = ""
    belief: str = ""
    story: str = ""
    undecided: str | None = None

    def parts(self) -> Iterator[Part]:
        yield "title", f"{self.title} ({self.cause}, {word(self.belief)})"
        for remedy in self.remedies[:1]:
            yield from remedy.parts()
        for line in self.seen():
            yield "line", line


@dataclass(frozen=True, repr=False)
class Check(Answer):
    """What is wrong with a machine. The verdict is ready, degraded, not_ready or undecided."""
    verdict: str = ""
    exit_status: int = 0
    untested: str | None = None  # why a test of the GPU proves nothing
    machine: list[str] = field(default_factory=list)
    findings: list[Finding] = many(Finding)

    @property
    def ready(self) -> bool:
        return self.verdict == "ready"

    @property
    def reason(self) -> str:
        """The verdict in a sentence, with the first finding if there is one."""
        said = self.verdict.replace("_", " ")
        if not self.findings:
            return f"{said}: {self.untested}" if self.untested else said
        return f"{said}: {self.findings[0].title} ({self.findings[0].cause})"

    def parts(self) -> Iterator[Part]:
        yield "title", self.verdict.replace("_", " ")
        if self.untested:
            yield "line", self.untested
        for line in self.machine:
            yield "note", line
        for finding in self.findings:
            yield from finding.parts()


@dataclass(frozen=True, repr=False)
class Cause(Named):
    """A cause that something in the text speaks for."""
    belief: float = 0


@dataclass(frozen=True, repr=False)
class FirstLook(Answer):
    """A harmless command that tells the causes of an undecided answer apart."""
    says: str = ""
    command: str = ""
    tells: str | None = None

    def parts(self) -> Iterator[Part]:
        yield "step", self.says
        yield "command", self.command


@dataclass(frozen=True, repr=False)
class Step(Answer):
    """What to do, and what to type for it, in `commands`."""
    title: str = ""
    cause: str | None = None
    remedy: str | None = None
    command: str | None = None
    steps: str | None = None
    commands: list[str] = field(default_factory=list)

    def parts(self) -> Iterator[Part]:
        yield "step", self.title
        for command in self.commands:
            if command not in self.title:
                yield "command", command


@dataclass(frozen=True, repr=False)
class Explanation(Answer):
    """Why a text ends in a failure. The answer is nothing, not-recognised, undecided, likely or certain."""
    answer: str = ""
    headline: str = ""
    causes: list[Cause] = many(Cause)
    steps: list[Step] = many(Step)
    used: str = ""
    about: str | None = None  # amd, other-gpu or not-gpu; None: the text does not say
    fingerprint: str | None = None  # the same for two reports of one failure

    def __post_init__(self) -> None:
        """Give each step its commands, which the program says in the step or in the remedy of its cause."""
        remedies: list[tuple[str | None, Remedy]] = [(cause.cause, remedy) for cause in self.causes for remedy in cause.remedies]
        remedies += [(None, Remedy.of(raw)) for raw in (self.raw.get("family") or {}).get("remedies") or []]
        for step in self.steps:
            if step.command:
                step.commands.append(step.command)
            elif step.steps:
                step.commands.extend(commands_of(step.steps))
            else:
                found = [remedy.commands for cause, remedy in remedies if cause == step.cause and remedy.id == step.remedy]
                step.commands.extend(found[0] if found else [])

    @property
    def name(self) -> str | None:
        """The cause, or the family of causes, that is named, as the command line names it; None: none is."""
        if self.answer not in ("likely", "certain") or not self.causes:
            return None
        family = self.raw.get("family")
        return str(family["name"]) if family else self.causes[0].cause

    @property
    def known(self) -> bool:
        """Whether a cause is named, if only as one of several."""
        return self.answer in ("undecided", "likely", "certain")

    @property
    def of_script(self) -> bool:
        """Whether the program says that the script is at fault, not the GPU or its software."""
        return bool(self.causes) and self.causes[0].cause == "user-code"

    @property
    def first_look(self) -> FirstLook | None:
        look = self.raw.get("first_look")
        return FirstLook.of(look) if look else None

    def parts(self) -> Iterator[Part]:
        yield "title", f"{self.headline} ({self.name}, {self.answer})" if self.name else self.headline
        look = self.first_look
        if look:
            yield "step", f"1  {look.says}"
            yield "command", look.command
        before = 2 if look else 1
        for number, step in enumerate(self.steps[:MOST_STEPS], before):
            yield "step", f"{number}  {step.title}"
            for command in step.commands[:MOST_COMMANDS]:
                if command not in step.title:
                    yield "command", command
            if len(step.commands) > MOST_COMMANDS:
                yield "note", f"{len(step.commands) - MOST_COMMANDS} more commands"
        for line in [line for cause in self.causes[:1] for line in cause.seen()][:2]:
            yield "line", line
        if self.known and self.causes:
            yield "note", f"More: rocsteady kb show {self.name or self.causes[0].cause}"


@dataclass(frozen=True, repr=False)
class RequiredTarget(Answer):
    """A GPU target that was required, and how many of the rows lack it."""
    target: str = ""
    lacking: int = 0
    unknown: int = 0


@dataclass(frozen=True, repr=False)
class CodeFile(Answer):
    """A file, or a directory of kernels, with device code."""
    path: str = ""
    kind: str = ""
    problems: list[str] = field(default_factory=list)

    @property
    def targets(self) -> list[str]:
        return [target["id"] for target in self.raw["targets"]]

    @property
    def covers(self) -> dict[str, str]:
        """How each required target is covered: all, fallback, slower, unknown, part or none."""
        return {cell["target"]: cell["verdict"] for cell in self.raw["covers"]}

    def parts(self) -> Iterator[Part]:
        said = [f"{target} {verdict}" for target, verdict in self.covers.items()] or self.targets
        yield "line", f"{self.path}: {', '.join(said) or 'no target known'}"


@dataclass(frozen=True, repr=False)
class Targets(Answer):
    """Which GPUs files have code for. The verdict is listed, covered, not_covered or undecided."""
    verdict: str = ""
    exit_status: int = 0
    required: list[RequiredTarget] = many(RequiredTarget)
    files: list[CodeFile] = many(CodeFile)
    kernels: list[CodeFile] = many(CodeFile)

    @property
    def covered(self) -> bool:
        return self.verdict == "covered"

    def parts(self) -> Iterator[Part]:
        yield "title", self.verdict.replace("_", " ")
        for need in self.required:
            yield "line", f"{need.target}: {need.lacking} lack code, {need.unknown} unknown"
        for note in self.raw.get("lost", []):
            yield "line", f"{note['path']}: {note['says']}"
        rows = self.files + self.kernels
        for row in rows[:MOST_FILES]:
            yield from row.parts()
        if len(rows) > MOST_FILES:
            yield "note", f"{len(rows) - MOST_FILES} more"
        for note in self.raw.get("unread", []) + self.raw.get("nothing", []):
            yield "note", f"{note['path']}: {note['says']}"


@dataclass(frozen=True, repr=False)
class Way(Answer):
    """A way to install a program for a GPU: a line to paste, and why."""
    id: str = ""
    line: str = ""
    why: str = ""
    caveat: str | None = None
    checked: str = ""


@dataclass(frozen=True, repr=False)
class AdvisedGpus(Answer):
    """GPUs that one way serves, with the ways, best first."""
    gpus: list[dict[str, Any]] = field(default_factory=list)
    ways: list[Way] = many(Way)

    def parts(self) -> Iterator[Part]:
        yield "step", ", ".join(gpu.get("name") or gpu.get("gfx") or "unknown" for gpu in self.gpus)
        for way in self.ways[:1]:
            yield "command", way.line
            yield "note", f"{way.why}; last checked {way.checked}"
        if not self.ways:
            yield "line", "none known"


@dataclass(frozen=True, repr=False)
class Advice(Answer):
    """What to install."""
    application: str = ""
    system: str = ""
    advice: list[AdvisedGpus] = many(AdvisedGpus)

    @property
    def line(self) -> str | None:
        """The command to paste for the first GPU, if one is known."""
        return next((way.line for part in self.advice for way in part.ways), None)

    def parts(self) -> Iterator[Part]:
        yield "title", f"{self.application} on {self.system}"
        for part in self.advice:
            yield from part.parts()


@dataclass(frozen=True, repr=False)
class Facts(Answer):
    """What is known of a machine: the rows of each table, by its name (docs/schema.md)."""
    tables: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, table: str) -> Any:
        return self.tables[table]

    def parts(self) -> Iterator[Part]:
        rows = {name: len(table) for name, table in self.tables.items() if isinstance(table, list)}
        yield "title", f"facts of {sum(1 for count in rows.values() if count)} tables"
        for name, count in rows.items():
            if count:
                yield "line", f"{name}: {count} row{'s' if count > 1 else ''}"


@dataclass(frozen=True, repr=False)
class Probe(Answer):
    """How a test of the GPUs went. The verdict is that of `rocsteady probe`: sound if nothing failed."""
    walk: dict[str, Any] = field(default_factory=dict)
    breaks: list[dict[str, Any]] = field(default_factory=list)
    probes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        return str(self.walk.get("verdict"))

    def parts(self) -> Iterator[Part]:
        yield "title", f"{self.verdict}, {len(self.probes)} test{'s' if len(self.probes) != 1 else ''}"
        for broken in self.breaks:
            yield "line", f"{broken.get('layer')}: {broken.get('question')} {broken.get('ending')} {broken.get('name') or ''}".rstrip()


@dataclass(frozen=True, repr=False)
class Run(Answer):
    """How a job ended under supervision. The status is that of `rocsteady run`, which is the job's own."""
    verdict: str = ""
    sentence: str = ""
    status: int = 0
    attempts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def said(self) -> list[str]:
        """What was printed below the job, line by line."""
        return [line for attempt in self.attempts for line in str(attempt.get("said") or "").splitlines()]

    def parts(self) -> Iterator[Part]:
        yield "title", self.sentence
        for line in self.said:
            yield "line", line


@dataclass(frozen=True, repr=False)
class Snapshot(Answer):
    """A machine as text, without names and secrets."""
    text: str = ""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the text to this file."""
        pathlib.Path(path).write_text(self.text, encoding="utf-8")

    def parts(self) -> Iterator[Part]:
        yield "title", "snapshot of a machine"
        yield "text", self.text


def word(belief: str) -> str:
    """Return the word for a belief that reports use."""
    return "unclear" if belief == "undecided" else belief


def commands_of(steps: str) -> list[str]:
    """Return the commands among the lines of a remedy: those that begin with four blanks."""
    return [line.strip() for line in steps.splitlines() if line.startswith("    ")]
