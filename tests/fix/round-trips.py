#!/usr/bin/env python3
"""Apply, interrupt, resume and undo every remedy that applies itself.

Each remedy is offered by the program on a recorded machine, unpacked into a
tree. It is applied and undone by the command line, and then TIMES times by the
engine alone, killed before a random system call that changes something:
applying or undoing, once or twice. After the undo the tree is the same, byte
for byte: names, kinds, modes, owners, times of files, links, contents.
"""
import json
import pathlib
import shlex
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import trips
from trips import CASES, DRIVER, PROGRAM, SHELF, TIMES, check, difference, fingerprint, interrupted, make_tree, run


def actions_of(tree, remedy):
    listed = json.loads(run(PROGRAM, "fix", "--json", "--root", tree).stdout)
    for item in listed["remedies"]:
        if item["id"] == remedy and item["actions"]:
            return item
    raise SystemExit(f"FAILED: {remedy} does not apply itself on {tree}")


def pasted(text, head):
    """The command behind these words, run as a shell has it."""
    lines = text.splitlines()
    line = next((l.removeprefix(head) or lines[i + 1] for i, l in enumerate(lines) if l.startswith(head)), "false").strip()
    words = shlex.split(line.removeprefix("sudo "))
    return run(*[PROGRAM if w == "rocsteady" else w for w in words], *(["--yes"] if "--apply" in words else []))


def by_command(tree, remedy, before, subject):
    """By the lines that the program itself tells to paste."""
    listed = run(PROGRAM, "fix", "--verbose", "--root", tree).stdout
    check(f"{remedy}: a line to paste: {listed}", "(a dry run" in pasted(listed, "   Nothing was changed. The steps of one:").stdout
          or "nothing to fix" in listed)
    shown = run(PROGRAM, "fix", remedy, *([subject] if subject else []), "--root", tree).stdout
    done = pasted(shown, "   or by itself, after asking:")
    check(f"{remedy}: applied: {done.stderr} {shown}", done.returncode == 0)
    said = done.stdout
    check(f"{remedy}: something was changed", fingerprint(tree) != before)
    check(f"{remedy}: is listed", remedy in run(PROGRAM, "fix", "--applied", "--root", tree).stdout)
    for text, head in ((said, "   whether it is cured:"), (shown, "   see whether it helped")):
        verified = pasted(text, head)
        check(f"{remedy}: --verify answers: {verified.stderr}", verified.returncode in (0, 2, 3))
        check(f"{remedy}: --verify is about this remedy: {verified.stdout}",
              verified.stdout.startswith(("ok cured: what", "not cured:", "?? cannot tell", "cannot tell:")))
    done = pasted(said, "   take it back:")
    check(f"{remedy}: undone: {done.stderr}", done.returncode == 0 and "as it was" in done.stdout)
    done = pasted(shown, "   and is taken back, byte for byte, by")
    check(f"{remedy}: nothing is left to undo: {done.stderr}", done.returncode == 0 and "nothing to undo" in done.stderr)
    after = fingerprint(tree)
    check(f"{remedy}: as before: {difference(before, after)}", before == after)


def engine_commands(tree, item):
    rest = [item["id"], item["findings"][0]["subject"]]
    acts = []
    for a in item["actions"]:
        acts += [a["kind"], a["target"], a["content"] or "-", a["index"] or "-"]
    head = [DRIVER, str(tree), SHELF]
    return [*head, "apply", *rest, *acts], [*head, "undo", *rest]


def main():
    only = sys.argv[1:]
    for remedy, machine, edits in CASES:
        if only and remedy not in only:
            continue
        if remedy == "join-render-group" and not trips.ROOT:
            print(f"skipped: {remedy}: usermod needs root")
            continue
        with tempfile.TemporaryDirectory() as place:
            tree = make_tree(pathlib.Path(place), machine, edits)
            before = fingerprint(tree)
            item = actions_of(tree, remedy)
            for subject in {"", item["findings"][0]["subject"]}:
                by_command(tree, remedy, before, subject)
            apply, undo = engine_commands(tree, item)
            calm = (lambda: time.sleep(0.02)) if remedy == "join-render-group" else (lambda: None)
            kills = interrupted(remedy, lambda: fingerprint(tree), apply, undo, calm)
            print(f"{remedy} on {machine}: {TIMES} round trips, {kills} kills")
    return trips.end()


if __name__ == "__main__":
    sys.exit(main())
