"""A real PyTorch without a GPU that takes the processor for one, so that src/prober/torch.py meets the real interface.

FAKE_GPUS: how many it pretends to have. FAKE_WRONG=1: what comes back from the "GPU" is wrong.
"""
import importlib.abc
import importlib.util
import os
import sys


def on_processor(words):
    return tuple("cpu" if isinstance(w, str) and w.startswith("cuda") else w for w in words)


def pretend(torch):
    real_device, real_to, real_cpu, real_autocast = torch.device, torch.Tensor.to, torch.Tensor.cpu, torch.autocast
    real_module_to, real_group = torch.nn.Module.to, torch.distributed.init_process_group
    real_ddp, real_compile = torch.nn.parallel.DistributedDataParallel, torch.compile
    count = int(os.environ.get("FAKE_GPUS", "1"))

    class DeviceType(type):
        def __call__(cls, *words):
            return real_device("cpu") if words[0] == "cuda" and len(words) == 2 else real_device(*words)

        def __instancecheck__(cls, instance):
            return isinstance(instance, real_device)

    class Device(metaclass=DeviceType):
        pass

    def cpu(tensor):
        back = real_cpu(tensor)
        if os.environ.get("FAKE_WRONG"):
            back = back.clone()
            back.view(-1)[0] += 1
        return back

    torch.version.hip = "6.4.4-pretended"
    torch.device = Device
    torch.Tensor.to = lambda self, *words, **more: real_to(self, *on_processor(words), **more)
    torch.Tensor.cpu = cpu
    torch.nn.Module.to = lambda self, *words, **more: real_module_to(self, *on_processor(words), **more)
    torch.autocast = lambda kind, **more: real_autocast("cpu", **more)
    torch.cuda.synchronize = lambda *words: None
    torch.cuda.set_device = lambda *words: None
    torch.cuda.device_count = lambda: count
    torch.distributed.init_process_group = lambda backend, **more: real_group("gloo", **more)
    torch.nn.parallel.DistributedDataParallel = lambda model, device_ids: real_ddp(model)
    torch.compile = lambda function: real_compile(function, backend="eager")


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            import torch.distributed
            pretend(module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Finder())
