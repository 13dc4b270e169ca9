#!/usr/bin/env python3
"""What run leaves and tells afterwards: text, JSON, HTML of journals whole, cut and hostile."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ["ROCSTEADY_SOURCE"])
PROGRAM = os.environ["ROCSTEADY"]
PAGE = SOURCE / "tests/cli/page.py"
SECRETS = "alice secretbox hf_abcdefghijklmnopqrstuvwxyz0123456789".split()
checked = failed = 0


def check(good, *words):
    global checked, failed
    checked += 1
    if not good:
        failed += 1
        print("FAILED:", *words)


def report(directory, *options, status=0):
    done = subprocess.run([PROGRAM, "run", "--report", str(directory), *options], capture_output=True, text=True, timeout=120)
    check(done.returncode == status, directory, options, "status", done.returncode, done.stderr)
    return done.stdout


def is_page(text, *options):
    path = pathlib.Path("page.html")
    path.write_text(text)
    done = subprocess.run([sys.executable, PAGE, *options, path], capture_output=True, text=True)
    check(done.returncode == 0, done.stdout)
    return text


def fits_schema(value, schema, where="report"):
    """The part of JSON Schema that docs/run.schema.json uses."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    is_a = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    good = any(isinstance(value, (int, float)) and not isinstance(value, bool) and (k == "number" or isinstance(value, int))
               if k in ("integer", "number") else isinstance(value, is_a[k]) for k in kinds)
    check(good, where, "is", value, "not", kinds)
    check("enum" not in schema or value in schema["enum"], where, value)
    if isinstance(value, dict):
        check(set(schema["required"]) <= set(value) <= set(schema["properties"]), where, "has", sorted(value))
        for name in value.keys() & schema["properties"].keys():
            fits_schema(value[name], schema["properties"][name], f"{where}.{name}")
    if isinstance(value, list) and value:
        for number in (0, len(value) // 2, len(value) - 1):
            fits_schema(value[number], schema["items"], f"{where}[{number}]")


def made_runs(top):
    sys.path.insert(0, str(SOURCE / "tests/run/made"))
    import made_runs as made
    for name, make in {**made.RUNS, "secret": lambda: made.healed("alice", "secretbox")}.items():
        for number, journal in enumerate(make(), 1):
            journal.write(os.environ["WRITE_JOURNAL"], top / name, number)


def stories(top):
    schema = json.loads((SOURCE / "docs/run.schema.json").read_text())
    for name, verdict in (("healed", "healed"), ("failed", "failed"), ("unfinished", "unfinished"), ("eight", "failed"), ("hostile", "failed")):
        answer = json.loads(report(top / name, "--json"))
        fits_schema(answer, schema)
        check(answer["verdict"] == verdict, name, answer["verdict"])
        text, page = report(top / name), is_page(report(top / name, "--format", "html"), *(["--hostile"] if name == "hostile" else []))
        check("\x1b" not in text and "\u202e" not in text + page, name, "is not clean")
        check(text.split("\n")[0][3:].split(" (")[0][:40] in " ".join(answer["sentence"].split()), name, text.split("\n")[0])
        check(report(top / name, "--format", "json") == report(top / name, "--json"), name, "two JSONs")
    page = report(top / "healed", "--format", "html")
    check(page.count('class="lane') >= 14, "lanes", page.count('class="lane'))
    check("expandable_segments:True" in page and "allocator-fragmentation" in page and "--resume checkpoints/last.pt" in page, "what was changed")
    check(page.count("class=\"flag try\"") == 2 and "hang-2.txt" in page, "attempts and hang")
    text = report(top / "healed")
    check(re.search(r"^ok Healed: attempt 2 succeeded, after 3 min 11 s$", text, re.M), text)
    check(len(text.splitlines()) < 40, "short")
    check(len(report(top / "healed", "--verbose").splitlines()) > 500, "the dump has every record of both journals")


def words(top):
    """What a reader meets: words for numbers, remedies, one kind of loss, a legend of what is drawn."""
    sys.path.insert(0, str(SOURCE / "tests/run/made"))
    import made_runs as made
    one = made.Journal()
    one.start(0)
    for i in range(40):
        one.sample(i, [])
        if i % 10 < 9:
            one.add("progress", i, f"stdout epoch {i // 10 + 1} epochs 4 batch {i % 10} batches 9 loss {0.9 - i / 100:.2f}")
        else:
            one.add("progress", i, f"stdout epoch {i // 10 + 1} epochs 4 loss 7.5")
    one.add("event", 20, "stopped 19")
    one.add("event", 21, "killed 1")
    one.add("event", 22, f"vram-left 0000:03:00.0 {3 << 30}")
    one.add("event", 23, "looked-again 12")
    one.add("end", 41, "status 1", "said " + made.word("certain: GPU memory is full (vram-exhausted)"),
            f"helps vram-exhausted leave-vram-headroom {made.word('rocsteady run --heal --attempts 2 -- ...')} {made.word('Leave some memory')}")
    one.write(os.environ["WRITE_JOURNAL"], top / "words", 1)
    text, page, answer = report(top / "words"), is_page(report(top / "words", "--format", "html")), json.loads(report(top / "words", "--json"))
    for shown in (" ".join(text.split()), page):
        for says in ("stopped by SIGSTOP", "ignored SIGTERM and was killed: 1 process", "0000:03:00.0, 3.0 GiB", "Leave some memory", "rocsteady run --heal --attempts 2 -- ..."):
            check(says in shown, says, "is missing in", shown[:3000])
        check("looked-again" not in shown, "bookkeeping is told")
    check(answer["attempts"][0]["helps"][0]["remedy"] == "leave-vram-headroom", "JSON has no remedy")
    check("from 0.9 to 0.52" in page, "losses of epochs are mixed in", re.findall("from [^<]* to [^<]*", page))
    check("GPU active" not in page and "the job" in page and page.count("owner unknown") == 1, "the legend", re.findall('class="key.*', page))
    check("GPU active" in report(top / "healed", "--format", "html"), "the legend of GPUs")


def few(top):
    """What never failed is not called healed; a hang is a reason; one value is drawn."""
    sys.path.insert(0, str(SOURCE / "tests/run/made"))
    import made_runs as made
    one = made.Journal()
    one.start(0)
    one.add("preflight", 0, f"set HIP_VISIBLE_DEVICES 0 hide {made.word('hides it')} -", "took 5")
    one.add("attempt", 0, "attempt 1 2")
    one.add("progress", 1, "stdout epoch 1 epochs 4 batch 3 batches 9 loss 0.5")
    one.add("attempt", 2, f"outcome healed {made.word('attempt 1 succeeded')}")
    one.add("end", 3, "status 0")
    one.write(os.environ["WRITE_JOURNAL"], top / "few", 1)
    text, page = report(top / "few"), is_page(report(top / "few", "--format", "html"))
    check(text.startswith("ok Succeeded after 3 s, with 1 setting of --heal\n"), text)
    check("rocsteady run · <b>" not in page and re.search(r"rocsteady run · \d{4}-\d\d-\d\d \d\d:\d\d UTC", page), "the date on top")
    check("rocsteady run · <b>" in report(top / "few", "--format", "html", "--no-scrub"), "the host on top, if names stay")
    ticks = re.findall(r'<span style="--at:([\d.]+)%">([\d:.]+)</span>', page[page.index('class="axis"'):])
    check(ticks == [("0.00", "0:00"), ("33.33", "0:01"), ("66.67", "0:02"), ("100.00", "0:03")], "ticks of a short run", ticks)
    drawn = re.findall(r'class="curve c0" d="([^"]*)"', page)
    check(len(drawn) == 1 and re.fullmatch(r"M[\d.]+ [\d.]+ H[\d.]+", drawn[0]), "one point", drawn)
    first, second = made.Journal(), made.Journal()
    first.start(0)
    first.add("attempt", 0, "attempt 1 2")
    first.add("attempt", 9, f"outcome again {made.word('attempt 2 follows with nothing changed')}")
    first.add("end", 9, "signal 15", "said " + made.word("stopped because it hung: all wait"))
    second.start(10)
    second.add("attempt", 10, "attempt 2 2", f"why - {made.word('it hung and was stopped')}")
    second.add("end", 20, "status 0")
    for number, journal in enumerate((first, second), 1):
        journal.write(os.environ["WRITE_JOURNAL"], top / "hung", number)
    check("reason: it hung and was stopped" in report(top / "hung"), report(top / "hung"))
    check('data-name="because">it hung and was stopped</td>' in report(top / "hung", "--format", "html"), "because in the page")


def long_words(top):
    """Of a hang the headline has no proof in it, and of a command of many pages the beginning."""
    sys.path.insert(0, str(SOURCE / "tests/run/made"))
    import made_runs as made
    one = made.Journal()
    one.start(0, command="python -c " + "x" * 157 + "\u00e4" * 300)
    one.add("end", 41, "signal 15", "said " + made.word("stopped because it hung: a GPU is busy; a second window"))
    one.write(os.environ["WRITE_JOURNAL"], top / "long", 1)
    text = report(top / "long")
    check(text.startswith("!! Hung and was stopped after 41 s: a GPU is busy\n"), text[:200])
    check(max(map(len, text.splitlines())) < 200 and "x ..." in text, text[:600])
    check("\u00e4" * 300 in report(top / "long", "--format", "html", "--no-scrub"), "the page has it whole")


def many(top):
    all_runs = top / "all_runs"
    for number, name in enumerate(("failed", "healed", "unfinished")):
        (all_runs / f"run-{name}").mkdir(parents=True)
        for journal in (top / name).glob("journal*"):
            (all_runs / f"run-{name}" / journal.name).write_bytes(journal.read_bytes())
        os.utime(all_runs / f"run-{name}/journal", (1000 + number, 1000 + number))
    (all_runs / "no-run").mkdir()
    text = report(all_runs)
    check(re.findall(r"--report (\S+)", text) == [f"{all_runs}/run-{n}" for n in ("unfinished", "healed", "failed")], "order", text)
    check("!! Failed with exit code 1" in text and "ok Healed" in text and "?? No exit recorded" in text and "3 runs in" in text, text)
    check(json.loads(report(all_runs, "--json"))["verdict"] == "unfinished", "programs get the newest")
    (all_runs / "journal").write_bytes((top / "failed/journal").read_bytes())
    check("3 later runs are below it; the newest: --report" in report(all_runs), "the own one is told, and that there are more")
    report(top / "nowhere", status=125)


def hostile_names(top):
    """A directory may have any name: it is shown clean, and so that a shell finds it again."""
    all_runs = top / "odd"
    for number, name in enumerate(("plain", "my dir", "a\x1b]0;owned\a", "it's")):
        (all_runs / name).mkdir(parents=True)
        (all_runs / name / "journal").write_bytes((top / "failed/journal").read_bytes())
        os.utime(all_runs / name / "journal", (1000 + number, 1000 + number))
    os.mkdir(all_runs / "bad\x1b[2J")
    (all_runs / "bad\x1b[2J/journal").write_text("nothing of ours, long enough to be looked at\n" * 3)
    text = report(all_runs)
    check("\x1b" not in text and "\a" not in text, "raw names", repr(text))
    shown = re.findall(r"rocsteady run --report (.*)", text)
    check(len(shown) == 4, text)
    for words in shown:
        done = subprocess.run(["bash", "-c", f'[ -f {words}/journal ]'])
        check(done.returncode == 0, "a shell does not find", words)
    (all_runs / "journal").write_bytes((top / "failed/journal").read_bytes())
    os.utime(all_runs / "a\x1b]0;owned\a" / "journal", (9000000000, 9000000000))
    text = report(all_runs)
    check("\x1b" not in text and "the newest: --report $'" in text, "the line of those below", repr(text[-200:]))
    done = subprocess.run([PROGRAM, "run", "--no-preflight", "--dir", "my dir", "--", "sh", "-c", "echo x; exit 3"], capture_output=True, text=True)
    check("--report 'my dir'" in done.stderr and "in its 1 line;" in done.stderr, done.stderr)


def closed_pipe(top):
    for form in ((), ("--json",), ("--format", "html"), ("--verbose",)):
        p = subprocess.Popen([PROGRAM, "run", "--report", top / "healed", *form], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdout.close()
        said = p.stderr.read()
        check(p.wait(120) == 0 and said == b"", form, "into a closed pipe", p.returncode, said)


def secrets(top):
    for form in ("html",):
        plain, clean = (report(top / "secret", "--format", form, *more) for more in (["--no-scrub"], []))
        check("alice" in plain and "secretbox" in plain, "planted in", form)
        check(not any(s in clean for s in SECRETS), "a secret in", form)
    first, second = (report(top / "secret", "--format", "html", "--scrub-key", "k") for _ in range(2))
    check(first == second, "one key, one page")


def cuts(top):
    whole = (top / "healed/journal").read_bytes().rstrip(b"\0")
    cut = top / "cut"
    cut.mkdir()
    seen = 0
    for n in [*range(0, 60, 7), *range(60, len(whole), len(whole) // 40)]:
        (cut / "journal").write_bytes(whole[:n])
        done = subprocess.run([PROGRAM, "run", "--report", cut, "--json"], capture_output=True, text=True)
        if done.returncode == 0:
            samples = len(json.loads(done.stdout)["samples"])
            check(samples >= seen, "fewer samples after a longer cut", n)
            seen = samples
        else:
            check(n < 64, "cut at", n, done.stderr)
    check(seen > 50, "samples before the cut", seen)
    report(top / "nowhere", status=125)
    (cut / "journal").write_text("a file of somebody else, long enough to be looked at\n" * 3)
    report(cut, status=125)


def left_beside(top):
    """A job that fails leaves a page, one that ends well does not; and it costs little."""
    for words, there in ((["sh", "-c", "echo x; exit 3"], True), (["true"], False)):
        run = top / f"live{there}"
        begun = time.monotonic()
        status = subprocess.run([PROGRAM, "run", "--no-preflight", "--dir", run, "--", *words], capture_output=True).returncode
        took = time.monotonic() - begun
        check(status == (3 if there else 0), "status", status)
        check((run / "journal").stat().st_mode & 0o777 == 0o600, "a journal that others can read")
        check((run / "report.html").exists() == there == (run / "report.json").exists(), words, os.listdir(run))
        if there:
            is_page((run / "report.html").read_text())
            check(json.loads((run / "report.json").read_text())["attempts"][0]["ending_word"] == "3", "JSON beside")
        print(f"{words}: {took:.2f} s")


def kept_from_git(top):
    """The directory that run makes itself is not committed by accident; what was deleted there stays so."""
    os.makedirs(top / "project")
    bare = {name: value for name, value in os.environ.items() if name != "ROCSTEADY_RUN_DIR"}
    for _ in range(2):
        subprocess.run([PROGRAM, "run", "--no-preflight", "--", "true"], cwd=top / "project", env=bare, check=True, capture_output=True)
    ignored = top / "project/.rocsteady/.gitignore"
    check(ignored.read_text() == "*\n", "a .gitignore")
    ignored.unlink()
    subprocess.run([PROGRAM, "run", "--no-preflight", "--", "true"], cwd=top / "project", env=bare, check=True, capture_output=True)
    check(not ignored.exists(), "a .gitignore that was deleted")
    subprocess.run([PROGRAM, "run", "--no-preflight", "--dir", "named", "--", "true"], cwd=top / "project", env=bare, check=True, capture_output=True)
    check(not (top / "project/named/.gitignore").exists(), "no .gitignore in a directory that was named")


def usage():
    for words in (["--json", "--", "true"], ["--format", "html", "--", "true"], ["--report", "x", "--json", "--format", "html"], ["--report", "x", "--format", "sarif"]):
        done = subprocess.run([PROGRAM, "run", *words], capture_output=True, text=True)
        check(done.returncode == 125, words, done.returncode, done.stderr)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    top = pathlib.Path(work)
    made_runs(top)
    stories(top)
    words(top)
    few(top)
    long_words(top)
    many(top)
    hostile_names(top)
    closed_pipe(top)
    secrets(top)
    cuts(top)
    left_beside(top)
    kept_from_git(top)
    usage()
print(f"{checked} checks, {failed} failed")
sys.exit(failed > 0 or checked == 0)
