"""The calls of CUDA's driver that are needed to share memory with OpenCL, by ctypes.

CUDA exports physical memory as a file descriptor, and OpenCL imports it (``cl_khr_external_memory_opaque_fd``). Both
then have it at addresses of their own. Everything is in the device's primary context, which CuPy, PyTorch and JAX use.
"""

import ctypes as c
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any, cast

import pyopencl
import pyopencl as cl

from clrng.errors import UnsupportedError
from clrng.opencl import ledger

LIBRARY = "libcuda.so.1"

EXTENSION = "cl_khr_external_memory_opaque_fd"

POSIX_FD = 1
"""The kind of handle that is a file descriptor: of CUDA's memory, and of what it is asked to export."""

FD_OF_OPENCL = 0x2060
"""The property of a buffer of OpenCL that is made of a file descriptor (CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR)."""

OUT_OF_MEMORY = (2, -4, -5, -6)
"""Errors that say so: of CUDA's driver, and of OpenCL's, which needs room for what it imports."""

LEGACY = 1
"""CUDA's legacy default stream, as its driver and DLPack number it."""

GEQ = 0
"""That a stream waits until a word is at least a value, modulo 2^32."""

GRANULE = 2**21
"""Memory is made in multiples of so many bytes."""

SURE = 2**28
"""Bytes that OpenCL's driver imports at once on every host that was tried. On some, a larger import ends the process:
so another process tries it first."""

TRIAL = f"""
import sys
import pyopencl as cl
from clrng.cuda.driver import CudaDevice, SharedMemory, UnsupportedError
from clrng.opencl import devices
for info in devices.list_devices("gpu"):
    try:
        device = CudaDevice(info.device)
    except UnsupportedError:
        continue
    if device.number == int(sys.argv[1]):
        SharedMemory(cl.Context([info.device]), device, {4 * SURE})
"""
"""What that process does; its argument is CUDA's number of the device."""

TRIAL_SECONDS = 60
"""The maximum seconds that it may take."""


class _Location(c.Structure):
    _fields_ = (("type", c.c_int), ("id", c.c_int))


class _Properties(c.Structure):
    _fields_ = (
        ("type", c.c_int), ("handles", c.c_int), ("location", _Location), ("windows", c.c_void_p),
        ("flags", c.c_ubyte * 8),
    )  # fmt: skip


class _Access(c.Structure):
    _fields_ = (("location", _Location), ("flags", c.c_int))


_WORD, _SIZE, _HANDLE = c.c_uint64, c.c_size_t, c.c_void_p

HostFunction = c.CFUNCTYPE(None, c.c_void_p)

SIGNATURES: dict[str, tuple[Any, ...]] = {
    "cuInit": (c.c_uint,),
    "cuDeviceGetByPCIBusId": (c.POINTER(c.c_int), c.c_char_p),
    "cuDevicePrimaryCtxRetain": (c.POINTER(_HANDLE), c.c_int),
    "cuCtxPushCurrent_v2": (_HANDLE,),
    "cuPointerGetAttribute": (c.c_void_p, c.c_int, _WORD),
    "cuCtxPopCurrent_v2": (c.POINTER(_HANDLE),),
    "cuCtxSynchronize": (),
    "cuMemGetInfo_v2": (c.POINTER(_SIZE), c.POINTER(_SIZE)),
    "cuMemCreate": (c.POINTER(_WORD), _SIZE, c.POINTER(_Properties), _WORD),
    "cuMemRelease": (_WORD,),
    "cuMemAddressReserve": (c.POINTER(_WORD), _SIZE, _SIZE, _WORD, _WORD),
    "cuMemAddressFree": (_WORD, _SIZE),
    "cuMemMap": (_WORD, _SIZE, _SIZE, _WORD, _WORD),
    "cuMemUnmap": (_WORD, _SIZE),
    "cuMemSetAccess": (_WORD, _SIZE, c.POINTER(_Access), _SIZE),
    "cuMemExportToShareableHandle": (c.POINTER(c.c_int), _WORD, c.c_int, _WORD),
    "cuMemcpyDtoDAsync_v2": (_WORD, _WORD, _SIZE, _HANDLE),
    "cuStreamQuery": (_HANDLE,),
    "cuStreamWaitValue32_v2": (_HANDLE, _WORD, c.c_uint32, c.c_uint),
    "cuLaunchHostFunc": (_HANDLE, HostFunction, c.c_void_p),
}
"""The functions that are called, and the types of their arguments."""


class CudaError(RuntimeError):
    """A call of CUDA's driver failed: `code` is what it returned (cuda.h, CUresult)."""

    def __init__(self, function: str, code: int) -> None:
        super().__init__(f"{function} of CUDA's driver failed with error {code}")
        self.code = code


@cache
def library() -> Any:
    """Return CUDA's driver, which is ready.

    Raises
    ------
    UnsupportedError
        If there is none, it is too old, or it finds no device.
    """
    try:
        found = c.CDLL(LIBRARY)
        for name, types in SIGNATURES.items():
            getattr(found, name).argtypes = types
    except (OSError, AttributeError) as error:
        raise UnsupportedError(f"memory that CUDA shares needs CUDA's driver, {LIBRARY}: {error}") from error
    if code := found.cuInit(0):
        raise UnsupportedError(f"memory that CUDA shares needs a device of CUDA, but cuInit returned error {code}")
    return found


