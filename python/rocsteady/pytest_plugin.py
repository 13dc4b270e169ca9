"""The pytest plugin: off unless --rocsteady is given.

A test with the marker or the fixture `gpu_ready` runs only on a machine whose GPU
is ready; elsewhere it is skipped with the cause, or fails with --rocsteady-strict.
A test that dies of a GPU error has the explanation in its report.
"""
from __future__ import annotations

import functools
from collections.abc import Generator
from typing import Any

import pytest

_RUNS = ("ready", "degraded")
_SECONDS = 10.0  # nobody waits at a crash here: CI is busy, and a report can wait longer than a traceback


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rocsteady", "AMD GPUs (rocsteady)")
    group.addoption("--rocsteady", action="store_true",
                    help="skip tests marked gpu_ready where no GPU is ready, and explain GPU errors")
    group.addoption("--rocsteady-strict", action="store_true",
                    help="the same, but let those tests fail where no GPU is ready")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu_ready: run only where a GPU is ready (with --rocsteady)")


def _is_on(config: pytest.Config) -> bool:
    return bool(config.getoption("--rocsteady") or config.getoption("--rocsteady-strict"))


@functools.lru_cache(maxsize=None)
def _why_not() -> str:
    """Return why no GPU is ready, or an empty text. The machine is asked once."""
    import rocsteady
    try:
        found = rocsteady.check()
    except rocsteady.RocsteadyError as error:
        return f"unknown: {error}"
    return "" if found.verdict in _RUNS else found.reason


def _demand_gpu(config: pytest.Config) -> None:
    reason = _why_not() if _is_on(config) else ""
    if reason and config.getoption("--rocsteady-strict"):
        pytest.fail(f"the GPU is {reason}", pytrace=False)
    if reason:
        pytest.skip(f"the GPU is {reason}")


@pytest.fixture
def gpu_ready(request: pytest.FixtureRequest) -> None:
    """Skip the test, or let it fail, where no GPU is ready."""
    _demand_gpu(request.config)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("gpu_ready") is not None:
        _demand_gpu(item.config)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    if not report.failed or call.excinfo is None or not _is_on(item.config):
        return
    from ._ask import text_of
    from ._hook import explanation_lines
    said = explanation_lines(report.capstderr + "\n" + text_of(call.excinfo.value), _SECONDS)
    if said:
        report.sections.append(("rocsteady", "\n".join(said)))
