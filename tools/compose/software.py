"""Machines with frameworks on them: what the reader of device code and the search answer.

The files themselves are gigabytes; a recording holds the answers (docs/design/0007). Names of
libraries, of packages and of targets are those of the published builds.
"""

import dataclasses
import hashlib

import instinct
import radeon

BASE = {m.name: m for m in radeon.MACHINES + instinct.MACHINES}

# PYTORCH_ROCM_ARCH of the published wheels (kb/tables/wheel.yaml).
OLD = "gfx900 gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100".split()
T29 = OLD[:5] + "gfx1030 gfx1100 gfx1101 gfx1102 gfx1200 gfx1201".split()
T210 = T29 + "gfx950 gfx1150 gfx1151".split()
OLLAMA = "gfx908 gfx90a gfx942 gfx1010 gfx1012 gfx1030 gfx1100 gfx1101 gfx1102 gfx1151 gfx1200 gfx1201".split()

# Of a wheel's bundled libraries: bundles with code, and the number in its SONAME.
BUNDLED = {"amdhip64": (0, "6"), "hsa-runtime64": (0, "1"), "amd_comgr": (0, "2"), "hiprtc": (0, "6"),
           "rocblas": (65, "4"), "hipblas": (0, "2"), "hipblaslt": (0, "0"), "MIOpen": (0, "1"),
           "rocfft": (1, "0"), "hipfft": (0, "0"), "rocsparse": (319, "1"), "hipsparse": (0, "1"),
           "rocsolver": (48, "0"), "hipsolver": (0, "0"), "rocrand": (15, "1"), "hiprand": (0, "1"),
           "rccl": (1, "1"), "magma": (205, "2"), "roctx64": (0, "4")}

# The numbers that ROCm 7 changed.
BUNDLED_7 = {**BUNDLED, "amdhip64": (0, "7"), "amd_comgr": (0, "3"), "hiprtc": (0, "7"), "rocblas": (65, "5"),
             "hipblas": (0, "3"), "hipblaslt": (0, "1"), "hipsparse": (0, "4"), "hipsolver": (0, "1")}


def head(path):
    return hashlib.sha256(path.encode()).hexdigest()[:16]


def code(path, size, soname, targets=(), bundles=0, needed=(), extra=(), cov="5 5", form="plain"):
    lines = [f"size {size}", f"head {head(path)}", "kind shared-library", f"soname {soname}"]
    lines += [f"needed {n}" for n in needed] + list(extra)
    if bundles:
        lines += ["found index", f"bundles {bundles}", f"form {form} {bundles}", f"cov {cov}"]
        lines += [f"target {bundles} {t}" for t in sorted(targets)]
    else:
        lines += ["found index", "bundles 0"]
    return "\n".join(lines) + "\n"


def kernels(kind, archs, files=1200):
    """archs: {gfx: (index, tuned, fallback, helper)}"""
    lines = [f"kind {kind}", f"files {files}", "index yes"]
    lines += [f"arch {g} {' '.join(map(str, n))}" for g, n in sorted(archs.items())]
    return "\n".join(lines) + "\n"


def tensile(targets):
    return {g: (1, 40, 54, 1) for g in targets}


class Place:
    """An environment or an application: lines of `environments`, and the questions behind them."""

    def __init__(self, kind, prefix, python="3.12"):
        self.kind, self.prefix, self.python = kind, prefix, python
        self.site = f"{prefix}/lib/python{python}/site-packages"
        self.lines = [f"env {kind} {prefix} {python}", f"site {self.site}",
                      f"program {prefix}/bin/python3"]
        self.packages, self.asks, self.active = [], {}, False

    def package(self, name, version, requires=()):
        self.packages.append(f"package {name} {version} {name.replace('-', '_')}-{version}.dist-info")
        self.packages += [f"requires {name} {r}" for r in requires]

    def answers(self):
        asks = dict(self.asks)
        if self.kind != "application":
            asks[f"packages {self.site}"] = "\n".join(self.packages) + "\n"
        return asks


