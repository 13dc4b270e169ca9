#!/usr/bin/env python3
"""Plant every form of forms.tsv and every line of look-alikes.txt, and see what comes out.

plant.py PROGRAM DIRECTORY WORK: a table of the forms that survived, by place, and of the lines that were lost. The forms of
open.tsv may survive: they are known to. WORK/forms.md is the table of all forms for the documents.
"""
import functools, html, os, pathlib, re, shlex, subprocess, sys

program, here, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
def rows(text):
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


secrets, names = map(rows, (here / "forms.tsv").read_text().split("# ---- names"))
may_survive = [form for form, _, _ in rows((here / "open.tsv").read_text())]
secrets += rows((here / "open.tsv").read_text())
forms = secrets + names[1:]  # behind the rest of the comment
alike = [line for line in (here / "look-alikes.txt").read_text().splitlines() if not line.startswith("#")]
survived, lost, planted = {}, {}, {}


def run(*words, **more):
    return subprocess.run([program, *map(str, words)], capture_output=True, **more)


def as_word(text):
    """One word of a snapshot, as src/base/text.c writes it."""
    return re.sub(r"[\s\\]", lambda m: "\\x%02x" % ord(m[0]), text)


def from_words(text):
    return re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), text)


@functools.lru_cache(maxsize=4)  # a page is looked through for each form
def shapes_of_secret(text):
    """As it is, with its blanks escaped, or within HTML or JSON."""
    return {one.lower() for one in (text, html.unescape(text), from_words(text), text.replace("\\\\", "\\").replace('\\"', '"'))}


@functools.lru_cache(maxsize=4)
def shapes_of_line(text):
    """Markdown and HTML have their own way to write a byte; what counts is that the words are there."""
    return {text, html.unescape(text), re.sub(r"\\([^\w\s])", r"\1", text), from_words(text)}


def keep(place, form, secret, text):
    planted.setdefault(form, set()).add(place)
    if any(secret.lower() in one for one in shapes_of_secret(text)):
        survived.setdefault(form, []).append(place)


def lose(place, line, text):
    if not any(line.strip() in one for one in shapes_of_line(text)):
        lost.setdefault(line, []).append(place)


# ---- a machine: environment, command lines of units, kernel log, names of files, values of files ----

def machine(texts, name):
    tree = work / name
    tree.mkdir()
    parts = ["rocsteady-snapshot 1\nnote unpacked\nask identity\n\tuid 1000\n\tuser qyuser\n\thome /home/qyuser\n", "ask environment\n"]
    parts += [f"\tROCM_N{i}={text}\n" for i, text in enumerate(texts)]
    parts += ["ask kernel-log\n"] + [f"\t. 1762934400 {1000000 + i} 6 amdgpu: <{i}> {text}\n" for i, text in enumerate(texts)]
    parts += [f"file /etc/systemd/system/n{i}.service excerpt\n\t5:ExecStart=/usr/bin/env {text}\n" for i, text in enumerate(texts)]
    parts += ["dir /etc/profile.d\n"] + [f"\t{i}\\x20{as_word(text)}\n" for i, text in enumerate(texts) if "/" not in text]
    (tree / ".rocsteady-snapshot").write_text("".join(parts))
    return tree


PLACES = {
    "environment": r"^\tROCM_N{}=(.*)$",
    "kernel log": r"^\t\. 1762934400 \d+ 6 amdgpu: <{}> (.*)$",
    "command line": r"^(?:file )?(?:/etc/systemd/system/|\t)n{}.service(?: excerpt)?(?:\n\t| )5:ExecStart=/usr/bin/env (.*)$",
    "file name": r"^\t{}\\x20(.*)$",
}


def snapshot_lines(tree, *words):
    text = run("snapshot", "--root", tree, *words).stdout.decode("utf-8", "replace")
    for place, pattern in PLACES.items():
        for i, found in {int(m[1]): m[2] for m in re.finditer(pattern.replace("{}", r"(\d+)"), text, re.M)}.items():
            yield place, i, found


