#!/usr/bin/env python3
"""What others have planted, changed, filled up or damaged.

Links that lead out of the tree, files under our names, files changed since,
directories that others may write, a full disk, a damaged journal: refused with
a sentence, nothing outside is touched and nothing inside is left behind.
"""
import base64
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))
import trips

check, run = trips.check, trips.run

RULES = "/etc/udev/rules.d/rocsteady-amdgpu.rules"
TEXT = '# by us\nKERNEL=="kfd", GROUP="render", MODE="0660"\n'
RECORD_DIR = trips.RECORD_DIR


def command(tree, what, kind="write", target=RULES, content=TEXT):
    head = [trips.DRIVER, str(tree), RECORD_DIR, what, "test-remedy", ""]
    return [*head, kind, target, content, "-"] if what == "apply" else head


def join(tree, what):
    return command(tree, what, "join-group", "ada:render", "-")


def fresh(place):
    tree, outside = place / "tree", place / "outside"
    for folder in (tree, outside):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o755)
    for folder in ("etc/udev/rules.d", "var/lib"):
        (tree / folder).mkdir(parents=True)
    for name, text in (("passwd", trips.PASSWD), ("shadow", trips.SHADOW), ("group", trips.GROUP), ("gshadow", trips.GSHADOW)):
        (tree / "etc" / name).write_text(text)
        (outside / name).write_text("outside\n")
    return tree, outside


def plant(path, to):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(to)


PLANTED = [
    ("a directory on the way", "etc/udev/rules.d", "write"),
    ("two above", "etc/udev", "write"),
    ("the first directory", "etc", "write"),
    ("the file itself", "etc/udev/rules.d/rocsteady-amdgpu.rules", "write"),
    ("the file beside it", "etc/udev/rules.d/.rocsteady-fix.tmp", "write"),
    ("the journal's directory", "var/lib/rocsteady", "write"),
    ("the journal's own directory", "var", "write"),
    ("the group file", "etc/group", "join"),
    ("the other group file", "etc/gshadow", "join"),
    ("a backup", "etc/group-", "join"),
    ("a lock", "etc/group.lock", "join"),
    ("where the group file is", "etc", "join"),
]


def planted(place):
    for text, name, kind in PLANTED:
        for to in ("{outside}", "{outside}/group", "../../outside", "/nowhere"):
            tree, outside = fresh(place)
            plant(tree / name, to.format(outside=outside))
            before, around = trips.fingerprint(tree), trips.fingerprint(outside)
            done = run(*(command if kind == "write" else join)(tree, "apply"))
            what = f"a link for {text} to {to}: {done.stderr.strip()}"
            check(f"{what}: refused", done.returncode == 2)
            check(f"{what}: nothing outside is touched", trips.fingerprint(outside) == around)
            check(f"{what}: nothing is left: {trips.difference(before, trips.fingerprint(tree))}",
                  trips.fingerprint(tree) == before)


def changed_since(place):
    tree, _ = fresh(place)
    file = tree / RULES[1:]
    before = trips.fingerprint(tree)
    check("applied", run(*command(tree, "apply")).returncode == 0)
    file.write_text(TEXT + "# and I\n")
    done = run(*command(tree, "undo"))
    check(f"changed since: {done.stderr}", done.returncode == 2 and "was changed since" in done.stderr)
    check("and left as it is", file.read_text().endswith("# and I\n"))
    file.write_text(TEXT)
    check("put right, it is undone", run(*command(tree, "undo")).returncode == 0)
    check("as before", trips.fingerprint(tree) == before)

    file.write_text(TEXT)
    before = trips.fingerprint(tree)
    done = run(*command(tree, "apply"))
    check(f"a file of that name is somebody's: {done.stderr}", done.returncode == 2 and "did not create it" in done.stderr)
    check("and nothing is left", trips.fingerprint(tree) == before)


