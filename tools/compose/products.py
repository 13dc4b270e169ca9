"""GPUs: what the driver and KFD say of one, apart from where it is plugged.

`kfd` holds the keys of a KFD node that belong to the chip. Where a value comes from a public
capture, `source` says which; what no capture shows is assumed and listed in `assumed`.
"""

from dataclasses import dataclass, field

GIB = 1 << 30
MIB = 1 << 20


@dataclass
class Product:
    name: str
    device: int
    revision: int
    gfx_target: int
    kfd: dict
    vram: int  # mem_info_vram_total of a dedicated GPU; an APU's is set by its firmware
    source: str
    assumed: str
    subsystem: tuple = (0x1002, 0x0E3B)
    pci_class: int = 0x030000
    gc: tuple = (11, 0, 0)
    vram_vendor: str = "samsung"
    vbios: str = "113-APM7199-002"
    speed: str = "16.0"
    width: int = 16
    bar0: int = 0  # 0: as large as the VRAM, rounded up
    heap: int = 1
    bank_width: int = 384
    bank_clock: int = 1249
    own_switch: bool = True
    apu: bool = False
    firmware: dict = field(default_factory=dict)
    ras: tuple = ()
    temps: tuple = (("edge", 100), ("junction", 110), ("mem", 108))
    power: tuple = ("power1_average", 24, 327)  # file, idle watts, cap watts
    connectors: tuple = ("DP-1", "DP-2", "DP-3", "HDMI-A-1")
    fru: tuple = ()  # product name, product number
    family: str = "gfx_v11_0"

    def __post_init__(self):
        for name, key in (("mec", "fw_version"), ("sdma", "sdma_fw_version")):
            assert self.firmware[name] == self.kfd[key], f"{self.name}: two versions of {name}"

    @property
    def gfx(self):
        major, minor, step = (self.gfx_target // 10000, self.gfx_target // 100 % 100,
                              self.gfx_target % 100)
        return f"gfx{major}{minor:x}{step:x}"

    @property
    def cu(self):
        return self.kfd["simd_count"] // self.kfd["simd_per_cu"]

    @property
    def bar0_size(self):
        if self.bar0:
            return self.bar0
        size = 1
        while size < self.vram:
            size *= 2
        return size


NAVI31_FIRMWARE = {
    "ce": 0, "dmcu": 0, "imu": 0x0B1F3600, "mc": 0, "me": 0x946, "mec": 0x85C, "mec2": 0,
    "mes": 0x69, "mes_kiq": 0x74, "pfp": 0x9C8, "rlc": 0x7B, "rlc_srlc": 0, "rlc_srlg": 0,
    "rlc_srls": 0, "sdma": 0x14, "sdma2": 0x14, "smc": 0x004E7E00, "sos": 0x003A0090,
    "asd": 0x210000BE, "ta_ras": 0x1B00013E, "ta_xgmi": 0, "uvd": 0, "vce": 0, "vcn": 0x0811C002,
}

NAVI31_KFD = dict(
    simd_count=192, mem_banks_count=1, caches_count=206, max_waves_per_simd=16, lds_size_in_kb=64,
    num_gws=64, wave_front_size=32, array_count=12, simd_arrays_per_engine=2, cu_per_simd_array=8,
    simd_per_cu=2, max_slots_scratch_cu=32, vendor_id=4098, num_sdma_engines=2,
    num_sdma_xgmi_engines=0, num_sdma_queues_per_engine=6, num_cp_queues=8,
    max_engine_clk_fcompute=2482, fw_version=2140, capability=671588992, debug_prop=1495,
    sdma_fw_version=20, num_xcc=1)

RX7900XTX = Product(
    name="Radeon RX 7900 XTX", device=0x744C, revision=0xC8, gfx_target=110000, kfd=NAVI31_KFD,
    vram=25753026560, subsystem=(0x1EAE, 0x7905), firmware=NAVI31_FIRMWARE,
    vbios="113-D70200-00",
    source="KFD properties and VRAM size: capture in tinygrad's test mock",
    assumed="firmware versions apart from MEC and SDMA, sensors, board ids, VBIOS name")

