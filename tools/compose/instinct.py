"""Machines with Instinct accelerators."""

import kernels as k
import products as p
from gpu_files import LINK_FILES, PCI
from hosts import *
from machine import Card, Machine
from network_files import Nic

# Bus, chip id: the nodes of ROCm/k8s-device-plugin testdata topo-mi300-cpx.
MI300_BUSES = ((0x05, 16404946649897475633), (0x27, 2472748907779728154),
               (0x47, 15565237874008425757), (0x65, 12035684874187068538),
               (0x85, 15304831566906821053), (0xA7, 13644590235195043050),
               (0xC7, 13326531576914550249), (0xE5, 15931900197903628278))
MI300_HIVE = 15188982192727901047
# Domain, bus, gpu_id, chip id: topology-parsing-mi308.
MI308_BUSES = ((0, 0x0A, 24248, 598046273873802902), (0, 0x80, 22879, 11803749423592941193),
               (0, 0xA4, 16964, 10187445671099294242), (0, 0xC8, 28521, 9604994527082705072),
               (1, 0x0B, 23332, 17466021589395472075), (1, 0x81, 23747, 1044926823201815193),
               (1, 0xA5, 18392, 13372828617950681944), (1, 0xC9, 27381, 6576958293045616595))
MI308_HIVE = 2095653680343411291
# Bus, chip id, socket: topo-mi210-xgmi-pcie.
MI210_BUSES = ((0x63, 1801979520617338022, 0), (0x43, 5847760019078012339, 0),
               (0x03, 10645161697164847644, 0), (0x26, 4847253685048710349, 0),
               (0xE3, 12585367064092601175, 1), (0xC3, 11779194899033552202, 1),
               (0x83, 17888023871577450191, 1), (0xA3, 14073402507705256557, 1))
MI210_HIVES = (12609507387757274807, 18091350218769748594)


def under_switch(bus, domain=0):
    """A baseboard switch and the module's own one between the root port and the GPU."""
    root = f"{domain:04x}:{bus & 0xE0:02x}:01.1"
    return (root,) + tuple(f"{domain:04x}:{bus - i:02x}:00.0" for i in (4, 3, 2, 1))


def mi300x(count=8, **more):
    changes = more.pop("changes", {})
    cards = []
    for i, (bus, chip) in enumerate(MI300_BUSES[:count]):
        options = dict(
            unique_id=chip, gpu_id=4300 + 6551 * i, hive=MI300_HIVE, numa=i // 4, socket=i // 4,
            iommu_group=20 + 11 * i, compute_mode="SPX", memory_mode="NPS1",
            vram_used=297 << 20, gtt_used=12 << 20, serial=f"INVENTED{i:04d}")
        options.update(more)
        options.update(changes.get(bus, {}))
        cards.append(Card(p.MI300X, f"0000:{bus:02x}:00.0", under_switch(bus), **options))
    return cards


def mi210(count=8, **more):
    cards = []
    for i, (bus, chip, socket) in enumerate(MI210_BUSES[:count]):
        options = dict(
            unique_id=chip, gpu_id=2211 + 7013 * i, hive=MI210_HIVES[socket], numa=socket,
            socket=socket, iommu_group=30 + 7 * i, vram_used=10 << 20,
            serial=f"INVENTED{i:04d}")
        options.update(more)
        root = f"0000:{bus & 0xE0:02x}:01.1"
        bridges = (root, f"0000:{bus - 2:02x}:00.0", f"0000:{bus - 1:02x}:00.0")
        cards.append(Card(p.MI210, f"0000:{bus:02x}:00.0", bridges, **options))
    return cards


def mi308x():
    cards = []
    for i, (domain, bus, ident, chip) in enumerate(MI308_BUSES):
        cards.append(Card(
            p.MI308X, f"{domain:04x}:{bus:02x}:00.0", under_switch(bus, domain), unique_id=chip,
            gpu_id=ident, hive=MI308_HIVE, numa=domain, socket=domain, iommu_group=40 + 9 * i,
            partitions=4, compute_mode="CPX", memory_mode="NPS1", vram_used=283 << 20,
            render=128 + 8 * i, card_number=1 + 8 * i, serial=f"INVENTED{i:04d}"))
    return cards


