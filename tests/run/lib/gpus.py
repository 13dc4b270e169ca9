"""GPUs as a tree, shown to a command in a mount namespace of its own.

The tree stands in for /sys/bus/pci/devices. It stays writable from outside, so that a
test can change what the files say, or take them away, while the command runs.
"""
import os
import pathlib
import shutil
import subprocess
import time

GIB = 1 << 30
HERE = pathlib.Path(__file__).resolve().parent


def why_not():
    """Empty, or why no such namespace can be made here."""
    if os.getuid() != 0:
        return "mount namespaces need root"
    done = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/sys/bus/pci/devices"], capture_output=True, text=True)
    return done.stderr.strip()


class Tree:
    def __init__(self, count, top="gpus"):
        self.top = pathlib.Path(top).resolve()
        self.addresses = [f"0000:{3 + i:02x}:00.0" for i in range(count)]
        for i, address in enumerate(self.addresses):
            self.make(address, i)

    def make(self, address, i=0):
        files = {
            "class": "0x120000", "vendor": "0x1002", "device": "0x74a1",
            "mem_info_vram_total": 192 * GIB, "mem_info_vram_used": 283000000 + i,
            "mem_info_gtt_total": 128 * GIB, "mem_info_gtt_used": 14000000 + i,
            "gpu_busy_percent": i, "power/runtime_status": "active", "power/control": "on",
            "hwmon/hwmon4/temp1_input": 40000, "hwmon/hwmon4/temp2_input": 45000 + i,
            "hwmon/hwmon4/freq1_input": 2100000000, "hwmon/hwmon4/power1_average": 141000000,
        }
        for name, value in files.items():
            path = self.path(address, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{value}\n")

    def path(self, address, name):
        return self.top / address / name

    def set(self, address, name, value):
        """In place: descriptors that are open see it."""
        self.path(address, name).write_text(f"{value}\n")

    def take_away(self, address):
        """As a reset does: what is open answers no more (a file of sysfs says ENODEV), and the names are gone."""
        for path in (self.top / address).rglob("*"):
            if path.is_file():
                path.write_text("")
        shutil.rmtree(self.top / address)

    def around(self, words, more="true"):
        return ["unshare", "-m", "--propagation", "private", "bash", "-c",
                f'mount --rbind "$0" /sys/bus/pci/devices && {more} && exec "$@"', str(self.top), *map(str, words)]


class Deaf:
    """A directory where every question hangs; what was asked is counted."""

    def __init__(self, directory):
        self.directory = directory
        program = pathlib.Path("deaf-fs").resolve()
        subprocess.run(["cc", "-O1", "-o", program, HERE.parent.parent / "live" / "deaf-fs.c"], check=True)
        self.said = open("deaf.said", "w+")
        self.process = subprocess.Popen([program, directory], stdout=self.said, stderr=subprocess.STDOUT,
                                        env={k: v for k, v in os.environ.items() if k != "FAULT_MARK"})
        until = time.monotonic() + 60
        while "mounted" not in self.answers() and self.process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        self.works = "mounted" in self.answers()

    def answers(self):
        return pathlib.Path("deaf.said").read_text()

    def asked(self):
        return self.answers().count("asked")

    def end(self):
        self.process.kill()
        self.process.wait()
        subprocess.run(["umount", "-l", self.directory], capture_output=True)
