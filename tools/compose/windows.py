"""Machines with Windows: their registry, and what the searches there answer.

No Windows was at hand, so these are written and not recorded. SOURCES says where the shape of each
key was read; docs/design/0027-windows.md says what was never seen.
"""

import os
import re
from dataclasses import dataclass, field

import software

CONTROL = "HKLM/SYSTEM/CurrentControlSet/Control"
ENUM = "HKLM/SYSTEM/CurrentControlSet/Enum/PCI"
SERVICES = "HKLM/SYSTEM/CurrentControlSet/Services"
DISPLAY = "{4d36e968-e325-11ce-bfc1-08002be10318}"
HARDWARE = "HKLM/HARDWARE/DESCRIPTION/System"
LXSS = "HKCU/Software/Microsoft/Windows/CurrentVersion/Lxss"
NT = "HKLM/SOFTWARE/Microsoft/Windows NT/CurrentVersion"

SOURCES = (
    "Microsoft's documents: Registering Hardware Information (HardwareInformation.*), Identifiers for PCI Devices "
    "(names below Enum\\PCI), HKLM\\SYSTEM\\CurrentControlSet\\Services Registry Tree (Enum, Count)",
    "public programs that read the same keys: the display class with DriverDesc, MatchingDeviceId, DriverVersion, DriverDate, "
    "RadeonSoftwareVersion and HardwareInformation.qwMemorySize; device instance ids as their tests hold them",
    "Microsoft's documents: Testing and debugging TDR (TdrLevel, TdrDelay), Maximum Path Length Limitation (LongPathsEnabled), "
    "Dynamic-link library search order; torch/__init__.py (add_dll_directory, and PATH where a DLL is missing)",
    "microsoft/WSL@3e27a6a50 src/windows/service/exe/DistributionRegistration.h, src/windows/service/inc/wslservice.idl, msipackage/package.wix.in and "
    "src/windows/common/wslutil.cpp (keys and values below Lxss, the service WSLService, what WSL 2 needs)",
    "ROCm/TheRock@89553ce3 rocm_sdk/_dist_info.py and build_prod_wheels.py (bin, names of DLLs, what import torch loads first) and "
    "docs/development/windows_support.md (System32 before PATH); AMD's page of the HIP SDK (amdhip64_7.dll, formerly amdhip64.dll)",
)

NEVER_SEEN = ("no real registry with this hardware; no import table of a real wheel, SDK or program, so that the DLLs it wants are plausible ones; the order in which HIP counts the GPUs; what a PRO driver writes; "
              "the size of the reply of a laptop with a muxless GPU")


@dataclass
class Adapter:
    vendor: int
    device: int
    subsystem: str
    revision: int
    place: tuple
    name: str
    memory: int
    instance: str
    service: str = "amdwddmg"
    present: bool = True
    disabled: bool = False
    pci_class: str = "030000"

    @property
    def ids(self):
        return f"VEN_{self.vendor:04X}&DEV_{self.device:04X}&SUBSYS_{self.subsystem}&REV_{self.revision:02X}"


