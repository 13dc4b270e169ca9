"""What /sys and /dev hold of the GPUs of a machine: PCI, DRM, KFD, device nodes."""

PCI = "/sys/bus/pci/devices"
KFD = "/sys/class/kfd/kfd"
NODES = KFD + "/topology/nodes"
SPEEDS = {"2.5": 1, "5.0": 2, "8.0": 3, "16.0": 4, "32.0": 5}


def may_open(m):
    return m.user.privileged or "render" in m.user.groups


def judged_outside(m):
    return not m.user.root and "render" not in m.user.groups


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
        if card.asleep:
            leave_link_alone(t, path)


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
        "board_info": board_info(m, p), "serial_number": card.serial or None})


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


def board_info(m, product):
    """Since 6.8, of cards and modules."""
    if product.apu or m.kernel.driver < (6, 8):
        return None
    return "type : oam" if product.family == "gfx_v9_4_3" else "type : cem"


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
                         "power1_cap": str(cap * 1000000) if cap else None,
                         "power1_cap_default": str(cap * 1000000) if cap else None})


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


LINK_FILES = ("current_link_speed", "current_link_width", "max_link_speed", "max_link_width")


def put_to_sleep(t, card, path):
    """What rocsteady does not ask a sleeping GPU (src/door/paths.c: the class "wakes")."""
    waking = [f"{path}/{name}" for name in WAKING]
    waking += [n for n in t.below(path) if "/ras/" in n or
               ("/hwmon/" in n and not n.endswith("/hwmon"))]
    for name in waking:
        t.refuse("file", name, "ASLEEP")
    leave_link_alone(t, path)


def leave_link_alone(t, path):
    """Newer kernels give a function power before they read its link registers."""
    for name in LINK_FILES:
        t.refuse("file", f"{path}/{name}", "ASLEEP")


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
    link_files(m, t, top, links, peers)
    t.file(f"{top}/mem_banks/0/properties", bank(m, card))


def link_files(m, t, top, links, peers):
    for kind, rows in (("io_links", links), ("p2p_links", peers)):
        if kind == "p2p_links" and not m.kernel.has("p2p_links_count"):
            continue
        t.dir(f"{top}/{kind}")
        for i, row in enumerate(rows):
            t.file(f"{top}/{kind}/{i}/properties", m.kernel.link(*row))


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


def host_rates(card):
    """(least, most) MB/s between a GPU and its socket; the capture of MI300X has no least one."""
    p = card.product
    most = {"8.0": 16000, "16.0": 32000, "32.0": 64000}[p.speed] * min(p.width, 16) // 16
    return (0 if p.device == 0x74A1 else 312), most


def weight_across(card):
    """Of the way to the other socket, as the two captures of such hosts have it."""
    return 52 if card.product.gfx_target == 90010 else 41


def agent_links(m, card, partition):
    """io_links and p2p_links of one agent: rows for Kernel.link()."""
    p, me = card.product, card.node + partition
    far = weight_across(card)
    flags = 1 if card.atomics else 13
    links = [(2, me, card.socket, 20, *host_rates(card), flags)]
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
            peers.append((2, me, to, weight, 0, 0, 3, 3 if to < me else 0))
    return links, peers


def cpu_links(m, node):
    """Its own GPUs are one link away, those of another socket are reached across it."""
    links = [(1 if m.cpu.vendor == "AuthenticAMD" else 5, node, s, 32, 0, 0, 0, 0)
             for s in range(m.cpu.sockets) if s != node]
    peers = []
    for card in m.agents:
        for agent in range(card.node, card.node + card.partitions):
            if card.socket == node:
                links.append((2, node, agent, 20, *host_rates(card), 3))
            else:
                peers.append((2, node, agent, weight_across(card), 0, 0, 3, 0))
    return links, peers


def cpu_node(m, t, node):
    links, peers = cpu_links(m, node)
    room = 1 << (m.cpu.cores - 1).bit_length()  # APIC ids of a socket begin at a power of two
    values = {"cpu_cores_count": m.cpu.cores, "mem_banks_count": 1, "cpu_core_id_base": node * room,
              "io_links_count": len(links), "p2p_links_count": len(peers),
              "max_engine_clk_ccompute": m.cpu.mhz}
    top = f"{NODES}/{node}"
    t.files_in(top, {"gpu_id": "0", "name": "\n",
                     "properties": m.kernel.properties(values, False)})
    link_files(m, t, top, links, peers)
    size = m.mem_total_kib * 1024 // m.cpu.sockets
    t.file(f"{top}/mem_banks/0/properties",
           f"heap_type 0\nsize_in_bytes {size}\nflags 0\nwidth 64\nmem_clk_max 3200")


def compute_places(card):
    """KFD counts the compute units that an agent could have, fused off or not."""
    kfd = card.product.kfd
    arrays = kfd["array_count"] if card.partitions == 1 else 4 * kfd["num_xcc"] // card.partitions
    return arrays * kfd["cu_per_simd_array"]


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
            base += compute_places(card)
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