def call(function: str, *arguments: Any) -> None:
    """Call a function of the driver; raise CudaError if it fails."""
    if code := getattr(library(), function)(*arguments):
        raise CudaError(function, code)


class CudaDevice:
    """CUDA's view of an OpenCL device: its number there, and its primary context.

    Raises
    ------
    UnsupportedError
        If the device is not one that CUDA has, or its OpenCL driver cannot import memory.
    """

    def __init__(self, device: cl.Device) -> None:
        if EXTENSION not in device.extensions.split():
            raise UnsupportedError(
                f"memory that CUDA shares needs an NVIDIA GPU whose OpenCL driver has {EXTENSION}, which {device.name} "
                f"of {device.platform.name} does not have"
            )
        number, context = c.c_int(), c.c_void_p()
        try:
            place = f"{device.pci_domain_id_nv:x}:{device.pci_bus_id_nv:x}:{device.pci_slot_id_nv:x}.0"
            call("cuDeviceGetByPCIBusId", c.byref(number), place.encode())
            call("cuDevicePrimaryCtxRetain", c.byref(context), number)
        except (cl.Error, AttributeError, CudaError) as error:
            raise UnsupportedError(
                f"memory that CUDA shares needs a device that CUDA may use, too, but of {device.name}: {error}; CUDA "
                f"does not have what CUDA_VISIBLE_DEVICES hides, or another process uses in exclusive mode"
            ) from error
        self.number, self._device = number.value, device
        self.context: Any = context.value

    @contextmanager
    def current(self) -> Iterator[None]:
        """Have the calls in between be of the primary context."""
        call("cuCtxPushCurrent_v2", self.context)
        try:
            yield
        finally:
            call("cuCtxPopCurrent_v2", c.byref(c.c_void_p()))

    def synchronize(self) -> None:
        """Wait for all work of CUDA on this device."""
        with self.current():
            call("cuCtxSynchronize")

    def free(self) -> int:
        """Return the bytes of the device that nobody has."""
        free, total = c.c_size_t(), c.c_size_t()
        with self.current():
            call("cuMemGetInfo_v2", c.byref(free), c.byref(total))
        return free.value

    @cached_property
    def imports_much(self) -> bool:
        """Whether OpenCL's driver imports more than `SURE` bytes at once; where it does, that is remembered."""
        known = ledger.of_device(self._device)
        key = known.key(TRIAL, "import", [str(len(self._device.platform.get_devices()))])
        if key not in known:
            command = [sys.executable, "-c", TRIAL, str(self.number)]
            try:
                ran = subprocess.run(command, capture_output=True, check=False, timeout=TRIAL_SECONDS)  # noqa: S603  # itself
            except subprocess.TimeoutExpired:
                return False
            if ran.returncode:
                return False
            known.add([key])
        return True


class SharedMemory:
    """Memory of a device that is a buffer of OpenCL, and has an address of CUDA.

    Attributes
    ----------
    buffer : pyopencl.Buffer
    address : int
        Where CUDA has it.
    size : int
        In bytes, a multiple of `GRANULE`.

    Raises
    ------
    CudaError
        If CUDA has not so much memory, or does not share it; nothing is held then.
    """

    def __init__(self, context: cl.Context, device: CudaDevice, size: int) -> None:
        self._device, self.size = device, -(-size // GRANULE) * GRANULE
        here = _Location(1, device.number)
        handle, address, fd = c.c_uint64(), c.c_uint64(), c.c_int()
        with device.current():
            call("cuMemCreate", c.byref(handle), self.size, c.byref(_Properties(1, POSIX_FD, here)), 0)
            try:
                call("cuMemAddressReserve", c.byref(address), self.size, 0, 0, 0)
                self.address = address.value
                call("cuMemMap", self.address, self.size, 0, handle, 0)
                call("cuMemSetAccess", self.address, self.size, c.byref(_Access(here, 3)), 1)
                call("cuMemExportToShareableHandle", c.byref(fd), handle, POSIX_FD, 0)
                self.buffer = _imported(context, fd.value, self.size)
            except BaseException:
                self._unmap()
                raise
            finally:
                call("cuMemRelease", handle)  # the mapping holds it

    def _unmap(self) -> None:
        """Give the memory and its address back, as far as there are any."""
        if address := getattr(self, "address", 0):
            library().cuMemUnmap(address, self.size)  # which fails where nothing is mapped
            library().cuMemAddressFree(address, self.size)

    def release(self) -> None:
        """Give the memory back, which neither OpenCL nor CUDA uses any more."""
        self.buffer.release()
        with self._device.current():
            self._unmap()


def _imported(context: cl.Context, fd: int, size: int) -> cl.Buffer:
    """Return a buffer of the memory behind a file descriptor, which it takes over."""
    create = c.CDLL(pyopencl._cl.__file__).clCreateBufferWithProperties  # noqa: SLF001  # of the loader that PyOpenCL has
    create.restype = c.c_void_p
    create.argtypes = [c.c_void_p, c.POINTER(c.c_uint64), c.c_uint64, c.c_size_t, c.c_void_p, c.POINTER(c.c_int)]
    code = c.c_int()
    properties = (c.c_uint64 * 3)(FD_OF_OPENCL, fd, 0)
    made = create(context.int_ptr, properties, cl.mem_flags.READ_WRITE, size, None, c.byref(code))
    if code.value:
        os.close(fd)
        raise CudaError("clCreateBufferWithProperties", code.value)
    return cast("cl.Buffer", cl.Buffer.from_int_ptr(made, retain=False))
