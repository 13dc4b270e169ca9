"""For the tests of the Python package: a directory with the program on PATH, and other programs in its place."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("ROCSTEADY_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ["ROCSTEADY"]
MACHINES = SOURCE / "tests/machines"
ILL = MACHINES / "rx7900xtx-ubuntu2404-rocm64-outside-render.snap"
HEALTHY = MACHINES / "rx7900xt-x2-ubuntu2204-rocm62-healthy.snap"
GPU_ERROR = "HIP error: no kernel image is available for execution on the device"


def interpreter_with(module):
    """A Python that has this module: this one, or the system's. Without one the test is skipped."""
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", f"import {module}, sys; sys.exit(sys.version_info < (3, 9))"], capture_output=True)
        if found.returncode == 0:
            return python
    print(f"skipped: no Python here has {module}")
    sys.exit(77)


class Place(unittest.TestCase):
    """A test with a directory of its own, whose bin/ comes first on PATH."""

    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = pathlib.Path(work.name)
        (self.work / "bin").mkdir()
        (self.work / "bin/rocsteady").symlink_to(PROGRAM)
        self.environment = {**os.environ, "PATH": f"{self.work}/bin:/usr/bin:/bin", "PYTHONPATH": f"{SOURCE}/python:{self.work}",
                            "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "HOME": work.name, "TMPDIR": work.name}

    def instead(self, script):
        """Put a shell script in the place of the program; $REAL is the program."""
        program = self.work / "bin/rocsteady"
        program.unlink()
        program.write_text(f"#!/bin/sh\nREAL='{PROGRAM}'\n{script}\n")
        program.chmod(0o755)

    def python(self, *arguments, python=sys.executable, **options):
        return subprocess.run([python, *map(str, arguments)], cwd=self.work, env=self.environment, capture_output=True,
                              timeout=300, **options)

    def run_python(self, code, **options):
        """What the code prints; it must end well."""
        done = self.python("-c", code, **options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()


def main():
    if sys.version_info < (3, 9):
        print("skipped: this Python is older than 3.9")
        sys.exit(77)
    unittest.main()
