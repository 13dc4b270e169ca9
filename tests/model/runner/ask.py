"""What is asked of rocsteady and of programs, and what they answer."""
import dataclasses
import json
import re
import subprocess

MARK = "---- report of the run ----"


@dataclasses.dataclass
class Answer:
    """`words` are what an expectation is held against; the rest is for the truth."""
    field: str
    command: str = ""
    status: str = ""
    words: list = dataclasses.field(default_factory=list)
    word: str = ""  # certain, likely, undecided, not-recognised, nothing
    causes: list = dataclasses.field(default_factory=list)
    step: str = ""
    text: str = ""  # what a program printed

    def happened(self):
        return " ".join(str(word) for word in [self.status, *self.words] if word not in (None, ""))


def first_json(text):
    """Warnings of libraries may stand before it."""
    start = text.find("{")
    return json.JSONDecoder().raw_decode(text[start:])[0] if start >= 0 else {}


# ---- what is run, and what its output means ----

def read_probe(answer, text):
    first = (first_json(text).get("breaks") or [{}])[0]
    answer.words = [first.get("question"), first.get("ending"), first.get("number")]


def read_check(answer, text):
    findings = first_json(text).get("findings", [])
    problems = [f for f in findings if f.get("severity") != "info" and not f.get("because_of")]
    first = problems[0] if problems else {}
    answer.causes = [f.get("cause") for f in problems]
    answer.step = (first.get("remedies") or [{}])[0].get("id", "")
    answer.words = [*answer.causes[:1], answer.step]


def word_of_run(said):
    for start, word in ("certain:", "certain"), ("likely:", "likely"), ("Cause unclear", "undecided"):
        if re.search(r"^" + start, said, re.M):
            return word
    return "not-recognised" if "not recognised" in said else "nothing"


def read_run(answer, text):
    report = first_json(text.partition(MARK)[2])
    answer.text = "\n".join(attempt.get("said", "") for attempt in report.get("attempts", []))
    answer.causes = re.findall(r"\(([a-z0-9]+(?:-[a-z0-9]+)+)\)", answer.text) + \
        [f.get("cause") for f in report.get("findings", [])]
    answer.word = word_of_run(answer.text)
    answer.words = [answer.word, *answer.causes[:1]]


def explain(answer, rocsteady):
    """Reads what the program printed, by itself: no machine is at hand."""
    done = subprocess.run([rocsteady, "explain", "--no-machine", "--json", "--verbose", "-"], input=answer.text.encode(),
                          capture_output=True)
    said = first_json(done.stdout.decode())
    answer.word = said.get("answer", "")
    answer.causes = [cause.get("cause") for cause in said.get("causes") or []]
    answer.step = (said.get("steps") or [{}])[0].get("remedy") or ""
    answer.words = [answer.word, *answer.causes[:1], answer.step]


# ---- the questions of a case ----

def limit_of(command):
    """"timeout 10 hip-copy": the seconds, and what is left. None without."""
    found = re.match(r"timeout (\d+) (.*)", command)
    return (found[1], found[2]) if found else (None, command)


def words_of_program(command):
    limit, rest = limit_of(command)
    return (["timeout", "-s", "KILL", limit] if limit else []) + rest.split()


def words_of_run(command):
    """Its report is printed behind what the program says."""
    limit, rest = limit_of(command)
    begin = f"timeout -s KILL {3 * int(limit)} rocsteady run --on-hang end --hang-after {limit}" if limit else "rocsteady run"
    return ["sh", "-c", f"{begin} --dir /tmp/run.$$ -- {rest}; status=$?\n"
            f"echo '{MARK}'; rocsteady run --report /tmp/run.$$ --json; exit $status"]


def questions(case, root, layers):
    """(expected, answer without content, command)"""
    fixed = {"probe": ["rocsteady", "probe", *layers, "--json"],
             "check": ["rocsteady", "check", "--probe", *layers, "--json", "--verbose"], "gate": ["rocsteady", "gate"]}
    for field, words in fixed.items():
        for expected in case.all(field, root):
            yield expected, Answer(field), words
    for field, words_of in ("program", words_of_program), ("run", words_of_run):
        for command, expected in case.commands(field, root):
            yield expected, Answer(field, command=command), words_of(command)


def fill(answer, status, text, rocsteady):
    answer.status = status
    if answer.field == "probe":
        read_probe(answer, text)
    elif answer.field == "check":
        read_check(answer, text)
    elif answer.field == "run":
        read_run(answer, text)
    elif answer.field == "program":
        answer.text = text
        explain(answer, rocsteady)


def ask_all(case, root, machine, layers, rocsteady):
    """[(expected, answer)]"""
    asked = list(questions(case, root, layers))
    for (_, answer, _), (status, text) in zip(asked, machine.run([words for _, _, words in asked])):
        fill(answer, status, text, rocsteady)
    return [(expected, answer) for expected, answer, _ in asked]
