#!/usr/bin/env python3
"""Run a workflow or a composite action as a runner of GitHub Actions does, as far as that needs no forge.

usage: runner.py [--action OWNER/NAME] [--event NAME=VALUE]... [--event-file FILE] WORKFLOW DIR

Runs the steps of the first job of WORKFLOW in DIR. `uses: OWNER/NAME@REF` with the name that
--action gives, and `uses: ./`, are the action of this tree; any other `uses` is told and left out.
Prints what the runner would show, then a JSON object: conclusion, annotations, other commands
that were obeyed, and the summary.

It knows: `run` with bash, `env`, `with`, `id`, `if` made of ==, !=, &&, ||, success(), failure() and
always(), `${{ inputs.x }}`, `${{ github.x }}`, `${{ env.x }}` and outputs of steps and of the action,
the files GITHUB_EVENT_PATH, GITHUB_OUTPUT, GITHUB_ENV and GITHUB_STEP_SUMMARY, workflow commands of both forms, and problem
matchers of one pattern. How commands are told from output follows the runner's source
(actions/runner, src/Runner.Common/ActionCommand.cs).
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
# As the documentation of workflows tells: bash has pipefail only where a step names it.
SHELLS = {None: ["bash", "-e"], "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"]}
COMMANDS = {"error", "warning", "notice", "debug", "add-mask", "add-matcher", "remove-matcher", "set-env", "add-path",
            "set-output", "save-state", "stop-commands", "group", "endgroup", "echo", "internal-set-repo-path"}


def unescape(text, also=()):
    for mark, escaped in [("\r", "%0D"), ("\n", "%0A"), *also, ("%", "%25")]:
        text = text.replace(escaped, mark)
    return text


def plain(value):
    """A value of YAML as the forge gives it to a step: booleans are words of small letters."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_command(line):
    """Name, properties and data of a workflow command, or None."""
    text = line.lstrip()
    newer = re.match(r"::(.*?)::(.*)", text, re.S)
    older = re.search(r"##\[(.*?)\](.*)", line, re.S)
    for found, split, also in [(newer, ",", [(":", "%3A"), (",", "%2C")]), (older, ";", [(";", "%3B"), ("]", "%5D")])]:
        name, _, properties = found[1].partition(" ") if found else ("", "", "")
        if name in COMMANDS:
            pairs = (p.split("=", 1) for p in properties.strip().split(split) if "=" in p)
            return name, {k: unescape(v, also) for k, v in pairs}, unescape(found[2])
    return None


def read_values(text):
    """NAME=VALUE, and NAME<<MARK with the lines up to MARK."""
    values, lines = {}, iter(text.split("\n"))
    for line in lines:
        several = re.match(r"([^=<]+)<<(.+)", line)
        if several:
            kept = []
            for inner in lines:
                if inner == several[2]:
                    break
                kept.append(inner)
            else:
                sys.exit(f"{several[1]} does not end")
            values[several[1]] = "\n".join(kept)
        elif "=" in line:
            name, _, value = line.partition("=")
            values[name] = value
    return values


