"""A machine as a directory tree, and beside it what files cannot say.

Files, listings and links are written as they are in a real /sys and /proc. Device nodes,
refusals and the answers to questions go into the sidecar, whose grammar is that of a
snapshot (src/door/record.h).
"""

import os
import posixpath

SIDECAR = ".rocsteady-snapshot"
MAGIC = "rocsteady-snapshot 1"


class Tree:
    def __init__(self):
        self.files = {}
        self.links = {}
        self.dirs = set()
        self.records = {}

    # ---- what a tree can hold ----

    def file(self, path, text):
        """One file; a missing last newline is added, since the kernel never forgets it."""
        path = self.real(path)
        if isinstance(text, int):
            text = str(text)
        if isinstance(text, str) and text and not text.endswith("\n"):
            text += "\n"
        self.files[path] = text

    def files_in(self, directory, entries):
        for name, text in entries.items():
            if text is not None:
                self.file(directory + "/" + name, text)

    def dir(self, path):
        self.dirs.add(self.real(path))

    def link(self, path, target):
        """A link with exactly this target."""
        self.links[self.real(posixpath.dirname(path)) + "/" + posixpath.basename(path)] = target

    def link_to(self, path, target):
        """A link with the relative target that sysfs would give it."""
        self.link(path, posixpath.relpath(target, self.real(posixpath.dirname(path))))

    def real(self, path):
        """The path without any link in it, as records are named."""
        done = "/"
        for part in path.strip("/").split("/"):
            if part == "..":
                done = posixpath.dirname(done)
                continue
            step = posixpath.join(done, part)
            target = self.links.get(step)
            if target is not None and not target.startswith(("pid:", "user:", "mnt:", "cgroup:")):
                step = self.real(posixpath.normpath(posixpath.join(done, target)))
            done = step
        return done

    def remove(self, path):
        """Take a file, a link or everything below a directory away."""
        path = posixpath.join(self.real(posixpath.dirname(path)), posixpath.basename(path))
        below = path + "/"
        for table in (self.files, self.links):
            for name in [n for n in table if n == path or n.startswith(below)]:
                del table[name]
        self.dirs = {d for d in self.dirs if d != path and not d.startswith(below)}

    def below(self, path):
        """The files below a directory, link-free."""
        top = self.real(path) + "/"
        return sorted(name for name in self.files if name.startswith(top))

    # ---- what it cannot ----

    def refuse(self, kind, path, error):
        """An answer that is an error: EACCES, ASLEEP, STUCK, SKIPPED, ..."""
        if kind in ("link", "node"):
            real = posixpath.join(self.real(posixpath.dirname(path)), posixpath.basename(path))
        else:
            real = self.real(path)
        self.records[kind, real] = f"{kind} {real} !{error}\n"

    def node(self, path, mode, owner, device):
        self.records["node", path] = f"node {path} char {mode} {owner} {device}\n"

    def ask(self, question, answer):
        """The answer is text, or "!ERROR"."""
        if answer.startswith("!"):
            self.records["ask", question] = f"ask {question} {answer}\n"
            return
        lines = "".join(f"\t{line}\n" for line in answer.splitlines())
        self.records["ask", question] = f"ask {question}\n{lines}"

    # ---- writing ----

    def write(self, top):
        for path in sorted(self.dirs):
            os.makedirs(top + path, exist_ok=True)
        for path, text in self.files.items():
            os.makedirs(os.path.dirname(top + path), exist_ok=True)
            data = text if isinstance(text, bytes) else text.encode()
            with open(top + path, "wb") as out:
                out.write(data)
        for path, target in self.links.items():
            os.makedirs(os.path.dirname(top + path), exist_ok=True)
            os.symlink(target, top + path)
        with open(os.path.join(top, SIDECAR), "w", encoding="utf-8") as out:
            out.write(MAGIC + "\n")
            out.writelines(self.records.values())