@dataclass
class Windows:
    name: str
    summary: str
    health: str
    adapters: list
    about: list = field(default_factory=list)
    product: str = "Windows 10 Pro"
    display_version: str = "24H2"
    build: int = 26100
    revision: int = 4652
    cpu: str = "AMD Ryzen 9 7950X 16-Core Processor"
    threads: int = 32
    board: tuple = ("ASUS", "System Product Name", "ROG STRIX X670E-E GAMING WIFI", "2613", "05/29/2024")
    memory: int = 64  # GiB
    pagefile: int = 9  # GiB
    commit_used: int = 21  # GiB
    page_file_managed: bool = True
    driver: tuple = ("32.0.23017.1001", "1-28-2026", "26.2.2", "Adrenalin")
    variables: dict = field(default_factory=dict)  # of the process
    long_paths: int = 0
    timeout: dict = field(default_factory=dict)  # TdrLevel, TdrDelay
    user_variables: dict = field(default_factory=dict)
    machine_variables: dict = field(default_factory=dict)
    sdks: tuple = ()
    vc: str = "v14.44.35211.00"
    wsl: tuple = ()  # (flavor, release, version) of each distribution; the first one is the default
    places: list = field(default_factory=list)
    wall: int = 1_770_000_000
    change: object = None  # a function of (machine, registry), last

    cards = ()

    def registry(self):
        reg = {}
        version = reg.setdefault(NT, {})
        version.update(ProductName=self.product, DisplayVersion=self.display_version, CurrentBuildNumber=str(self.build),
                       UBR=self.revision, CurrentMajorVersionNumber=10, CurrentMinorVersionNumber=0)
        reg[f"{CONTROL}/ComputerName/ActiveComputerName"] = {"ComputerName": "WORKBENCH"}
        for i in range(self.threads):
            reg[f"{HARDWARE}/CentralProcessor/{i}"] = {"ProcessorNameString": self.cpu, "VendorIdentifier": "AuthenticAMD"}
        keys = ("SystemManufacturer", "SystemProductName", "BaseBoardProduct", "BIOSVersion", "BIOSReleaseDate")
        reg[f"{HARDWARE}/BIOS"] = dict(zip(keys, self.board))
        reg[f"{ENUM}/VEN_1022&DEV_14D8&SUBSYS_88771043&REV_00/3&11583659&0&00"] = {"ClassGUID": "{4d36e97d-e325-11ce-bfc1-08002be10318}"}
        reg["HKCU/Environment"] = dict(self.user_variables)
        reg[f"{CONTROL}/Session Manager/Environment"] = dict(self.machine_variables)
        if self.vc:
            reg["HKLM/SOFTWARE/Microsoft/VisualStudio/14.0/VC/Runtimes/x64"] = {"Installed": 1, "Version": self.vc}
        paging = ["?:\\pagefile.sys"] if self.page_file_managed else [f"C:\\pagefile.sys {self.pagefile << 10} {self.pagefile << 10}"]
        reg[f"{CONTROL}/Session Manager/Memory Management"] = {"PagingFiles": paging}
        reg[f"{CONTROL}/FileSystem"] = {"LongPathsEnabled": self.long_paths}
        reg[f"{CONTROL}/GraphicsDrivers"] = dict(self.timeout)
        if self.wsl:
            self.add_wsl(reg)
        for number, a in enumerate(self.adapters):
            self.add_adapter(reg, number, a)
        if self.change:
            self.change(self, reg)
        return reg

    def add_wsl(self, reg):
        ids = [f"{{5e1f0c6a-3b7d-4c19-9a42-0b8f6d2e7c{n:02x}}}" for n in range(len(self.wsl))]
        reg[LXSS] = {"DefaultDistribution": ids[0]}
        for key, (flavor, release, version) in zip(ids, self.wsl):
            reg[f"{LXSS}/{key}"] = {"State": 1, "Version": version, "Flavor": flavor, "OsVersion": release}
        reg["HKLM/SOFTWARE/Microsoft/Windows/CurrentVersion/Lxss/MSI"] = {"Version": "2.6.1.0"}
        reg[f"{SERVICES}/WSLService"] = {"Start": 2}
        reg[f"{SERVICES}/vmcompute"] = {"Start": 3}

    def add_adapter(self, reg, number, a):
        driver = self.driver if a.vendor == 0x1002 else ("32.0.15.6094", "8-14-2025", None, None)
        key = f"{ENUM}/{a.ids}/{a.instance}"
        bus, device, function = a.place
        reg[key] = {
            "ClassGUID": DISPLAY, "Driver": f"{DISPLAY}\\{number:04}", "Service": a.service,
            "ConfigFlags": 1 if a.disabled else 0,
            "LocationInformation": f"@System32\\drivers\\pci.sys,#65536;PCI bus %1, device %2, function %3;({bus},{device},{function})",
            "HardwareID": [f"PCI\\{a.ids}", f"PCI\\VEN_{a.vendor:04X}&DEV_{a.device:04X}&SUBSYS_{a.subsystem}",
                           f"PCI\\VEN_{a.vendor:04X}&DEV_{a.device:04X}&CC_{a.pci_class}", f"PCI\\VEN_{a.vendor:04X}&DEV_{a.device:04X}&CC_{a.pci_class[:4]}"]}
        values = {"DriverDesc": a.name, "DriverVersion": driver[0], "DriverDate": driver[1],
                  "MatchingDeviceId": f"PCI\\VEN_{a.vendor:04X}&DEV_{a.device:04X}&REV_{a.revision:02X}",
                  "HardwareInformation.qwMemorySize": a.memory}
        if driver[2]:
            values.update(RadeonSoftwareVersion=driver[2], RadeonSoftwareEdition=driver[3])
        reg[f"{CONTROL}/Class/{DISPLAY}/{number:04}"] = values
        enum = reg.setdefault(f"{SERVICES}/{a.service}/Enum", {"Count": 0})
        if a.present and not a.disabled:
            enum[str(enum["Count"])] = f"PCI\\{a.ids}\\{a.instance}"
            enum["Count"] += 1

    def asks(self):
        wall = "2026-02-02T02:40:00Z"
        gib = 1 << 30
        total = self.memory * gib - 600_000_000
        limit = total + self.pagefile * gib
        asks = {"clock": f"wall {self.wall} {wall}\nuptime 52310\n", "machine": "x86_64\n",
                "identity": "how this process\nuser ada\nhome C:/Users/ada\n",
                "environment": "".join(f"{k}={v}\n" for k, v in sorted(self.variables.items())),
                "memory": f"total {total}\navailable {total * 2 // 3}\ncommit_limit {limit}\ncommit_left {limit - self.commit_used * gib}\n"}
        lines = []
        for place in self.places:
            lines += place.lines + ([f"active {place.prefix}"] if place.active else [])
            asks.update(place.answers())
        for sdk in self.sdks:
            asks.update(sdk_answers(sdk))
        asks["environments"] = "\n".join(lines + ["stats 1840"]) + "\n"
        return asks

    def files(self):
        """Listings of the file system: a directory and its names."""
        sdks = {"/C:/Program Files/AMD/ROCm": [s + "/" for s in self.sdks] if self.sdks else None}
        return sdks

    def snapshot(self):
        return write(self.registry(), self.asks(), self.files())