def group_changed_since(place):
    """What somebody else has changed stays; only the member that was added goes."""
    shadow = trips.GSHADOW
    for text, edit, want, other in (
            ("a group more", lambda now: now + "new:x:1001:\n", trips.GROUP + "new:x:1001:\n", shadow),
            ("a member more", lambda now: now.replace("992:ada", "992:ada,bob"), trips.GROUP.replace("992:", "992:bob"), shadow),
            ("another member elsewhere", lambda now: now.replace("44:ada", "44:ada,bob"), trips.GROUP.replace("44:ada", "44:ada,bob"), shadow),
            ("a group less", lambda now: now.replace("ollama:x:998:\n", ""), trips.GROUP.replace("ollama:x:998:\n", ""), shadow),
            ("the group is gone", lambda now: now.replace("render:x:992:ada\n", ""), trips.GROUP.replace("render:x:992:\n", ""), shadow),
            ("no other file any more", None, trips.GROUP, None)):
        tree, _ = fresh(place)
        group, gshadow = tree / "etc/group", tree / "etc/gshadow"
        done = run(*join(tree, "apply"))
        check(f"joined: {done.stderr}", done.returncode == 0 and "render:x:992:ada\n" in group.read_text())
        if edit:
            group.write_text(edit(group.read_text()))
            group.chmod(0o640)
        else:
            gshadow.unlink()
        done = run(*join(tree, "undo"))
        check(f"{text}: undone: {done.stderr}", done.returncode == 0)
        check(f"{text}: {group.read_text()!r}", group.read_text() == want)
        check(f"{text}: its mode stays", group.stat().st_mode & 0o777 == (0o640 if edit else 0o644))
        check(f"{text}: the other file", gshadow.read_text() == other if other else not gshadow.exists())
    tree, _ = fresh(place)
    check("joined", run(*join(tree, "apply")).returncode == 0)
    (tree / "etc/group").unlink()
    done = run(*join(tree, "undo"))
    check(f"no group file any more: {done.stderr}", done.returncode == 2 and "no longer a regular file" in done.stderr)
    tree, _ = fresh(place)
    (tree / "etc").chmod(0o775)
    done = run(*join(tree, "apply"))
    check(f"others may write it: {done.stderr}", done.returncode == 2 and "by others" in done.stderr)
    tree, _ = fresh(place)
    os.chown(tree, 65534, 65534)
    done = run(*join(tree, "apply"))
    check(f"somebody else's tree: {done.stderr}", done.returncode == 2 and "by others" in done.stderr)


def damaged(place):
    for text in (b"", b"\0" * 100, b"rocsteady-fix 1\n", b"rocsteady-fix 1\nremedy x\nfile =/etc/group\nplanned\n"):
        tree, _ = fresh(place)
        record_dir = tree / RECORD_DIR[1:]
        record_dir.mkdir(parents=True)
        (record_dir / "test-remedy").write_bytes(text)
        before = trips.fingerprint(tree)
        for what in ("apply", "undo"):
            done = run(*command(tree, what))
            check(f"{what} with the journal {text!r}: {done.stderr}", done.returncode == 2 and "the record is damaged" in done.stderr)
        check("and nothing is changed", trips.fingerprint(tree) == before)


def linked(place):
    """A record that has another name may be of another tree: it is neither read nor added to."""
    tree, outside = fresh(place)
    check("applied", run(*command(tree, "apply")).returncode == 0)
    record = tree / RECORD_DIR[1:] / "test-remedy"
    other = outside / "record"
    os.link(record, other)
    text, before = other.read_bytes(), trips.fingerprint(tree)
    for what in ("apply", "undo"):
        done = run(*command(tree, what))
        check(f"{what} with a hard link: {done.stderr}", done.returncode == 2 and "another name (a hard link)" in done.stderr)
        check(f"{what} with a hard link: not added to", other.read_bytes() == text)
        check(f"{what} with a hard link: nothing is changed", trips.fingerprint(tree) == before)
    other.unlink()
    os.link(record, record.with_name(".test-remedy.new"))  # killed between link() and unlink()
    done = run(*command(tree, "undo"))
    check(f"our own second name is taken away: {done.stderr}", done.returncode == 0 and not (tree / RULES[1:]).exists())


def forge(tree, owner, *lines):
    record_dir = tree / RECORD_DIR[1:]
    record_dir.mkdir(parents=True)
    record = record_dir / "test-remedy"
    record.write_text("\n".join(["rocsteady-fix 1", "remedy test-remedy", "subject =", "cause test", "at 1", *lines, "planned", ""]))
    record.chmod(0o600)
    os.chown(record, owner, owner)


