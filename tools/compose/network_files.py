"""Network cards of a machine, its memory controllers, and what PCIe functions have reported."""

from dataclasses import dataclass, field

PCI = "/sys/bus/pci/devices"

# aer_uncorrectable_error_string[] and aer_correctable_error_string[] of drivers/pci/pcie/aer.c.
UNCORRECTABLE = ("Undefined", "DLP", "SDES", "TLP", "FCP", "CmpltTO", "CmpltAbrt", "UnxCmplt",
                 "RxOF", "MalfTLP", "ECRC", "UnsupReq", "ACSViol", "UncorrIntErr", "BlockedTLP",
                 "AtomicOpBlocked", "TLPBlockedErr", "PoisonTLPBlocked")
CORRECTABLE = ("RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "NonFatalErr", "CorrIntErr",
               "HeaderOF")


@dataclass
class Nic:
    """One port of a network card, a PCI function of its own."""
    address: str
    bridge: str  # the root port above it
    name: str  # of the interface
    rdma: str = ""  # of the RDMA device; "" is a card without
    ids: tuple = (0x15B3, 0x1021, 0x0041)  # vendor, device, subsystem: ConnectX-7
    up: bool = True
    carrier: bool = True
    ups: int = 1
    downs: int = 0
    mbps: int = 400_000
    rate: str = "400 Gb/sec (4X NDR)"
    errors: dict = field(default_factory=dict)  # severity: {name: count}

    @property
    def device_dir(self):
        return f"/sys/devices/pci{self.bridge[:7]}/{self.bridge}/{self.address}"


# ---- what a function has reported ----

def aer_files(t, path, errors):
    for severity, names, total in (("fatal", UNCORRECTABLE, "TOTAL_ERR_FATAL"),
                                   ("nonfatal", UNCORRECTABLE, "TOTAL_ERR_NONFATAL"),
                                   ("correctable", CORRECTABLE, "TOTAL_ERR_COR")):
        counts = errors.get(severity, {})
        lines = [f"{name} {counts.get(name, 0)}" for name in names]
        lines.append(f"{total} {sum(counts.values())}")
        t.file(f"{path}/aer_dev_{severity}", "\n".join(lines))


# ---- cards ----

def function_files(t, path, address, ids, pci_class):
    t.files_in(path, {"vendor": f"0x{ids[0]:04x}", "device": f"0x{ids[1]:04x}",
                      "subsystem_device": f"0x{ids[2]:04x}", "class": f"0x{pci_class:06x}"})
    t.link_to(f"{PCI}/{address}", path)


def net_files(t, nic):
    top = f"{nic.device_dir}/net/{nic.name}"
    linked = nic.up and nic.carrier
    t.files_in(top, {
        "flags": "0x1003" if nic.up else "0x1002", "operstate": "up" if linked else "down",
        "carrier_up_count": str(nic.ups), "carrier_down_count": str(nic.downs),
        "carrier": str(int(nic.carrier)) if nic.up else None,
        "speed": (str(nic.mbps) if linked else "-1") if nic.up else None})
    t.link_to(f"/sys/class/net/{nic.name}", top)


def rdma_files(t, nic):
    top = f"{nic.device_dir}/infiniband/{nic.rdma}"
    linked = nic.up and nic.carrier
    t.files_in(f"{top}/ports/1", {
        "link_layer": "Ethernet", "state": "4: ACTIVE" if linked else "1: DOWN",
        "phys_state": "5: LinkUp" if linked else "3: Disabled",
        "rate": nic.rate if linked else "40 Gb/sec (4X QDR)"})
    t.file(f"{top}/ports/1/counters/link_downed", str(nic.downs))
    t.link_to(f"/sys/class/infiniband/{nic.rdma}", top)


def network_files(m, t):
    # An interface without a device: the loopback.
    t.files_in("/sys/devices/virtual/net/lo", {"flags": "0x9", "operstate": "unknown"})
    t.link_to("/sys/class/net/lo", "/sys/devices/virtual/net/lo")
    if not m.nics:
        return
    for nic in m.nics:
        bridge = nic.device_dir.rsplit("/", 1)[0]
        function_files(t, bridge, nic.bridge, (0x1022, 0x14A5, 0), 0x060400)
        function_files(t, nic.device_dir, nic.address, nic.ids, 0x020000)
        aer_files(t, bridge, {})
        aer_files(t, nic.device_dir, nic.errors)
        net_files(t, nic)
        if nic.rdma:
            rdma_files(t, nic)
    for card in m.cards:
        path = card.device_dir
        aer_files(t, path, m.pcie_errors.get(card.address, {}))
        for bridge in reversed(card.bridges):
            path = path.rsplit("/", 1)[0]
            aer_files(t, path, m.pcie_errors.get(bridge, {}))


def memory_files(m, t):
    for i, (bad, good) in enumerate(m.memory_errors):
        t.files_in(f"/sys/devices/system/edac/mc/mc{i}", {
            "mc_name": "F19h_M10h", "ue_count": str(bad), "ce_count": str(good)})
