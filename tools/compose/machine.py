"""From the description of a machine to its tree."""

import datetime
from dataclasses import dataclass, field

import klog
from hosts import Board, Cpu, Distribution, User
from kernels import Kernel
from products import GIB, Product
from tree import Tree

PCI = "/sys/bus/pci/devices"
KFD = "/sys/class/kfd/kfd"
NODES = KFD + "/topology/nodes"
SPEEDS = {"2.5": 1, "5.0": 2, "8.0": 3, "16.0": 4, "32.0": 5}


@dataclass
class Card:
    """A GPU in its slot."""
    product: Product
    address: str
    bridges: tuple = ()  # from the root port down to the one above the GPU
    unique_id: int = 0
    gpu_id: int = 0
    vram_total: int = 0  # 0: the product's
    vram_used: int = 27 << 20
    gtt_total: int = 0  # 0: half of the RAM
    gtt_used: int = 15 << 20
    driver: str = "amdgpu"
    kfd: bool = True
    numa: int = 0
    socket: int = 0  # the CPU's KFD node it hangs on
    iommu_group: int = 15
    partitions: int = 1
    compute_mode: str = ""
    memory_mode: str = ""
    hive: int = 0
    speed: str = ""  # now; "" is the slot's best
    width: int = 0
    slot_speed: str = ""  # what the root port can do
    slot_width: int = 0
    atomics: bool = True  # the way to the processor passes them
    asleep: bool = False
    display: str = ""  # the connector with a monitor
    boot_vga: bool = False
    busy: int = 0
    clock: int = 0  # of the two levels of pp_dpm_sclk the one in use
    replays: int = 0
    temps: dict = field(default_factory=dict)
    watts: int = 0
    ras: dict = field(default_factory=dict)  # block: (uncorrectable, correctable)
    bad_pages: tuple = ()
    firmware: dict = field(default_factory=dict)
    log: list = field(default_factory=list)  # lines behind its own of the boot
    serial: str = ""
    render: int = 0
    card_number: int = 0
    node: int = 0  # KFD node of its first partition
    location_high: bool = False  # the partition stands in bits 31:28 of location_id
    kfd_values: dict = field(default_factory=dict)  # where its firmware differs
    xgmi_lost: tuple = ()  # addresses to which its link is gone

    @property
    def bus(self):
        return int(self.address[5:7], 16)

    @property
    def bar0(self):
        if self.product.apu:
            return self.product.bar0
        return self.product.bar0_size

    @property
    def device_dir(self):
        top = self.bridges[0] if self.bridges else self.address
        return (f"/sys/devices/pci{top[:7]}/" + "/".join(self.bridges) +
                ("/" if self.bridges else "") + self.address)


