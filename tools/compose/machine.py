"""From the description of a machine to its tree."""

from dataclasses import dataclass, field

import gpu_files as gpu
import host_files as host
import network_files as network
from hosts import Board, Cpu, Distribution, User
from kernels import Kernel
from products import Product
from tree import Tree



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
    environments: str = "stats 212"  # what the search for Python environments answered
    container: str = ""  # docker, docker-bare, podman
    own_proc: int = 2417
    numa_balancing: int = 1
    nics: list = field(default_factory=list)  # with them also counters of PCIe errors
    pcie_errors: dict = field(default_factory=dict)  # address: {severity: {name: count}}
    memory_errors: tuple = ()  # (uncorrectable, corrected) of each memory controller
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
        for part in (host.host_files, host.process_files, host.driver_files, gpu.pci_files,
                     gpu.drm_files, gpu.kfd_files, gpu.device_nodes, host.environment, host.logs,
                     host.rocm_files, host.service_files, network.network_files,
                     network.memory_files):
            part(self, t)
        if self.container:
            host.container_files(self, t)
        if self.change:
            self.change(self, t)
        return t
