# Written by rocsteady run --heal. When torch is loaded, its cache of GPU memory is
# limited to ROCSTEADY_MEMORY_FRACTION of each GPU, so that libraries beside it (the
# handles of BLAS, MIOpen, RCCL) find room. Take this directory out of PYTHONPATH to be rid of it.
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def load_next():
    """Another sitecustomize further down the path, which ours hides."""
    import importlib.machinery
    import importlib.util

    path = [p for p in sys.path if os.path.abspath(p or ".") != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def limit(torch):
    fraction = float(os.environ["ROCSTEADY_MEMORY_FRACTION"])

    def apply():
        for device in range(torch.cuda.device_count()):
            torch.cuda.set_per_process_memory_fraction(fraction, device)

    if 0 < fraction <= 1:
        torch.cuda._lazy_call(apply)  # when the GPUs are first used: asking for them now could harm a fork


class Finder:
    """Waits for torch, and is gone before it is loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        import importlib.util

        spec = importlib.util.find_spec("torch")
        if spec is None or spec.loader is None:
            return None
        inner = spec.loader.exec_module

        def exec_module(module):
            inner(module)
            try:
                limit(module)
            except Exception as error:
                print("rocsteady: the memory fraction was not set: %s" % error, file=sys.stderr)

        spec.loader.exec_module = exec_module
        return spec


if os.environ.get("ROCSTEADY_MEMORY_FRACTION"):
    sys.meta_path.insert(0, Finder())
load_next()
