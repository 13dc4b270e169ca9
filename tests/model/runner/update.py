"""Writes what happened into the cases. What is true of a case is not touched, so a wrong answer stays marked."""
from runner import cases, truth as truths

ASKED = "probe", "check", "gate", "program", "run"


def words_of(case, root, answer):
    truth, unseen = truths.Truth(case.one("truth", root)), (case.one("unseen", root) or "gate").split()
    happened = " ".join("timeout|slow" if word in ("timeout", "slow") and answer.field == "probe" else word
                        for word in answer.happened().split())
    return happened + (" wrong" if truths.judge(truth, unseen, answer) == "wrong" else "")


def answer_lines(case, happened):
    """The first root that was asked speaks for all; others have lines of their own where they differ."""
    common, lines = {}, []
    for root in case.roots():
        for answer in happened[case.name, root]:
            key, text = (answer.field, answer.command), words_of(case, root, answer)
            own = is_own(case, root, *key)
            if common.setdefault(key, text if not own else None) == text and not own and root == case.roots()[0]:
                lines.append(line(answer, "", text))
            elif common[key] != text:
                lines.append(line(answer, "@" + root, text))
    return sorted(lines, key=lambda l: ("@" in l.partition(":")[0], ASKED.index(l.partition(":")[0].partition("@")[0])))


def is_own(case, root, field, command):
    """Asked on that root alone."""
    given = case.fields.get(field, [])
    same = [where for where, text in given if not command or cases.split_command(text)[0] == command]
    return root in same and "" not in same


def line(answer, where, text):
    return f"{answer.field}{where}: " + (f"{answer.command} -> " if answer.command else "") + text


def rewrite(happened):
    """Cases that were asked on every root of theirs."""
    whole = {c.name: c for c in cases.read_cases() if all((c.name, root) in happened for root in c.roots())}
    for file in sorted((cases.HERE / "cases").glob("*.cases")):
        out, case = [], None
        for text in file.read_text().splitlines() + ["case: "]:
            if case and (not text.strip() or text.startswith("case:")):
                out += answer_lines(case, happened)
                case = None
            if text.startswith("case:"):
                case = whole.get(text.partition(":")[2].strip())
            if not case or text.partition(":")[0].partition("@")[0] not in ASKED:
                out.append(text)
        file.write_text("\n".join(out[:-1]).rstrip() + "\n")
