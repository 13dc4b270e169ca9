"""Tests that want a GPU: pytest --rocsteady examples/pytest

With --rocsteady they are skipped where no GPU is ready, with the cause; with
--rocsteady-strict they fail there.
"""
import pytest


@pytest.mark.gpu_ready
def test_matrix_product():
    torch = pytest.importorskip("torch")
    ones = torch.ones(8, 8, device="cuda")
    assert (ones @ ones).sum().item() == 512


def test_memory(gpu_ready):
    torch = pytest.importorskip("torch")
    free, total = torch.cuda.mem_get_info()
    assert 0 < free <= total
