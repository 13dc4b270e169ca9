"""GPUs that are none, for a training that is real: they fail as real ones do, when real ones do.

Loaded by PYTHONPATH into a PyTorch without GPUs. SHIM_FAULT is one of FAULTS below; SHIM_MARK a
file for what happens once only; SHIM_RANK the rank that fails, if not all do. Tensors that are sent to a GPU stay on the processor; what is done
with them is seen (a TorchFunctionMode), and fails in the words of the torch release that is claimed.
What a job can do about it is read from where that release reads it: its environment, and calls of
torch.cuda. Nothing here knows of rocsteady.
"""
import importlib.abc
import importlib.util
import os
import signal
import sys
import threading
import traceback
import types

MIB, GIB = 1 << 20, 1 << 30
OLD = "gfx900 gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100".split()
T29 = OLD[:5] + "gfx1030 gfx1100 gfx1101 gfx1102 gfx1200 gfx1201".split()


class Build:
    """A release of torch, the targets in it, and the GPUs of the machine: (gfx, bytes) in the order of KFD."""

    def __init__(self, version, hip, targets, *gpus):
        self.version, self.hip, self.targets, self.gpus = version, hip, targets, gpus
        self.number = tuple(int(part) for part in version.split("+")[0].split(".")[:2])


XTX_IGPU = Build("2.9.1+rocm6.4", "6.4.43484-123eb5128", T29, ("gfx1100", 24560 * MIB), ("gfx1036", 512 * MIB))
XT_PAIR = Build("2.5.1+rocm6.2", "6.2.41133-dd7f95766", OLD, ("gfx1100", 20464 * MIB), ("gfx1100", 20464 * MIB))
NIGHTLY = Build("2.6.0.dev20241015+rocm6.2", "6.2.41133-dd7f95766", OLD, ("gfx1100", 20464 * MIB), ("gfx1100", 20464 * MIB))
INSTINCT = Build("2.6.0+rocm6.2.4", "6.2.41134-65d174c3e", OLD + ["gfx1101"], *[("gfx942", 196592 * MIB)] * 8)
NAVI48 = Build("2.12.1+rocm7.2", "7.2.53211-158eff03bf", T29, ("gfx1201", 16304 * MIB))
HALO = Build("2.4.1+rocm6.1", "6.1.40091-a8dbc0c19", OLD, ("gfx1151", 512 * MIB))

# What goes wrong, on which machine.
FAULTS = {
    "none": XT_PAIR,
    "no-kernel-image": XTX_IGPU,  # a second GPU that torch has no code for
    "hipblaslt": NAVI48,  # its directory has nothing for this GPU, and torch prefers it there
    "hipblaslt-no-algorithm": INSTINCT,  # its heuristic finds nothing
    "fragmentation": NAVI48,
    "fragmentation-old": XT_PAIR,  # the same, where the cure that the message names does not exist
    "hang": XT_PAIR,  # in the second epoch, once
    "alloc-failed": XT_PAIR,  # the cache takes all, and then a BLAS handle is wanted
    "out-of-memory": XT_PAIR,  # in the third batch
    "killed": XT_PAIR,  # the same, by the kernel
    "nightly": NIGHTLY,
    "wheel-lacks-target": HALO,
}
FAULT = os.environ.get("SHIM_FAULT", "none")
BUILD = FAULTS[FAULT]
if os.environ.get("SHIM_RANK", "") not in ("", os.environ.get("RANK")):
    FAULT = "none"


# ---- which GPUs a process sees ----

def choose(devices, value):
    """The first entry that is no device ends the list (ROCr flag.h; clr rocdevice.cpp)."""
    chosen = []
    for word in value.split(","):
        if not word.strip().isdigit() or int(word) >= len(devices):
            break
        chosen.append(devices[int(word)])
    return chosen


