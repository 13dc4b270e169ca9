"""IPython and notebooks: %load_ext rocsteady, %rocsteady, %%rocsteady."""
from __future__ import annotations

import shlex
import sys
from typing import Any, Callable

_watching: Callable[[Any], None] | None = None


def shell() -> Any:
    """Return the running IPython, or None. It is not imported: who runs it has done so."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def watch(tell: Callable[[BaseException], None]) -> None:
    """Call `tell` with the error of each cell that fails, after IPython has shown its traceback."""
    global _watching
    ipython = shell()
    if ipython is None or _watching is not None:
        return

    def after_cell(result: Any) -> None:
        if result.error_in_exec is not None:
            tell(result.error_in_exec)

    ipython.events.register("post_run_cell", after_cell)
    _watching = after_cell


def unwatch() -> None:
    """Take back what `watch` did."""
    global _watching
    ipython = shell()
    if ipython is not None and _watching is not None:
        ipython.events.unregister("post_run_cell", _watching)
        _watching = None


def split(line: str) -> list[str]:
    """Return the words of a line as a shell would; a quote that is not closed is an error of ours."""
    from ._program import RocsteadyError
    try:
        return shlex.split(line)
    except ValueError as error:
        raise RocsteadyError(f"%rocsteady: {str(error).lower()}: {line.strip()}") from None


def magic(line: str, cell: str | None = None) -> Any:
    """Ask rocsteady.

    %rocsteady             check this machine
    %rocsteady ARGUMENTS   run the program and print what it says
    %%rocsteady            explain the text of the cell
    %%rocsteady ARGUMENTS  run the program with the cell as standard input
    """
    from ._ask import check, explain
    from ._program import RocsteadyError, run
    try:
        if line.strip():
            print(run(split(line), cell), end="")
            return None
        return check() if cell is None else explain(cell + "\n")
    except RocsteadyError as error:
        print(error, file=sys.stderr)
        return None


def load_ipython_extension(ipython: Any) -> None:
    """Register the magics, and explain GPU errors of cells below their traceback."""
    from ._hook import install
    ipython.register_magic_function(magic, "line_cell", "rocsteady")
    install()


def unload_ipython_extension(ipython: Any) -> None:
    """Take the magics and the explanations back."""
    from ._hook import uninstall
    uninstall()
    for kind in ("line", "cell"):
        ipython.magics_manager.magics[kind].pop("rocsteady", None)