# ---- the form of a snapshot ----

def word(text):
    return re.sub(r"[\x00-\x20\\\x7f]", lambda m: f"\\x{ord(m[0]):02x}", text)


def body(text):
    return "".join(f"\t{line}\n" for line in text.splitlines())


def write(reg, asks, directories):
    keys = {""}
    for key in reg:
        parts = key.split("/")
        keys.update("/".join(parts[:n]) for n in range(1, len(parts) + 1))
    out = ["rocsteady-snapshot 1\n"]
    out += [f"ask {q}\n{body(asks[q])}" for q in sorted(asks)]
    for key in sorted(keys):
        below = {k[len(key) + 1:] if key else k for k in keys if k and k.rpartition("/")[0] == key}
        values = reg.get(key, {})
        path = word("/reg/" + key if key else "/reg")
        names = sorted([word(n) + "/" for n in below] + [word(n) for n in values])
        out.append(f"dir {path}\n" + "".join(f"\t{n}\n" for n in names))
        out += [f"file {path}/{word(n)}\n{body(chr(10).join(v))}" for n, v in sorted(values.items()) if isinstance(v, list)]
        lines = [f"\t{word(n)} {v}\n" for n, v in sorted(values.items()) if not isinstance(v, list)]
        if lines:
            out.append(f"files {path}\n" + "".join(lines))
    for path, names in directories.items():
        out.append(f"dir {word(path)} !ENOENT\n" if names is None else f"dir {word(path)}\n" + "".join(f"\t{word(n)}\n" for n in names))
    return "".join(out)


def exported(reg):
    """The same registry as a .reg file, for wine."""
    hives = {"HKLM": "HKEY_LOCAL_MACHINE", "HKCU": "HKEY_CURRENT_USER"}
    out = ["Windows Registry Editor Version 5.00\n"]
    for key, values in sorted(reg.items()):
        hive, _, rest = key.partition("/")
        out.append(f"[{hives[hive]}\\{rest.replace('/', chr(92))}]")
        out += [f'"{name}"={value_of(value)}' for name, value in sorted(values.items())] + [""]
    return "\r\n".join(out)