def visible():
    """ROCr filters first, and an empty value hides all; HIP counts what is left, and takes empty for unset."""
    devices = list(BUILD.gpus)
    if "ROCR_VISIBLE_DEVICES" in os.environ:
        devices = choose(devices, os.environ["ROCR_VISIBLE_DEVICES"])
    value = os.environ.get("HIP_VISIBLE_DEVICES") or os.environ.get("CUDA_VISIBLE_DEVICES")
    return choose(devices, value) if value else devices


# ---- what a release reads ----

def allocator_options():
    """Up to 2.7 the HIP name alone, from 2.8 behind the CUDA name, from 2.9 both behind the neutral one
    (c10/cuda/CUDAAllocatorConfig.h, c10/core/AllocatorConfig.cpp of the tags)."""
    names = ["PYTORCH_HIP_ALLOC_CONF"]
    if BUILD.number >= (2, 8):
        names.insert(0, "PYTORCH_CUDA_ALLOC_CONF")
    if BUILD.number >= (2, 9):
        names.insert(0, "PYTORCH_ALLOC_CONF")
    value = next((os.environ[name] for name in names if name in os.environ), "")
    return dict(part.split(":", 1) for part in value.split(",") if ":" in part)


def grows_segments():
    """ROCm builds honour it from 2.12 on, for ROCm 7.0.2 and later (pytorch PRs 173330, 177974)."""
    able = BUILD.number >= (2, 12) and int(BUILD.hip.split(".")[0]) >= 7
    asked = allocator_options().get("expandable_segments", "").lower() == "true"
    if asked and not able:
        print("UserWarning: expandable_segments not supported on this platform "
              "(Triggered internally at ../c10/hip/HIPAllocatorConfig.h:29.)", file=sys.stderr)
    return asked and able


def linear_by_lt(gfx):
    """Whether a linear layer with bias goes to hipBLASLt: Context.cpp and native/cuda/Blas.cpp of the tags."""
    preferred = os.environ.get("TORCH_BLAS_PREFER_HIPBLASLT") != "0"
    if BUILD.number == (2, 5):
        return preferred and gfx in ("gfx90a", "gfx942")
    if BUILD.number == (2, 6):  # the fused product is another way, with a switch of its own
        fused = os.environ.get("DISABLE_ADDMM_CUDA_LT") != "1"
        return (fused or preferred) and gfx in ("gfx90a", "gfx942")
    return BUILD.number >= (2, 12) and preferred and gfx in ("gfx90a", "gfx942", "gfx950", "gfx1200", "gfx1201")


# ---- the words ----

def no_kernel_image(torch):
    """c10/hip/HIPException.cpp; the class and the second line since 2.8 and 2.9."""
    text = "HIP error: no kernel image is available for execution on the device\n"
    if BUILD.number >= (2, 9):
        text += ("Search for `hipErrorNoBinaryForGpu' in https://docs.nvidia.com/cuda/cuda-runtime-api/"
                 "group__HIPRT__TYPES.html for more information.\n")
    text += ("HIP kernel errors might be asynchronously reported at some other API call, so the stacktrace below might "
             "be incorrect.\nFor debugging consider passing AMD_SERIALIZE_KERNEL=3\n"
             "Compile with `TORCH_USE_HIP_DSA` to enable device-side assertions.\n")
    kind = getattr(torch, "AcceleratorError", RuntimeError)
    if BUILD.number >= (2, 8) and kind is RuntimeError:
        kind = type("AcceleratorError", (RuntimeError,), {"__module__": "torch"})
    return kind(text)


def size(n):
    return f"{n / GIB:.2f} GiB" if n >= GIB else f"{n / MIB:.2f} MiB"


def out_of_memory(torch, tried, total, allocated, unused):
    """c10/cuda/CUDACachingAllocator.cpp; the name of the variable follows the release."""
    name = "PYTORCH_ALLOC_CONF" if BUILD.number >= (2, 10) else \
        "PYTORCH_CUDA_ALLOC_CONF" if BUILD.number >= (2, 8) else "PYTORCH_HIP_ALLOC_CONF"
    free = total - allocated - unused - 310 * MIB
    return torch.OutOfMemoryError(
        f"HIP out of memory. Tried to allocate {size(tried)}. GPU 0 has a total capacity of {size(total)} of which "
        f"{size(free)} is free. Of the allocated memory {size(allocated)} is allocated by PyTorch, and {size(unused)} is "
        f"reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting {name}="
        "expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  "
        "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)")


