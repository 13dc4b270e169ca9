"""What node-problem-detector and node-feature-discovery make of the gate's answers, by the rules of their sources.

Read for it: node-problem-detector 1.36 pkg/custompluginmonitor/plugin/plugin.go, and node-feature-discovery 0.19
source/local/local.go. Both are restated here, so that each byte that they look at can be asked for.
"""
import datetime
import os
import re
import signal
import subprocess
import threading

NPD_BUFFER = 4096   # bytes that the detector reads of each stream
NFD_FILE = 65536    # bytes of a feature file, above which all of it is ignored
LABEL = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$")
STATES = {0: "False", 1: "True"}


def condition(rule, settings, environment):
    """(status of the condition, its message, bytes of standard output): one turn of the detector."""
    command = [rule["path"], *rule.get("args", [])]
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True, env=environment)
    except OSError:
        return "Unknown", "Error in starting plugin. Please check the error log", b""
    late = []
    limit = min(seconds(settings["timeout"]), seconds(rule.get("timeout", settings["timeout"])))

    def kill():
        late.append(True)
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(limit, kill)
    timer.start()
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    reader.start()
    out = process.stdout.read()  # to its end: a child that keeps it open is waited for until the limit
    reader.join()
    status = process.wait()
    timer.cancel()
    message = out[:NPD_BUFFER].decode(errors="replace").strip()
    if late:
        message = f'Timeout when running plugin "{rule["path"]}"'
    message = message.encode()[:settings["max_output_length"]].decode(errors="replace")
    return STATES.get(status, "Unknown"), message, out


def seconds(text):
    return float(re.fullmatch(r"([\d.]+)s", text)[1])


def labels(data, now):
    """The labels that a feature file gives at a moment; None if all of it is ignored."""
    if len(data) > NFD_FILE:
        return None
    until, found = now, {}
    for line in data.decode().split("\n"):
        line = line.strip()
        if line.startswith("# +expiry-time="):
            until = datetime.datetime.strptime(line.split("=", 1)[1], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
        elif line and not line.startswith("#") and until >= now:
            name, _, value = line.partition("=")
            found[name] = value or "true"
    return found


def is_label(name, value):
    namespace, _, short = name.rpartition("/")
    return bool(namespace) and bool(LABEL.match(short)) and (value == "" or bool(LABEL.match(value)))