def torch(place, version, hip, targets, rocblas=None, hipblaslt=None, bundled=True, rpath="rpath",
          versions=None, aotriton=("gfx90a", "gfx942", "gfx11xx", "gfx120x")):
    """A wheel of pytorch.org with its own ROCm under RPATH; or a build that takes the system's."""
    lib = f"{place.site}/torch/lib"
    triton = "triton-rocm" if version.startswith(("2.1", "2.2")) and version[3:4] != "." else "pytorch-triton-rocm"
    place.package("torch", version, [f'{triton}==3.0.0; platform_system == "Linux"'])
    place.packages += [f"build torch __version__ {version}", f"build torch hip {hip}", "build torch cuda None",
                       "library torch torch/lib/libtorch_hip.so", "library torch torch/lib/libc10_hip.so",
                       "library torch torch/lib/libtorch_python.so"]
    main = f"{lib}/libtorch_hip.so"
    place.main = main
    libraries = BUNDLED_7 if hip.startswith("7.") else BUNDLED
    needed = [f"lib{n}.so.{v[1]}" for n, v in libraries.items()]
    place.asks[f"code {main}"] = code(main, 700_000_000, "libtorch_hip.so", targets, 280, needed,
                                      ["rpath $ORIGIN" if bundled else "runpath $ORIGIN:/opt/rocm/lib"])
    place.asks[f"code {lib}/libc10_hip.so"] = code(f"{lib}/libc10_hip.so", 900_000, "libc10_hip.so")
    place.asks[f"code {lib}/libtorch_python.so"] = code(f"{lib}/libtorch_python.so", 29_000_000, "libtorch_python.so")
    place.loads = [f"load {rpath} libtorch_hip.so {main} < {lib}/libtorch_python.so"]
    if bundled:
        place.packages += ["kernels torch torch/lib/rocblas/library", "kernels torch torch/lib/hipblaslt/library",
                           "kernels torch torch/lib/aotriton.images", "record torch 12034"]
        for name, (bundles, major) in libraries.items():
            path = f"{lib}/lib{name}.so"
            place.packages.append(f"library torch torch/lib/lib{name}.so")
            extra = ["rpath $ORIGIN"] + ([f"defines hip_{hip[:3]}"] if name == "amdhip64" else [])
            place.asks[f"code {path}"] = code(path, 20_000_000, f"lib{name}.so.{major}", targets, bundles, (), extra)
            place.loads.append(f"load rpath lib{name}.so.{major} {path} < {main}")
        place.asks[f"kernels {lib}/rocblas/library"] = kernels("rocblas", tensile(targets) if rocblas is None else rocblas)
        place.asks[f"kernels {lib}/hipblaslt/library"] = kernels(
            "hipblaslt", hipblaslt if hipblaslt is not None else tensile([t for t in targets if t in (
                "gfx90a", "gfx942", "gfx1100", "gfx1101", "gfx1151", "gfx1200", "gfx1201")]), 700)
        place.asks[f"kernels {lib}/aotriton.images"] = kernels("aotriton", {a: (0, 120, 0, 0) for a in aotriton}, 480)
    return place


def other_torch(place, version, cuda):
    """A build for CUDA or for processors."""
    lib = f"{place.site}/torch/lib"
    place.package("torch", version)
    place.packages += [f"build torch __version__ {version}", "build torch hip None", f"build torch cuda {cuda}",
                       "library torch torch/lib/libtorch_cpu.so"]
    place.asks[f"code {lib}/libtorch_cpu.so"] = code(f"{lib}/libtorch_cpu.so", 430_000_000, "libtorch_cpu.so")
    if cuda != "None":
        place.packages.append("library torch torch/lib/libtorch_cuda.so")
        place.asks[f"code {lib}/libtorch_cuda.so"] = code(f"{lib}/libtorch_cuda.so", 900_000_000, "libtorch_cuda.so")
    place.loads = []
    return place


def app(name, program, library, targets, rocblas, hip="6"):
    place = Place("application", program)
    lib = library.rsplit("/", 1)[0]
    place.lines = [f"app {name} {program}", f"library {library}", f"kernels {lib}/rocblas/library"]
    place.asks[f"code {program}"] = code(program, 32_000_000, name).replace("shared-library", "executable")
    place.asks[f"code {library}"] = code(library, 600_000_000, library.rsplit("/", 1)[1], targets, 140,
                                         [f"libamdhip64.so.{hip}", "librocblas.so.4"], ["runpath $ORIGIN"])
    for n, bundles, major in (("amdhip64", 0, hip), ("rocblas", 65, "4"), ("hsa-runtime64", 0, "1")):
        path = f"{lib}/lib{n}.so.{major}"
        place.lines.append(f"library {path}")
        place.asks[f"code {path}"] = code(path, 90_000_000, f"lib{n}.so.{major}", targets, bundles)
    place.asks[f"kernels {lib}/rocblas/library"] = kernels("rocblas", rocblas)
    place.main = library
    place.loads = [f"load loaded {library.rsplit('/', 1)[1]} {library} < {program}"] + [
        f"load runpath lib{n}.so.{v} {lib}/lib{n}.so.{v} < {library}"
        for n, v in (("amdhip64", hip), ("rocblas", "4"), ("hsa-runtime64", "1"))]
    return place


