"""Lines of the kernel log, as the driver of that age writes them.

A line is (seconds since boot, level, text). Only lines that the recorder would keep are made:
each must hold one of its words (src/survey/kernel-log.c).
"""

WORDS = ("amdgpu", "kfd", "AMD-Vi", "iommu", "IOMMU", "ttm", "vfio", "drm", "pcieport", "AER:",
         "Out of memory", "oom-kill", "mce:", "Hardware Error", "firmware", "SVM", "hsa", "xgmi",
         "XGMI", "Linux version", "Command line", "BAR ", "radeon", "nvidia", "microcode")


def check(lines):
    for _, _, text in lines:
        assert any(word in text for word in WORDS), f"the recorder would not keep: {text}"
    return lines


def start(machine):
    kernel = machine.kernel
    lines = [
        (0.0, 5, f"Linux version {kernel.release} (builder@workbench) (gcc, GNU ld) "
                 f"{kernel.build}"),
        (0.0, 6, f"Command line: {machine.cmdline}"),
    ]
    if not machine.iommu:
        return lines
    how = {
        "identity": "Passthrough (set via kernel command line)", "DMA-FQ": "Translated",
        "DMA": "Translated"}[machine.iommu]
    lines.append((0.412, 6, f"iommu: Default domain type: {how}"))
    if machine.iommu == "DMA-FQ":
        lines.append((0.413, 6, "iommu: DMA domain TLB invalidation policy: lazy mode"))
    if machine.cpu.vendor == "AuthenticAMD":
        lines.append((0.934, 6, "pci 0000:00:00.2: AMD-Vi: IOMMU performance counters supported"))
        lines.append((0.951, 6, "perf/amd_iommu: Detected AMD IOMMU #0 (2 banks, 4 "
                                "counters/bank)."))
    return lines


def module(machine, at):
    lines = [(at, 6, "[drm] amdgpu kernel modesetting enabled.")]
    if machine.kernel.dkms:
        lines.append((at, 6, f"[drm] amdgpu version: {machine.kernel.dkms}"))
        release = ".".join(machine.kernel.release.split("-")[0].split(".")[:3])
        lines.append((at, 6, f"[drm] OS DRM version: {release}"))
    for socket in range(machine.cpu.sockets):
        lines.append((at + 0.001, 6, "amdgpu: Virtual CRAT table created for CPU"))
        lines.append((at + 0.001, 6, "amdgpu: Topology: Add CPU node"))
    return lines


def probe(machine, card, at):
    """One GPU from its first line to KFD's last."""
    p = card.product
    here = f"amdgpu {card.address}: amdgpu:"
    ids = (f"0x1002:0x{p.device:04X} 0x{p.subsystem[0]:04X}:0x{p.subsystem[1]:04X} "
           f"0x{p.revision:02X}")
    new = machine.kernel.driver >= (6, 14)
    mib = card.vram_total >> 20
    lines = [
        (at, 6, f"amdgpu {card.address}: enabling device (0006 -> 0007)"),
        (at + 0.002, 6, f"{here + ' ' if new else '[drm] '}initializing kernel modesetting "
                        f"(IP DISCOVERY {ids})."),
        (at + 0.010, 6, f"{here} Fetched VBIOS from {'VFCT' if not p.ras else 'ROM BAR'}"),
        (at + 0.011, 6, f"amdgpu: ATOM BIOS: {p.vbios}"),
        (at + 0.020, 6, f"{here} MEM ECC is {'active' if p.ras else 'not presented'}."),
        (at + 0.020, 6, f"{here} SRAM ECC is {'active' if p.ras else 'not presented'}."),
        (at + 0.030, 6, f"{here} VRAM: {mib}M 0x0000008000000000 - "
                        f"0x{0x8000000000 + card.vram_total - 1:016X} ({mib}M used)"),
        (at + 0.031, 6, f"[drm] Detected VRAM RAM={mib}M, BAR={card.bar0 >> 20}M"),
        (at + 0.032, 6, f"[drm] amdgpu: {mib}M of VRAM memory ready"),
        (at + 0.032, 6, f"[drm] amdgpu: {card.gtt_total >> 20}M of GTT memory ready."),
        (at + 0.210, 6, f"{here} SMU is initialized successfully!"),
    ]
    if card.kfd:
        lines += kfd_added(machine, card, at + 0.3)
    lines.append((at + 0.44, 6, f"[drm] Initialized amdgpu 3.57.0 20150101 for {card.address} "
                                f"on minor {card.card_number}"))
    return lines


