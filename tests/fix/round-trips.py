#!/usr/bin/env python3
"""Apply, interrupt, resume and undo every remedy that applies itself.

Each remedy is offered by the program on a recorded machine, unpacked into a
tree. It is applied and undone by the command line, and then TIMES times by the
engine alone, killed before a random system call that changes something:
applying or undoing, once or twice. After the undo the tree is the same, byte
for byte: names, kinds, modes, owners, times of files, links, contents.
"""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import trips
from trips import CASES, DRIVER, PROGRAM, RECORD_DIR, TIMES, check, difference, fingerprint, interrupted, make_tree, run

JOINS = ("join-render-group", "service-join-group")


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
    check(f"{remedy}: a line to paste: {listed}", "(dry run" in pasted(listed, "   Nothing was changed. To see the steps:").stdout
          or "Nothing to fix" in listed)
    shown = run(PROGRAM, "fix", remedy, *([subject] if subject else []), "--root", tree).stdout
    if remedy in JOINS:
        check(f"{remedy}: the command is about the tree: {shown}", f"sudo usermod -a -G render -P {shlex.quote(str(tree))} " in shown
              or f"sudo usermod -a -G render,video -P {shlex.quote(str(tree))} " in shown)
    done = pasted(shown, "   rocsteady can do this; it asks first:")
    check(f"{remedy}: applied: {done.stderr} {shown}", done.returncode == 0)
    said = done.stdout
    check(f"{remedy}: something was changed", fingerprint(tree) != before)
    check(f"{remedy}: is listed", remedy in run(PROGRAM, "fix", "--applied", "--root", tree).stdout)
    for text, head in ((said, "   Then check:"), (shown, "   Then check")):
        verified = pasted(text, head)
        check(f"{remedy}: --verify answers: {verified.stderr}", verified.returncode in (0, 2, 3))
        check(f"{remedy}: --verify is about this remedy: {verified.stdout}",
              verified.stdout.startswith(("ok fixed: the problem", "ok the problem that", "not fixed:", "?? cannot tell", "cannot tell:")))
    done = pasted(said, "   To revert:")
    check(f"{remedy}: undone: {done.stderr}", done.returncode == 0 and "the files are as they were; then, by hand:" in done.stdout)
    done = pasted(shown, "   To revert it, byte for byte:")
    check(f"{remedy}: nothing is left to undo: {done.stderr}", done.returncode == 0 and "nothing to undo" in done.stderr)
    after = fingerprint(tree)
    check(f"{remedy}: as before: {difference(before, after)}", before == after)


def engine_commands(tree, item):
    rest = [item["id"], item["findings"][0]["subject"]]
    acts = []
    for a in item["actions"]:
        acts += [a["kind"], a["target"], a["content"] or "-", a["index"] or "-"]
    head = [DRIVER, str(tree), RECORD_DIR]
    return [*head, "apply", *rest, *acts], [*head, "undo", *rest]


def trip(number):
    """One of the cases, in a process of its own."""
    remedy, machine, edits = CASES[number]
    with trips.Place() as place:
        tree = make_tree(place, machine, edits)
        before = fingerprint(tree)
        item = actions_of(tree, remedy)
        for subject in {"", item["findings"][0]["subject"]}:
            by_command(tree, remedy, before, subject)
        apply, undo = engine_commands(tree, item)
        calm = (lambda: time.sleep(0.02)) if remedy in JOINS else (lambda: None)
        kills = interrupted(remedy, lambda: fingerprint(tree), apply, undo, calm)
        print(f"{remedy} on {machine}: {TIMES} round trips, {kills} kills")
    return trips.end()


def main():
    if sys.argv[1:2] == ["--case"]:
        return trip(int(sys.argv[2]))
    chosen = [n for n, case in enumerate(CASES) if not sys.argv[1:] or case[0] in sys.argv[1:]]
    left = [n for n in chosen if trips.ROOT or CASES[n][0] not in JOINS]
    if len(left) < len(chosen):
        print("skipped: join-render-group, service-join-group: usermod needs root")
    checks = bad = 0
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        for done in two.map(lambda n: subprocess.run([sys.executable, "-B", __file__, "--case", str(n)], capture_output=True, text=True,
                                                     stdin=subprocess.DEVNULL), left):
            lines = (done.stdout + done.stderr).splitlines()
            print("\n".join(lines[:-1]))
            counted = re.fullmatch(r"(\d+) checks, (\d+) failed", lines[-1] if lines else "")
            checks += int(counted[1]) if counted else 0
            bad += int(counted[2]) if counted else 1
            if not counted:
                print(f"FAILED: ended with {done.returncode}: {lines[-1:]}")
    print(f"{checks} checks, {bad} failed")
    return 1 if bad or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