RX7900XT = Product(
    name="Radeon RX 7900 XT", device=0x744C, revision=0xCC, gfx_target=110000,
    kfd=dict(NAVI31_KFD, simd_count=168, caches_count=182), vram=21458059264,
    subsystem=(0x148C, 0x2423), firmware=NAVI31_FIRMWARE, bank_width=320,
    vbios="113-D7020500-102", power=("power1_average", 16, 265),
    source="KFD properties of the same chip: capture of a 7900 XTX in tinygrad's test mock; "
           "84 compute units, 20 GB: ROCm issue 2391",
    assumed="simd_count and caches_count reckoned from 84 compute units; firmware, board ids")

RX9070XT = Product(
    name="Radeon RX 9070 XT", device=0x7550, revision=0xC0, gfx_target=120001,
    kfd=dict(NAVI31_KFD, simd_count=128, caches_count=138, num_gws=0, array_count=8,
             cu_per_simd_array=8, num_cp_queues=4, max_engine_clk_fcompute=2570, fw_version=3010,
             sdma_fw_version=662, cwsr_size=30699520, ctl_stack_size=28672, capability2=0),
    vram=17095983104, subsystem=(0x1DA2, 0xE490), gc=(12, 0, 1), vbios="113-EXT108023-100",
    speed="32.0", bank_width=256, bank_clock=1258, power=("power1_average", 22, 304),
    firmware={
        "imu": 0x0C0A2800, "me": 0xBD6, "mec": 0xBC2, "mes": 0x85, "mes_kiq": 0x7E, "pfp": 0xBCC,
        "rlc": 0x12C82205, "sdma": 0x296, "smc": 0x00684B00, "sos": 0x003D0013,
        "asd": 0x210000F2, "ta_ras": 0x1B000205, "vcn": 0x09126026, "dmcu": 0},
    family="gfx_v12_0",
    source="KFD keys: template of a real gfx1201 node in a public test suite, fw_version and "
           "cwsr_size of an R9700 tree in the Raven tests, clock, memory and SDMA "
           "firmware of ROCm issues 5849 and 6625",
    assumed="capability and debug_prop of gfx1100; board ids, sensors")

RX6600 = Product(
    name="Radeon RX 6600", device=0x73FF, revision=0xC7, gfx_target=100302,
    kfd=dict(
        simd_count=56, mem_banks_count=1, caches_count=84, max_waves_per_simd=16,
        lds_size_in_kb=64, num_gws=64, wave_front_size=32, array_count=4,
        simd_arrays_per_engine=2, cu_per_simd_array=8, simd_per_cu=2, max_slots_scratch_cu=32,
        vendor_id=4098, num_sdma_engines=2, num_sdma_xgmi_engines=0,
        num_sdma_queues_per_engine=8, num_cp_queues=8, max_engine_clk_fcompute=2750,
        fw_version=118, capability=672113280, debug_prop=1495, sdma_fw_version=80, num_xcc=1),
    vram=8573157376, subsystem=(0x1043, 0x05D9), gc=(10, 3, 4), vbios="115-D535PI0-100",
    width=8, bank_width=128, bank_clock=875, power=("power1_average", 6, 100),
    temps=(("edge", 100), ("junction", 105), ("mem", 105)),
    firmware={
        "ce": 0x25, "dmcu": 0, "mc": 0, "me": 0x40, "mec": 0x76, "mec2": 0x76, "pfp": 0x63,
        "rlc": 0x60, "rlc_srlc": 0, "sdma": 0x50, "sdma2": 0x50, "smc": 0x003B3100,
        "sos": 0x00210E64, "asd": 0x210000CA, "vcn": 0x0311E003},
    family="gfx_v10_0",
    source="simd_count 56, device id 29695 and bank size 8573157376: KFD fixture of a desktop "
           "with an RX 6600 beside a gfx1036 (public test suite); x8 link: the card's own",
    assumed="capability, firmware, sensors, board ids")