def snapshots():
    tree = machine([text for _, _, text in forms], "forms")
    found = {(place, i) for place, i, _ in snapshot_lines(tree, "--no-scrub")}
    for place in PLACES:
        if sum(1 for p, _ in found if p == place) < 60:
            sys.exit(f"not planted: {place}")
    for place, i, text in snapshot_lines(tree):
        keep(place, forms[i][0], forms[i][1], text)
    whole = run("snapshot", "--root", tree, "-o", work / "forms.snap")
    for name, words in {"markdown": ["check", "--format", "markdown"], "html": ["check", "--format", "html"],
                        "brief": ["snapshot", "--brief"]}.items():
        text = run(*words, "--root", tree).stdout.decode("utf-8", "replace")
        if len(text) < 1000:
            sys.exit(f"no {name}: {text}")
        for form, secret, _ in forms:
            keep("check's " + name, form, secret, text)
    for words in (["check", "--json", "--verbose"], ["facts", "--json"]):
        text = run(*words, "--from", work / "forms.snap").stdout.decode("utf-8", "replace")
        for form, secret, _ in forms:
            keep(words[0] + "'s JSON", form, secret, text)
    for place, i, text in snapshot_lines(machine(alike, "alike")):
        lose(place, alike[i], from_words(text) if place == "file name" else text)


# ---- logs ----

def logs(texts, name):
    """One log for each, with the line as its last error."""
    directory = work / name
    directory.mkdir()
    for i, text in enumerate(texts):
        (directory / f"{i:03}.log").write_text(f"step 1 ok\nRuntimeError: <{i}> {text}\n")
    return directory


def explain(form, directory, *words):
    text = run("explain", "--no-machine", "--format", form, "--verbose", *words, directory).stdout.decode("utf-8", "replace")
    return text.replace("\\\\", "\\").replace('\\"', '"') if form == "json" else text


def explained():
    """Markdown and HTML have no names either; text and JSON stay with their owner, and secrets alone are withheld."""
    directory = logs([text for _, _, text in forms], "logs")
    harmless = logs(alike, "healthy")
    for form in ("markdown", "html", "json", "text"):
        text = explain(form, directory)
        if text.count("RuntimeError") < len(forms):
            sys.exit(f"explain's {form} does not quote the lines")
        for name, secret, _ in forms if form in ("markdown", "html") else secrets:
            keep("explain's " + form, name, secret, text)
        text, plain = explain(form, harmless), explain(form, harmless, "--no-scrub")
        for line in set(alike) if text != plain else ():
            if line in plain:
                lose("explain's " + form, line, text)


# ---- run: the job's command line and its output ----

LEAVES = ("report.html", "report.json")

def words_of(text):
    """The words a shell would make of it; what is data of a program is one."""
    return [text] if text[0] in "[{<'\"$" or "\\" in text or re.search(r"[\[(]b?['\"]|==", text) else shlex.split(text)


def runs():
    for i, (form, secret, text) in enumerate(forms):
        directory = work / "runs" / str(i)
        script = 'printf "RuntimeError: %s\\n" "$SAID" >&2; exit 1'
        run("run", "--no-preflight", "--dir", directory, "--", "sh", "-c", script, *words_of(text), cwd=work, env={**os.environ, "SAID": text})
        reports = [path for path in directory.iterdir() if path.is_file() and path.name in LEAVES]
        if len(reports) < len(LEAVES):
            sys.exit(f"no reports of the run with {form}")
        for path in reports:
            keep("run's " + path.name, form, secret, path.read_bytes().decode("utf-8", "replace"))


snapshots()
explained()
runs()
def table():
    """One line a form: in how many places it was planted, and where it survived."""
    yield "| form | places | survives in |\n|---|---|---|\n"
    for form, _, _ in forms:
        places = set(survived.get(form, []))
        gone = sorted(planted[form] - places)
        where = f"all but {', '.join(gone)}" if places and gone else "all" if places else ""
        yield f"| {form} | {len(planted[form])} | {where} |\n"


(work / "forms.md").write_text("".join(table()))
known = [form for form in survived if form in may_survive]
print(f"{len(forms)} forms, {len(survived)} survived, {len(known)} of them known to; {len(alike)} look-alikes, {len(lost)} lost")
for form, places in survived.items():
    print(f"survived  {form:40} {', '.join(places)}")
for line, places in lost.items():
    print(f"lost      {line[:70]:70} {', '.join(places)}")
for form in set(may_survive) - set(known):
    print(f"gone      {form}: it belongs into forms.tsv")
sys.exit(len(survived) > len(known) or bool(lost) or len(forms) < 100 or len(alike) < 200)
