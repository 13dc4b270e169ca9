#!/usr/bin/env python3
"""The signatures of a kb.db as regular expressions, one a line.

A signature without a pattern gives its literals. Names of groups are dropped,
for not every engine knows them; lookaround stays, and who cannot read it says so.
"""
import re
import sqlite3
import sys

NAMED = re.compile(r"\(\?<[A-Za-z_]\w*>")
LOOK = re.compile(r"\(\?(?:[=!]|<[=!])")


def main():
    db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    left_out = 0
    for name, pattern in db.execute("SELECT id, pattern FROM signature ORDER BY id"):
        if pattern is None:
            for (text,) in db.execute("SELECT text FROM literal WHERE signature = ?", (name,)):
                print(re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", text))
        elif LOOK.search(pattern):
            left_out += 1
        else:
            print(NAMED.sub("(", pattern))
    if left_out:
        print(f"{left_out} patterns with lookaround left out", file=sys.stderr)


main()
