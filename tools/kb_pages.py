"""What pages of the knowledge are made of: asked of a kb.db, without a form.

tools/cause-pages writes Markdown of it, tools/site HTML.
"""
import re
import sqlite3

KINDS = {"cause": "Causes", "consequence": "Consequences of something else", "myth": "Myths"}
SLOTS = {"subject": "(which)", "value": "(what)", "source": "(where)"}


def open_kb(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    return db


def plain(text):
    """Words that are filled in on a machine stand as what they will be."""
    return re.sub(r"\{(\w+)\}", lambda m: SLOTS.get(m[1], f"({m[1]})"), text)


def title(cause):
    return plain(cause["plain"] or cause["title"])


def story(cause):
    return " ".join(plain(cause["story"]).split())


def blocks(text):
    """The lines of a remedy as (is a command, text): a command begins with four blanks."""
    commands = []
    for line in text.splitlines() + [""]:
        if line.startswith("    "):
            commands.append(line[4:])
            continue
        if commands:
            yield True, "\n".join(commands)
            commands = []
        if line:
            yield False, plain(line)


def causes(db):
    return db.execute("SELECT * FROM cause ORDER BY slug").fetchall()


def remedies(db, slug):
    """Best first."""
    return db.execute("SELECT r.* FROM cause_remedy c JOIN remedy r ON r.id = c.remedy WHERE c.cause = ? "
                      "ORDER BY c.position", (slug,)).fetchall()


def evidence(db, slug):
    """What speaks for a cause, then what speaks against it."""
    return db.execute("SELECT weight, says FROM evidence WHERE cause = ? ORDER BY weight < 0, position",
                      (slug,)).fetchall()


def lines(db, slug, most):
    """Lines of logs that speak for a cause, the strongest first."""
    return db.execute("SELECT s.weight, g.id, g.kind, g.says, (SELECT text FROM literal l WHERE l.signature = g.id "
                      "ORDER BY position LIMIT 1) AS text FROM suggests s JOIN signature g ON g.id = s.signature "
                      "WHERE s.cause = ? AND s.weight > 0 ORDER BY s.weight DESC, g.id LIMIT ?", (slug, most)).fetchall()


def sources(db, owners):
    """Each once, in the order of their owners."""
    seen = {}
    for owner in owners:
        for row in db.execute("SELECT class, ref, says FROM source WHERE owner = ? ORDER BY rowid", (owner,)):
            seen.setdefault((row["ref"], row["says"]), row)
    return list(seen.values())