GFX1036 = Product(
    name="AMD Radeon Graphics (Raphael)", device=0x164E, revision=0xC1, gfx_target=100306,
    kfd=dict(
        simd_count=4, mem_banks_count=1, caches_count=8, max_waves_per_simd=16,
        lds_size_in_kb=64, num_gws=64, wave_front_size=32, array_count=1,
        simd_arrays_per_engine=1, cu_per_simd_array=2, simd_per_cu=2, max_slots_scratch_cu=32,
        vendor_id=4098, num_sdma_engines=1, num_sdma_xgmi_engines=0,
        num_sdma_queues_per_engine=8, num_cp_queues=8, max_engine_clk_fcompute=2200,
        fw_version=21, capability=671589024, debug_prop=1495, sdma_fw_version=9, num_xcc=1),
    vram=536870912, subsystem=(0x1043, 0x8877), gc=(10, 3, 6), apu=True, own_switch=False,
    vbios="102-RAPHAEL-008", vram_vendor="unknown", bar0=256 * MIB, bank_width=128,
    bank_clock=1800, temps=(("edge", 0),), power=("power1_average", 33, 0),
    connectors=("DP-4", "HDMI-A-2"),
    firmware={
        "ce": 0, "me": 0x0E, "mec": 0x15, "pfp": 0x0D, "rlc": 0x3A, "sdma": 0x09,
        "smc": 0x00544100, "asd": 0x210000BE, "vcn": 0x0311E003},
    family="gfx_v10_0",
    source="simd_count, device id, location, carve-out, GTT, bank = GTT, width and clock: "
           "public captures of Ryzen 7000 desktops; clock and CU: rocFFT issue 531",
    assumed="firmware, capability")

RADEON_780M = Product(
    name="AMD Radeon 780M Graphics", device=0x15BF, revision=0xC1, gfx_target=110003,
    kfd=dict(NAVI31_KFD, simd_count=24, caches_count=26, array_count=2, cu_per_simd_array=6,
             num_sdma_engines=1, max_engine_clk_fcompute=2700, fw_version=33,
             capability=671589024, sdma_fw_version=15),
    vram=4294967296, subsystem=(0xF111, 0x0006), gc=(11, 0, 1), apu=True, own_switch=False,
    vbios="113-PHXGENERIC-001", vram_vendor="unknown", bar0=256 * MIB, bank_width=128,
    bank_clock=2800, temps=(("edge", 0),), power=("power1_input", 7, 0),
    connectors=("eDP-1", "DP-1", "DP-2", "HDMI-A-1"),
    firmware={
        "imu": 0x0B012D00, "me": 0x1F, "mec": 0x21, "mes": 0x66, "mes_kiq": 0x6F, "pfp": 0x2E,
        "rlc": 0x11530505, "sdma": 0x0F, "smc": 0x004C5200, "asd": 0x210000BE,
        "vcn": 0x0811C00F},
    source="12 CU, clock 2700, BDF 50688, chip id 0x15bf: TheRock issue 1184; uCode 33 and SDMA "
           "15: ROCm-docker issue 123; node of 24 SIMDs: public test fixtures",
    assumed="caches_count, capability, board ids")

STRIX_HALO = Product(
    name="Radeon 8060S Graphics", device=0x1586, revision=0xC1, gfx_target=110501,
    kfd=dict(NAVI31_KFD, simd_count=80, caches_count=141, array_count=4, cu_per_simd_array=10,
             num_sdma_engines=1, max_engine_clk_fcompute=2900, fw_version=35,
             capability=671589024, sdma_fw_version=18, cwsr_size=18489344,
             ctl_stack_size=20480, capability2=0),
    vram=536870912, subsystem=(0xF111, 0x000A), pci_class=0x038000, gc=(11, 5, 1), apu=True,
    own_switch=False, vbios="113-STRXLGEN-001", vram_vendor="unknown", bar0=256 * MIB,
    bank_width=256, bank_clock=1000, temps=(("edge", 0),), power=("power1_input", 11, 0),
    connectors=("DP-1", "DP-2", "HDMI-A-1"),
    firmware={
        "imu": 0x0B352300, "me": 0x20, "mec": 0x23, "mes": 0x88, "mes_kiq": 0x6F, "pfp": 0x32,
        "rlc": 0x11530506, "sdma": 0x12, "smc": 0x0A640700, "asd": 0x21000110,
        "vcn": 0x09118022},
    source="simd_count, caches, clock, class, location: four public captures of such "
           "machines; ME 32, PFP 50, MEC 35, SDMA 18, MES 136, KIQ 111: amdgpu_top "
           "output in magnitude issue 44",
    assumed="capability, cwsr_size, board ids")

