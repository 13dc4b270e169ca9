"""What is asked of rocsteady.wasm: texts, logs, recorded machines, GPUs. Files by absolute paths, as WASI wants them."""
import json
import pathlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def texts(work):
    """Words of `explain` for each kept text: those of tests/explain, tests/answers and healthy logs."""
    for log in sorted(SOURCE.glob("tests/explain/*.log")):
        args = log.with_suffix(".args")
        words = args.read_text().split() if args.exists() else ["--no-machine"]
        words = [f"{SOURCE}/{word}" if word.startswith("tests/") else word for word in words]
        yield ["explain", *words, "--json", "--verbose", str(log)]
    for line in (SOURCE / "tests/answers/texts.jsonl").read_text().splitlines():
        case = json.loads(line)
        path = pathlib.Path(work) / f"{case['name']}.txt"
        path.write_text(case["text"])
        yield ["explain", "--no-machine", "--json", "--verbose", str(path)]
    for log in sorted(SOURCE.glob("tests/logs/healthy/*")):
        yield ["explain", "--no-machine", "--json", "--verbose", str(log)]


def machines():
    for snap in sorted(SOURCE.glob("tests/machines/*.snap")):
        yield ["check", "--json", "--verbose", "--from", str(snap)]


def others():
    for gpu in ("gfx1100", "7900 xtx", "Strix Halo", "MI300X", "gfx900"):
        for system in ("linux", "windows", "wsl"):
            yield ["advise", "--json", "--gpu", gpu, "--os", system, "--python", "3.12"]
    yield ["kb", "list"]
    yield ["kb", "show", "vram-exhausted"]
    snap = f"{SOURCE}/tests/machines/rx7900xt-x2-ubuntu2204-rocm62-docker-full.snap"
    for form in ("text", "markdown", "html"):
        yield ["check", "--format", form, "--no-scrub", "--from", snap]


def cases(work, most=None):
    """All of them, or so many, evenly over each kind."""
    kinds = [list(texts(work)), list(machines()), list(others())]
    total = sum(map(len, kinds))
    if most is None or most >= total:
        return [words for kind in kinds for words in kind]
    step = total / most
    return [kind[int(i * step)] for kind in kinds for i in range(int(len(kind) / step + 0.999))
            if int(i * step) < len(kind)]
