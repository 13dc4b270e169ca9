"""Machines with Radeon cards and with GPUs inside processors."""

import dataclasses

import kernels as k
import klog
import products as p
from gpu_files import NODES
from host_files import ROOT_ONLY
from hosts import *
from machine import Card, Machine

FIRST = ("0000:00:01.1", "0000:01:00.0", "0000:02:00.0")
SECOND = ("0000:00:03.1", "0000:04:00.0", "0000:05:00.0")
DESKTOP = ((2204, 1000, "Xorg"), (2380, 1000, "gnome-shell"))


def radeon(product, **more):
    return Card(product, "0000:03:00.0", FIRST, **more)


def second(product, **more):
    return Card(product, "0000:06:00.0", SECOND, iommu_group=18, **more)


def desktop(address, kib=180_000):
    """The clients of a desktop session on one GPU."""
    return tuple((pid, uid, name, address, kib // (i + 1)) for i, (pid, uid, name)
                 in enumerate(DESKTOP))


def two_7900xt(**more):
    used = more.pop("used", (27 << 20, 27 << 20))
    return [radeon(p.RX7900XT, unique_id=0x5C1E2D3F4A5B6C71, gpu_id=46243, vram_used=used[0],
                   **more),
            second(p.RX7900XT, unique_id=0x5C1E2D3F4A5B6C9E, gpu_id=14187, vram_used=used[1],
                   **more)]


def xtx(**more):
    return radeon(p.RX7900XTX, unique_id=11673270660693242239, gpu_id=5212, **more)


def raphael(address="0000:7a:00.0", **more):
    more.setdefault("gtt_total", 16377958400)
    return Card(p.GFX1036, address, ("0000:00:08.1",), gpu_id=6720, iommu_group=24,
                gtt_used=31 << 20, vram_used=21 << 20, **more)


# ---- odd situations as changes of a tree ----

def without_config_space(m, t):
    """A container's root lacks CAP_SYS_ADMIN and gets 64 bytes of each function."""
    for card in m.cards:
        for address in card.bridges + (card.address,):
            t.ask(f"pcie {address}", "!EACCES")


def without_devices(m, t):
    without_config_space(m, t)
    t.remove("/dev/kfd")
    t.remove("/dev/dri")
    for key in [key for key in t.records if "/dev/dri/" in key[1] or key[1] == "/dev/kfd"]:
        del t.records[key]
    for ask in ("open /dev/kfd", "acl /dev/kfd", "kfd-version", "drm-clients"):
        t.ask(ask, "!ENOENT")
    for card in m.agents:
        for path in t.below(f"{NODES}/{card.node}"):
            t.refuse("file", path, "EPERM")


def rootless(m, t):
    without_config_space(m, t)
    for path in ("/dev/kfd", "/dev/dri/card0", "/dev/dri/renderD128"):
        minor = {"d": "235:0", "0": "226:0", "8": "226:128"}[path[-1]]
        t.node(path, "0660", "65534:65534", minor)
        t.ask(f"acl {path}", "")
    for ask in ("open /dev/kfd", "open /dev/dri/renderD128", "kfd-version"):
        t.ask(ask, "!EACCES")
    t.file("/proc/self/status", t.files["/proc/self/status"].replace("Groups:\t0 ",
                                                                     "Groups:\t65534 "))
    t.ask("identity", "how this process\nprocess /proc/self\nuid 0\ngid 0\ngroups 65534\n"
                      "user root\nhome /root")
    for name in ROOT_ONLY:
        t.refuse("file", f"/sys/module/amdgpu/parameters/{name}", "EACCES")


def wsl(m, t):
    t.file("/dev/dxg", "")
    t.node("/dev/dxg", "0666", "0:0", "10:125")
    t.ask("open /dev/dxg", "opened")
    t.ask("acl /dev/dxg", "")
    t.file("/proc/cmdline", "initrd=\\initrd.img WSL_ROOT_INIT=1 panic=-1 nr_cpus=16 "
                            "hv_utils.timesync_implicit=1 console=hvc0 debug pty.legacy_count=0 "
                            "WSL_ENABLE_CRASH_DUMP=1")
    t.remove("/sys/devices/virtual/dmi")
    t.remove("/sys/class/dmi")
    t.remove("/sys/class/drm")


def denied_log(m, t):
    t.ask("kernel-journal", "!EACCES")
    t.ask("kernel-file", "!ENOENT")


OLLAMA = """[Unit]
Description=Ollama Service
After=network-online.target

[Service]
ExecStart=/usr/local/bin/ollama serve
User=ollama
Group=ollama
Restart=always
RestartSec=3
Environment="PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

[Install]
WantedBy=default.target
"""

MACHINES = [
    Machine(
        "rx7900xt-x2-ubuntu2204-rocm62-healthy",
        "Two RX 7900 XT in a workstation with Ubuntu 22.04, ROCm 6.2 and its amdgpu-dkms",
        ["seen: both cards open for the user, IOMMU in passthrough, nothing in the log"],
        k.UBUNTU_2204_68_DKMS, UBUNTU_2204, RYZEN_5950X, X570, 128,
        two_7900xt(), User(sudo=True), arguments="quiet splash iommu=pt", iommu="identity"),
    Machine(
        "rx7900xt-x2-ubuntu2204-rocm62-docker-full",
        "The same two RX 7900 XT seen from a Docker container while a job outside it fills both",
        ["ill: any job in the container; hipblasCreate finds no memory for its workspace",
         "seen: mem_info_vram_used at 99 % of both cards; the owner is process 4117 of the host, "
         "named only below kfd/proc; process 4117 of the container is another one (sleep)"],
        k.UBUNTU_2204_68_DKMS, UBUNTU_2204, RYZEN_5950X, X570, 128,
        two_7900xt(used=(21243478016, 21246623744), busy=97, clock=2482),
        User(root=True, environment={"HSA_FORCE_FINE_GRAIN_PCIE": "1"}),
        arguments="quiet splash iommu=pt", iommu="identity", container="docker",
        owners={4117: {"0000:03:00.0": 16965468160, "0000:06:00.0": 16976478208}},
        processes={4117: (0, "sleep")}, change=without_config_space, health="ill"),
    Machine(
        "rx7900xt-x2-ubuntu2204-rocm62-docker-nodevices",
        "The same two RX 7900 XT seen from a container that was started without --device",
        ["ill: the container; no GPU can be opened",
         "seen: /dev/kfd and /dev/dri are absent, and the files of the GPUs' KFD nodes answer "
         "EPERM (kfd_devcgroup_check_permission), while PCI shows both cards"],
        k.UBUNTU_2204_68_DKMS, UBUNTU_2204, RYZEN_5950X, X570, 128, two_7900xt(),
        User(root=True), arguments="quiet splash iommu=pt", iommu="identity",
        container="docker-bare", change=without_devices, health="ill"),
    Machine(
        "rx7900xt-x2-tumbleweed-k617-translated",
        "Two RX 7900 XT on openSUSE Tumbleweed without iommu=pt",
        ["ill: jobs on both cards; peer copies go through translated addresses and are slow or "
         "wrong",
         "seen: iommu groups of type DMA-FQ, no iommu= on the command line"],
        k.TUMBLEWEED_617, TUMBLEWEED, THREADRIPPER, WRX80, 256, two_7900xt(), User(sudo=True),
        arguments="splash=silent quiet security=selinux", rocm=(), health="ill"),
    Machine(
        "rx7900xt-ubuntu2404-k68-blacklisted",
        "An RX 7900 XT whose driver an old file in modprobe.d forbids",
        ["ill: the machine; the GPU has no driver",
         "seen: `blacklist amdgpu` in /etc/modprobe.d/blacklist-gpu.conf, no /sys/module/amdgpu, "
         "no driver link at the PCI function"],
        k.UBUNTU_2404_68, UBUNTU_2404, RYZEN_5950X, X570, 64,
        [radeon(p.RX7900XT, driver="", boot_vga=True, kfd=False)], User(sudo=True),
        module_loaded=False, rocm=("6.4.1",),
        modprobe={"/etc/modprobe.d/blacklist-gpu.conf": "# passed through to a guest until May\n"
                                                        "blacklist amdgpu\nblacklist radeon\n"},
        health="ill"),
    Machine(
        "rx9070xt-ubuntu2404-k68-too-old",
        "An RX 9070 XT under a kernel that is older than it",
        ["ill: the machine; the GPU has no driver, and ROCm sees none",
         "seen: amdgpu of kernel 6.8 is loaded and gives the card up, since it has no blocks for "
         "GC 12.0.1 (the text is that of amdgpu_discovery.c); that 6.8 does not recognise the "
         "card: ROCm issue 5102",
         "assumed: no /dev/kfd; the driver may make one without a GPU"],
        k.UBUNTU_2404_68, UBUNTU_2404, RYZEN_5950X, X570, 64,
        [radeon(p.RX9070XT, driver="", boot_vga=True, kfd=False)], User(sudo=True),
        rocm=("6.4.1",), later=klog.unknown_chip("0000:03:00.0", 4.1, 0xC0001), health="ill"),
    Machine(
        "rx7900xtx-gfx1036-ubuntu2404-rocm64-healthy",
        "An RX 7900 XTX beside the gfx1036 of a Ryzen 7000, monitor on the card",
        ["seen: KFD offers both; the integrated one is agent 2 with two compute units"],
        k.UBUNTU_2404_68_DKMS, UBUNTU_2404, RYZEN_7800X3D, B650, 32,
        [xtx(display="DP-1", boot_vga=True, vram_used=811 << 20, clock=500), raphael()],
        User(), rocm=("6.4.1",), clients=desktop("0000:03:00.0")),
    Machine(
        "rx7900xtx-gentoo-k612-builtin",
        "An RX 7900 XTX on Gentoo with amdgpu built into the kernel",
        ["seen: /sys/module/amdgpu holds parameters and no initstate; /proc/modules does not "
         "name it; syslog-ng instead of a journal, the ring is open to everyone"],
        k.GENTOO_612, GENTOO, RYZEN_7950X, B650, 64,
        [xtx(display="DP-2", boot_vga=True, vram_used=644 << 20)],
        User(groups=("render", "video"), others=(10, 18, 250)), builtin=True, rocm=(),
        arguments="root=/dev/nvme0n1p3", clients=desktop("0000:03:00.0", 90_000)),
    Machine(
        "rx7900xtx-ubuntu2404-rocm64-outside-render",
        "An RX 7900 XTX whose user was never added to the group render",
        ["ill: user ada; ROCm sees no GPU for her and sees it for root",
         "seen: /dev/kfd and renderD128 are root:render 0660, ada has video and not render, "
         "both opens answer EACCES"],
        k.UBUNTU_2404_68_DKMS, UBUNTU_2404, RYZEN_7950X, B650, 64, [xtx()],
        User(groups=("video",)), rocm=("6.4.1",), health="ill"),
    Machine(
        "rx7900xtx-fedora42-k616-podman-rootless",
        "An RX 7900 XTX in a rootless Podman container without --group-add keep-groups",
        ["ill: the container; the device nodes are there and refuse",
         "seen: nodes owned by 65534:65534, the container's root is uid 1000 outside and lost "
         "the group render; opens answer EACCES"],
        k.FEDORA_42_616, FEDORA_42, RYZEN_7950X, B650, 64, [xtx()], User(root=True),
        container="podman", rocm=("6.4.3",), change=rootless, health="ill"),
    Machine(
        "rx7900xtx-wsl2-rocm64",
        "An RX 7900 XTX of a Windows host, seen from Ubuntu 24.04 under WSL2",
        ["seen: /dev/dxg and no KFD, no amdgpu, no PCI function of AMD: as it is under WSL2"],
        k.WSL2_66, dataclasses.replace(UBUNTU_2404, restrict=0),
        Cpu("AMD Ryzen 7 7800X3D 8-Core Processor", hypervisor=True),
        B650, 32, [], User(others=(4, 20, 24, 27), environment={
            "WSL_DISTRO_NAME": "Ubuntu-24.04", "WSL_INTEROP": "/run/WSL/11_interop"}),
        module_loaded=False, iommu="", rocm=("6.4.2",), change=wsl, health="odd"),
    Machine(
        "rx7900xtx-ubuntu2404-rocm64-reset",
        "An RX 7900 XTX that hung and was reset an hour before",
        ["ill: the job that ran then; the card works again",
         "seen: ring timeout, MES without answer, MODE1 reset that succeeded, VRAM lost, in "
         "the kernel log 3600 s before the clock; the lines follow sway issue 8458 and "
         "pop-os cosmic-comp issue 2626"],
        k.UBUNTU_2404_68_DKMS, UBUNTU_2404, RYZEN_7950X, B650, 64, [xtx()], User(sudo=True),
        rocm=("6.4.1",), later=klog.page_fault("0000:03:00.0", 182_741.4) +
        klog.reset("0000:03:00.0", 182_742.0), health="ill"),
    Machine(
        "rx7900xtx-ubuntu2204-k515-noatomics",
        "An RX 7900 XTX with old firmware in a slot without PCIe atomics: KFD leaves it out",
        ["ill: ROCm; the display works and no agent exists",
         "seen: only the CPU's KFD node; `skipped device 1002:744c, PCI rejects atomics "
         "494<509`; the root port of the Xeon E5 completes no atomics. The rule is that of "
         "kfd_device.c: gfx11 needs MEC firmware 509 to do without; 494 is assumed"],
        k.UBUNTU_2204_515_DKMS, UBUNTU_2204, XEON_E5_2680, X79, 64,
        [xtx(kfd=False, atomics=False, slot_speed="8.0", firmware={"mec": 494}, boot_vga=True,
             display="DP-1", log=klog.kfd_skipped(0x744C, 4.4, 494, 509))],
        User(sudo=True), rocm=("6.2.0",), iommu="", health="ill"),
    Machine(
        "rx7900xtx-ubuntu2404-rocm64-slow-link",
        "An RX 7900 XTX on a riser that came up with 8 lanes at 2.5 GT/s",
        ["ill: loading of models and every copy to the host, eight times too slow under load",
         "seen: upstream port of the card at 2.5 GT/s x8 of 16 GT/s x16 while the GPU is busy, "
         "81,211 replays, corrected bus errors in the log"],
        k.UBUNTU_2404_68_DKMS, UBUNTU_2404, RYZEN_7950X, B650, 64,
        [xtx(speed="2.5", width=8, busy=98, clock=2482, replays=81211, watts=250,
             vram_used=9 << 30, temps={"edge": 61, "junction": 79, "mem": 80})],
        User(sudo=True), rocm=("6.4.1",), owners={7702: {"0000:03:00.0": 9 << 30}},
        processes={7702: (1000, "python3")},
        later=[
            (90_112.2, 4, "pcieport 0000:00:01.1: AER: Multiple Corrected error message received "
                          "from 0000:01:00.0"),
            (90_112.2, 4, "pcieport 0000:01:00.0: PCIe Bus Error: severity=Corrected, "
                          "type=Physical Layer, (Receiver ID)"),
            (90_112.2, 4, "pcieport 0000:01:00.0:   device [1002:1478] error status/mask="
                          "00000001/00002000"),
            (90_112.2, 4, "pcieport 0000:01:00.0:    [ 0] RxErr                  (First)"),
        ], health="ill"),
    Machine(
        "rx7900xtx-ubuntu2404-rocm64-ollama",
        "An RX 7900 XTX with the ollama service, whose user has no group render",
        ["ill: ollama.service; it answers from the processor",
         "seen: the service runs as uid 998 with group 998 alone, /dev/kfd is root:render 0660; "
         "user ada opens everything"],
        k.UBUNTU_2404_68_DKMS, UBUNTU_2404, RYZEN_7950X, B650, 64, [xtx()], User(sudo=True),
        rocm=("6.4.1",), services={"ollama.service": {
            "pid": 1450, "uid": 998, "groups": [998], "command": "ollama", "text": OLLAMA}},
        health="ill"),
    Machine(
        "rx7900xtx-debian13-k612-hidden",
        "An RX 7900 XTX hidden by an empty HIP_VISIBLE_DEVICES",
        ["ill: user ada; HIP counts no device",
         "seen: HIP_VISIBLE_DEVICES is set and empty; .bashrc exports it so"],
        k.DEBIAN_13_612, DEBIAN_13, RYZEN_7950X, B650, 64, [xtx()],
        User(environment={"HIP_VISIBLE_DEVICES": ""}), rocm=("6.4.3",),
        homes={".bashrc": "# ~/.bashrc\nalias ll='ls -l'\nexport HIP_VISIBLE_DEVICES=\n"},
        health="ill"),
    Machine(
        "rx9070xt-arch-k617-healthy",
        "An RX 9070 XT on Arch Linux",
        ["seen: gfx1201 with 64 compute units; the idle link of the slot rests at 2.5 GT/s, "
         "which is power saving and no fault"],
        k.ARCH_617, ARCH, RYZEN_9800X3D, X870, 64,
        [radeon(p.RX9070XT, unique_id=0x33CDCAEBBA902E5F, gpu_id=56387, display="DP-1",
                boot_vga=True, vram_used=1204 << 20, speed="2.5"),
         Card(p.GFX1036, "0000:0e:00.0", ("0000:00:08.1",), iommu_group=30)],
        User(others=(998,)), rocm=("6.4.4",), clients=desktop("0000:03:00.0", 300_000)),
    Machine(
        "rx9070xt-fedora42-k616-earlier-boot",
        "An RX 9070 XT whose journal tells of page faults and a reset in the boot before",
        ["ill: yesterday's job; this boot is clean",
         "seen: page fault and reset in the journal under another boot id, none under this one"],
        k.FEDORA_42_616, FEDORA_42, RYZEN_9800X3D, X870, 64,
        [radeon(p.RX9070XT, unique_id=0x581E598B11F41305, gpu_id=56387, display="DP-1",
                boot_vga=True, vram_used=905 << 20)],
        User(others=(10,)), rocm=(), uptime=5_120, clients=desktop("0000:03:00.0", 210_000),
        earlier=[("0b1d6c5f-7e2a-4d38-b0c9-52a7e6f4d811", 1_762_840_000, [
            (0.0, 5, "Linux version 6.16.10-200.fc42.x86_64 (builder@workbench) (gcc, GNU ld)"),
            (4.4, 6, "kfd kfd: amdgpu: added device 1002:7550"),
            *klog.page_fault("0000:03:00.0", 50_411.0, "llama-server", 30122),
            *klog.reset("0000:03:00.0", 50_412.0, "llama-server", 30122)])],
        health="ill"),
    Machine(
        "rx6600-debian12-k61-healthy",
        "An RX 6600 on Debian 12 with the kernel's own driver",
        ["seen: x8 is all this card has; kernel 6.1 gives neither num_xcc nor debug_prop"],
        k.DEBIAN_12_61, DEBIAN_12, RYZEN_5950X, B550, 32,
        [radeon(p.RX6600, gpu_id=50463, unique_id=0x2AC0FFEE00B5D1E7, display="HDMI-A-1",
                boot_vga=True, vram_used=402 << 20, speed="2.5")],
        User(others=(4, 24, 25, 27, 29, 46, 100)), rocm=("6.1.2",),
        clients=desktop("0000:03:00.0", 100_000)),
    Machine(
        "rx6600-ubuntu2204-rocm62-log-denied",
        "An RX 6600 on Ubuntu 22.04, examined by a user who may not read the kernel log",
        ["seen: the ring answers EPERM (dmesg_restrict is 1), journal and kern.log refuse a user "
         "outside adm; all the rest is fine, so nothing may be concluded from the log"],
        k.UBUNTU_2204_515_DKMS, UBUNTU_2204, RYZEN_5950X, B550, 32,
        [radeon(p.RX6600, gpu_id=50463, unique_id=0x2AC0FFEE00B5D1E8)],
        User(others=(1001,)), rocm=("6.2.0",), journal_readable=False, change=denied_log),
    Machine(
        "radeon780m-debian13-k612-healthy",
        "The Radeon 780M of a small computer with a Ryzen 7 7840HS",
        ["seen: gfx1103 with 12 compute units, 4 GiB carved out, the bank of KFD is the GTT"],
        k.DEBIAN_13_612, DEBIAN_13, RYZEN_7840HS, MINISFORUM, 60,
        [Card(p.RADEON_780M, "0000:c6:00.0", ("0000:00:08.1",), gpu_id=6111, display="HDMI-A-1",
              boot_vga=True, vram_used=610 << 20)],
        User(others=(4, 24, 27)), rocm=("6.4.3",), clients=desktop("0000:c6:00.0", 60_000)),
    Machine(
        "rx7700s-gfx1103-fedora42-k616-asleep",
        "A laptop whose RX 7700S sleeps while the Radeon 780M drives the screen",
        ["seen: runtime_status suspended; sensors, clocks, link files and the opening of its "
         "nodes were not asked, since each would wake it"],
        k.FEDORA_42_616, FEDORA_42, RYZEN_7840HS, FRAMEWORK_16, 60,
        [radeon(p.RX7700S, unique_id=0x7D1C2B3A49586777, gpu_id=31201, asleep=True, vram_used=0,
                gtt_used=0),
         Card(p.RADEON_780M, "0000:c4:00.0", ("0000:00:08.1",), gpu_id=6111, display="eDP-1",
              boot_vga=True, vram_total=536870912, vram_used=402 << 20, iommu_group=28)],
        User(others=(10,)), rocm=(), clients=desktop("0000:c4:00.0", 60_000)),
    Machine(
        "strixhalo-fedora42-k616-carveout96",
        "A Ryzen AI Max+ 395 with 96 GiB carved out for its Radeon 8060S",
        ["seen: mem_info_vram_total 103079215104; since kernel 6.16.9 the bank "
         "of KFD is the carve-out"],
        k.FEDORA_42_616, FEDORA_42, RYZEN_AI_MAX, FRAMEWORK_DESKTOP, 31,
        [Card(p.STRIX_HALO, "0000:c2:00.0", ("0000:00:08.1",), gpu_id=5510, display="DP-1",
              vram_total=103079215104, vram_used=903 << 20)],
        User(others=(10,)), rocm=(), clients=desktop("0000:c2:00.0", 120_000)),
    Machine(
        "strixhalo-ubuntu2604-k70-gtt112",
        "A Ryzen AI Max+ 395 with 512 MiB carved out and 112 GiB to map",
        ["seen: ttm.pages_limit=29360128 on the command line, GTT 120259084288, as in a public "
         "capture of such a machine"],
        k.UBUNTU_2604_70, UBUNTU_2604, RYZEN_AI_MAX, GMKTEC, 125,
        [Card(p.STRIX_HALO, "0000:c2:00.0", ("0000:00:08.1",), gpu_id=5510, display="HDMI-A-1",
              vram_used=477827072, gtt_total=120259084288)],
        User(others=(4, 24, 27)), rocm=("10.0.0",), pages_limit=29360128,
        arguments="quiet splash ttm.pages_limit=29360128 ttm.page_pool_size=29360128",
        clients=desktop("0000:c2:00.0", 120_000)),
    Machine(
        "strixhalo-ubuntu2404-k614-carveout96-half-ram",
        "A Ryzen AI Max+ 395 with 96 GiB carved out on a kernel that offers half of the rest",
        ["ill: every model over 15.5 GiB; HIP says out of memory",
         "seen: VRAM 103079215104 while the bank of KFD holds half of the 31 GiB left to the "
         "processor: kernels up to 6.15 take every APU's bank from the GTT"],
        k.UBUNTU_2404_614_OEM, UBUNTU_2404, RYZEN_AI_MAX, GMKTEC, 31,
        [Card(p.STRIX_HALO, "0000:c6:00.0", ("0000:00:08.1",), gpu_id=5510, display="DP-1",
              vram_total=103079215104, vram_used=903 << 20)],
        User(), rocm=("7.0.2",), clients=desktop("0000:c6:00.0", 120_000), health="ill"),
    Machine(
        "gfx90c-ubuntu2404-k68-healthy",
        "The Vega graphics of a Ryzen 5 5600G",
        ["seen: gfx90c with 7 compute units; no ROCm library holds code for it, which is a "
         "matter of the frameworks and not of this machine"],
        k.UBUNTU_2404_68, UBUNTU_2404, RYZEN_5600G, B550, 31,
        [Card(p.GFX90C, "0000:09:00.0", ("0000:00:08.1",), gpu_id=9101, display="HDMI-A-1",
              boot_vga=True, vram_used=331 << 20)],
        User(), rocm=(), clients=desktop("0000:09:00.0", 60_000)),
    Machine(
        "vangogh-steamos35-k61-healthy",
        "A Steam Deck with its gfx1033",
        ["seen: 1 GiB carved out, the bank of KFD with kernel 6.1 is the carve-out"],
        k.Kernel("6.1.52-valve16-1-neptune-61", "#1 SMP PREEMPT_DYNAMIC Thu, 21 Mar 2024"),
        STEAMOS, AERITH, STEAM_DECK, 15,
        [Card(p.VANGOGH, "0000:04:00.0", ("0000:00:08.1",), gpu_id=0x66A4, display="eDP-1",
              boot_vga=True, vram_used=390 << 20)],
        User(others=(998,)), rocm=(), clients=desktop("0000:04:00.0", 60_000)),
    Machine(
        "vega64-ubuntu2204-k68-noatomics",
        "An RX Vega 64 in a slot without PCIe atomics: KFD takes it, since gfx9 does without",
        ["seen: the KFD link says no 32-bit and no 64-bit atomics (flags 13), the root port "
         "completes none, and the agent exists all the same; 256 MiB of 8 GiB can be reached"],
        k.Kernel("6.8.0-45-generic", "#45~22.04.1-Ubuntu SMP PREEMPT_DYNAMIC"),
        UBUNTU_2204, CORE_6700K, Z170, 32,
        [Card(p.VEGA10, "0000:07:00.0", ("0000:00:1c.4", "0000:05:00.0", "0000:06:00.0"),
              unique_id=14073402507705256557, gpu_id=13261, atomics=False, slot_width=4)],
        User(sudo=True), rocm=("6.2.0",), iommu="", health="odd"),
    Machine(
        "nogpu-debian12-k61-guest",
        "A virtual machine without a GPU",
        ["seen: no PCI function of AMD, no driver, no KFD, no device node"],
        k.DEBIAN_12_61, DEBIAN_12, VM_XEON, QEMU, 8, [], User(groups=()), module_loaded=False,
        iommu="", rocm=(), health="odd"),
]
