"""What the sender of a recorded machine says is true, held against what check answers."""

# Tables of which a machine gave nothing, because they were not asked.
UNASKED = "SELECT topic FROM gap WHERE standing = 'unasked' AND coalesce(detail, '') NOT IN ('NOT WALKED', 'NOT ON WINDOWS') AND subject = '' AND topic NOT LIKE '%.%'"


def about_lines(path):
    """The lines `name: value` of an .about; of two with a name the first counts."""
    found = {}
    for line in path.read_text().splitlines():
        name, colon, value = line.partition(": ")
        if colon:
            found.setdefault(name, value)
    return found


def first_cause(answer):
    """What check calls wrong first, or None."""
    for finding in answer["findings"]:
        if finding["kind"] == "cause" and finding["belief"] in ("likely", "certain") and finding["severity"] != "info":
            return finding["cause"]
    return None


def said(answer, truth):
    """How the answer of `check --json --verbose` stands to the truth: a cause, `healthy`, or `unknown`."""
    first = first_cause(answer)
    if truth == "unknown":
        return f"{first or answer['verdict']}, truth unknown"
    if truth == "healthy":
        return "right" if answer["verdict"] == "ready" else f"wrong: {first or answer['verdict']}"
    if first == truth:
        return "right"
    named = [f["cause"] for f in answer["findings"] if f["belief"] in ("undecided", "likely", "certain")]
    return f"{'open' if truth in named else 'wrong'}: {first or answer['verdict']}"