def server(name, summary, about, cards, **more):
    options = dict(user=User(sudo=True), rocm=("6.3.1",), iommu="identity", numa_balancing=0,
                   arguments="console=ttyS0 iommu=pt pci=realloc=off", uptime=1_296_000)
    options.update(more)
    kernel = options.pop("kernel", k.UBUNTU_2204_515_DKMS_63)
    distribution = options.pop("distribution", UBUNTU_2204)
    return Machine(name, summary, about, kernel, distribution, EPYC_9654, SUPERMICRO, 2266, cards,
                   **options)


def rails(changes=None):
    """A 400 Gb/s port for each GPU, and a board with two slow ones of which one is not in use."""
    nics = []
    for i, (bus, _) in enumerate(MI300_BUSES):
        options = dict(rdma=f"mlx5_{i}")
        options.update((changes or {}).get(i, {}))
        nics.append(Nic(f"0000:{bus + 10:02x}:00.0", f"0000:{bus & 0xE0:02x}:03.1",
                        f"ens{bus + 10}np0", **options))
    slow = dict(ids=(0x8086, 0x1563, 0x0001), mbps=10_000)
    nics.append(Nic("0000:1c:00.0", "0000:00:05.2", "eno1", **slow))
    nics.append(Nic("0000:1c:00.1", "0000:00:05.2", "eno2", up=False, ups=0, **slow))
    return nics


# ---- illnesses ----

STUCK = "0000:a7:00.0"


def stuck(m, t):
    """The first question that waits on the GPU gets no answer; then its other ones are left out.

    Software state of the driver (memory, ids) still answers: what hangs is the first register
    or mailbox. Which one comes first is the collectors' order.
    """
    card = next(c for c in m.cards if c.address == STUCK)
    path = card.device_dir
    late = [n for n in t.below(path) if "/ras/" in n or "/hwmon/" in n or "/fw_version/" in n]
    late += [f"{path}/{n}" for n in ("gpu_busy_percent", "mem_busy_percent", "pp_dpm_sclk",
                                     "pp_dpm_mclk", "pp_dpm_pcie") + LINK_FILES]
    for name in late:
        t.refuse("file", name, "SKIPPED")
    t.refuse("file", f"{path}/pcie_replay_count", "STUCK")
    for name in ("ras", "hwmon", "fw_version"):
        t.refuse("dir", f"{path}/{name}", "SKIPPED")
    t.ask(f"open /dev/dri/renderD{card.render}", "!SKIPPED")
    t.ask(f"pcie {STUCK}", "!SKIPPED")


def lost(m, t):
    """The slot of the missing GPU: its bridges are there, nothing answers behind them."""
    path = "/sys/devices/pci0000:c0"
    for address in under_switch(0xC7):
        path += "/" + address
        t.files_in(path, {
            "vendor": "0x1022" if address.endswith(".1") else "0x1002", "device": "0x1478",
            "class": "0x060400", "numa_node": "1", "current_link_speed": "Unknown",
            "current_link_width": "0", "max_link_speed": "32.0 GT/s PCIe",
            "max_link_width": "16"})
        t.link_to(f"{PCI}/{address}", path)


def no_sensors(m, t):
    """A virtual function has no clocks, no links of its own and no power management."""
    path = m.cards[0].device_dir
    for name in ("pp_dpm_pcie", "pcie_replay_count", "pp_dpm_mclk", "mem_busy_percent"):
        t.remove(f"{path}/{name}")
    t.refuse("file", f"{path}/gpu_busy_percent", "EOPNOTSUPP")
    t.remove(f"{path}/hwmon")
    t.file(f"{path}/current_link_speed", "Unknown")
    t.file(f"{path}/current_link_width", "0")


