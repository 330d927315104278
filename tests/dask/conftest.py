"""What tests of `clrng.dask` have in common."""

import pytest

from clrng.dask import worker
from clrng.opencl.devices import DEVICE_VARIABLE, DeviceInfo


@pytest.fixture
def drawing_on(device: DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> DeviceInfo:
    """Let the threads of this process draw on each device in turn, and return it."""
    monkeypatch.setattr(worker, "_cache", worker._Cache())
    monkeypatch.setenv(DEVICE_VARIABLE, str(device.index))
    return device