def value_of(value):
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "hex(7):" + ",".join(f"{b:02x}" for b in ("\0".join(value) + "\0\0").encode("utf-16-le"))
    if value >= 1 << 20:
        return "hex(b):" + ",".join(f"{b:02x}" for b in value.to_bytes(8, "little"))
    return f"dword:{value:08x}"


# ---- software ----

class Place:
    """A Python with its packages, as the questions `environments` and `packages` have it."""

    def __init__(self, kind, prefix, python="3.12", active=False):
        self.prefix, self.active = prefix, active
        program = f"{prefix}/Scripts/python.exe" if kind == "venv" else f"{prefix}/python.exe"
        self.site = f"{prefix}/Lib/site-packages"
        self.lines = [f"env {kind} {word(prefix)} {python}", f"site {word(self.site)}", f"program {word(program)}"]
        self.packages, self.codes, self.asks = [], {}, {}
        self.python = program

    def loads(self, path, wanted, program=None):
        """What the loader takes: (how, name, path or None) for each DLL, in the order of the walk."""
        question = f"loads {word(path)}" + (f" {word(program or self.python)}" if program != path else "")
        lines = [f"load {how} {name} {word(found) if found else '-'} < {word(path)}" for how, name, found in wanted]
        self.asks[question] = "\n".join(lines + [f"objects {len(lines) + 1}"]) + "\n"
        for _, name, found in wanted:
            if found and not name.startswith(("vcruntime", "msvcp")):
                self.asks.setdefault(f"code {word(found)}", dll(found))
        return self

    def fat_libraries(self, names=("amdhip64_6.dll", "hipblas.dll", "rocblas.dll")):
        """A wheel with the DLLs of ROCm beside its own."""
        directory = f"{self.site}/torch/lib"
        self.asks[f"kernels {word(directory)}/rocblas/library"] = software.kernels("rocblas", software.tensile(software.T29))
        return self.loads(f"{directory}/torch_hip.dll", [("beside", n, f"{directory}/{n}") for n in names] + visual_c(self))

    def own_libraries(self, release="7.2.1", device="gfx1100", vc=True):
        """AMD's wheels: rocm_sdk, which `import torch` loads before all."""
        core, libraries = f"{self.site}/_rocm_sdk_core", f"{self.site}/_rocm_sdk_libraries"
        for name in ("rocm", "rocm-sdk-core", "rocm-sdk-libraries", f"rocm-sdk-device-{device}"):
            self.package(name, release)
        names = {core: ["amdhip64_7.dll", "amd_comgr_3.dll", "hiprtc0702.dll"],
                 libraries: ["libhipblas.dll", "libhipblaslt.dll", "MIOpen.dll", "rocblas.dll"]}
        for prefix, dlls in names.items():
            self.asks[f"libraries {word(prefix)}/bin"] = libraries_of(f"{prefix}/bin", dlls, kernels="rocblas.dll" in dlls)
            self.asks.update({f"code {word(prefix)}/bin/{d}": dll(f"{prefix}/bin/{d}") for d in dlls})
        self.asks[f"kernels {word(libraries)}/bin/rocblas/library"] = software.kernels("rocblas", software.tensile(software.T210))
        wanted = [("preload", d.lower(), f"{p}/bin/{d}") for p, dlls in names.items() for d in dlls]
        return self.loads(f"{self.site}/torch/lib/torch_hip.dll", wanted + visual_c(self, vc))

    def package(self, name, version, *more):
        self.packages += [f"package {name} {version} {name.replace('-', '_')}-{version}.dist-info", *more]
        return self

    def torch(self, version, hip=None, cuda=None, targets=software.T210):
        lib = "torch_hip" if hip else "torch_cuda" if cuda else "torch_cpu"
        if hip:
            path = f"{self.site}/torch/lib/{lib}.dll"
            self.codes[f"code {word(path)}"] = software.code(path, 410_000_000, f"{lib}.dll", targets, 280)
        return self.package("torch", version, f"build torch __version__ {version}", f"build torch hip {hip}",
                            f"build torch cuda {cuda}", f"library torch torch/lib/{lib}.dll", "record torch 14021")

    def answers(self):
        return {f"packages {word(self.site)}": "\n".join(self.packages) + "\n", **self.codes, **self.asks}


