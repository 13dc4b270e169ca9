"""Cases: the blocks of cases/*.cases; README.md has their form."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent.parent
FIELDS = ("roots", "sys", "layers", "fault", "machine", "truth", "unseen", "probe", "check", "gate", "run", "program", "quick",
          "why")


class Case:
    """A block: fields by name, each a list of (root or "", text)."""

    def __init__(self, name, file):
        self.name, self.file, self.fields = name, file, {}

    def add(self, line):
        key, _, text = line.partition(":")
        name, _, root = key.strip().partition("@")
        assert name in FIELDS, f"{self.file}: {self.name}: no field is called {name}"
        self.fields.setdefault(name, []).append((root, text.strip()))

    def all(self, name, root=""):
        """Those for this root; those without one if it has none of its own."""
        own = [text for where, text in self.fields.get(name, []) if where == root]
        return own or [text for where, text in self.fields.get(name, []) if not where]

    def one(self, name, root=""):
        return (self.all(name, root) or [""])[0]

    def commands(self, name, root):
        """(command, expectation) of every root and of this one; the root's own expectation counts."""
        given = self.fields.get(name, [])
        found = dict(split_command(text) for where, text in given if not where)
        found.update(split_command(text) for where, text in given if where == root)
        return [(command, expected) for command, expected in found.items() if expected != "not"]

    def roots(self):
        return [r for text in self.all("roots") for r in text.split()] or ["sid"]

    def group(self):
        return self.file.removesuffix(".cases")


def split_command(text):
    command, _, expected = text.partition(" -> ")
    return command.strip(), expected.strip()


def read_cases():
    found = []
    for file in sorted((HERE / "cases").glob("*.cases")):
        case = None
        for line in file.read_text().splitlines():
            if line.startswith("case:"):
                case = Case(line.partition(":")[2].strip(), file.name)
                found.append(case)
            elif line.strip() and not line.startswith("#"):
                case.add(line)
    assert len({c.name for c in found}) == len(found), "two cases have one name"
    for case in found:
        assert case.one("truth"), f"{case.file}: {case.name} does not say what is true"
    return found
