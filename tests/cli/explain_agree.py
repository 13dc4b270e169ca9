"""The four forms of an explanation say the same, and nothing of a log leaves them unescaped.

Run by explain-formats.sh. For every log of tests/explain, and for some that are
hostile: the JSON is valid by docs/explain.schema.json; text, Markdown and HTML
name its file, its cause, every step, and every line of evidence that counted,
in the same order of steps; all four end with the same status. The compact
form is valid by docs/compact.schema.json, names the same causes and first
steps, and takes at most COMPACT_MOST bytes.
"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys

import jsonschema

SOURCE = pathlib.Path(os.environ.get("ROCSTEADY_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ.get("ROCSTEADY") or str(SOURCE / "build" / "rocsteady")


def strict(schema):
    """Nothing that is not described."""
    if isinstance(schema, dict):
        out = {key: strict(value) for key, value in schema.items()}
        if "properties" in out:
            out["additionalProperties"] = False
        return out
    return [strict(item) for item in schema] if isinstance(schema, list) else schema


VALIDATOR = jsonschema.Draft7Validator(strict(json.loads((SOURCE / "docs/explain.schema.json").read_text())))
COMPACT = jsonschema.Draft7Validator(strict(json.loads((SOURCE / "docs/compact.schema.json").read_text())))
COMPACT_MOST = 3000


def explain(form, *words):
    done = subprocess.run([PROGRAM, "explain", "--no-machine", "--format", form, *words],
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    if done.returncode > 3 or done.stderr:
        raise SystemExit(f"{form} {words}: status {done.returncode}: {done.stderr.decode()}")
    return done.returncode, done.stdout.decode()


def squeeze(text):
    return re.sub(r"\s+", " ", text)


def plain_text(text):
    return squeeze(text)


def plain_markdown(text):
    text = text.replace("&#8203;", "").replace("\\|", "|")
    text = re.sub(r"\\([\\`*\[\]~_])", r"\1", text)
    return squeeze(html.unescape(text))


def plain_html(text):
    return squeeze(html.unescape(re.sub(r"<[^>]*>", "", text)))


FORMS = {"text": plain_text, "markdown": plain_markdown, "html": plain_html}


def wanted(answer):
    """Sentences that every form has to have."""
    for step in answer["steps"]:
        yield squeeze(step["title"])
        if step["command"]:
            yield squeeze(step["command"])
    if answer["first_look"]:
        yield squeeze(answer["first_look"]["says"])
        yield squeeze(answer["first_look"]["command"])
    named = answer["causes"][:1] if answer["answer"] in ("likely", "certain") else []
    if answer["family"]:
        yield answer["family"]["title"]
        yield answer["family"]["name"]
        yield from answer["family"]["causes"]
    for cause in named:
        if not answer["family"]:
            yield squeeze(answer["headline"])
        yield cause["cause"]
        yield from (squeeze(line["says"]) for line in cause["evidence"] if line["counted"])
    if answer["answer"] == "not-recognised" and answer["ending"]["failed"]:
        yield squeeze(answer["ending"]["last_error"]["text"])


def compact_faults(path, words, status, answer):
    """What the small form says is what the whole one says, as far as it goes."""
    other, text = explain("json", *words, path)
    small = json.loads(text)
    looks = [answer["first_look"]["says"]] if answer["first_look"] else []
    titles = looks + [step["title"] for step in answer["steps"]]
    named = {cause["cause"] for cause in answer["causes"]}
    yield from (f"compact {error.json_path}: {error.message}" for error in COMPACT.iter_errors(small))
    if other != status or small["answer"] != answer["answer"] or small["headline"] != answer["headline"]:
        yield "compact has another answer"
    if [step["title"] for step in small["steps"]] != titles[:3]:
        yield f"compact has other steps: {small['steps']}"
    if titles and "steps" not in small["steps"][0] and (looks or answer["steps"][0]["command"]):
        yield "compact does not say how the first step is done"
    if not {cause["cause"] for cause in small["causes"]} <= named:
        yield f"compact names others: {small['causes']}"
    if len(text) > COMPACT_MOST:
        yield f"compact takes {len(text)} bytes"


def agree(path, words):
    status, text = explain("json", "--verbose", *words, path)
    faults = []
    answer = json.loads(text)
    faults += [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(answer)]
    if text.count("\n") != 1:
        faults.append("JSON is not one line")
    faults += compact_faults(path, words, status, answer)
    for form, plain in FORMS.items():
        other, said = explain(form, *(["-v"] if form == "text" else []), *words, path)
        if other != status:
            faults.append(f"{form} ends with {other}, JSON with {status}")
        said = plain(said)
        at = 0
        for sentence in wanted(answer):
            if sentence not in said:
                faults.append(f"{form} does not say: {sentence}")
        for step in answer["steps"]:
            found = said.find(squeeze(step["title"]), at)
            if found < 0:
                faults.append(f"{form} has another order of steps: {step['title']}")
            at = max(at, found)
    return faults


def main():
    bad = 0
    for path in sys.argv[1:]:
        args = pathlib.Path(path).with_suffix(".args")
        words = args.read_text().split() if args.is_file() else []
        words = [word for word in words if word != "--no-machine"]
        if "--from" in words:
            words = []
        for fault in agree(path, words):
            print(f"{path}: {fault}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