def visual_c(place, there=True):
    """Python brings vcruntime140; the other two are of the redistributable."""
    home = os.path.dirname(place.python)
    return [("program", "vcruntime140.dll", f"{home}/vcruntime140.dll")] + [
        ("system", n, f"{SYSTEM}/{n}") if there else ("missing", n, None) for n in ("vcruntime140_1.dll", "msvcp140.dll")]


SYSTEM = "C:/Windows/System32"
SDKS = "C:/Program Files/AMD/ROCm"
SDK_DLLS = {"5": ["amdhip64.dll", "hipblas.dll", "rocblas.dll"], "6": ["amdhip64_6.dll", "hipblas.dll", "rocblas.dll"],
            "7": ["amdhip64_7.dll", "libhipblas.dll", "rocblas.dll"]}
SDK_TARGETS = "gfx906 gfx1030 gfx1100 gfx1101 gfx1102 gfx1151 gfx1200 gfx1201".split()


def dll(path, targets=SDK_TARGETS):
    """Of the libraries of ROCm only rocBLAS holds device code; its kernels lie beside it."""
    if path.endswith("/rocblas.dll"):
        return software.code(path, 8_400_000, "rocblas.dll", targets, 60)
    return f"size 2100000\nhead {software.head(path)}\nkind shared-library\nfound index\nbundles 0\n"


def libraries_of(directory, names, kernels=False):
    lines = [f"dir {word(directory)}"] + [f"library {n} 2100000" for n in names]
    return "\n".join(lines + ([f"kernels {word(directory)}/rocblas/library"] if kernels else [])) + "\n"


def sdk_answers(release):
    directory = f"{SDKS}/{release}/bin"
    names = SDK_DLLS[release[0]]
    answers = {f"code {word(directory)}/{n}": dll(f"{directory}/{n}") for n in names}
    return {f"libraries {word(directory)}": libraries_of(directory, names, kernels=True), **answers,
            f"kernels {word(directory)}/rocblas/library": software.kernels("rocblas", software.tensile(SDK_TARGETS))}


class Application(Place):
    """A program that brings its own libraries: what lies beside it."""

    def __init__(self, app, program, libraries=(), kernels=(), targets=software.T210):
        self.prefix, self.active, self.packages, self.codes = program, False, [], {}
        self.site, self.python = None, program
        self.lines = [f"app {app} {word(program)}"] + [f"library {word(p)}" for p in libraries]
        self.asks = {f"code {word(p)}": self.code_of(p, targets) for p in libraries}
        self.asks[f"code {word(program)}"] = dll(program)
        for directory in kernels:
            self.lines.append(f"kernels {word(directory)}")
            self.asks[f"kernels {word(directory)}"] = software.kernels("rocblas", software.tensile(targets))

    @staticmethod
    def code_of(path, targets):
        name = os.path.basename(path)
        return software.code(path, 90_000_000, name, targets, 40) if name in ("ggml-hip.dll", "rocblas.dll") else dll(path)

    def answers(self):
        return self.asks


def comfy_venv(active=True):
    return Place("venv", "C:/Users/ada/ComfyUI/venv", active=active)


# ---- the machines ----

GIB = 1 << 30


def navi31(**more):
    return Adapter(0x1002, 0x744C, "0E3B1002", 0xC8, (3, 0, 0), "AMD Radeon RX 7900 XTX", 24 * GIB, "6&2c6b35a1&0&00000019", **more)


