"""The calls of CUDA's driver, seen by a library that pretends to be it and fails where it is told to."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

import clrng
from clrng.cuda import driver

Device = Any
GPU: Device = SimpleNamespace(
    extensions=f"cl_khr_fp64 {driver.EXTENSION}", name="a GPU", platform=SimpleNamespace(name="NVIDIA CUDA"),
    pci_domain_id_nv=0, pci_bus_id_nv=0x1A, pci_slot_id_nv=0,
)  # fmt: skip


class Library:
    """Functions that note their calls and return 0, but for those in `codes`."""

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}
        self.called: list[str] = []
        self.places: list[bytes] = []

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name not in driver.SIGNATURES:
            raise AttributeError(name)

        def function(*arguments: Any) -> int:
            self.called.append(name)
            if name == "cuDeviceGetByPCIBusId":
                self.places.append(arguments[1])
            if name in ("cuMemAddressReserve", "cuMemCreate", "cuMemGetInfo_v2"):
                arguments[0]._obj.value = 2**40
            return self.codes.get(name, 0)

        function.argtypes = []  # type: ignore[attr-defined]
        self.__dict__[name] = function
        return function


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    made = Library()
    monkeypatch.setattr(driver.c, "CDLL", lambda _: made)
    driver.library.cache_clear()
    yield made
    driver.library.cache_clear()


def test_the_device_at_the_same_place_is_taken(library: Library) -> None:
    driver.CudaDevice(GPU)
    assert library.places == [b"0:1a:0.0"]


@pytest.mark.parametrize(
    ("function", "code"),
    [("cuDeviceGetByPCIBusId", 101), ("cuDevicePrimaryCtxRetain", 46), ("cuDevicePrimaryCtxRetain", 2)],
)
def test_devices_that_cuda_has_not(library: Library, function: str, code: int) -> None:
    library.codes[function] = code
    message = (
        f"of a GPU: {function} of CUDA's driver failed with error {code}; CUDA does not have what CUDA_VISIBLE_DEVICES"
    )
    with pytest.raises(clrng.UnsupportedError, match=message):
        driver.CudaDevice(GPU)


def test_drivers_that_cannot(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    older = SimpleNamespace(**{**vars(GPU), "extensions": "cl_khr_fp64"})
    with pytest.raises(
        clrng.UnsupportedError, match=f"OpenCL driver has {driver.EXTENSION}, which a GPU of NVIDIA CUDA does"
    ):
        driver.CudaDevice(older)
    library.codes["cuInit"] = 100
    with pytest.raises(clrng.UnsupportedError, match="needs a device of CUDA, but cuInit returned error 100"):
        driver.CudaDevice(GPU)
    library.codes.clear()
    monkeypatch.setitem(driver.SIGNATURES, "cuOfTomorrow", ())
    monkeypatch.setattr(Library, "__getattr__", lambda *_: (_ for _ in ()).throw(AttributeError("cuOfTomorrow")))
    with pytest.raises(clrng.UnsupportedError, match=r"needs CUDA's driver, libcuda\.so\.1: "):
        driver.library()


@pytest.mark.parametrize(
    "function",
    ["cuMemCreate", "cuMemAddressReserve", "cuMemMap", "cuMemSetAccess", "cuMemExportToShareableHandle", "import"],
)
def test_memory_that_cannot_be_shared_is_given_back(
    library: Library, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    def imported(*_: object) -> None:
        raise driver.CudaError("clCreateBufferWithProperties", -4)

    monkeypatch.setattr(driver, "_imported", imported)
    device = driver.CudaDevice(GPU)
    library.codes[function] = 2
    with pytest.raises(driver.CudaError, match="failed with error"):
        driver.SharedMemory(None, device, 10)  # type: ignore[arg-type]
    counts = {name: library.called.count(name) for name in driver.SIGNATURES}
    assert counts["cuCtxPushCurrent_v2"] == counts["cuCtxPopCurrent_v2"]
    assert counts["cuMemRelease"] == (function != "cuMemCreate")
    assert counts["cuMemAddressFree"] == (function not in ("cuMemCreate", "cuMemAddressReserve"))
    assert counts["cuMemUnmap"] == counts["cuMemAddressFree"]


@pytest.mark.parametrize(
    ("trial", "well"), [("pass", True), ("import os; os.abort()", False), ("raise SystemExit(1)", False)]
)
def test_large_imports_are_tried_in_another_process(
    device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch, trial: str, well: bool
) -> None:
    tried = driver.CudaDevice.__new__(driver.CudaDevice)
    tried.number, tried._device = 0, device.device
    monkeypatch.setattr(driver, "TRIAL", f"{trial}  # {uuid4()}")
    assert tried.imports_much is well
    ran: list[object] = []
    monkeypatch.setattr(driver.subprocess, "run", lambda *_, **__: ran.append(1) or SimpleNamespace(returncode=1))
    del tried.imports_much
    assert tried.imports_much is well
    assert len(ran) == (not well)  # what went well is remembered