def forged(place):
    """A journal in a tree of somebody else's: what it says would be done by root."""
    for owner in (65534, 0):
        tree, outside = fresh(place)
        (outside / "bin").mkdir()
        python = outside / "bin/python"
        python.write_text(f"#!/bin/sh\ntouch {outside}/ran\nexit 1\n")
        python.chmod(0o755)
        (tree / str(place)[1:]).mkdir(parents=True)
        forge(tree, owner, f"action venv ={outside} =torch =https://example.org/whl")
        done = run(*command(tree, "apply"))
        check(f"a forged journal of {owner}: refused: {done.stderr}", done.returncode == 2)
        check(f"a forged journal of {owner}: its program does not run", not (outside / "ran").exists())

        tree, _ = fresh(place)
        forge(tree, owner, "action write =/etc/cron.d/job =*\\x20*\\x20*\\x20*\\x20*\\x20root\\x20id -", "dir =/etc/cron.d")
        done = run(*command(tree, "apply"))
        check(f"a place that is not ours, by {owner}: refused: {done.stderr}", done.returncode == 2)
        check(f"a place that is not ours, by {owner}: nothing is written", not (tree / "etc/cron.d/job").exists())

    tree, _ = fresh(place)
    forge(tree, 0, "action write =/etc/udev/../udev/rules.d/x =x -")
    done = run(*command(tree, "undo"))
    check(f"a path with ..: not undone: {done.stderr}", done.returncode == 2 and "contains . or .." in done.stderr)

    tree, _ = fresh(place)
    group = tree / "etc/group"
    content = base64.b64encode(group.read_bytes()).decode()
    forge(tree, 65534, "action join-group =ada:render - -", f"file =/etc/group f 6755 0 0 1 0 {content}")
    done = run(*command(tree, "undo"))
    check(f"a forged journal: not undone: {done.stderr}", done.returncode == 2 and "belongs to" in done.stderr)
    check("a forged journal: no mode is given away", group.stat().st_mode & 0o6000 == 0)


TELLS = "#!/bin/sh\ntouch {ran}\nexit 1\n"
IMPORTED = "open({ran!r}, 'w').close()\n"


def python_of_others(place):
    """Root runs no code that somebody else could have put there."""
    home, ran, record_dir = place / "home", place / "ran", place / "record_dir"
    theirs = place / "theirs"
    theirs.mkdir(mode=0o755)
    os.chown(theirs, 65534, 65534)

    def fresh_home():
        for folder in (home, record_dir):
            shutil.rmtree(folder, ignore_errors=True)
        home.mkdir(mode=0o755)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home / "venv"], check=True)
        return home / "venv"

    def apply(cwd="/"):
        return run(trips.DRIVER, "", record_dir, "apply", "test-remedy", "", "venv", home / "venv", "torch", place.as_uri(), cwd=cwd)

    for name in ("venv", "pip", "ensurepip", "logging"):
        (theirs / f"{name}.py").write_text(IMPORTED.format(ran=str(ran)))
    fresh_home()
    done = apply(theirs)
    check(f"modules of a directory of others are not run: {done.stderr[-200:]}", done.returncode == 2 and not ran.exists())

    program = theirs / "python"
    program.write_text(TELLS.format(ran=ran))
    program.chmod(0o755)

    def link(venv):
        (venv / "bin/python").unlink()
        (venv / "bin/python").symlink_to(program)

    def group(venv):
        (venv / "bin").chmod(0o775)

    def copy(venv):
        (venv / "bin/python").unlink()
        shutil.copy(program, venv / "bin/python")
        os.chown(venv / "bin/python", 65534, 65534)

    def above(_):
        os.chown(home, 65534, 65534)

    def library(venv):
        site = next(venv.glob("lib/python*/site-packages"))
        os.chown(site, 65534, 65534)
        (site / "x.pth").write_text("import os; " + IMPORTED.format(ran=str(ran)))

    for what, plant in (("a link to a program of others", link), ("a directory of a group", group), ("a program of others", copy),
                        ("a directory above, of others", above), ("a library directory of others", library)):
        plant(fresh_home())
        before = trips.fingerprint(home)
        done = apply()
        check(f"{what}: refused: {done.stderr}", done.returncode == 2 and "as its owner" in done.stderr)
        check(f"{what}: nothing runs, nothing is made", not ran.exists() and trips.fingerprint(home) == before)
        # and the same after an interruption
        venv = fresh_home()
        for at in range(1, 100):
            run(trips.KILLER, at, trips.DRIVER, "", record_dir, "apply", "test-remedy", "", "venv", venv, "torch", place.as_uri())
            if (record_dir / "test-remedy").exists():
                break
        plant(venv)
        done = apply()
        check(f"{what}: not gone on with: {done.stderr}", done.returncode == 2 and not ran.exists() and "as its owner" in done.stderr)