def raphael(**more):
    return Adapter(0x1002, 0x164E, "88771043", 0xC1, (26, 0, 0), "AMD Radeon(TM) Graphics", GIB // 2, "4&2fd5ab1f&0&0041", **more)


def navi48(**more):
    return Adapter(0x1002, 0x7550, "54171849", 0xC0, (3, 0, 0), "AMD Radeon RX 9070 XT", 16 * GIB, "6&1b2c3d4e&0&00000019", **more)


def halo(**more):
    return Adapter(0x1002, 0x1586, "000610B0", 0xC1, (197, 0, 0), "AMD Radeon(TM) 8060S Graphics", 64 * GIB, "4&1a2b3c4d&0&0041",
                   pci_class="038000", **more)


def navi32(**more):
    return Adapter(0x1002, 0x747E, "0E3C1002", 0xC8, (3, 0, 0), "AMD Radeon RX 7800 XT", 16 * GIB, "6&3a4b5c6d&0&00000019", **more)


def navi23(**more):
    return Adapter(0x1002, 0x73FF, "24121458", 0xC7, (3, 0, 0), "AMD Radeon RX 6600", 8 * GIB, "6&0f1e2d3c&0&00000019", **more)


def geforce(**more):
    return Adapter(0x10DE, 0x2684, "403F1458", 0xA1, (1, 0, 0), "NVIDIA GeForce RTX 4090", 24 * GIB, "4&2db6bb66&0&0008",
                   service="nvlddmkm", **more)


HALO = dict(cpu="AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", memory=64, pagefile=16,
            board=("Framework", "Desktop (AMD Ryzen AI Max 300 Series)", "FRANMFCP04", "03.03", "06/24/2025"))


def sdk_torch(release, path_variable=("amdhip64_7.dll",)):
    """A torch that was built here for ROCm 7.9 and brings no library: PATH finds those of an SDK."""
    place = comfy_venv().torch("2.9.0a0+rocm7.9.0", "7.9.25314", targets=["gfx1151"])
    directory = f"{SDKS}/{release}/bin"
    found = [("system", "amdhip64_7.dll", f"{SYSTEM}/amdhip64_7.dll")]
    found += [("search_path", n, f"{directory}/{n}") for n in SDK_DLLS[release[0]] if not n.startswith("amdhip64")]
    return place.loads(f"{place.site}/torch/lib/torch_hip.dll", found + visual_c(place))


def llama(directory="C:/llama.cpp", targets=software.T210, hip="system", blas=None, release="6.4"):
    """An archive of llama.cpp: ggml-hip.dll and rocBLAS beside the program, HIP of the driver; or the libraries of an SDK."""
    own = [f"{directory}/{n}" for n in ("ggml-hip.dll",) + (() if blas else ("hipblas.dll", "rocblas.dll"))]
    app = Application("llama.cpp", f"{directory}/llama-server.exe", own, () if blas else (f"{directory}/rocblas/library",), targets)
    beside = f"{SDKS}/{release}/bin" if blas else directory
    how = blas or "program"
    wanted = [("system", "amdhip64_6.dll", f"{SYSTEM}/amdhip64_6.dll"), (how, "hipblas.dll", f"{beside}/hipblas.dll"),
              (how, "rocblas.dll", f"{beside}/rocblas.dll"), ("system", "vcruntime140.dll", f"{SYSTEM}/vcruntime140.dll"),
              ("system", "msvcp140.dll", f"{SYSTEM}/msvcp140.dll")]
    return app.loads(f"{directory}/ggml-hip.dll", wanted, f"{directory}/llama-server.exe")


OLLAMA = "C:/Users/ada/AppData/Local/Programs/Ollama"
LM_STUDIO = "C:/Users/ada/.lmstudio"


def ollama(rocm=True):
    own = [f"{OLLAMA}/lib/ollama/rocm_v7_2/{n}" for n in ("ggml-hip.dll", "libhipblas.dll", "rocblas.dll")] if rocm else []
    return Application("ollama", f"{OLLAMA}/ollama.exe", own, [f"{OLLAMA}/lib/ollama/rocm_v7_2/rocblas/library"] if rocm else [])


def lm_studio():
    vendor = f"{LM_STUDIO}/extensions/backends/vendor/win-llama-rocm-vendor-v5"
    return Application("lm-studio", f"{LM_STUDIO}/bin/lms.exe", [f"{vendor}/{n}" for n in ("amdhip64_7.dll", "amd_comgr_3.dll", "libhipblas.dll", "rocblas.dll")],
                       [f"{vendor}/rocblas/library"])


def little_commit(m, reg):
    m.commit_used = m.memory + m.pagefile - 2


def about(*lines):
    return ["seen: nothing of it on a machine"] + list(lines) + [f"source: {s}" for s in SOURCES] + [f"never seen: {NEVER_SEEN}"]


MACHINES = [
    Windows("rx7900xtx-igpu-windows11-healthy", "A desktop with Windows 11, an RX 7900 XTX and the GPU of its Ryzen 9 7950X",
            "healthy", [navi31(), raphael()], about(), places=[comfy_venv().torch("2.9.1+rocm7.2.1", "7.2.53211").own_libraries()]),
    Windows("rx7900xtx-windows11-old-driver", "The same desktop with the driver of September 2025 and AMD's torch for ROCm 7.2.1",
            "ill", [navi31(), raphael()], about("expect: windows-runtime"), driver=("32.0.21025.1024", "9-8-2025", "25.9.1", "Adrenalin"),
            places=[comfy_venv().torch("2.9.1+rocm7.2.1", "7.2.53211").own_libraries()]),
    Windows("rx7900xtx-windows11-cpu-torch", "A desktop where pip took torch from PyPI, which is for the CPU on Windows",
            "ill", [navi31()], about("expect: cpu-or-cuda-framework"), places=[comfy_venv().torch("2.9.1+cpu")]),
    Windows("rx9070xt-windows11-portable-healthy", "An RX 9070 XT with the portable ComfyUI and AMD's torch in it",
            "healthy", [navi48()], about(), places=[Place("portable", "D:/ComfyUI_windows_portable/python_embeded").torch("2.10.0+rocm7.2", "7.2.53211").own_libraries("7.2.0", "gfx1201")]),
    Windows("strixhalo-windows11-healthy", "A Ryzen AI Max+ 395 with Windows 11, 64 GiB of its memory given to the Radeon 8060S",
            "healthy", [halo()], about(), places=[comfy_venv().torch("2.10.0+rocm7.2", "7.2.53211").own_libraries("7.2.0", "gfx1151")], **HALO),
    Windows("rx7900xtx-windows11-cuda-portable", "The portable ComfyUI for NVIDIA on a machine with an RX 7900 XTX",
            "ill", [navi31(), raphael()], about("expect: cpu-or-cuda-framework"),
            places=[Place("portable", "D:/ComfyUI_windows_portable/python_embeded", python="3.13", active=True).torch("2.9.1+cu128", None, "12.8")]),
    Windows("rx7900xtx-rtx4090-windows11-cuda", "A GeForce beside an RX 7900 XTX, with a torch for the GeForce",
            "odd", [geforce(), navi31()], about(), places=[comfy_venv().torch("2.9.1+cu128", None, "12.8")]),
    Windows("rx9070xt-windows11-removed-card", "An RX 9070 XT in a desktop that had an RX 7900 XTX before",
            "healthy", [navi48(), navi31(present=False)], about(), places=[comfy_venv().torch("2.10.0+rocm7.2", "7.2.53211").own_libraries("7.2.0", "gfx1151")]),
    Windows("strixhalo-windows11-torch-lacks-gfx1151", "A Radeon 8060S with a torch that was built before it",
            "ill", [halo()], about("expect: framework-lacks-arch"), places=[comfy_venv().torch("2.9.1+rocm6.4", "6.4.43484", targets=software.T29).fat_libraries()], **HALO),
    Windows("rtx4090-windows11-no-amd", "A desktop without any GPU of AMD", "odd", [geforce()], about()),
    Windows("rx7900xtx-windows11-basic-display", "An RX 7900 XTX on Microsoft's Basic Display Adapter: AMD's driver is not installed",
            "ill", [navi31(service="BasicDisplay")], about("expect: driver-not-loaded"), driver=("10.0.26100.1", "6-21-2006", None, None)),
    Windows("rx7900xtx-windows11-wsl-host-healthy", "A desktop with an RX 7900 XTX, AMD's torch, and WSL 2 with an Ubuntu 24.04",
            "healthy", [navi31()], about("seen from inside: rx7900xtx-wsl2-rocm64 is such a WSL"), wsl=(("ubuntu", "24.04", 2), ("debian", "12", 1)),
            places=[comfy_venv().torch("2.9.1+rocm7.2.1", "7.2.53211").own_libraries()]),
    Windows("rx7900xtx-windows11-wsl1-host-healthy", "The same desktop whose Ubuntu is still registered as WSL 1", "healthy", [navi31()],
            about(), wsl=(("ubuntu", "22.04", 1),), places=[comfy_venv().torch("2.9.1+rocm7.2.1", "7.2.53211").own_libraries()]),
    # DLLs
    Windows("strixhalo-windows11-sdk64-before-rocm79",
            "A Radeon 8060S with a torch that was built for ROCm 7.9 and takes rocBLAS of HIP SDK 6.4 from PATH; the allocator's cache is off",
            "ill", [halo()], about("expect: mixed-rocm-libs", "after: the machine of a guide whose training crashes in rocblas_create_handle(); "
                                   "that the SDK is first in its PATH is our assumption"),
            sdks=("6.4",), places=[sdk_torch("6.4")],
            variables={"PATH": "C:\\Program Files\\AMD\\ROCm\\6.4\\bin;C:\\Windows\\System32", "PYTORCH_NO_HIP_MEMORY_CACHING": "1",
                       "HSA_OVERRIDE_GFX_VERSION": "11.0.0"}, **HALO),
    Windows("strixhalo-windows11-sdk64-unused", "The same machine with AMD's torch, which brings its own libraries: the SDK in PATH is not asked",
            "healthy", [halo()], about(), sdks=("6.4",),
            places=[comfy_venv().torch("2.10.0+rocm7.2", "7.2.53211").own_libraries("7.2.0", "gfx1151")],
            variables={"PATH": "C:\\Program Files\\AMD\\ROCm\\6.4\\bin;C:\\Windows\\System32"}, **HALO),
    Windows("rx9070xt-windows11-no-vc-runtime", "An RX 9070 XT in a new Windows 11 without the Visual C++ redistributable",
            "ill", [navi48()], about("expect: windows-runtime"), vc=None,
            places=[comfy_venv().torch("2.10.0+rocm7.2", "7.2.53211").own_libraries("7.2.0", "gfx1201", vc=False)]),
    Windows("rx7800xt-windows11-llama-healthy", "llama.cpp's archive on an RX 7800 XT: its own rocBLAS, and HIP of the driver, as it is meant",
            "healthy", [navi32()], about(), places=[llama()]),
    Windows("rx6600-windows11-llama-sdk-lacks-gfx1032", "llama.cpp with rocBLAS of HIP SDK 6.4, which has no kernels for the gfx1032 of an RX 6600",
            "ill", [navi23()], about("expect: library-lacks-arch"), sdks=("6.4",),
            places=[llama(targets=software.T210 + ["gfx1032"], blas="search_path")]),
    Windows("rx7900xtx-windows11-lm-studio-healthy", "LM Studio with its ROCm runtime on an RX 7900 XTX", "healthy", [navi31()], about(), places=[lm_studio()]),
    Windows("rx7900xtx-windows11-ollama-without-rocm", "Ollama without its directory for ROCm, so that it uses Vulkan or the CPU", "odd", [navi31()],
            about("not judged: which of the two it would be cannot be read from files"), places=[ollama(rocm=False)]),
    Windows("rx7900xtx-windows11-ollama-healthy", "Ollama with its directory for ROCm on an RX 7900 XTX", "healthy", [navi31()], about(), places=[ollama()]),
    Windows("rx7900xtx-windows11-commit-limit", "A desktop whose commit limit is used up: a model cannot be loaded, although RAM is free",
            "ill", [navi31()], about("expect: host-memory-or-ulimit"), memory=32, pagefile=2, page_file_managed=False, change=little_commit,
            places=[comfy_venv().torch("2.9.1+rocm7.2.1", "7.2.53211").own_libraries()]),
]