def kfd_added(machine, card, at):
    p = card.product
    kind = "GPU" if machine.kernel.driver >= (7, 0) else "APU" if p.apu else "dGPU"
    engines = p.kfd["array_count"] // p.kfd["simd_arrays_per_engine"]
    lines = [(at, 6, "kfd kfd: amdgpu: Allocated 3969056 bytes on gart"),
             (at, 6, f"kfd kfd: amdgpu: Total number of KFD nodes to be created: "
                     f"{card.partitions}")]
    for _ in range(card.partitions):
        lines.append((at + 0.001, 6, "amdgpu: Virtual CRAT table created for GPU"))
        lines.append((at + 0.002, 6, f"amdgpu: Topology: Add {kind} node "
                                     f"[0x{p.device:04x}:0x1002]"))
    lines.append((at + 0.003, 6, f"kfd kfd: amdgpu: added device 1002:{p.device:04x}"))
    lines.append((at + 0.004, 6, f"amdgpu {card.address}: amdgpu: SE {engines}, "
                                 f"SH per SE {p.kfd['simd_arrays_per_engine']}, CU per SH "
                                 f"{p.kfd['cu_per_simd_array']}, active_cu_number {p.cu}"))
    return lines


def kfd_skipped(device, at, have, need):
    return [(at, 6, f"kfd kfd: amdgpu: skipped device 1002:{device:04x}, PCI rejects atomics "
                    f"{have}<{need}")]


def unknown_chip(address, at, gc):
    """A driver that has no blocks for this GC version: it gives the function up (kernel 6.8)."""
    return [
        (at, 6, f"amdgpu {address}: enabling device (0006 -> 0007)"),
        (at + 0.01, 3, f"amdgpu {address}: amdgpu: Failed to add common ip block(GC_HWIP:{gc:#x})"),
        (at + 0.01, 3, f"amdgpu {address}: amdgpu: Fatal error during GPU init"),
        (at + 0.02, 4, f"amdgpu: probe of {address} failed with error -22"),
    ]


def boot(machine):
    lines = start(machine)
    at = 3.6
    bound = [c for c in machine.cards if c.driver == "amdgpu"]
    if machine.module_loaded:
        lines += module(machine, at)
    for card in bound:
        at += 0.5
        lines += probe(machine, card, at)
        lines += card.log
    return lines


def reset(address, at, process="python3", pid=41172):
    """A hang of the compute ring that ended in a reset which worked (gfx11, kernel 6.8)."""
    here = f"amdgpu {address}: amdgpu:"
    return [
        (at, 3, "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx_0.0.0 timeout, "
                "signaled seq=4410852, emitted seq=4410855"),
        (at + 0.001, 3, "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* Process information: process "
                        f"{process} pid {pid} thread {process} pid {pid}"),
        (at + 0.002, 6, f"{here} GPU reset begin!"),
        (at + 2.1, 3, f"{here} MES failed to respond to msg=REMOVE_QUEUE"),
        (at + 2.2, 3, "[drm:amdgpu_mes_unmap_legacy_queue [amdgpu]] *ERROR* failed to unmap "
                      "legacy queue"),
        (at + 2.4, 6, f"{here} MODE1 reset"),
        (at + 2.4, 6, f"{here} GPU mode1 reset"),
        (at + 2.9, 6, f"{here} GPU reset succeeded, trying to resume"),
        (at + 2.9, 6, "[drm] VRAM is lost due to GPU reset!"),
        (at + 3.3, 6, f"{here} SMU is resumed successfully!"),
        (at + 3.9, 6, f"{here} GPU reset(1) succeeded!"),
    ]


def page_fault(address, at, process="python3", pid=41172):
    here = f"amdgpu {address}: amdgpu:"
    return [
        (at, 3, f"{here} [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:32773, for process "
                f"{process} pid {pid} thread {process} pid {pid})"),
        (at, 3, f"{here}   in page starting at address 0x00007f21c4a00000 from client 10"),
        (at, 3, f"{here} GCVM_L2_PROTECTION_FAULT_STATUS:0x00801031"),
        (at, 3, f"{here} \t Faulty UTCL2 client ID: TCP (0x8)".replace("\t", "")),
    ]


def ring_text(lines):
    """The answer to `kernel-log`."""
    return "".join(f". - {round(at * 1e6)} {level} {text}\n" for at, level, text in check(lines))


def journal_text(boots):
    """The answer to `kernel-journal`: (boot id, wall time of its start, lines) each."""
    out = []
    for boot_id, began, lines in boots:
        for at, level, text in check(lines):
            out.append(f"{boot_id.replace('-', '')} {began + int(at)} {round(at * 1e6)} {level} "
                       f"{text}\n")
    return "".join(out)


def file_text(boots):
    """The answer to `kernel-file`: rsyslog keeps the wall time and the kernel's own stamp."""
    out = []
    for _, began, lines in boots:
        for at, _, text in check(lines):
            out.append(f"- {began + int(at)} {round(at * 1e6)} - {text}\n")
    return "".join(out)