@dataclass
class Machine:
    name: str
    summary: str
    about: list
    kernel: Kernel
    distribution: Distribution
    cpu: Cpu
    board: Board
    memory: int  # GiB
    cards: list = field(default_factory=list)
    user: User = field(default_factory=User)
    wall: int = 1_762_934_400
    uptime: int = 186_342
    boot_id: str = "6d0f8a52-3c1b-4e77-9a40-1f5b7c2e9d13"
    arguments: str = "quiet splash"
    iommu: str = "DMA-FQ"  # "" is off
    rocm: tuple = ("6.2.0",)
    builtin: bool = False  # amdgpu is part of the kernel image
    module_loaded: bool = True
    parameters: dict = field(default_factory=dict)  # of amdgpu that are not the default
    pages_limit: int = 0  # of ttm, 0: half of the RAM
    modprobe: dict = field(default_factory=dict)
    homes: dict = field(default_factory=dict)  # start-up files of the user
    etc: dict = field(default_factory=dict)
    later: list = field(default_factory=list)  # kernel log behind the boot
    earlier: list = field(default_factory=list)  # (boot id, began, lines) in the journal
    journal_readable: bool = True
    ring: str = ""  # "" as dmesg_restrict has it, or an answer
    owners: dict = field(default_factory=dict)  # KFD pid: {address: bytes}
    processes: dict = field(default_factory=dict)  # pid: (uid, command)
    clients: tuple = ()  # (pid, uid, command, address, vram KiB)
    services: dict = field(default_factory=dict)  # unit: dict
    container: str = ""  # docker, docker-bare, podman
    own_proc: int = 2417
    numa_balancing: int = 1
    change: object = None  # a function of (machine, tree), last
    health: str = "healthy"

    def __post_init__(self):
        node = self.cpu.sockets
        for i, card in enumerate(self.cards):
            p = card.product
            card.vram_total = card.vram_total or p.vram
            card.gtt_total = card.gtt_total or (self.mem_total_kib * 1024 // 2 // 4096 * 4096)
            card.unique_id = card.unique_id or 0x9A1C000000000000 + 0x1111 * (i + 1)
            card.gpu_id = card.gpu_id or 4096 + 1737 * (i + 1)
            stride = 8 if p.family == "gfx_v9_4_3" and not card.location_high else 1
            stride = max(stride, card.partitions)
            card.render = card.render or 128 + i * stride
            card.card_number = card.card_number or i * stride
            if card.kfd and card.driver == "amdgpu":
                card.node = node
                node += card.partitions

    @property
    def mem_total_kib(self):
        return self.memory * 1024 * 1024 - self.memory * 1024 * 19

    @property
    def cmdline(self):
        return (f"BOOT_IMAGE=/boot/vmlinuz-{self.kernel.release} root=UUID=7b1c0c5e-"
                f"1d2f-4a6e-8e5c-0123456789ab ro {self.arguments}").rstrip()

    @property
    def process(self):
        return f"/proc/{self.own_proc}" if self.user.sudo else "/proc/self"

    @property
    def agents(self):
        return [c for c in self.cards if c.kfd and c.driver == "amdgpu"]

    def tree(self):
        t = Tree()
        for part in (host_files, process_files, driver_files, pci_files, drm_files, kfd_files,
                     device_nodes, environment, logs, rocm_files, service_files):
            part(self, t)
        if self.container:
            container_files(self, t)
        if self.change:
            self.change(self, t)
        return t


# ---- the host ----

def cpuinfo(cpu):
    flags = ("fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat clflush mmx fxsr "
             "sse sse2 ht syscall nx mmxext fxsr_opt pdpe1gb rdtscp lm constant_tsc rep_good "
             "nopl nonstop_tsc cpuid extd_apicid aperfmperf rapl pni pclmulqdq monitor ssse3 fma "
             "cx16 sse4_1 sse4_2 x2apic movbe popcnt aes xsave avx f16c rdrand lahf_lm")
    if cpu.hypervisor:
        flags = flags.replace(" lahf_lm", " hypervisor lahf_lm")
    out = []
    for i in range(min(cpu.cores * cpu.sockets, 6)):
        out.append(
            f"processor\t: {i}\nvendor_id\t: {cpu.vendor}\ncpu family\t: {cpu.family}\n"
            f"model\t\t: {cpu.model_number}\nmodel name\t: {cpu.model}\nstepping\t: "
            f"{cpu.stepping}\nmicrocode\t: 0xa20120e\ncpu MHz\t\t: 2200.000\ncache size\t: 512 KB\n"
            f"physical id\t: 0\nsiblings\t: {cpu.cores}\ncore id\t\t: {i}\ncpu cores\t: "
            f"{cpu.cores // 2}\napicid\t\t: {i}\ninitial apicid\t: {i}\nfpu\t\t: yes\n"
            f"fpu_exception\t: yes\ncpuid level\t: 16\nwp\t\t: yes\nflags\t\t: {flags}\n"
            f"bugs\t\t: sysret_ss_attrs\nbogomips\t: 6800.00\n\n")
    return "".join(out)


def meminfo(m):
    total = m.mem_total_kib
    rows = [("MemTotal", total), ("MemFree", total * 7 // 10), ("MemAvailable", total * 8 // 10),
            ("Buffers", 214_000), ("Cached", total // 10), ("SwapCached", 0),
            ("SwapTotal", 8_388_604), ("SwapFree", 8_388_604), ("Shmem", 120_400)]
    lines = [f"{name + ':':<16}{value:>8} kB" for name, value in rows]
    return "\n".join(lines + ["HugePages_Total:       0", "Hugepagesize:       2048 kB"])


def host_files(m, t):
    k, cpus = m.kernel, m.cpu.cores * m.cpu.sockets
    t.files_in("/proc", {
        "cmdline": m.cmdline, "meminfo": meminfo(m), "cpuinfo": cpuinfo(m.cpu),
        "version": f"Linux version {k.release} (builder@workbench) (gcc, GNU ld) {k.build}"})
    t.files_in("/proc/sys/kernel", {
        "osrelease": k.release, "hostname": "workbench", "numa_balancing":
        str(m.numa_balancing if m.cpu.sockets > 1 else 0), "dmesg_restrict":
        str(m.distribution.restrict)})
    t.file("/proc/sys/kernel/random/boot_id", m.boot_id)
    t.files_in("/proc/sys/vm", {"overcommit_memory": "0", "max_map_count": "65530"})
    t.link("/etc/os-release", "../usr/lib/os-release")
    t.file("/usr/lib/os-release", m.distribution.os_release)
    t.files_in("/sys/devices/system/cpu", {"online": f"0-{cpus - 1}", "possible": f"0-{cpus - 1}"})
    t.file("/sys/devices/system/node/online", "0" if m.cpu.sockets == 1 else
           f"0-{m.cpu.sockets - 1}")
    t.link("/sys/class/dmi/id", "../../devices/virtual/dmi/id")
    b = m.board
    t.files_in("/sys/devices/virtual/dmi/id", {
        "sys_vendor": b.vendor, "product_name": b.product, "board_vendor": b.board_vendor or None,
        "board_name": b.board or None, "bios_version": b.bios, "bios_date": b.bios_date})
    t.dir("/sys/class/iommu")
    t.dir("/sys/bus/pci/devices")
    if m.iommu:
        iommu_files(m, t)
    clock = datetime.datetime.fromtimestamp(m.wall, datetime.timezone.utc)
    t.ask("clock", f"wall {m.wall} {clock:%Y-%m-%dT%H:%M:%SZ}\nuptime {m.uptime}")
    t.ask("machine", "x86_64")
    t.ask("space /dev/shm", f"size {m.memory * GIB // 2}\nfree {m.memory * GIB // 2 - 4096}")
    t.dir("/dev/shm")


def iommu_files(m, t):
    amd = m.cpu.vendor == "AuthenticAMD"
    for i in range(m.cpu.sockets * (4 if m.cpu.sockets > 1 else 1)):
        name = f"ivhd{i}" if amd else f"dmar{i}"
        at = (f"/sys/devices/pci0000:{i * 0x20:02x}/0000:{i * 0x20:02x}:00.2/iommu/{name}" if amd
              else f"/sys/devices/virtual/iommu/{name}")
        t.dir(at)
        t.link_to(f"/sys/class/iommu/{name}", at)


# ---- the judged process ----

LIMITS = """Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max file size             unlimited            unlimited            bytes     
Max data size             unlimited            unlimited            bytes     
Max stack size            8388608              unlimited            bytes     
Max core file size        0                    unlimited            bytes     
Max resident set          unlimited            unlimited            bytes     
Max processes             {processes:<20} {processes:<20} processes 
Max open files            1024                 1048576              files     
Max locked memory         {memlock:<20} {memlock:<20} bytes     
Max address space         unlimited            unlimited            bytes     
Max file locks            unlimited            unlimited            locks     
Max pending signals       {processes:<20} {processes:<20} signals   
Max msgqueue size         819200               819200               bytes     
Max nice priority         0                    0                    
Max realtime priority     0                    0                    
Max realtime timeout      unlimited            unlimited            us        
"""

MOUNTS = """22 27 0:21 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw
23 27 0:22 / /proc rw,nosuid,nodev,noexec,relatime shared:13 - proc proc rw
24 27 0:5 / /dev rw,nosuid,relatime shared:2 - devtmpfs udev rw,mode=755,inode64
26 24 0:23 / /dev/shm rw,nosuid,nodev shared:3 - tmpfs tmpfs rw,inode64
27 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro
30 22 0:27 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate
"""


def group_ids(m):
    known = {"render": m.distribution.render, "video": m.distribution.video}
    ids = sorted({known[g] for g in m.user.groups} | set(m.user.others) | {m.user.gid})
    return [0] if m.user.root else ids


def status(m, command, pid, uid, gid, groups):
    return (f"Name:\t{command}\nUmask:\t0002\nState:\tS (sleeping)\nTgid:\t{pid}\nPid:\t{pid}\n"
            f"PPid:\t1\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{gid}\t{gid}\t{gid}\t{gid}\n"
            f"FDSize:\t256\nGroups:\t{' '.join(map(str, groups))} \nNSpid:\t{pid}\nThreads:\t1\n"
            f"NoNewPrivs:\t0\nSeccomp:\t0\n")


def process_dir(m, t, where, pid, command, uid, gid, groups, cgroup):
    t.files_in(where, {
        "status": status(m, command, pid, uid, gid, groups), "comm": command, "cgroup": cgroup,
        "limits": LIMITS.format(processes=m.memory * 4000, memlock=m.mem_total_kib // 8 * 1024),
        "mountinfo": MOUNTS, "uid_map": f"{0:>10} {0:>10} {4294967295:>10}"})
    for name, number in (("pid", 4026531836), ("user", 4026531837), ("cgroup", 4026531835),
                         ("mnt", 4026531841)):
        t.link(f"{where}/ns/{name}", f"{name}:[{number}]")


def process_files(m, t):
    u = m.user
    groups = group_ids(m)
    uid, gid = (0, 0) if u.root else (u.uid, u.gid)
    slice_ = f"0::/user.slice/user-{uid}.slice/session-3.scope"
    process_dir(m, t, m.process, m.own_proc, "bash" if u.sudo else "rocsteady", uid, gid, groups,
                slice_)
    if u.sudo:
        process_dir(m, t, "/proc/self", 5211, "rocsteady", 0, 0, [0], slice_)
    process_dir(m, t, "/proc/1", 1, "systemd", 0, 0, [], "0::/init.scope")
    if not u.privileged:
        for name in ("pid", "user", "cgroup", "mnt"):
            t.refuse("link", f"/proc/1/ns/{name}", "EACCES")
    for pid, (owner, command) in m.processes.items():
        process_dir(m, t, f"/proc/{pid}", pid, command, owner, owner, [owner],
                    f"0::/user.slice/user-{owner}.slice/session-3.scope")
    how = "calling user of sudo" if u.sudo else "this process"
    name = "root" if u.root else u.name
    t.ask("identity", f"how {how}\nprocess {m.process}\nuid {uid}\ngid {gid}\ngroups "
                      f"{' '.join(map(str, groups))}\nuser {name}\nhome {u.home}")
    t.ask("group render", str(m.distribution.render))
    t.ask("group video", str(m.distribution.video))
    t.file("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory hugetlb pids rdma misc")


# ---- the driver ----

PARAMETERS = dict(
    aspm="-1", async_gfx_ring="1", audio="-1", bad_page_threshold="-1", cwsr_enable="1", dc="-1",
    dcdebugmask="0", debug_evictions="N", discovery="-1", dpm="-1", exp_hw_support="0",
    fw_load_type="-1", gartsize="4294967295", gpu_recovery="-1", gttsize="-1",
    halt_if_hws_hang="0", hws_gws_support="N", ip_block_mask="4294967295", job_hang_limit="0",
    lockup_timeout="", mcbp="-1", mes="0", moverate="-1", msi="-1",
    no_queue_eviction_on_vm_fault="0", no_system_mem_limit="N", noretry="-1", num_kcq="-1",
    pcie_gen_cap="0", pcie_lane_cap="0", pcie_p2p="Y", ppfeaturemask="4294950911",
    queue_preemption_timeout_ms="9000", ras_enable="-1", ras_mask="4294967295",
    reset_method="-1", runpm="-1", sched_hw_submission="2", sched_jobs="32", sched_policy="0",
    sg_display="-1", tmz="-1", use_xgmi_p2p="1", virtual_display="(null)", vis_vramlimit="0",
    vm_block_size="-1", vm_fault_stop="0", vm_fragment_size="-1", vm_size="-1",
    vm_update_mode="-1", vramlimit="0")
ROOT_ONLY = ("gttsize", "gartsize", "vramlimit", "vis_vramlimit", "moverate")


KFD_MINOR = (((6, 16), 18), ((6, 12), 17), ((6, 10), 16), ((6, 5), 14), ((0, 0), 11))


def ttm_files(m, t, module):
    limit = m.pages_limit or m.mem_total_kib * 1024 // 2 // 4096
    t.files_in(f"/sys/module/{module}", {"initstate": "live", "taint": "OE" if
                                         module != "ttm" else "\n"})
    t.files_in(f"/sys/module/{module}/parameters", {
        "pages_limit": str(limit), "page_pool_size": str(limit), "dma32_pages_limit": "524288"})


def driver_files(m, t):
    modules = ["nvme 61440 3 - Live 0x0000000000000000"]
    top = "/sys/module/amdgpu"
    t.dir("/sys/module")
    if m.module_loaded:
        t.files_in(top + "/parameters", dict(PARAMETERS, **m.parameters))
        if not m.builtin:
            taint = "OE" if m.kernel.dkms else "\n"
            t.files_in(top, {"initstate": "live", "version": m.kernel.dkms,
                             "srcversion": m.kernel.srcversion or "0F3D5E7A9B1C2D4E6F80A13",
                             "taint": taint})
            modules.insert(0, "amdgpu 19935232 21 - Live 0x0000000000000000")
        if not m.user.privileged:
            for name in ROOT_ONLY:
                t.refuse("file", f"{top}/parameters/{name}", "EACCES")
        for module in ("amdttm", "amdkcl") if m.kernel.dkms else ("ttm",):
            if module == "amdkcl":
                t.files_in("/sys/module/amdkcl", {"initstate": "live", "taint": "OE",
                                                  "srcversion": "1B7C07E5D9F4A6620C39E81"})
            else:
                ttm_files(m, t, module)
            if not m.builtin:
                modules.append(f"{module} 110592 1 amdgpu, Live 0x0000000000000000")
        t.dir("/sys/bus/pci/drivers/amdgpu")
    t.file("/proc/modules", "\n".join(modules))
    default = {"blacklist.conf": "# modules that cause harm when they load by themselves\n"
                                 "blacklist evbug\nblacklist usbmouse\n"}
    for path, text in dict({f"/etc/modprobe.d/{n}": v for n, v in default.items()},
                           **m.modprobe).items():
        t.file(path, text)
    t.file("/usr/lib/modprobe.d/aliases.conf", "# aliases for old hardware\n"
                                               "alias net-pf-10 off\n")
    if m.distribution.id in ("ubuntu", "debian"):
        t.link("/lib", "usr/lib")
    there = m.module_loaded and any(c.driver == "amdgpu" for c in m.cards)
    minor = next(v for since, v in KFD_MINOR if m.kernel.driver >= since)
    t.ask("kfd-version", "!ENOENT" if not there else f"1 {minor}" if may_open(m) else "!EACCES")


def may_open(m):
    return m.user.privileged or "render" in m.user.groups


# ---- the PCI bus ----

def bars(card):
    base = 0x7000000000 + card.bus * 0x800000000
    rows = [(base, base + card.bar0 - 1, 0x14220C), (0, 0, 0),
            (base + card.bar0, base + card.bar0 + 0xFFFFFFF, 0x14220C), (0, 0, 0),
            (0xE000, 0xE0FF, 0x40101), (0xFCA00000, 0xFCAFFFFF, 0x40200),
            (0xFCB00000, 0xFCB1FFFF, 0x46200)]
    rows += [(0, 0, 0)] * 6
    return "\n".join("0x%016x 0x%016x 0x%016x" % row for row in rows)


def function_files(t, path, vendor, device, subsystem, revision, pci_class, numa, links):
    speed, width, max_speed, max_width = links
    t.files_in(path, {
        "vendor": f"0x{vendor:04x}", "device": f"0x{device:04x}",
        "subsystem_vendor": f"0x{subsystem[0]:04x}", "subsystem_device": f"0x{subsystem[1]:04x}",
        "revision": f"0x{revision:02x}", "class": f"0x{pci_class:06x}", "numa_node": str(numa),
        "current_link_speed": f"{speed} GT/s PCIe", "current_link_width": str(width),
        "max_link_speed": f"{max_speed} GT/s PCIe", "max_link_width": str(max_width),
        "ari_enabled": "0", "d3cold_allowed": "1"})


def link_of(card, hop):
    """(speed, width, max speed, max width) of a bridge or, hop 0, of the GPU itself.

    A card with a switch of its own has a fixed link inside; what the slot gives is seen
    between the root port and the card's upstream port.
    """
    p = card.product
    slot = (card.slot_speed or p.speed, card.slot_width or p.width)
    now = (card.speed or min(slot[0], p.speed, key=float), card.width or min(slot[1], p.width))
    inside = p.own_switch and hop <= 1
    if inside:
        return (p.speed, 16, p.speed, 16)
    if hop == 2 and p.own_switch or hop == 0:
        return (*now, p.speed, p.width)
    if hop == len(card.bridges):
        return (*now, *slot)
    return (*now, p.speed, 16)


def pcie_answer(card, hop, port):
    speed, width, max_speed, max_width = link_of(card, hop)
    root = hop == len(card.bridges)
    if hop == 0:
        devcap2 = 0x70993F80 & ~0x3C0 | 0x180
        devctl2 = 0x0040 if card.atomics else 0
    elif root:
        devcap2 = 0x181F | (0x180 if card.atomics else 0)
        devctl2 = 0x0400
    else:
        devcap2, devctl2 = 0x3840, 0x0400
    acs = (0x5F, 0x1D) if hop else (0, 0)
    return (f"port {port}\nmax_speed {SPEEDS[max_speed]}\nmax_width {max_width}\nspeed "
            f"{SPEEDS[speed]}\nwidth {width}\ndevcap2 0x{devcap2:x}\ndevctl2 0x{devctl2:x}\n"
            f"acs_cap 0x{acs[0]:x}\nacs_ctl 0x{acs[1]:x}\nresizable_bar {int(hop == 0)}")


def bridge_files(m, t, card):
    path = f"/sys/devices/pci{card.bridges[0][:7]}"
    for i, address in enumerate(card.bridges):
        path += "/" + address
        hop = len(card.bridges) - i
        if i == 0:
            vendor, device, port = (0x1022, 0x1483, 4) if m.cpu.vendor == "AuthenticAMD" else \
                                   (0x8086, 0x352A, 4)
        elif hop <= 2 and card.product.own_switch:
            vendor, device, port = 0x1002, 0x1479 - (hop == 2), 4 + (1 if hop == 2 else 2)
        else:
            vendor, device, port = 0x1000, 0xC030, 5 + (hop % 2)
        function_files(t, path, vendor, device, (vendor, 0), 0, 0x060400, card.numa,
                       link_of(card, hop))
        t.link_to(f"{PCI}/{address}", path)
        t.link_to(f"{path}/driver", "/sys/bus/pci/drivers/pcieport")
        t.files_in(path + "/power", {"runtime_status": "suspended" if card.asleep else "active",
                                     "control": "auto"})
        t.ask(f"pcie {address}", "!ASLEEP" if card.asleep else
              pcie_answer(card, hop, port) if m.user.privileged else "!EACCES")
        if card.asleep and hop <= 2:
            t.files_in(path, POWERED_OFF)


def card_link_files(m, t, card, path):
    p = card.product
    t.link_to(f"{PCI}/{card.address}", path)
    function_files(t, path, 0x1002, p.device, p.subsystem, p.revision, p.pci_class, card.numa,
                   link_of(card, 0))
    t.files_in(path, {
        "boot_vga": str(int(card.boot_vga)) if p.pci_class == 0x030000 else None,
        "resource": bars(card), "uevent": uevent(card)})
    t.files_in(path + "/power", {
        "runtime_status": "suspended" if card.asleep else "active",
        "control": "auto" if not p.apu and not p.ras else "on"})
    if m.iommu:
        group = f"/sys/kernel/iommu_groups/{card.iommu_group}"
        t.file(group + "/type", m.iommu)
        t.link_to(path + "/iommu_group", group)
    if card.driver:
        t.link_to(path + "/driver", f"/sys/bus/pci/drivers/{card.driver}")
        t.dir(f"/sys/bus/pci/drivers/{card.driver}")
        t.link_to(f"/sys/bus/pci/drivers/{card.driver}/{card.address}", path)
    t.ask(f"pcie {card.address}", "!ASLEEP" if card.asleep else
          (pcie_answer(card, 0, 0 if card.bridges else 9) if m.user.privileged else "!EACCES"))


def uevent(card):
    p = card.product
    lines = [f"DRIVER={card.driver}"] if card.driver else []
    lines += [f"PCI_CLASS={p.pci_class:X}", f"PCI_ID=1002:{p.device:04X}",
              f"PCI_SUBSYS_ID={p.subsystem[0]:04X}:{p.subsystem[1]:04X}",
              f"PCI_SLOT_NAME={card.address}"]
    return "\n".join(lines)


def memory_files(m, t, card, path):
    p = card.product
    visible = min(card.vram_total, card.bar0) if not p.apu else card.vram_total
    t.files_in(path, {
        "mem_info_vram_total": str(card.vram_total), "mem_info_vram_used": str(card.vram_used),
        "mem_info_vis_vram_total": str(visible),
        "mem_info_vis_vram_used": str(min(card.vram_used, visible)),
        "mem_info_gtt_total": str(card.gtt_total), "mem_info_gtt_used": str(card.gtt_used),
        "mem_info_vram_vendor": p.vram_vendor, "mem_info_preempt_used": "0",
        "vbios_version": p.vbios, "reset_method": "bus" if not p.ras else "flr bus",
        "unique_id": f"{card.unique_id:016x}" if not p.apu else None,
        "product_name": p.fru[0] if p.fru else None,
        "product_number": p.fru[1] if p.fru else None,
        "serial_number": card.serial or None})


def activity_files(m, t, card, path):
    p = card.product
    high = p.kfd["max_engine_clk_fcompute"]
    now = card.clock or 500
    levels = f"0: 500Mhz{' *' if now <= 500 else ''}\n"
    if 500 < now < high:
        levels += f"1: {now}Mhz *\n2: {high}Mhz\n"
    else:
        levels += f"1: {high}Mhz{' *' if now >= high else ''}\n"
    t.files_in(path, {
        "gpu_busy_percent": str(card.busy), "mem_busy_percent": str(card.busy // 3),
        "pcie_replay_count": str(card.replays) if not p.apu else None, "pp_dpm_sclk": levels,
        "pp_dpm_mclk": f"0: 96Mhz *\n1: {p.bank_clock}Mhz\n",
        "pp_dpm_pcie": pcie_levels(card) if not p.apu else None})
    versions = dict(p.firmware, **card.firmware)
    t.files_in(path + "/fw_version", {f"{name}_fw_version": f"0x{version:08x}" for name, version
                                      in versions.items()})
    if p.temps or p.power:
        hwmon_files(m, t, card, path)
    if p.ras:
        ras_files(m, t, card, path)
    t.link(path + "/ip_discovery/die/0/GC", "11")
    t.files_in(path + "/ip_discovery/die/0/11/0", {
        "major": str(p.gc[0]), "minor": str(p.gc[1]), "revision": str(p.gc[2])})


def pcie_levels(card):
    slow = card.speed == "2.5"
    return (f"0: 2.5GT/s, x{card.product.width} 310Mhz{' *' if slow else ''}\n"
            f"1: {card.product.speed}GT/s, x{card.product.width} 1143Mhz{'' if slow else ' *'}\n")


def hwmon_files(m, t, card, path):
    p = card.product
    top = f"{path}/hwmon/hwmon{card.card_number + 4}"
    t.file(top + "/name", "amdgpu")
    idle = {"edge": 41, "junction": 46, "mem": 52}
    for label, critical in p.temps:
        i = {"edge": 1, "junction": 2, "mem": 3}[label]
        value = card.temps.get(label, idle[label])
        t.files_in(top, {f"temp{i}_input": str(value * 1000), f"temp{i}_label": label,
                         f"temp{i}_crit": str(critical * 1000) if critical else None})
    if p.power:
        name, watts, cap = p.power
        t.files_in(top, {name: str((card.watts or watts) * 1000000),
                         "power1_cap": str(cap * 1000000) if cap else None})


def ras_files(m, t, card, path):
    ras = path + "/ras"
    t.file(ras + "/features", f"feature mask: 0x{(1 << len(card.product.ras)) - 1:x}")
    for block in card.product.ras:
        bad, good = card.ras.get(block, (0, 0))
        text = f"ue: {bad}\nce: {good}\n"
        if block == "umc" and m.kernel.driver >= (6, 10):
            text += "de: 0\n"
        t.file(f"{ras}/{block}_err_count", text)
    t.file(ras + "/gpu_vram_bad_pages", "".join(f"0x{page:08x} : 0x00001000 : {flag}\n"
                                                for page, flag in card.bad_pages))


def partition_files(m, t, card, path):
    if card.compute_mode:
        modes = "SPX, DPX, QPX, CPX" if card.product.kfd["num_xcc"] == 8 else "SPX, DPX, CPX"
        t.files_in(path, {"current_compute_partition": card.compute_mode,
                          "available_compute_partition": modes,
                          "current_memory_partition": card.memory_mode,
                          "available_memory_partition": "NPS1, NPS4"
                          if m.kernel.driver >= (6, 12) else None})
    if not card.hive:
        return
    first = next(c for c in m.cards if c.hive == card.hive)
    t.files_in(path, {"xgmi_device_id": str(card.unique_id),
                      "xgmi_physical_id": str(m.cards.index(card) % 8)})
    if card is first:
        t.file(path + "/xgmi_hive_info/xgmi_hive_id", str(card.hive))
    else:
        t.link_to(path + "/xgmi_hive_info", first.device_dir + "/xgmi_hive_info")


def pci_files(m, t):
    for card in m.cards:
        path = card.device_dir
        if card.bridges:
            bridge_files(m, t, card)
        card_link_files(m, t, card, path)
        if card.driver != "amdgpu":
            continue
        memory_files(m, t, card, path)
        activity_files(m, t, card, path)
        partition_files(m, t, card, path)
        if card.asleep:
            put_to_sleep(t, card, path)


WAKING = ("pcie_replay_count", "pp_dpm_sclk", "pp_dpm_mclk", "pp_dpm_pcie", "gpu_busy_percent",
          "mem_busy_percent", "thermal_throttling_logging")


# Config space of a function without power reads as ones.
POWERED_OFF = {"current_link_speed": "Unknown", "current_link_width": "63",
               "max_link_speed": "64.0 GT/s PCIe", "max_link_width": "63"}


def put_to_sleep(t, card, path):
    """What rocsteady does not ask a sleeping GPU (src/root/paths.c: the class "wakes")."""
    waking = [f"{path}/{name}" for name in WAKING]
    waking += [n for n in t.below(path) if "/ras/" in n or
               ("/hwmon/" in n and not n.endswith("/hwmon"))]
    for name in waking:
        t.refuse("file", name, "ASLEEP")
    t.files_in(path, POWERED_OFF)


# ---- DRM ----

def drm_card(t, directory, number, connectors=(), display=""):
    """cardN and what hangs on it, below a device's drm directory."""
    name = f"card{number}"
    t.file(f"{directory}/{name}/dev", f"226:{number}")
    t.link_to(f"{directory}/{name}/device", directory.rsplit("/", 1)[0])
    t.link_to(f"/sys/class/drm/{name}", f"{directory}/{name}")
    for connector in connectors:
        at = f"{directory}/{name}/{name}-{connector}"
        on = connector == display
        t.files_in(at, {"status": "connected" if on else "disconnected",
                        "enabled": "enabled" if on else "disabled"})
        t.link_to(f"/sys/class/drm/{name}-{connector}", at)


def drm_render(t, directory, minor):
    name = f"renderD{minor}"
    t.file(f"{directory}/{name}/dev", f"226:{minor}")
    t.link_to(f"{directory}/{name}/device", directory.rsplit("/", 1)[0])
    t.link_to(f"/sys/class/drm/{name}", f"{directory}/{name}")


def drm_files(m, t):
    if m.module_loaded or m.cards:
        t.file("/sys/class/drm/version", "drm 1.1.0 20060810")
    xcp = 0
    for card in m.cards:
        if card.driver != "amdgpu":
            continue
        directory = card.device_dir + "/drm"
        drm_card(t, directory, card.card_number, card.product.connectors, card.display)
        drm_render(t, directory, card.render)
        # The kernel makes a platform device for each partition but the first.
        spare = 7 if card.product.family == "gfx_v9_4_3" and not card.location_high else 0
        for i in range(1, max(card.partitions, spare + 1 if card.partitions > 1 else 1)):
            platform = f"/sys/devices/platform/amdgpu_xcp.{xcp}/drm"
            xcp += 1
            drm_card(t, platform, card.card_number + i)
            drm_render(t, platform, card.render + i)


# ---- KFD ----

def location(card, partition):
    bus, rest = card.address[5:7], card.address[8:]
    device, function = rest.split(".")
    value = int(bus, 16) << 8 | int(device, 16) << 3 | int(function)
    if card.partitions > 1:
        value |= partition << 28 if card.location_high else partition
    return value


def agent_id(card, partition):
    return card.gpu_id if partition == 0 else (card.gpu_id + 17408 * partition) % 65536 or 77


def hsa_node(m, t, card, partition, simd_base):
    p = card.product
    node = card.node + partition
    top = f"{NODES}/{node}"
    whole = card.partitions == 1
    values = dict(p.kfd, gfx_target_version=p.gfx_target, device_id=p.device,
                  location_id=location(card, partition), domain=int(card.address[:4], 16),
                  drm_render_minor=card.render + partition, hive_id=card.hive,
                  unique_id=0 if p.apu else card.unique_id, simd_id_base=simd_base,
                  max_engine_clk_ccompute=m.cpu.mhz)
    values.update(card.kfd_values)
    if not whole:
        xcc = p.kfd["num_xcc"] // card.partitions
        values.update(simd_count=p.kfd["simd_count"] // card.partitions, num_xcc=xcc,
                      array_count=4 * xcc, caches_count={80: 46, 152: 80}.get(
                          p.kfd["simd_count"] // card.partitions, 80 * xcc - 2),
                      num_sdma_xgmi_engines=0)
    links, peers = agent_links(m, card, partition)
    values["io_links_count"], values["p2p_links_count"] = len(links), len(peers)
    t.files_in(top, {"gpu_id": str(agent_id(card, partition)),
                     "name": "ip discovery", "properties": m.kernel.properties(values, True)})
    for kind, rows in (("io_links", links), ("p2p_links", peers)):
        if kind == "p2p_links" and not m.kernel.has("p2p_links_count"):
            continue
        t.dir(f"{top}/{kind}")
        for i, row in enumerate(rows):
            t.file(f"{top}/{kind}/{i}/properties", m.kernel.link(*row))
    t.file(f"{top}/mem_banks/0/properties", bank(m, card))


def bank(m, card):
    p = card.product
    if p.apu:
        size = m.pages_limit * 4096 or card.gtt_total
        if m.kernel.driver < (6, 10):
            size = card.vram_total
        elif m.kernel.driver >= (6, 16) and card.gtt_total <= card.vram_total:
            size = card.vram_total
    else:
        size = card.vram_total // card.partitions // 4096 * 4096
    heap = 1 if p.apu or card.bar0 >= card.vram_total else 2
    return (f"heap_type {heap}\nsize_in_bytes {size}\nflags 0\nwidth {p.bank_width}\n"
            f"mem_clk_max {p.bank_clock}")


def peers_of(m, card, partition):
    for other in m.agents:
        for part in range(other.partitions):
            if other is not card or part != partition:
                yield other, part


def agent_links(m, card, partition):
    """io_links and p2p_links of one agent: rows for Kernel.link()."""
    p, me = card.product, card.node + partition
    far = 52 if p.gfx_target == 90010 else 41  # as the two captures of such hosts have it
    rate = {"8.0": 16000, "16.0": 32000, "32.0": 64000}[p.speed] * min(p.width, 16) // 16
    flags = 1 if card.atomics else 13
    links = [(2, me, card.socket, 20, 0 if p.family == "gfx_v9_4_3" else 312, rate, flags)]
    peers = [(2, me, s, far, 0, 0, 1, 0) for s in range(m.cpu.sockets) if s != card.socket]
    for other, part in peers_of(m, card, partition):
        to = other.node + part
        if other is card:
            links.append((11, me, to, 13, 819200, 819200, 1))
        elif card.hive and other.hive == card.hive:
            if other.address in card.xgmi_lost:
                continue
            if card.partitions > 1:
                links.append((11, me, to, 41, 0, 0, 1))
            else:
                rate = 50000 if p.gfx_target == 90010 else 64000
                mask = 28 if p.gfx_target == 90010 else 1 << (2 + 2 * (len(links) % 7))
                links.append((11, me, to, 15, rate, rate, 1, mask))
        elif not p.apu and not other.product.apu and card.bar0 >= card.vram_total and \
                other.bar0 >= other.vram_total and p.family != "gfx_v10_0":
            weight = 40 if other.socket == card.socket else 20 + far
            peers.append((2, me, to, weight, 0, 0, 3, 0))
    return links, peers


def cpu_node(m, t, node):
    values = {"cpu_cores_count": m.cpu.cores, "mem_banks_count": 1,
              "max_engine_clk_ccompute": m.cpu.mhz}
    rows = [(1 if m.cpu.vendor == "AuthenticAMD" else 5, node, s, 32, 0, 0, 0, 0)
            for s in range(m.cpu.sockets) if s != node]
    for card in m.agents:
        if card.socket == node:
            for part in range(card.partitions):
                rows.append((2, node, card.node + part, 20, 0, 32000, 3))
    values["io_links_count"] = len(rows)
    values["p2p_links_count"] = 0
    top = f"{NODES}/{node}"
    t.files_in(top, {"gpu_id": "0", "name": "\n",
                     "properties": m.kernel.properties(values, False)})
    for i, row in enumerate(rows):
        t.file(f"{top}/io_links/{i}/properties", m.kernel.link(*row))
    size = m.mem_total_kib * 1024 // m.cpu.sockets
    t.file(f"{top}/mem_banks/0/properties",
           f"heap_type 0\nsize_in_bytes {size}\nflags 0\nwidth 64\nmem_clk_max 3200")


def kfd_files(m, t):
    if not m.module_loaded or not any(c.driver == "amdgpu" for c in m.cards):
        return
    t.link("/sys/class/kfd/kfd", "../../devices/virtual/kfd/kfd")
    t.files_in(KFD + "/topology", {
        "generation_id": str(len(m.agents) + 1),
        "system_properties": "platform_oem 35498446626881\nplatform_id 71791775140929\n"
                             "platform_rev 2"})
    t.file(KFD + "/dev", "235:0")
    t.dir(KFD + "/proc")
    for node in range(m.cpu.sockets):
        cpu_node(m, t, node)
    base = 2147487744
    for card in m.agents:
        for part in range(card.partitions):
            hsa_node(m, t, card, part, base)
            base += card.product.kfd["simd_count"] // card.partitions // 4
    for pid, shares in m.owners.items():
        top = f"{KFD}/proc/{pid}"
        t.file(top + "/pasid", "32771")
        for card in m.agents:
            for part in range(card.partitions):
                ident = agent_id(card, part)
                t.file(f"{top}/vram_{ident}", str(shares.get(card.address, 0) if part == 0
                                                  else 0))
                t.file(f"{top}/sdma_{ident}", "0")


# ---- device nodes ----

def open_answer(m, card=None):
    if card and card.asleep:
        return "!ASLEEP"
    acl = card is not None and card.display and not m.user.privileged
    return "opened" if acl or may_open(m) and not judged_outside(m) else "!EACCES"


def judged_outside(m):
    return not m.user.root and "render" not in m.user.groups


def device_nodes(m, t):
    names = []
    t.dir("/dev")
    if any(c.driver == "amdgpu" for c in m.cards):
        t.dir("/dev/dri/by-path")
    for card in m.cards:
        if card.driver != "amdgpu":
            continue
        for i in range(card.partitions):
            names.append((f"card{card.card_number + i}", card.card_number + i, card,
                          m.distribution.video))
            names.append((f"renderD{card.render + i}", card.render + i, card,
                          m.distribution.render))
    for name, minor, card, group in names:
        path = f"/dev/dri/{name}"
        t.file(path, "")
        t.node(path, "0660", f"0:{group}", f"226:{minor}")
        t.ask(f"acl {path}", acl_of(m, card))
        if name.startswith("render"):
            t.ask(f"open {path}", open_answer(m, card))
    if m.module_loaded and any(c.driver == "amdgpu" for c in m.cards):
        t.file("/dev/kfd", "")
        t.node("/dev/kfd", "0660", f"0:{m.distribution.render}", "235:0")
        t.ask("acl /dev/kfd", "")
        t.ask("open /dev/kfd", open_answer(m))
    else:
        t.ask("acl /dev/kfd", "!ENOENT")
        t.ask("open /dev/kfd", "!ENOENT")
    t.ask("open /dev/dxg", "!ENOENT")
    t.ask("acl /dev/dxg", "!ENOENT")


def acl_of(m, card):
    """logind gives the user of the seat an entry for what has a monitor."""
    if not card.display or m.user.privileged:
        return ""
    return f"user::rw-\nuser:{m.user.uid}:rw-\ngroup::rw-\nmask::rw-\nother::---"


# ---- variables, services, ROCm ----

BASHRC = """# ~/.bashrc: executed by bash(1) for non-login shells.
case $- in
    *i*) ;;
      *) return;;
esac
HISTCONTROL=ignoreboth
alias ll='ls -alF'
"""


def environment(m, t):
    u = m.user
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    if m.rocm and m.distribution.rocm_in_opt:
        path = "/opt/rocm/bin:" + path
    variables = {"HOME": u.home, "LANG": "en_US.UTF-8", "PATH": path, "SHELL": u.shell,
                 "TERM": "xterm-256color"}
    variables.update(u.environment)
    t.ask("environment", "".join(f"{k}={v}\n" for k, v in variables.items()))
    t.file("/etc/environment", 'PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:'
                               '/bin"')
    t.file("/etc/profile", "# system-wide .profile for the Bourne shell\n"
                           "for i in /etc/profile.d/*.sh; do . \"$i\"; done\n")
    t.file("/etc/profile.d/vte.sh", "# nothing of ours\n")
    t.file(f"{u.home}/.bashrc", BASHRC)
    t.file(f"{u.home}/.profile", 'if [ -n "$BASH_VERSION" ]; then . "$HOME/.bashrc"; fi\n')
    for name, text in m.homes.items():
        t.file(f"{u.home}/{name}", text)
    for name, text in m.etc.items():
        t.file(f"/etc/{name}", text)


def service_files(m, t):
    """Units in the system slice: the usual ones, and what a description adds."""
    top = "/sys/fs/cgroup/system.slice"
    for unit, pid in (("cron.service", 811), ("dbus.service", 812), ("ssh.service", 901)):
        t.file(f"{top}/{unit}/cgroup.procs", str(pid))
    for unit, s in m.services.items():
        t.file(f"{top}/{unit}/cgroup.procs", str(s["pid"]) if s.get("pid") else "")
        t.file(f"/etc/systemd/system/{unit}", s["text"])
        for name, text in s.get("drops", {}).items():
            t.file(f"/etc/systemd/system/{unit}.d/{name}", text)
        if s.get("pid"):
            process_dir(m, t, f"/proc/{s['pid']}", s["pid"], s["command"], s["uid"], s["uid"],
                        s["groups"], f"0::/system.slice/{unit}")


def rocm_files(m, t):
    t.dir("/opt")
    if not m.distribution.rocm_in_opt or not m.rocm:
        return
    for version in m.rocm:
        t.file(f"/opt/rocm-{version}/.info/version", f"{version}-{66 if version[0] == '6' else 43}")
    t.link("/etc/alternatives/rocm", f"/opt/rocm-{m.rocm[-1]}")
    t.link("/opt/rocm", "/etc/alternatives/rocm")


# ---- the kernel log and who uses the GPUs ----

def logs(m, t):
    began = m.wall - m.uptime
    lines = sorted(klog.boot(m) + m.later, key=lambda line: line[0])
    boots = list(m.earlier) + [(m.boot_id, began, lines)]
    denied = m.distribution.restrict and not m.user.privileged
    t.ask("kernel-log", m.ring or ("!EPERM" if denied else klog.ring_text(lines)))
    if not m.distribution.journal:
        t.ask("kernel-journal", "!ENOENT")
    elif m.journal_readable:
        t.ask("kernel-journal", klog.journal_text(boots))
    else:
        t.ask("kernel-journal", "!EACCES")
    syslog = m.distribution.id in ("ubuntu", "rhel") and m.journal_readable
    t.ask("kernel-file", klog.file_text(boots) if syslog else
          ("!EACCES" if m.distribution.id in ("ubuntu", "rhel") else "!ENOENT"))
    clients(m, t)


def clients(m, t):
    if not any(c.driver == "amdgpu" for c in m.cards):
        t.ask("drm-clients", "!ENOENT")
        return
    out = []
    for i, (pid, uid, command, address, kib) in enumerate(m.clients):
        out.append(f"process {pid} {uid} {command}\ndrm-driver:\tamdgpu\ndrm-client-id:\t{40 + i}\n"
                   f"drm-pdev:\t{address}\ndrm-total-vram:\t{kib} KiB\n"
                   f"drm-resident-vram:\t{kib} KiB\ndrm-memory-vram:\t{kib} KiB\n"
                   f"drm-memory-gtt:\t2048 KiB\ndrm-memory-cpu:\t0 KiB\n")
    out.append(f"denied {0 if m.user.privileged else 131}\n")
    t.ask("drm-clients", "".join(out))


# ---- a container around it all ----

def container_files(m, t):
    """What a process sees from within: the host's /sys, its own everything else."""
    ident = "3f8a1c2e9d40b7765e21f0c9a8d4b3e2716f5a09c8d7e6b5a4f3c2d1e0b9a877"
    podman = m.container.startswith("podman")
    t.file("/run/.containerenv" if podman else "/.dockerenv",
           'engine="podman-5.4.2"\nname="work"\nrootless=1\n' if podman else "")
    t.remove("/etc/modprobe.d")
    t.remove("/usr/lib/modprobe.d")
    t.dir("/etc/modprobe.d")
    t.remove("/sys/fs/cgroup/system.slice")
    limit = str(m.memory * GIB * 3 // 4)
    t.files_in("/sys/fs/cgroup", {
        "memory.max": "max" if podman else limit, "memory.current": "2147483648",
        "memory.swap.max": "max", "pids.max": "max",
        "memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0"})
    mounts = (
        "812 640 0:61 / / rw,relatime master:297 - overlay overlay rw,lowerdir=/l/A,upperdir=/d\n"
        "813 812 0:64 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw\n"
        "814 812 0:65 / /dev rw,nosuid - tmpfs tmpfs rw,size=65536k,mode=755,inode64\n"
        "816 812 0:67 / /sys ro,nosuid,nodev,noexec,relatime - sysfs sysfs ro\n"
        "817 816 0:27 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw\n"
        "818 814 0:68 / /dev/shm rw,nosuid,nodev,noexec,relatime - tmpfs shm rw,size=65536k\n")
    own = (f"/run/user/1000/containers/overlay-containers/{ident}/userdata" if podman else
           f"/var/lib/docker/containers/{ident}")
    for i, name in enumerate(("resolv.conf", "hostname", "hosts")):
        mounts += (f"{825 + i} 812 259:2 {own}/{name} /etc/{name} rw,relatime - ext4 "
                   "/dev/nvme0n1p2 rw,errors=remount-ro\n")
    t.ask("space /dev/shm", "size 67108864\nfree 67108864")
    for where in ("/proc/self", "/proc/1"):
        t.files_in(where, {"mountinfo": mounts, "cgroup": "0::/"})
        for name, number in (("pid", 4026533312), ("mnt", 4026533309), ("cgroup", 4026533313)):
            t.link(f"{where}/ns/{name}", f"{name}:[{number}]")
            t.records.pop(("link", f"{where}/ns/{name}"), None)
    t.records.pop(("link", "/proc/1/ns/user"), None)
    t.file("/proc/1/comm", "bash")
    if podman:
        for where in ("/proc/self", "/proc/1"):
            t.file(f"{where}/uid_map", "         0       1000          1\n"
                                       "         1     524288      65536\n")
            t.link(f"{where}/ns/user", "user:[4026533305]")
    else:
        t.file("/proc/sys/kernel/hostname", ident[:12])
    for ask in ("kernel-journal", "kernel-file"):
        t.ask(ask, "!ENOENT")
    t.ask("kernel-log", "!EPERM")