ALLOC_FAILED = "CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `hipblasCreate(handle)`"  # CublasHandlePool.cpp
# hipBLASLt tensile_host.cpp, and CUDABlas.cpp, gemm_and_bias(), behind it; reports for gfx900 and gfx1030 have both lines
LT_NO_FILE = "rocblaslt error: Cannot read {}/torch/lib/hipblaslt/library/TensileLibrary_lazy_{}.dat: No such file or directory"
LT_NO_KERNEL = ("CUDA error: HIPBLAS_STATUS_INVALID_VALUE when calling `hipblasLtMatmulAlgoGetHeuristic( ltHandle, "
                "computeDesc.descriptor(), Adesc.descriptor(), Bdesc.descriptor(), Cdesc.descriptor(), Cdesc.descriptor(), "
                "preference.descriptor(), 1, &heuristicResult, &returnedResult)`")
# the same, where the heuristic returned nothing; pytorch#150016, Comfy-Org/ComfyUI#3698
LT_FAILED = "CUDA error: HIPBLAS_STATUS_NOT_SUPPORTED when calling `HIPBLAS_STATUS_NOT_SUPPORTED`"
# native/cuda/Blas.cpp of the nightlies from 2024-10-14 on; pytorch#138067
NIGHTLY_ERROR = "Attempting to use hipBLASLt on a unsupported architecture!"


# ---- the GPUs ----

class Gpus:
    def __init__(self, torch):
        self.torch = torch
        self.devices = visible()
        self.fractions = {}
        self.awake = False
        self.handles = set()  # one for each thread and GPU
        self.batch = 1

    def wake(self):
        """torch.cuda._lazy_init: what was put off until the first use."""
        if self.awake:
            return
        self.awake = True
        for call, _ in self.torch.cuda._queued_calls:
            if not (call.__module__ or "").startswith("torch"):
                call()

    def set_fraction(self, fraction, device=None):
        index = getattr(device, "index", device) or 0
        self.fractions[index] = fraction

    def launch(self, index):
        """Any kernel."""
        if self.devices[index][0] not in BUILD.targets:
            raise no_kernel_image(self.torch)

    def product(self, index):
        """A matrix product with bias."""
        gfx, total = self.devices[index]
        self.create_handle(index, total)
        if FAULT == "hipblaslt" and linear_by_lt(gfx):
            print(LT_NO_FILE.format("/home/ada/venv/lib/python3.13/site-packages", gfx), file=sys.stderr, flush=True)
            raise RuntimeError(LT_NO_KERNEL)
        if FAULT == "hipblaslt-no-algorithm" and linear_by_lt(gfx):
            raise RuntimeError(LT_FAILED)
        if FAULT == "nightly" and os.environ.get("DISABLE_ADDMM_CUDA_LT") != "1":
            raise RuntimeError(NIGHTLY_ERROR)
        if FAULT.startswith("fragmentation") and self.batch == 5 and not grows_segments():
            raise out_of_memory(self.torch, 2 * GIB, total, int(9.1 * GIB), int(5.9 * GIB))
        if FAULT == "killed" and self.batch == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        if FAULT == "out-of-memory" and self.batch == 3:
            raise out_of_memory(self.torch, int(2.5 * GIB), total, total - 700 * MIB, 131 * MIB)

    def create_handle(self, index, total):
        """32 MiB beside PyTorch's cache, which has taken all that it may, and what the runtime itself holds."""
        who = threading.get_ident(), index
        if who in self.handles:
            return
        cache = total * self.fractions.get(index, 1.0)
        if FAULT == "alloc-failed" and total - cache < 32 * MIB + 310 * MIB:
            raise RuntimeError(ALLOC_FAILED)
        self.handles.add(who)

    def wait(self):
        """For the result of a batch."""
        mark = os.environ.get("SHIM_MARK", "")
        if FAULT == "hang" and self.batch == 192 + 20 and mark and not os.path.exists(mark):
            open(mark, "w").close()
            threading.Event().wait()


