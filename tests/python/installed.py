"""Asked of an installed package, with Python's standard input: every function answers, calmly and truly.

Its argument is a machine whose user may not use the GPU; this machine may have none.
"""
import pathlib
import sys

import rocsteady
from rocsteady._program import find

ERROR = "HIP error: no kernel image is available for execution on the device"

assert sys.version_info >= (3, 9)
assert find().startswith(sys.prefix), f"{find()} is not the program that was installed with the package"
assert (pathlib.Path(rocsteady.__file__).parent / "py.typed").exists()
assert rocsteady.check(sys.argv[1]).findings[0].cause == "device-permission"
assert rocsteady.check().verdict in ("ready", "degraded", "not_ready", "undecided")
assert rocsteady.explain(ERROR, text_only=True).causes[0].cause == "framework-lacks-arch"
assert rocsteady.explain(RuntimeError(ERROR)).known
assert rocsteady.advise("gfx1100").line
assert rocsteady.targets([sys.executable]).files == []
assert rocsteady.snapshot(brief=True).text.startswith("rocsteady-snapshot 1\n")
assert "<div>" in rocsteady.check()._repr_html_()
rocsteady.install()
assert sys.excepthook is not sys.__excepthook__
rocsteady.uninstall()
assert sys.excepthook is sys.__excepthook__
print(f"Python {sys.version.split()[0]}: all answers are right")