def ue(address, at, block, socket, count):
    here = f"amdgpu {address}: amdgpu:"
    return [
        (at, 3, f"{here} {{1}}[Hardware Error]: Accelerator Check Architecture events logged"),
        (at, 3, f"{here} {{1}}[Hardware Error]: aca entry[00].STATUS=0xbea0000000000108"),
        (at + 0.1, 6, f"{here} {{1}}socket: {socket}, die: 0, {count} new uncorrectable hardware "
                      f"errors detected in {block} block"),
        (at + 0.1, 6, f"{here} {{1}}socket: {socket}, die: 0, {count} uncorrectable hardware "
                      f"errors detected in total in {block} block"),
    ]


def throttled(address, at):
    return [(at + 60 * i, 4, f"amdgpu {address}: amdgpu: WARN: GPU thermal throttling temperature "
                             "reached, expect performance decrease. GPU.") for i in range(5)]


OVERRIDE = """# rocm for the old card, 2023
export HSA_OVERRIDE_GFX_VERSION=10.3.0
export PATH=$PATH:/opt/rocm/bin
"""

VLLM = {f"0000:{bus:02x}:00.0": 203_776_065_536 for bus, _ in MI300_BUSES}

MACHINES = [
    server(
        "mi300x-x8-ubuntu2204-rocm63-healthy",
        "Eight MI300X in one hive, each whole (SPX, NPS1)",
        ["seen: eight agents with links to each of the others, all counters zero"], mi300x()),
    server(
        "mi300x-x8-ubuntu2204-rocm63-nics",
        "Eight MI300X with a RoCE port of 400 Gb/s for each",
        ["seen: eight ports ACTIVE, a second onboard port that is not in use, no PCIe error but "
         "two corrected ones, a few corrected memory errors"], mi300x(), nics=rails(),
        pcie_errors={"0000:27:00.0": {"correctable": {"BadDLLP": 2}}},
        memory_errors=((0, 3), (0, 0))),
    server(
        "mi300x-x8-ubuntu2204-rocm63-nic-down",
        "Eight MI300X of which one RoCE port lost its link and another came back slower",
        ["ill: 0000:51:00.0 has no link; 0000:6f:00.0 runs at 200 of 400 Gb/s since its link failed",
         "seen: mlx5_2 DOWN while its interface is up, mlx5_3 at 200 Gb/sec with two losses"],
        mi300x(), nics=rails({2: dict(carrier=False, downs=1),
                              3: dict(mbps=200_000, rate="200 Gb/sec (2X NDR)", ups=3, downs=2)}),
        memory_errors=((0, 0), (0, 0)), health="ill"),
    server(
        "mi300x-x8-ubuntu2204-rocm63-pcie-errors",
        "Eight MI300X of which one has fatal PCIe errors, in a host with bad memory",
        ["ill: 0000:85:00.0, whose link cannot be trusted; memory controller mc1 of the host",
         "seen: two fatal errors (DLP) at the port above the GPU, one uncorrectable memory error"],
        mi300x(), nics=rails(), pcie_errors={"0000:84:00.0": {"fatal": {"DLP": 2}}},
        memory_errors=((0, 3), (1, 812)), health="ill"),
    server(
        "mi300x-x8-ubuntu2404-rocm64-cpx",
        "Eight MI300X, each cut into eight agents (CPX, NPS1)",
        ["seen: 64 agents; location_id counts the partition in the function's bits, weights and "
         "bandwidths of the links as in the public tree (which holds 63 of the 64 nodes)"],
        mi300x(partitions=8, compute_mode="CPX",
               kfd_values=dict(fw_version=177, capability=2893521536, sdma_fw_version=24),
               firmware={"mec": 0xB1, "sdma": 0x18}), kernel=k.UBUNTU_2404_68_DKMS,
        distribution=UBUNTU_2404, rocm=("6.4.1",)),
    server(
        "mi300x-x8-debian13-k612-dpx",
        "Eight MI300X, each cut into two agents (DPX), with the driver of kernel 6.12",
        ["seen: 16 agents; here location_id holds the partition in its bits 31:28 (amd-gfx list, "
         "patch of kfd_topology.c), not in the function's bits"],
        mi300x(partitions=2, compute_mode="DPX", location_high=True),
        kernel=k.DEBIAN_13_612, distribution=DEBIAN_13, rocm=("6.4.3",)),
    server(
        "mi308x-x8-ubuntu2204-rocm62-cpx",
        "Eight MI308X in two PCI domains, each cut into four agents (CPX)",
        ["seen: 32 agents, gpu_id and unique_id of the public tree"], mi308x(),
        kernel=k.UBUNTU_2204_515_DKMS, rocm=("6.2.0",)),
    Machine(
        "mi300xvf-ubuntu2404-rocm70-guest",
        "A virtual machine with one virtual function of an MI300X",
        ["seen: device 1002:74b5 behind a virtual root port, KFD offers it whole; no sensors, no "
         "ras, no link of its own"],
        k.UBUNTU_2404_68_DKMS, UBUNTU_2404, VM_EPYC, QEMU, 235,
        [Card(p.MI300X_VF, "0000:08:00.0", ("0000:00:02.7",), unique_id=4376936076086227261,
              gpu_id=28851, compute_mode="SPX", memory_mode="NPS1", vram_used=275 << 20)],
        User(sudo=True), iommu="", arguments="console=tty1 console=ttyS0", rocm=("7.0.2",),
        change=no_sensors),
    Machine(
        "mi210-x8-rhel9-rocm63-healthy",
        "Eight MI210 in two hives of four",
        ["seen: xGMI within a hive, PCIe peer access between them, as in the public tree"],
        k.RHEL_9_DKMS, RHEL_9, EPYC_7763, GIGABYTE_MI210, 1007, mi210(), User(sudo=True,
                                                                              others=(10,)),
        iommu="identity", arguments="crashkernel=1G iommu=pt", rocm=("6.3.1",), numa_balancing=0),
    Machine(
        "mi210-ubuntu2204-rocm62-override",
        "One MI210 and an HSA_OVERRIDE_GFX_VERSION left over from another card",
        ["ill: user ada; every kernel is missing or faults, since gfx1030 is claimed for a gfx90a",
         "seen: HSA_OVERRIDE_GFX_VERSION=10.3.0 in the environment, exported in line 2 of "
         "~/.profile"],
        k.UBUNTU_2204_68_DKMS, UBUNTU_2204, THREADRIPPER, WRX80, 256, mi210(1, hive=0),
        User(environment={"HSA_OVERRIDE_GFX_VERSION": "10.3.0"}), rocm=("5.7.1", "6.2.0"),
        homes={".profile": OVERRIDE}, iommu="identity", arguments="quiet splash iommu=pt",
        health="ill"),
    Machine(
        "mi210-ubuntu2204-rocm62-hot",
        "A passively cooled MI210 in a desktop case, throttling",
        ["ill: every long job; clocks fall to 810 MHz",
         "seen: junction at 104 of 105 degrees, 100 % busy at 810 of 1700 MHz, the driver's "
         "warnings in the log (text of aldebaran_ppt.c)"],
        k.UBUNTU_2204_68_DKMS, UBUNTU_2204, THREADRIPPER, WRX80, 256,
        mi210(1, hive=0, busy=100, clock=810, watts=141, vram_used=41 << 30,
              temps={"edge": 88, "junction": 104, "mem": 96}),
        User(sudo=True), iommu="identity", arguments="quiet splash iommu=pt", rocm=("6.2.0",),
        owners={8123: {"0000:63:00.0": 41 << 30}}, processes={8123: (1000, "python3")},
        later=throttled("0000:63:00.0", 186_000.0), health="ill"),
    server(
        "mi300x-x8-ubuntu2204-rocm63-busy",
        "Eight MI300X whose memory a living server of models holds",
        ["ill: whoever starts a second job; the first one is well",
         "seen: 99 % of each memory in use, process 90213 (python3) of user 1000 owns it and "
         "lives"],
        mi300x(vram_used=204_102_172_672, busy=93, clock=2100, watts=512,
               temps={"junction": 71, "mem": 58}),
        owners={90213: VLLM}, processes={90213: (1000, "python3")}, health="ill"),
    server(
        "mi300x-x8-ubuntu2204-rocm63-stuck",
        "Eight MI300X of which one does not answer any more",
        ["ill: 0000:a7:00.0; whoever reads its registers waits for ever",
         "seen: pcie_replay_count was given up after the deadline, everything behind it on that "
         "device was not asked; the others answer"],
        mi300x(), change=stuck,
        later=[(1_290_000.0, 3, "amdgpu 0000:a7:00.0: amdgpu: SMU: I'm not done with your previous "
                                "command: SMN_C2PMSG_66:0x00000018 SMN_C2PMSG_82:0x00000000"),
               (1_290_009.0, 3, "amdgpu 0000:a7:00.0: amdgpu: Failed to export SMU metrics "
                                "table!")], health="ill"),
    server(
        "mi300x-x8-ubuntu2204-rocm63-ecc",
        "Eight MI300X of which one had uncorrectable memory errors",
        ["ill: 0000:47:00.0; jobs on it die or compute nonsense",
         "seen: umc ue 3, and the driver's lines in the log (form: ROCm issue 4021)"],
        mi300x(changes={0x47: dict(ras={"umc": (3, 41)}, bad_pages=((0x2F81C4, "R"),))}),
        later=ue("0000:47:00.0", 903_221.0, "umc", 2, 3), health="ill"),
    server(
        "mi300x-x8-ubuntu2204-rocm63-badpages",
        "Eight MI300X of which one has retired pages, more to come, and one that could not go",
        ["ill: 0000:85:00.0; its memory wears out",
         "seen: gpu_vram_bad_pages lists 14 retired, 2 pending, 1 failed; counters since boot "
         "show 9 corrected errors"],
        mi300x(changes={0x85: dict(
            ras={"umc": (0, 9)},
            bad_pages=tuple((0x1A4C00 + 0x37 * i, "R") for i in range(14)) +
            ((0x1A5000, "P"), (0x1A5001, "P"), (0x1A5100, "F")))}), health="ill"),
    server(
        "mi300x-x8-ubuntu2204-rocm63-xgmi",
        "Eight MI300X of which two lost their xGMI link",
        ["ill: the pair 0000:05:00.0 and 0000:47:00.0; collectives crawl",
         "seen: no io_link between their nodes in either direction, one uncorrectable error in "
         "the block xgmi_wafl of both"],
        mi300x(changes={
            0x05: dict(xgmi_lost=("0000:47:00.0",), ras={"xgmi_wafl": (1, 0)}),
            0x47: dict(xgmi_lost=("0000:05:00.0",), ras={"xgmi_wafl": (1, 0)})}),
        later=ue("0000:05:00.0", 700_100.0, "xgmi_wafl", 0, 1) +
        ue("0000:47:00.0", 700_100.3, "xgmi_wafl", 2, 1), health="ill"),
    server(
        "mi300x-x7-ubuntu2204-rocm63-missing",
        "A node for eight MI300X that came up with seven",
        ["ill: 0000:c7:00.0 is gone since the last boot",
         "seen: seven PCI functions and agents, the port 0000:c6:00.0 with no link behind it; "
         "the journal of the boot before names eight devices added"],
        [c for c in mi300x() if c.address != "0000:c7:00.0"], change=lost,
        earlier=[("3e9a77c1-05d2-4b8e-8f16-d7c4a90b2e65", 1_761_600_000,
                  [(0.0, 5, "Linux version 5.15.0-130-generic (builder@workbench) (gcc, GNU ld)")] +
                  [(9.0 + i, 6, "kfd kfd: amdgpu: added device 1002:74a1") for i in range(8)] +
                  [(30_000.0, 3, "amdgpu 0000:c7:00.0: amdgpu: device lost from bus!")])],
        uptime=4_000, health="ill"),
]