def make_mode(torch, gpus):
    from torch.overrides import TorchFunctionMode
    from torch.utils.weak import WeakTensorKeyDictionary

    placed = WeakTensorKeyDictionary()  # tensor: number of its GPU
    processor = torch.device("cpu")
    linear, copies = torch.nn.functional.linear, {torch.Tensor.to, torch.Tensor.cuda}
    looks = {torch.Tensor.__repr__, torch.Tensor.__len__, torch.Tensor.shape.__get__, torch.Tensor.device.__get__,
             torch.Tensor.requires_grad.__get__, torch.Tensor.grad.__get__, torch.Tensor.is_leaf.__get__,
             torch.Tensor.dtype.__get__, torch.Tensor.data.__get__, torch.Tensor.detach, torch.Tensor.size,
             torch.Tensor.__hash__, torch.Tensor.dim, torch.Tensor.__getitem__, torch.Tensor.cpu, torch.Tensor.tolist}

    def index_of(word):
        if isinstance(word, str) and word.startswith("cuda"):
            word = torch._C.device(word)
        return (word.index or 0) if isinstance(word, torch._C.device) and word.type == "cuda" else None

    class OnProcessor(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            if function is torch._C.device:
                return function(*args, **kwargs)
            words = [*args, *kwargs.values()]
            index = next((i for i in map(index_of, words) if i is not None), None)
            given = next((placed[t] for t in words if isinstance(t, torch.Tensor) and t in placed), None)
            if index is not None:
                gpus.wake()
                args = tuple(processor if index_of(word) is not None else word for word in args)
                kwargs = {key: processor if index_of(word) is not None else word for key, word in kwargs.items()}
            if index is not None and function not in copies:
                gpus.launch(index)
            if given is not None and function not in copies and function not in looks:
                gpus.launch(given)
            if given is not None and function is linear:
                gpus.product(given)
            if given is not None and function is torch.Tensor.item:
                gpus.wait()
                gpus.batch += 1
            result = function(*args, **kwargs)
            return self.place(function, args, result, given if index is None else index, index is not None)

        @staticmethod
        def place(function, args, result, index, moved):
            if function is torch.Tensor.data.__set__ and args[1] in placed:
                placed[args[0]] = placed[args[1]]
            if index is None or function is torch.Tensor.cpu:
                return result
            if moved and any(result is word for word in args):
                result = result.clone()  # it did not move: the one that stays must not count as moved
            if isinstance(result, torch.Tensor):
                placed[result] = index
            return result

    return OnProcessor()


def pretend(torch):
    gpus = Gpus(torch)
    torch.__version__ = torch.version.__version__ = BUILD.version
    torch.version.hip = BUILD.hip
    torch.cuda.is_available = lambda: len(gpus.devices) > 0
    torch.cuda.device_count = lambda: len(gpus.devices)
    torch.cuda.set_per_process_memory_fraction = gpus.set_fraction
    import torch.distributed
    real_group, real_ddp = torch.distributed.init_process_group, torch.nn.parallel.DistributedDataParallel
    torch.distributed.init_process_group = lambda backend, **more: real_group("gloo", **more)
    torch.nn.parallel.DistributedDataParallel = lambda model, device_ids: real_ddp(model)
    real_load = torch.load
    torch.load = lambda *words, map_location=None, **more: real_load(*words, map_location="cpu", **more)
    make_mode(torch, gpus).__enter__()


def show_error(kind, error, trace):
    """As Python does, without the frames of this file."""
    kept = None
    for frame, line in reversed(list(traceback.walk_tb(trace))):
        if frame.f_code.co_filename != __file__:
            kept = types.TracebackType(kept, frame, frame.f_lasti, line)
    traceback.print_exception(kind, error, kept)


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            pretend(module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Finder())
sys.excepthook = show_error