GFX90C = Product(
    name="AMD Radeon Graphics (Cezanne)", device=0x1638, revision=0xC9, gfx_target=90012,
    kfd=dict(
        simd_count=28, mem_banks_count=1, caches_count=12, max_waves_per_simd=10,
        lds_size_in_kb=64, num_gws=64, wave_front_size=64, array_count=1,
        simd_arrays_per_engine=1, cu_per_simd_array=8, simd_per_cu=4, max_slots_scratch_cu=32,
        vendor_id=4098, num_sdma_engines=1, num_sdma_xgmi_engines=0,
        num_sdma_queues_per_engine=2, num_cp_queues=24, max_engine_clk_fcompute=1900,
        fw_version=471, capability=671589040, debug_prop=470, sdma_fw_version=40, num_xcc=1),
    vram=536870912, subsystem=(0x1043, 0x8809), gc=(9, 3, 0), apu=True, own_switch=False,
    vbios="113-CEZANNE-018", vram_vendor="unknown", bar0=256 * MIB, bank_width=128,
    bank_clock=1600, temps=(("edge", 0),), power=("power1_average", 9, 0), speed="8.0",
    connectors=("DP-1", "HDMI-A-1"),
    firmware={
        "ce": 0x50, "me": 0xA6, "mec": 0x1D7, "mec2": 0x1D7, "pfp": 0xC2, "rlc": 0x3D,
        "sdma": 0x28, "smc": 0x00405800, "asd": 0x210000A5, "vcn": 0x0110101B},
    family="gfx_v9_0",
    source="28 SIMDs and gfx_target_version 90012: KFD node of a 5600G in public notes; SDMA "
           "counts and firmware 40: a public report on gfx90c",
    assumed="MEC firmware, capability, board ids")

VEGA10 = Product(
    name="Radeon RX Vega 64", device=0x687F, revision=0xC1, gfx_target=90000,
    kfd=dict(
        simd_count=256, mem_banks_count=1, caches_count=96, max_waves_per_simd=10,
        lds_size_in_kb=64, num_gws=64, wave_front_size=64, array_count=4,
        simd_arrays_per_engine=1, cu_per_simd_array=16, simd_per_cu=4, max_slots_scratch_cu=32,
        vendor_id=4098, num_sdma_engines=2, num_sdma_xgmi_engines=0,
        num_sdma_queues_per_engine=2, num_cp_queues=24, max_engine_clk_fcompute=1630,
        fw_version=471, capability=8832, debug_prop=470, sdma_fw_version=432, num_xcc=1),
    vram=8573157376, subsystem=(0x1002, 0x6B76), gc=(9, 0, 1), vbios="113-D0500100-105",
    speed="8.0", bar0=256 * MIB, heap=2, bank_width=2048, bank_clock=945,
    power=("power1_average", 6, 220), temps=(("edge", 85), ("junction", 105), ("mem", 95)),
    firmware={
        "ce": 0x4F, "me": 0xA6, "mec": 0x1D7, "mec2": 0x1D7, "pfp": 0xC2, "rlc": 0x67,
        "sdma": 0x1B0, "sdma2": 0x1B0, "smc": 0x001C5800, "sos": 0x00161A92, "asd": 0x21000073,
        "uvd": 0x01571100, "vce": 0x39060400},
    family="gfx_v9_0",
    source="SIMDs, caches, waves, arrays, capability of a Vega 10 node and firmware list: "
           "ROCm/k8s-device-plugin testdata (Apache-2.0)",
    assumed="the RX Vega 64's id, clock and 8 GB; newer MEC firmware")

