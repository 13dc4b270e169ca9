"""One question to PyTorch, answered on descriptor 3: docs/design/0009-probe.md.

Run by rocsteady-probe as `python -c`, with QUESTION DEVICE RANK RANKS DIR. Works
with every Python that runs a PyTorch; nothing is imported before it is needed.
"""
import os
import sys

# The current directory comes first with -c, and is nobody's choice.
sys.path[:] = [path for path in sys.path if path]

REFUSED_WITHOUT_NUMBER = 1


def say(*words):
    line = " ".join(str(word) for word in words)
    line = "".join(c if c.isprintable() else "\\x%02x" % ord(c) for c in line)
    os.write(3, (line[:4000] + "\n").encode("utf-8", "backslashreplace"))


def end(*words):
    """Without the exit handlers of libraries, which have nothing to do with the question."""
    say(*words)
    sys.stderr.flush()
    os._exit(0)


def import_torch():
    say("call", "import")
    try:
        import torch
    except (ImportError, OSError) as error:  # OSError: a library that torch itself opens
        end("missing", error)
    say("file", torch.__file__)
    say("value", "version", torch.__version__)
    if torch.version.hip:
        say("value", "build", "hip")
        say("value", "hip", torch.version.hip)
    elif torch.version.cuda:
        say("value", "build", "cuda")
        end("missing", "CUDA build")
    else:
        say("value", "build", "cpu")
        end("missing", "CPU build")
    return torch


def compare(torch, here, there, tolerance):
    """A result of the GPU with that of the processor."""
    say("call", "compare")
    back = there.detach().float().cpu()
    here = here.detach().float()
    if not bool(torch.isfinite(back).all()):
        end("wrong", "not finite")
    distance = float((back - here).abs().max())
    most = tolerance * max(1.0, float(here.abs().max()))
    if not distance <= most:
        end("wrong", "%g away from the processor's result, %g allowed" % (distance, most))


def both(torch, device, make, tolerance=1e-3):
    """make(device) on the processor and on the GPU, from the same random numbers."""
    torch.manual_seed(7)
    here = make("cpu")
    torch.manual_seed(7)
    there = make(device)
    torch.cuda.synchronize()
    compare(torch, here, there, tolerance)


def matmul(torch, device):
    say("call", "torch.matmul")
    both(torch, device, lambda where: torch.randn(96, 128).to(where) @ torch.randn(128, 64).to(where))


def conv2d(torch, device):
    say("call", "torch.nn.functional.conv2d")
    both(torch, device, lambda where: torch.nn.functional.conv2d(
        torch.randn(2, 3, 16, 16).to(where), torch.randn(8, 3, 3, 3).to(where), padding=1))


def batchnorm(torch, device):
    say("call", "torch.nn.BatchNorm2d")
    both(torch, device, lambda where: torch.nn.BatchNorm2d(3).to(where)(torch.randn(4, 3, 16, 16).to(where)))


def autocast(torch, device):
    a, b = torch.randn(64, 64), torch.randn(64, 64)
    for kind in torch.bfloat16, torch.float16:
        say("call", "torch.autocast:" + str(kind).split(".")[-1])
        with torch.autocast("cuda", dtype=kind):
            product = a.to(device) @ b.to(device)
        torch.cuda.synchronize()
        if product.dtype != kind:
            end("wrong", "the product is %s" % product.dtype)
        compare(torch, a @ b, product, 0.02)


def gradient(torch, where, model=None):
    model = (model or torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))).to(where)
    x = torch.randn(8, 16).to(where)
    model(x).square().sum().backward()
    return model[0].weight.grad


def backward(torch, device):
    say("call", "torch.Tensor.backward")
    both(torch, device, lambda where: gradient(torch, where))


def compiled(torch, device):
    say("call", "torch.compile")
    if not hasattr(torch, "compile"):
        end("missing", "torch.compile")

    def formula(x):
        return torch.nn.functional.gelu(x * 2 + 1).sum(dim=1)

    x = torch.randn(64, 128)
    result = torch.compile(formula)(x.to(device))
    torch.cuda.synchronize()
    compare(torch, formula(x), result, 1e-3)


def dataparallel(torch, device):
    say("call", "torch.nn.DataParallel")
    model = torch.nn.Linear(16, 4)
    x = torch.randn(8 * max(1, torch.cuda.device_count()), 16)
    here = model(x)
    there = torch.nn.DataParallel(model.to("cuda:0"))(x.to("cuda:0"))
    torch.cuda.synchronize()
    say("value", "devices", torch.cuda.device_count())
    compare(torch, here, there, 1e-3)


def ddp(torch, device):
    """The mean of what each rank's data gives: the gradient of all data at once."""
    rank, ranks, directory = int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
    backend = "nccl" if torch.cuda.device_count() >= ranks else "gloo"
    say("value", "backend", backend)
    say("call", "torch.distributed.init_process_group")
    torch.cuda.set_device(device)
    torch.distributed.init_process_group(backend, init_method="file://%s/ddp" % os.path.abspath(directory),
                                         rank=rank, world_size=ranks)
    say("call", "torch.nn.parallel.DistributedDataParallel")
    torch.manual_seed(7)
    plain = torch.nn.Linear(16, 4)
    data = torch.randn(ranks, 8, 16)
    shared = torch.nn.Linear(16, 4)
    shared.load_state_dict(plain.state_dict())
    shared = torch.nn.parallel.DistributedDataParallel(shared.to(device), device_ids=[int(sys.argv[2])])
    shared(data[rank].to(device)).square().mean().backward()
    torch.cuda.synchronize()
    plain(data.reshape(ranks * 8, 16)).square().mean().backward()
    compare(torch, plain.weight.grad, shared.module.weight.grad, 1e-3)


QUESTIONS = {
    "torch.import": None,
    "torch.matmul": matmul,
    "torch.conv2d": conv2d,
    "torch.batchnorm": batchnorm,
    "torch.autocast": autocast,
    "torch.backward": backward,
    "torch.compile": compiled,
    "torch.dataparallel": dataparallel,
    "torch.ddp": ddp,
}


def main():
    question = QUESTIONS[sys.argv[1]]
    torch = import_torch()
    if question:
        question(torch, torch.device("cuda", int(sys.argv[2])))
    end("answered")


try:
    main()
except Exception as error:
    import traceback
    traceback.print_exc()
    if "out of memory" in str(error):
        end("refused", 2)
    end("refused", getattr(error, "error_code", REFUSED_WITHOUT_NUMBER))