def installed(base, name, summary, about, places, health="ill", active=None, service=None, more=(), **changes):
    """A machine with these places on it."""
    m = BASE[base]
    lines = [line for p in places for line in p.lines]
    if active:
        lines.append(f"active {active.prefix}")
        changes.setdefault("user", dataclasses.replace(
            m.user, environment={**m.user.environment, **changes.pop("variables", {}), "VIRTUAL_ENV": active.prefix}))
    if service:
        lines.append(f"service {service[0]} {service[1].prefix}")
    lines.append("stats 4180")
    changes.pop("variables", None)

    def answer(machine, tree):
        if m.change:
            m.change(machine, tree)
        tree.file("/usr/lib/gcc/x86_64-linux-gnu/13/crtbegin.o", "")
        tree.file("/usr/include/c++/13/limits", "// numeric_limits")
        for place in places:
            if place.kind == "conda":
                tree.dir(f"{place.prefix}/lib/python{place.python}")
            for question, text in place.answers().items():
                tree.ask(question, text)
            if place.loads:
                walk = "\n".join(place.loads + ["objects 88"]) + "\n"
                program = place.prefix if place.kind == "application" else f"{place.prefix}/bin/python3"
                tree.ask(f"loads {place.main} {program}", walk)
        for question, text in more:
            tree.ask(question, text)

    return dataclasses.replace(m, name=name, summary=summary, about=about, health=health, change=answer,
                               environments="\n".join(lines) + "\n", **changes)


def venv(prefix="/home/ada/venv", python="3.12", kind="venv"):
    return Place(kind, prefix, python)


def machines():
    xtx = "rx7900xtx-gfx1036-ubuntu2404-rocm64-healthy"
    made = []
    old = torch(venv(), "2.4.1+rocm6.1", "6.1.40091-a8dbc0c19", OLD)
    made.append(installed(
        "strixhalo-ubuntu2604-k70-gtt112", "strixhalo-ubuntu2604-torch241-lacks-gfx1151",
        "A Radeon 8060S and a torch that was built before it",
        ["ill: every program in /home/ada/venv; no kernel image is available",
         "seen: libtorch_hip.so of torch 2.4.1+rocm6.1 holds seven targets, none of them gfx1151"], [old]))
    cuda = other_torch(venv("/opt/venv"), "2.8.0+cu128", "12.8")
    made.append(installed(
        xtx, "rx7900xtx-ubuntu2404-rocm64-cuda-wheel", "An RX 7900 XTX and a torch for CUDA in the environment in use",
        ["ill: torch finds no GPU and computes on the processor",
         "seen: version.py has hip None and cuda 12.8; ROCm 6.4.1 in /opt is untouched by it"], [cuda], active=cuda))
    gone = torch(venv(), "2.9.1+rocm6.4", "6.4.43484-123eb5128", T29, rocblas=tensile([t for t in T29 if t != "gfx1100"]))
    made.append(installed(
        xtx, "rx7900xtx-ubuntu2404-rocm64-no-tensile", "An RX 7900 XTX whose torch lost rocBLAS's files for gfx1100",
        ["ill: the first matrix product aborts: Cannot read TensileLibrary.dat",
         "seen: torch/lib/rocblas/library has files for ten targets and none for gfx1100"], [gone]))
    slow = app("llama.cpp", "/usr/bin/llama-server", "/usr/lib/ggml/libggml-hip.so", T29, {
        **tensile(T29), "gfx1201": (1, 0, 54, 1), "gfx1200": (1, 0, 54, 1)})
    made.append(installed(
        "rx9070xt-arch-k617-healthy", "rx9070xt-arch-k617-fallback-kernels",
        "An RX 9070 XT whose rocBLAS has only fallback kernels for it",
        ["ill: llama-server; prompts take many times what they should",
         "seen: the lazy index of gfx1201 names fallback parts alone, as in Debian's rocBLAS 7.2.4"], [slow]))
    made += mismatched(xtx)
    dark = app("ollama", "/usr/local/bin/ollama", "/usr/local/lib/ollama/rocm/libggml-hip.so", OLLAMA, tensile(OLLAMA))
    made.append(installed(
        "radeon780m-debian13-k612-healthy", "radeon780m-debian13-k612-ollama",
        "A Radeon 780M and an ollama whose ROCm library is not built for it",
        ["ill: ollama.service; it answers from the processor",
         "seen: libggml-hip.so holds twelve targets, gfx1103 is not among them"], [dark], service=("ollama.service", dark)))
    small = torch(venv(python="3.11"), "2.9.1+rocm6.4", "6.4.43484-123eb5128", T29)
    made.append(installed(
        "rx6600-debian12-k61-healthy", "rx6600-debian12-k61-torch291",
        "An RX 6600 and a torch that has code for its sibling gfx1030 alone",
        ["ill: every program in /home/ada/venv; no kernel image is available",
         "seen: gfx1030 among the targets and not gfx1032; one instruction set, so that an override is good here"],
        [small]))
    pair = torch(venv(python="3.10"), "2.5.1+rocm6.2", "6.2.41133-dd7f95766", OLD)
    made.append(installed(
        "rx7900xt-x2-ubuntu2204-rocm62-healthy", "rx7900xt-x2-ubuntu2204-rocm62-torch251",
        "Two RX 7900 XT with torch 2.5.1+rocm6.2, which is a working pair",
        ["seen: every library with code has gfx1100; nothing needs ROCm 6.3"], [pair], health="healthy"))
    made.append(five(xtx))
    return made + trainings(xtx)


