#!/usr/bin/env python3
"""A disk that is full for a moment, at each step of applying a remedy in turn.

Whatever could not be written, the message begins with what that was, and what
it says of the changes is so: either nothing is changed, or --undo takes back
what stays.
"""
import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import trips
from trips import CASES, DRIVER, RECORD_DIR, check, difference, fingerprint, make_tree, run

WRITES = ("apply", "test-full-disk", "", "write", "/etc/security/limits.d/rocsteady-nofile.conf", "ada - nofile 65536\n", "-")


def apply(tree, at):
    return run(DRIVER, tree, RECORD_DIR, *WRITES, env={**os.environ, "FULL_AT": str(at)})


def main():
    with trips.Place() as place:
        tree = make_tree(place, CASES[0][1], [])
        before = fingerprint(tree)
        at, done = 1, apply(tree, 1)
        while done.returncode != 0 and at < 40:
            why = done.stderr
            check(f"full at {at}: status 2: {why}", done.returncode == 2)
            check(f"full at {at}: begins with what failed: {why}", why[:1] == "/" or why.startswith("the journal in /"))
            check(f"full at {at}: says why: {why}", "No space left" in why)
            if "what was begun stays" in why:
                undone = run(DRIVER, tree, RECORD_DIR, "undo", *WRITES[1:3])
                check(f"full at {at}: undone: {undone.stderr}", undone.returncode == 0)
            after = fingerprint(tree)
            check(f"full at {at}: as before: {why} {difference(before, after)}", before == after)
            at += 1
            done = apply(tree, at)
        check(f"applied where the disk has room, after {at - 1} failures: {done.stderr}", done.returncode == 0 and at > 3)
    return trips.end()


if __name__ == "__main__":
    sys.exit(main())