class Job:
    def __init__(self, directory, action, events, event_file=None):
        self.directory, self.action = directory, action
        self.temporary = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TMPDIR")))
        self.github = {"server_url": "file:///nowhere", "action_repository": action, "action_ref": "v0", "workspace": str(directory), **events}
        self.event_path = self.temporary / "event.json"
        self.event_path.write_text(event_file.read_text() if event_file else "{}")
        self.github["event"] = json.loads(self.event_path.read_text())
        self.summary = self.temporary / "summary"
        self.summary.touch()
        self.env, self.matchers, self.annotations, self.obeyed = {}, {}, [], []
        self.failed = False

    def fill(self, text, scope):
        def value(found):
            node = scope
            for part in found[1].strip().split("."):
                node = node.get(part, "") if isinstance(node, dict) else ""
            return str(node)
        return re.sub(r"\$\{\{(.*?)\}\}", value, plain(text))

    def wanted(self, step, scope):
        words = str(step.get("if", "success()"))
        states = {"success()": not self.failed, "failure()": self.failed, "always()": True}
        chosen = [states.pop(w) for w in list(states) if w in words] or [not self.failed]

        def holds(part):
            found = re.findall(r"([\w.]+) (==|!=) '([^']*)'", part)
            return all((self.fill("${{ %s }}" % a, scope) == b) == (operator == "==") for a, operator, b in found)
        return all(chosen) and any(holds(part) for part in words.split("||"))

    def obey(self, name, properties, data):
        if name in ("error", "warning", "notice"):
            self.annotations.append({"level": name, **properties, "message": data})
        elif name == "add-matcher":
            for matcher in json.loads(pathlib.Path(data).read_text())["problemMatcher"]:
                self.matchers[matcher["owner"]] = (matcher.get("severity", "error"), matcher["pattern"][0])
        else:
            self.obeyed.append({"command": name, **properties, "data": data})

    def match(self, line):
        for severity, pattern in self.matchers.values():
            found = re.search(pattern["regexp"], line)
            if found:
                self.annotations.append({"level": severity, "message": found[pattern["message"]]})

    def show(self, output):
        for line in re.split(r"\r\n|\r|\n", output.rstrip("\n")):
            print(line)
            command = parse_command(line)
            if command:
                self.obey(*command)
            else:
                self.match(line)

    def run(self, step, scope, action_path):
        files = {name: self.temporary / name for name in ("output", "env")}
        for path in files.values():
            path.write_text("")
        script = self.temporary / "script.sh"
        script.write_text(self.fill(step["run"], scope))
        environment = {**os.environ, "CI": "true", "GITHUB_ACTIONS": "true", "RUNNER_TEMP": str(self.temporary), "GITHUB_WORKSPACE": str(self.directory),
                       "GITHUB_EVENT_PATH": str(self.event_path), "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_OUTPUT": str(files["output"]), "GITHUB_ENV": str(files["env"]), **self.env,
                       **({"GITHUB_ACTION_PATH": str(action_path)} if action_path else {}),
                       **{k: self.fill(v, scope) for k, v in step.get("env", {}).items()}}
        done = subprocess.run([*SHELLS[step.get("shell")], script], cwd=self.directory, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=300)
        self.show(done.stdout)
        pairs = {name: read_values(path.read_text()) for name, path in files.items()}
        self.env.update(pairs["env"])
        if "id" in step:
            scope["steps"][step["id"]] = {"outputs": pairs["output"]}
        self.failed = self.failed or done.returncode != 0

    def use(self, step, scope):
        name = step["uses"].split("@")[0]
        if name not in ("./", self.action):
            print(f"[left out: uses {step['uses']}]")
            return
        action = yaml.safe_load((TOP / "action.yml").read_text())
        given = {k: self.fill(v, scope) for k, v in step.get("with", {}).items()}
        unknown = set(given) - set(action["inputs"])
        if unknown:
            sys.exit(f"{step['uses']} has no input {unknown}")
        inputs = {k: given.get(k, v.get("default", "")) for k, v in action["inputs"].items()}
        before, self.failed = self.failed, False
        inner = {"inputs": inputs, "github": self.github, "env": self.env, "steps": {}}
        self.steps(action["runs"]["steps"], inner, TOP)
        if "id" in step:
            scope["steps"][step["id"]] = {"outputs": {k: self.fill(v["value"], inner) for k, v in action["outputs"].items()}}
        self.failed = self.failed or before

    def steps(self, steps, scope, action_path):
        for step in steps:
            if not self.wanted(step, scope):
                continue
            print(f"[{step.get('name') or step.get('uses') or step['run'].splitlines()[0]}]")
            if "uses" in step:
                self.use(step, scope)
            else:
                self.run(step, scope, action_path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--action", default="OWNER/rocsteady")
    parser.add_argument("--event", action="append", default=[], metavar="NAME=VALUE", help="a value of ${{ github }}")
    parser.add_argument("--event-file", type=pathlib.Path, metavar="FILE", help="${{ github.event }}, as JSON")
    parser.add_argument("workflow", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()
    job = Job(options.directory.resolve(), options.action, dict(e.split("=", 1) for e in options.event), options.event_file)
    workflow = yaml.safe_load(options.workflow.read_text())
    described = next(iter(workflow["jobs"].values()))
    job.env.update({k: plain(v) for k, v in {**workflow.get("env", {}), **described.get("env", {})}.items()})
    job.steps(described["steps"], {"github": job.github, "env": job.env, "steps": {}}, None)
    print(json.dumps({"conclusion": "failure" if job.failed else "success", "annotations": job.annotations, "obeyed": job.obeyed,
                      "summary": job.summary.read_text()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