RX7700S = Product(
    name="Radeon RX 7700S", device=0x7480, revision=0xC1, gfx_target=110002,
    kfd=dict(NAVI31_KFD, simd_count=64, caches_count=74, array_count=4, cu_per_simd_array=8,
             max_engine_clk_fcompute=2208, fw_version=2300, sdma_fw_version=22),
    vram=8573157376, subsystem=(0xF111, 0x0007), gc=(11, 0, 2), width=8, bank_width=128,
    bank_clock=1124, vbios="113-BRT125778.001", power=("power1_average", 0, 100),
    firmware=dict(NAVI31_FIRMWARE, mec=0x8FC, sdma=0x16, sdma2=0x16, smc=0x00525800),
    connectors=("DP-3", "DP-4", "DP-5"),
    source="32 CU and 8 GB of a 7700S: ROCm issue 2391; KFD keys of the family: capture of a "
           "7900 XTX in tinygrad's test mock",
    assumed="caches_count, firmware, board ids")

MI300_RAS = ("umc", "sdma", "gfx", "mmhub", "athub", "pcie_bif", "hdp", "xgmi_wafl", "df", "smn",
             "sem", "mp0", "mp1", "fuse", "mca", "vcn", "jpeg")
MI300_FIRMWARE = {
    "asd": 0x210000DA, "mec": 0xA6, "rlc": 0x7, "sdma": 0x16, "smc": 0x00557D00,
    "sos": 0x00366331, "ta_ras": 0x1B36020C, "ta_xgmi": 0x20000012, "vcn": 0x09118004,
    "ce": 0, "dmcu": 0, "mc": 0, "me": 0, "mec2": 0, "pfp": 0, "uvd": 0, "vce": 0,
}

MI300X = Product(
    name="AMD Instinct MI300X", device=0x74A1, revision=0, gfx_target=90402,
    kfd=dict(
        simd_count=1216, mem_banks_count=1, caches_count=626, max_waves_per_simd=8,
        lds_size_in_kb=64, num_gws=64, wave_front_size=64, array_count=32,
        simd_arrays_per_engine=1, cu_per_simd_array=10, simd_per_cu=4, max_slots_scratch_cu=32,
        vendor_id=4098, num_sdma_engines=2, num_sdma_xgmi_engines=14,
        num_sdma_queues_per_engine=8, num_cp_queues=24, max_engine_clk_fcompute=2100,
        fw_version=166, capability=746037888, debug_prop=1511, sdma_fw_version=22, num_xcc=8),
    vram=206141652992, subsystem=(0x1002, 0x74A1), pci_class=0x120000, gc=(9, 4, 3),
    vram_vendor="hynix", vbios="113-M3000100-103", speed="32.0", bank_width=8192,
    bank_clock=1300, ras=MI300_RAS, temps=(("junction", 100), ("mem", 105)),
    power=("power1_input", 138, 750), connectors=(), firmware=MI300_FIRMWARE,
    fru=("AMD Instinct MI300X OAM", "102-G30211-0C"), family="gfx_v9_4_3",
    source="KFD properties of an SPX node: capture in gpuq's tests; addresses, unique ids and "
           "hive of a real node: ROCm/k8s-device-plugin testdata (Apache-2.0)",
    assumed="firmware apart from MEC and SDMA, sensors, VRAM size 206141652992, part number")

MI300X_VF = Product(
    name="AMD Instinct MI300X VF", device=0x74B5, revision=0, gfx_target=90402, kfd=MI300X.kfd,
    vram=205571227648, subsystem=(0x1002, 0x74A1), pci_class=0x120000, gc=(9, 4, 3),
    vram_vendor="hynix", vbios="113-M3000100-103", speed="32.0", bank_width=8192,
    bank_clock=1300, own_switch=False, ras=(), temps=(), power=(), connectors=(),
    firmware=dict(MI300_FIRMWARE, smc=0), family="gfx_v9_4_3",
    source="id 1002:74b5, KFD partition size 196048M and address 08:00.0 in a guest: "
           "alpha-miner issue 4 and amd/MxGPU-Virtualization issue 21; KFD properties: MI300X "
           "capture in gpuq's tests",
    assumed="which files a guest does not have (sensors, ras)")