def tree_of_others(place):
    """usermod takes the tree by its path, which must not change under it."""
    for what, owner, mode in (("of others", 65534, 0o755), ("that all may write", 0, 0o777)):
        tree, _ = fresh(place)
        above = place / "above"
        above.mkdir()
        tree.rename(above / "tree")
        os.chown(above, owner, owner)
        above.chmod(mode)
        done = run(*join(above / "tree", "apply"))
        check(f"a directory {what} above the tree: {done.stderr}", done.returncode == 2 and f"{above} " in done.stderr and "can be written by others" in done.stderr)
        os.chown(above, 0, 0)
        above.chmod(0o755)
        for at in range(1, 200):
            run(trips.KILLER, at, *join(above / "tree", "apply"))
            if (above / "tree" / RECORD_DIR[1:] / "test-remedy").exists():
                break
        os.chown(above, owner, owner)
        above.chmod(mode)
        done = run(*join(above / "tree", "apply"))
        check(f"a directory {what}, later: {done.stderr}", done.returncode == 2 and "written by others" in done.stderr)
        check("nobody joined", (above / "tree/etc/group").read_text() == trips.GROUP)
        shutil.rmtree(above)


def home_in_a_tree(place):
    """What root makes in a home is its owner's."""
    for at in range(0, 60, 3):
        tree, _ = fresh(place)
        home = tree / "home/ada"
        home.mkdir(parents=True)
        os.chown(home, 1000, 1001)
        before = trips.fingerprint(tree)
        words = command(tree, "apply", target="/home/ada/.config/environment.d/rocsteady-x.conf", content="HIP_VISIBLE_DEVICES=0\n")
        if at:
            run(trips.KILLER, at, *words)
        done = run(*words)
        check(f"home, after {at}: {done.stderr}", done.returncode in (0, 3))
        made = [p for p in home.rglob("*")]
        check(f"home, after {at}: three names of its owner", len(made) == 3 and all((p.stat().st_uid, p.stat().st_gid) == (1000, 1001) for p in made))
        check("the journal stays ours", (tree / RECORD_DIR[1:] / "test-remedy").stat().st_uid == 0)
        check("undone", run(*command(tree, "undo")).returncode == 0)
        check(f"home: as before: {trips.difference(before, trips.fingerprint(tree))}", trips.fingerprint(tree) == before)


def full(place):
    """A small file system that others have filled; needs the right to mount one. All at once: usermod waits for 15 s."""
    script = f'mount -t tmpfs -o size=256k,mode=755 tmpfs {place} && exec {sys.executable} {__file__} --full {place} "$1" "$2"'
    started = [subprocess.Popen(["unshare", "-m", "sh", "-c", script, "sh", kind, str(room)], text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE) for kind in ("write", "join") for room in range(12)]
    for one in started:
        out, err = one.communicate()
        if one.returncode not in (0, 1):
            print(f"skipped: no small file system can be mounted: {err.strip()}")
            return
        print(out, end="")
        check("a full disk", one.returncode == 0)
    print(f"full disk: {len(started)} tried")


def full_inside(place, kind, room):
    kind = {"write": command, "join": join}[kind]
    tree, _ = fresh(place)
    before = trips.fingerprint(tree)
    filler = place / "filler"
    with open(filler, "wb", buffering=0) as f:
        try:
            while True:
                f.write(b"x" * 4096)
        except OSError:
            pass
        f.truncate(max(0, f.seek(0, 2) - room * 4096))
    done = run(*kind(tree, "apply"))
    filler.unlink()
    if done.returncode == 0:
        check(f"{room} pages: undone", run(*kind(tree, "undo")).returncode == 0)
    elif trips.fingerprint(tree) != before:
        check(f"{room} pages: undone later", run(*kind(tree, "undo")).returncode in (0, 4))
    after = trips.fingerprint(tree)
    check(f"{room} pages left: {done.stderr.strip()}: as before: {trips.difference(before, after)}", after == before)
    return 1 if trips.failed else 0


def main():
    if sys.argv[1:2] == ["--full"]:
        return full_inside(pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    with trips.Place() as place:
        planted(place)
        changed_since(place)
        damaged(place)
        linked(place)
        if trips.ROOT:
            group_changed_since(place)
            forged(place)
            python_of_others(place)
            tree_of_others(place)
            home_in_a_tree(place)
            full(place)
        else:
            print("skipped: the group file, forged journals, files of others and a full disk: they need root")
    return trips.end()


if __name__ == "__main__":
    sys.exit(main())
