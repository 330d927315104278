"""Listing and choosing devices."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.opencl import devices, program
from tests.conftest import DEVICES
from tests.support.processes import python


def test_there_is_one_and_its_index_finds_it() -> None:
    for info in DEVICES:
        assert clrng.choose_device(info.index) == info
        assert clrng.choose_device(str(info.index)) == info


def test_a_description_is_the_devices_own_words(device: clrng.DeviceInfo) -> None:
    assert device.name in device.device.name
    assert device.fp64 == (device.device.double_fp_config != 0)
    assert device.fma == bool(device.device.single_fp_config & cl.device_fp_config.FMA)
    assert device.largest_allocation == device.device.max_mem_alloc_size


class AsGpu:
    """A real device that says that it is a GPU."""

    type = cl.device_type.GPU

    def __init__(self, device: cl.Device) -> None:
        self.device = device

    def __getattr__(self, name: str) -> object:
        return getattr(self.device, name)


def test_gpus_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    cpus = [info.device for info in DEVICES if info.kind == "cpu"]
    if not cpus:
        pytest.skip("no CPU among the devices")
    mixed = SimpleNamespace(name="a", vendor="", version="", get_devices=lambda: [cpus[0], AsGpu(cpus[0])])
    monkeypatch.setattr(cl, "get_platforms", lambda: [mixed])
    monkeypatch.setattr(program, "fault", lambda _: None)
    assert [(info.index, info.kind) for info in clrng.list_devices()] == [(0, "gpu"), (1, "cpu")]
    assert clrng.choose_device().kind == "gpu"
    assert clrng.choose_device("cpu").index == 1
    assert [info.index for info in clrng.list_devices(kind="cpu")] == [1]


def test_filters(device: clrng.DeviceInfo) -> None:
    assert device in clrng.list_devices(kind=device.kind)
    assert device in clrng.list_devices(name=device.platform.upper())
    assert all(
        info.kind != device.kind for kind in devices.KINDS if kind != device.kind for info in clrng.list_devices(kind)
    )
    assert clrng.list_devices(name="no such device") == []


def test_choosing_by_kind_and_name(device: clrng.DeviceInfo) -> None:
    assert clrng.choose_device(device.kind).kind == device.kind
    assert device.platform in clrng.choose_device(device.platform).platform


def test_the_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(devices.DEVICE_VARIABLE, DEVICES[-1].platform)
    assert clrng.choose_device().platform == DEVICES[-1].platform
    monkeypatch.setenv(devices.DEVICE_VARIABLE, "")
    assert clrng.choose_device() == DEVICES[0]
    assert clrng.choose_device(np.int64(0)) == DEVICES[0]
    monkeypatch.setenv(devices.DEVICE_VARIABLE, "quantum")
    with pytest.raises(clrng.NoDeviceError, match="CLRNG_DEVICE = 'quantum'; the devices are 0: "):
        clrng.Generator(clrng.ParkMiller(seed=1))


@pytest.mark.parametrize("which", [99, "99", -1, "-1", "--5", "²", "no such device"])
def test_no_match_lists_what_there_is(which: int | str) -> None:
    with pytest.raises(clrng.NoDeviceError, match=f"no device matches device = {which!r}; the devices are 0: "):
        clrng.choose_device(which)


@pytest.mark.parametrize("which", [1.5, True, b"gpu", ["gpu"]])
def test_choosing_by_something_else(which: object) -> None:
    with pytest.raises(TypeError, match="device must be an index, a kind or part of a name"):
        clrng.choose_device(which)  # type: ignore[arg-type]


def test_bad_filters() -> None:
    with pytest.raises(ValueError, match="kind must be one of 'gpu', 'accelerator', 'cpu', not 'fpga'"):
        clrng.list_devices(kind="fpga")
    with pytest.raises(TypeError, match="name must be a string, not 3"):
        clrng.list_devices(name=3)  # type: ignore[arg-type]


def test_a_platform_listed_twice_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    platforms = cl.get_platforms()
    monkeypatch.setattr(cl, "get_platforms", lambda: platforms + platforms)
    assert clrng.list_devices() == DEVICES


def test_empty_and_broken_platforms_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> list[cl.Device]:
        raise cl.LogicError

    empty = SimpleNamespace(name="empty", vendor="", version="", get_devices=list)
    failing = SimpleNamespace(name="broken", vendor="", version="", get_devices=broken)
    platforms = cl.get_platforms()
    monkeypatch.setattr(cl, "get_platforms", lambda: [empty, failing, *platforms])
    assert clrng.list_devices() == DEVICES


def test_without_any_device_one_error_says_what_to_install(tmp_path: Path) -> None:
    code = "import clrng; print(clrng.list_devices()); clrng.Generator(clrng.ParkMiller(seed=1))"
    driver = tmp_path / "none.icd"
    driver.write_text("/nonexistent/libdriver.so\n")
    ran = python("-c", code, OCL_ICD_VENDORS=str(driver))
    assert ran.stdout == "[]\n"
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("clrng.errors.NoDeviceError: no OpenCL device found. Install")
    assert "pip install pocl-binary-distribution" in ran.stderr


def test_queues_on_one_device_share_a_context(device: clrng.DeviceInfo) -> None:
    first, second = clrng.make_queue(device.index), clrng.make_queue(device.index)
    assert first.context == second.context
    assert first.device == device.device