MI308X = Product(
    name="AMD Instinct MI308X", device=0x74A2, revision=0, gfx_target=90402,
    kfd=dict(MI300X.kfd, simd_count=320, caches_count=170, array_count=16, num_xcc=4,
             max_engine_clk_fcompute=1420, fw_version=149, sdma_fw_version=19),
    vram=206158430208, subsystem=(0x1002, 0x74A2), pci_class=0x120000, gc=(9, 4, 3),
    vram_vendor="samsung", vbios="113-M3080202-101", speed="32.0", bank_width=8192,
    bank_clock=1300, ras=MI300_RAS, temps=(("junction", 100), ("mem", 105)),
    power=("power1_input", 110, 650), connectors=(),
    firmware=dict(MI300_FIRMWARE, mec=0x95, sdma=0x13), fru=("AMD Instinct MI308X OAM",
                                                              "102-G30218-00"),
    family="gfx_v9_4_3",
    source="complete CPX tree (32 nodes, ids, links, bank 51539607552): "
           "ROCm/k8s-device-plugin testdata (Apache-2.0)",
    assumed="DRM files, firmware apart from MEC and SDMA, sensors")

MI210 = Product(
    name="AMD Instinct MI210", device=0x740F, revision=2, gfx_target=90010,
    kfd=dict(
        simd_count=416, mem_banks_count=1, caches_count=217, max_waves_per_simd=8,
        lds_size_in_kb=64, num_gws=64, wave_front_size=64, array_count=8,
        simd_arrays_per_engine=1, cu_per_simd_array=14, simd_per_cu=4, max_slots_scratch_cu=32,
        vendor_id=4098, num_sdma_engines=2, num_sdma_xgmi_engines=3,
        num_sdma_queues_per_engine=8, num_cp_queues=24, max_engine_clk_fcompute=1700,
        fw_version=92, capability=746037888, debug_prop=470, sdma_fw_version=9, num_xcc=1),
    vram=68702699520, subsystem=(0x1002, 0x0C34), pci_class=0x038000, gc=(9, 4, 2),
    vram_vendor="hynix", vbios="113-D673XT0-040", speed="16.0", bank_width=4096,
    bank_clock=1600, ras=("umc", "sdma", "gfx", "mmhub", "athub", "pcie_bif", "hdp", "xgmi_wafl",
                          "mca"),
    temps=(("edge", 0), ("junction", 105), ("mem", 105)), power=("power1_average", 41, 300),
    connectors=(), fru=("AMD Instinct MI210", "102-D67301-00"),
    firmware={
        "ce": 0, "me": 0, "mec": 0x5C, "mec2": 0x5C, "pfp": 0, "rlc": 0x11, "rlc_srlc": 0x0B,
        "sdma": 0x9, "sdma2": 0x9, "smc": 0x00443C00, "sos": 0x00270082, "asd": 0x210000AA,
        "ta_ras": 0x1B00013E, "ta_xgmi": 0x2000000F, "vcn": 0x01101010},
    family="gfx_v9_0",
    source="KFD nodes with io_links and p2p_links, addresses, ids: "
           "ROCm/k8s-device-plugin testdata (Apache-2.0)",
    assumed="DRM files, sensors, firmware apart from MEC and SDMA")

VANGOGH = Product(
    name="AMD Custom GPU 0405", device=0x163F, revision=0xAE, gfx_target=100303,
    kfd=dict(GFX1036.kfd, simd_count=16, caches_count=26, array_count=2, cu_per_simd_array=4,
             max_engine_clk_fcompute=1600, fw_version=110, sdma_fw_version=31),
    vram=1073741824, subsystem=(0x1002, 0x0123), gc=(10, 3, 1), apu=True, own_switch=False,
    vbios="113-AMDAerithJup-004", vram_vendor="unknown", bar0=256 * MIB, bank_width=128,
    bank_clock=2750, temps=(("edge", 0),), power=("power1_average", 5, 15),
    connectors=("eDP-1", "DP-1"),
    firmware={"me": 0x52, "mec": 0x6E, "pfp": 0x5F, "rlc": 0x46, "sdma": 0x1F, "smc": 0x003F4900,
              "asd": 0x210000CA, "vcn": 0x0311E003},
    family="gfx_v10_0",
    source="04:00.0, 1002:163f rev ae, 1 GB carve-out, SteamOS 3.5.19: ollama issue 3243",
    assumed="KFD counts reckoned from 8 compute units; firmware, capability")
