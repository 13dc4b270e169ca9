"""Tables of what happened: faults x roots, and counts."""
import collections
import re

from runner import truth as truths

FIELDS = "probe", "check", "gate", "run", "program"
ENDINGS = {"139": "SIGSEGV", "134": "SIGABRT", "137": "waits for ever", "124": "waits for ever", "timeout": "waits for ever"}
NOISE = re.compile(r"0x[0-9a-f]+|\b\d{3,}\b|/[\w./+-]+:\d+")


def last_error(text):
    """The line that a reader would look at; the last one if none names an error."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if re.search(r"error|fail|abort|cannot|unable|not |fault|exception|assert", line, re.I)]
    return (named or lines or [""])[-1]


def stack_says(answer):
    status = ENDINGS.get(answer.status, answer.status)
    line = last_error(answer.text) if answer.status != "0" else ""
    return f"{answer.command.split()[-1 if answer.command.startswith('timeout') else 0]}: {status}" + \
        (f", \"{line[:70]}\"" if line else "")


def signature(answers):
    """What the stack does, without addresses and line numbers: two faults that share it are one to a user."""
    return tuple((a.field, a.command, NOISE.sub("", a.happened() if a.field == "probe" else a.status + last_error(a.text)))
                 for a in answers if a.field in ("probe", "program"))


class Table:
    def __init__(self):
        self.rows, self.counts, self.cured = [], collections.Counter(), collections.Counter()
        self.signatures = collections.defaultdict(set)

    def add(self, case, root, answers):
        truth, unseen = truths.Truth(case.one("truth", root)), (case.one("unseen", root) or "gate").split()
        cells = collections.defaultdict(list)
        for answer in answers:
            verdict = truths.judge(truth, unseen, answer)
            cures = truths.cures(truth, answer)
            self.counts[answer.field, verdict] += 1
            if cures is not None:
                self.cured[answer.field, cures] += 1
            cells[answer.field].append(truths.MARKS[verdict] + " " + answer.happened() +
                                       ("" if cures is None else " (cures)" if cures else " (does not cure)"))
        stack = "; ".join(stack_says(a) for a in answers if a.field == "program")
        self.signatures[case.group()].add(signature(answers))
        self.rows.append([case.name, root, stack] + ["; ".join(cells[field]) for field in FIELDS])

    def text(self):
        lines = ["| fault | root | AMD's stack | probe | check --probe | gate | run | explain |", "|" + "---|" * 8]
        lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.rows]
        return "\n".join(lines + [""] + self.summary())

    def summary(self):
        lines = ["| asked | right | open | unseen | wrong | first step cures | does not |", "|" + "---|" * 7]
        for field in FIELDS:
            numbers = [self.counts[field, v] for v in truths.MARKS] + [self.cured[field, c] for c in (True, False)]
            lines.append(f"| {'explain' if field == 'program' else field} | " + " | ".join(map(str, numbers)) + " |")
        groups = ", ".join(f"{name} {len(found)}" for name, found in sorted(self.signatures.items()))
        return lines + ["", f"{len({row[0] for row in self.rows})} faults on {len({row[1] for row in self.rows})} roots; "
                        f"AMD's stack answers in {len(set().union(*self.signatures.values()))} ways: {groups}"]
