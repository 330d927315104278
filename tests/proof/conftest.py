"""A queue on which nothing is proved yet, and a folder of its own for what is found out."""

from collections.abc import Iterator
from pathlib import Path

import pyopencl as cl
import pytest

import clrng
from clrng.opencl import caches, ledger


@pytest.fixture
def fresh(device: clrng.DeviceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[cl.CommandQueue]:
    """Return a queue in a context of its own, on a device of which nothing is known yet."""
    monkeypatch.setenv(caches.OWN_VARIABLE, str(tmp_path))
    ledger.of_device.cache_clear()
    context = cl.Context([device.device])  # which Intel's queues do not hold
    yield cl.CommandQueue(context)
    ledger.of_device.cache_clear()