def trainings(xtx):
    """Machines for jobs that fail on them (tests/run/heal-example.py); they are well themselves."""
    beside = torch(venv(), "2.9.1+rocm6.4", "6.4.43484-123eb5128", T29)
    lt = torch(venv(python="3.12"), "2.6.0+rocm6.2.4", "6.2.41134-65d174c3e", OLD + ["gfx1101"])
    new = torch(venv(python="3.13"), "2.12.1+rocm7.2", "7.2.53211-158eff03bf", T210)
    bare = torch(venv(python="3.13"), "2.12.1+rocm7.2", "7.2.53211-158eff03bf", T210, hipblaslt=tensile(["gfx90a", "gfx942"]))
    night = torch(venv(python="3.10"), "2.6.0.dev20241015+rocm6.2", "6.2.41133-dd7f95766", OLD)
    return [
        installed(xtx, "rx7900xtx-gfx1036-ubuntu2404-rocm64-torch291",
                  "An RX 7900 XTX beside a gfx1036 with torch 2.9.1, which has code for the card alone",
                  ["seen: gfx1100 among the targets of every library, gfx1036 in none; a job that takes both GPUs fails"],
                  [beside], health="healthy", active=beside),
        installed("mi300x-x8-ubuntu2204-rocm63-healthy", "mi300x-x8-ubuntu2204-rocm63-torch260",
                  "Eight MI300X with torch 2.6.0+rocm6.2.4, as in pytorch#150016",
                  ["seen: torch's linear layers go to hipBLASLt, which has files for gfx942"],
                  [lt], health="healthy", active=lt),
        installed("rx9070xt-fedora42-k616-earlier-boot", "rx9070xt-fedora42-k616-torch212",
                  "An RX 9070 XT with torch 2.12.1+rocm7.2",
                  ["seen: a build whose allocator can grow segments"],
                  [new], health="healthy", active=new, earlier=[]),
        installed("rx9070xt-fedora42-k616-earlier-boot", "rx9070xt-fedora42-k616-torch212-no-hipblaslt",
                  "An RX 9070 XT with a torch 2.12.1 whose hipBLASLt is built for Instincts alone",
                  ["ill: every matrix product; torch prefers hipBLASLt on gfx1201, and its directory has nothing for it",
                   "seen: files for gfx90a and gfx942 in torch/lib/hipblaslt/library"],
                  [bare], active=bare, earlier=[]),
        installed("rx7900xt-x2-ubuntu2204-rocm62-healthy", "rx7900xt-x2-ubuntu2204-rocm62-nightly",
                  "Two RX 7900 XT with a nightly of torch of October 2024",
                  ["ill: every matrix product with a bias; hipBLASLt is demanded of a GPU that is not on torch's list",
                   "seen: torch 2.6.0.dev20241015+rocm6.2, pytorch#138067"], [night], active=night)]


