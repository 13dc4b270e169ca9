"""What is true of a case, because we made it so, and whether an answer is right.

    truth: healthy
    truth: vram-exhausted job-too-large -> free-memory reduce-demand

Causes that are right, the likeliest first; behind the arrow the kinds of cure that would end this fault
(`cures:` of kb/remedies). An answer that is not decided, or none, is open, which is honest and not wrong: if one of
its first three causes is right, or if another fault, of which its first cause is true, prints the same text.
Those texts are the records of logs/.
"""
import functools
import itertools
import json
import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parent.parent.parent.parent
LOGS = TOP / "tests" / "model" / "logs" / "model.jsonl"
OPEN_CAUSES = {"gpu-test-fails"}  # says which layer fails, and that no cause is known
UNCLEAR = "3", "70"  # of check and probe: not known, and could not be asked
MARKS = {"right": "✓", "open": "○", "unseen": "–", "wrong": "✗"}


@functools.cache
def families():
    """Names that stand for several causes which a text cannot tell apart."""
    text = (TOP / "kb" / "tables" / "family.yaml").read_text()
    return {name: causes.split() for name, causes in re.findall(r'- name: (\S+)\n(?:.*\n)*?    causes: "(.*)"', text)}


def plain(text):
    """What stays the same from run to run, and from program to program."""
    text = re.sub("\x1b\\[[0-9;]*m", "", text)
    lines = (" ".join(re.sub(r"0x[0-9a-f]+|at [\w.-]+:\d+|[\d.]+|^[\w-]+: \./", "", line).split()) for line in text.splitlines())
    return "\n".join(line for line, _ in itertools.groupby(line for line in lines if line))  # how often it was tried is chance


@functools.cache
def told_causes():
    """By the text that a program printed: all causes that were true when it did."""
    found = {}
    for line in LOGS.read_text().splitlines() if LOGS.exists() else []:
        record = json.loads(line)
        found.setdefault(plain("\n".join(record["log"])), set()).update([record["cause"], *record["cause2"]])
    return found


class Truth:
    def __init__(self, text):
        causes, _, kinds = text.partition("->")
        self.healthy = causes.split() == ["healthy"]
        self.causes = [] if self.healthy else causes.split()
        self.kinds = kinds.split()
        assert self.healthy or self.kinds, f"truth: {text}: no kind of cure"


def kinds_of_step(step):
    file = TOP / "kb" / "remedies" / f"{step}.yaml"
    found = re.search(r"^cures: \[(.*)\]", file.read_text(), re.M) if step and file.exists() else None
    return re.split(r",\s*", found[1]) if found else []


def judge_healthy(answer):
    if answer.field in ("probe", "check", "gate"):
        return "right" if answer.status == "0" and not answer.causes else "wrong"
    if answer.word in ("certain", "likely", "undecided"):
        return "wrong"
    return "right" if answer.word == "nothing" else "open"


def is_right(truth, cause):
    return bool({cause, *families().get(cause, [])} & set(truth.causes))


def judge_words(truth, unseen, answer):
    """explain and run."""
    if answer.word in ("nothing", "not-recognised"):
        if answer.status == "0" or answer.field in unseen:
            return "unseen"  # the program did not fail, or printed all that it prints in health
        return "open" if answer.word == "not-recognised" or answer.field == "run" else "wrong"
    first = answer.causes[0] if answer.causes else ""
    if is_right(truth, first):
        return "right"
    open_to = [cause for cause in answer.causes[:3] if is_right(truth, cause)]
    if answer.word == "undecided" and (open_to or first in told_causes().get(plain(answer.text), set())):
        return "open"
    return "wrong"


def judge(truth, unseen, answer):
    """right, open, unseen or wrong. `unseen` names the fields that this fault does not reach."""
    if truth.healthy:
        return judge_healthy(answer)
    if answer.field in ("run", "program"):
        return judge_words(truth, unseen, answer)
    if answer.status == "0":
        return "unseen" if answer.field in unseen else "wrong"
    if answer.field != "check":
        return "right"
    if answer.causes and is_right(truth, answer.causes[0]):
        return "right"
    return "open" if set(answer.causes[:1]) & OPEN_CAUSES or (not answer.causes and answer.status in UNCLEAR) else "wrong"


def cures(truth, answer):
    """Whether the first step would end the fault; None if none is prescribed or none is needed."""
    kinds = kinds_of_step(answer.step)
    return bool(set(kinds) & set(truth.kinds)) if kinds and not truth.healthy else None
