"""The machine of a case: /sys, device nodes, user and plan, as `enter` wants them."""
import pathlib
import re
import secrets
import shlex
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 240


class Machine:
    """`added` are programs of ours that are put into the root, `model` is the library."""

    def __init__(self, case, name, root, pristine, work, model, added):
        self.root, self.work, self.options = root, work, ["--model", model]
        self.prefix, self.lacks = [], []
        self.sys = work / "sys"
        for program in added:
            self.options += ["--add", program]
        shutil.copytree(pristine, self.sys, symlinks=True)
        for line in case.all("machine", name):
            self.change(*line.split(" ", 1))
        plan = [line + "\n" for line in case.all("fault", name)]
        (work / "plan").write_text("".join(plan))
        if any(" stuck" in line for line in plan):
            self.options.append("--tarpit")

    def change(self, verb, rest):
        if verb in ("user", "without", "variable"):
            self.options += ["--" + verb, rest]
        elif verb == "mode":
            self.options += ["--mode", rest.replace(" ", "=")]
        elif verb == "limit":
            self.prefix += ["prlimit", "--" + rest.replace(" ", "=")]
        elif verb == "lack":  # a file of the root, for it is thrown away
            self.lacks.append(rest)
        elif verb == "remove":
            path = self.path(rest)
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        elif verb == "write":
            path, _, text = rest.partition(" ")
            self.path(path).write_text(text + "\n")
        elif verb == "set":
            self.set(*rest.split(" ", 2))
        else:
            raise ValueError(f"machine: {verb}?")

    def path(self, text):
        """Relative to /sys; `nodes/N` is node N of the topology."""
        if text.startswith("nodes"):
            text = "class/kfd/kfd/topology/" + text
        path = self.sys / text
        assert path.exists(), f"no {path}"
        return path

    def set(self, path, key, value):
        file = self.path(path)
        lines = [f"{key} {value}" if line.split(" ")[0] == key else line for line in file.read_text().splitlines()]
        assert f"{key} {value}" in lines, f"{file} has no {key}"
        file.write_text("\n".join(line for line in lines if value != "-" or not line.startswith(key + " ")) + "\n")

    def script(self, commands, mark):
        """One shell for all of them: to enter a root costs more than most commands. What the shell says is no output."""
        lines = ["exec 3>&1 2>/dev/null", *(f"rm -r {files} || exit 70" for files in self.lacks)]
        for command in commands:
            words = shlex.join(["timeout", "-s", "KILL", str(SECONDS), *self.prefix, *command])
            lines += [f"(exec {words}) </dev/null >&3 2>&3", f"echo {mark} $?"]
        return "\n".join(lines)

    def run(self, commands):
        """[(status, output)] of each. One that does not end is killed, with the status "timeout"."""
        mark = "mark-" + secrets.token_hex(8)
        full = [HERE / "enter", "--plan", self.work / "plan", *self.options, self.root, self.sys,
                "sh", "-c", self.script(commands, mark)]
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(full, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
            try:
                process.wait(SECONDS * (len(commands) + 1))
            except subprocess.TimeoutExpired:
                process.terminate()
                process.wait()
            out.seek(0)
            if process.returncode and mark.encode() not in out.read():
                out.seek(0)
                raise RuntimeError("cannot enter: " + out.read().decode(errors="replace")[-300:])
            out.seek(0)
            parts = re.split(rf"{mark} (\d+)\n", out.read().decode(errors="replace"))
        done = [(status, text) for text, status in zip(parts[::2], parts[1::2])]
        return done + [("timeout", parts[-1])] * (len(commands) - len(done))
