"""Workers that draw on a device of the test's choice."""

import pytest

from clrng.dask import devices
from clrng.opencl.devices import DEVICE_VARIABLE, DeviceInfo


@pytest.fixture
def drawing_on(device: DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> DeviceInfo:
    """Let the threads of this process draw on each device in turn, and return it."""
    monkeypatch.setattr(devices, "_kept", devices._Kept())
    monkeypatch.setenv(DEVICE_VARIABLE, str(device.index))
    return device