def mismatched(xtx):
    """Builds that do not belong together."""
    made = []
    wheel = torch(venv("/home/ada/wheel"), "2.9.1+rocm6.4", "6.4.43484-123eb5128", T29)
    own = torch(venv("/home/ada/own"), "2.9.1a0+git5811a8d", "6.4.43484-123eb5128", ["gfx1100"], bundled=False, rpath="runpath")
    old = "/opt/rocm-6.1.0/lib"
    more, there = [], [f"dir {old}", "version 6.1.0-66"]
    for name, version in (("amdhip64", "6.1.60100"), ("hsa-runtime64", "1.13.60100"), ("rocblas", "4.1.60100"),
                          ("amd_comgr", "2.7.60100"), ("MIOpen", "1.0.60100"), ("hipblas", "2.1.60100")):
        path = f"{old}/lib{name}.so.{version}"
        there.append(f"library lib{name}.so.{version} 20000000")
        more.append((f"code {path}", code(path, 20_000_000, f"lib{name}.so.{version.split('.')[0]}", T29,
                                          65 if name == "rocblas" else 0)))
        own.loads.append(f"load ld_library_path lib{name}.so.{version.split('.')[0]} {path} < {own.main}")
    more.append((f"libraries {old}", "\n".join(there + [f"kernels {old}/rocblas/library"]) + "\n"))
    more.append((f"kernels {old}/rocblas/library", kernels("rocblas", tensile(T29))))
    made.append(installed(
        xtx, "rx7900xtx-ubuntu2404-rocm64-library-path", "Two builds of torch under an LD_LIBRARY_PATH of an older ROCm",
        ["ill: the self-built torch in /home/ada/own; its RUNPATH comes after LD_LIBRARY_PATH",
         "seen: libamdhip64 of ROCm 6.1 found first by a build made with 6.4; the wheel beside it has RPATH and is not touched"],
        [own, wheel], active=own, more=more, variables={"LD_LIBRARY_PATH": old}, rocm=("6.1.0", "6.4.1")))
    torn = torch(venv(), "2.9.1+rocm6.4", "6.4.43484-123eb5128", T29)
    extension(torn)
    made.append(installed(
        xtx, "rx7900xtx-ubuntu2404-rocm64-old-extension", "An extension that was built for ROCm 5.7 beside a torch of 6.4",
        ["ill: import flash_attn; libamdhip64.so.5: cannot open shared object file",
         "seen: torch brings libamdhip64.so.6, and no .so.5 is on the machine"], [torn]))
    audio = torch(venv(), "2.9.1+rocm6.4", "6.4.43484-123eb5128", T29)
    audio.package("torchaudio", "2.9.1+cu128", ["torch==2.9.1"])
    audio.package("torchvision", "0.24.1+rocm6.4", ["torch==2.9.1", "numpy"])
    made.append(installed(
        xtx, "rx7900xtx-ubuntu2404-rocm64-cuda-torchaudio", "A torchaudio for CUDA beside a torch for ROCm",
        ["ill: import torchaudio; libcudart.so.12: cannot open shared object file",
         "seen: torch 2.9.1+rocm6.4 and torchvision of the same index, torchaudio 2.9.1+cu128"], [audio]))
    return made


def extension(place):
    name = f"{place.site}/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so"
    place.package("flash-attn", "2.6.3", ["torch"])
    place.packages.append("library flash-attn flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so")
    place.asks[f"code {name}"] = code(name, 90_000_000, "flash_attn_2_cuda.so", ["gfx90a", "gfx1100"], 40,
                                      ["libamdhip64.so.5", "libc10_hip.so"])
    walk = (f"load missing libamdhip64.so.5 - < {name}\nother libamdhip64.so.5 {place.site}/torch/lib/libamdhip64.so\n"
            "objects 9\n")
    place.asks[f"loads {name} {place.prefix}/bin/python3"] = walk


def five(xtx):
    """A healthy workbench: one environment in use, four others of all sorts."""
    good = torch(venv(), "2.9.1+rocm6.4", "6.4.43484-123eb5128", T29)
    good.package("torchaudio", "2.9.1+rocm6.4", ["torch==2.9.1"])
    good.package("torchvision", "0.24.1+rocm6.4", ["torch==2.9.1", "numpy"])
    spare = torch(Place("conda", "/home/ada/miniforge3/envs/ml", "3.11"), "2.8.0+rocm6.4", "6.4.43484-123eb5128", T29)
    old = torch(venv("/home/ada/old/.venv", "3.10"), "2.0.1+rocm5.4.2", "5.4.22803-474e8620", OLD[:4] + ["gfx1030"])
    cpu = other_torch(venv("/home/ada/notebooks/venv"), "2.6.0+cpu", "None")
    chat = app("ollama", "/usr/local/bin/ollama", "/usr/local/lib/ollama/rocm/libggml-hip.so", OLLAMA, tensile(OLLAMA))
    return installed(
        xtx, "rx7900xtx-ubuntu2404-rocm64-five-environments",
        "An RX 7900 XTX with five environments, of which the one in use and two more work",
        ["seen: torch 2.9.1+rocm6.4 in use, 2.8.0+rocm6.4 in conda, ollama; 2.0.1+rocm5.4.2 without gfx1100 and a build for "
         "processors are not in use and no fault of the machine"],
        [good, spare, old, cpu, chat], active=good, health="healthy")


MACHINES = machines()
