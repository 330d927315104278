"""Arrays of other libraries, as clrng's calls fill and read them.

An array of CUDA whose memory is a pool's is filled where it is. Any other one is filled by way of memory of the pool,
by one copy on the device, and all are read so: the copies are in the order of the library's stream. The host does not
wait where the library is known to have a current stream. An array of the host is one of NumPy in the same memory.
"""

import ctypes as c
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng.cuda.driver import LEGACY, CudaDevice, CudaError, call
from clrng.cuda.exchange import Described, described_by_dlpack, described_by_interface
from clrng.cuda.pool import Pool, pool_of
from clrng.errors import UnsupportedError
from clrng.opencl import devices
from clrng.opencl.arrays import contiguous
from clrng.opencl.kernel import check_process
from clrng.opencl.results import Array
from clrng.validation import BFLOAT16, dtype_named

HOST = (1, 3)
"""DLPack's numbers of memory of the host: its own, and that which CUDA has pinned."""

CUDA = (2, 13)
"""Those of memory of CUDA: of a device, and managed."""

CONTEXT, ORDINAL = 1, 9
"""What CUDA's driver calls the context and the device of an address."""


def described(name: str, value: Any) -> npt.NDArray[Any] | Described:
    """Return an array of NumPy in the memory of `value`, or a description of one of CUDA; errors call it `name`.

    Raises
    ------
    TypeError
        If it is not an array of the host or of CUDA, does not give its memory away, or has a dtype that NumPy has not.
    """
    try:
        return _described(value)
    except Exception as error:  # whatever a library raises
        legal = "an array of the host or of CUDA that gives its memory away"
        raise TypeError(f"{name} must be {legal}, not this {type(value).__name__}: {error}") from error


def _described(value: Any) -> npt.NDArray[Any] | Described:
    kind, _ = value.__dlpack_device__() if hasattr(value, "__dlpack_device__") else (CUDA[0], 0)
    if kind in HOST:
        return _of_host(value)
    if kind not in CUDA:
        raise TypeError(f"it is in memory of a device that DLPack calls {kind}")
    try:
        return described_by_interface(value.__cuda_array_interface__)
    except (AttributeError, TypeError):  # there is none, or none of this dtype
        if not hasattr(value, "__dlpack__"):
            raise
        return described_by_dlpack(value.__dlpack__(stream=-1))


def _of_host(value: Any) -> npt.NDArray[Any]:
    """Return an array of NumPy in the memory of one of the host, which may be written to if that one may."""
    if str(getattr(value, "dtype", None)) == "torch.bfloat16":  # which NumPy's from_dlpack does not know
        return _of_host(value.view(sys.modules["torch"].uint16)).view(dtype_named(BFLOAT16))
    found: npt.NDArray[Any] = np.from_dlpack(value)
    if not found.flags.writeable:  # as NumPy before 2.1 has them all
        other = np.asarray(value)
        if other.ctypes.data == found.ctypes.data and other.strides == found.strides:
            return other
    return found


def dtype_of_foreign(value: Any) -> np.dtype[Any]:
    """Return the dtype of an array for which `is_foreign` is true."""
    found = getattr(value, "dtype", None)
    if isinstance(found, np.dtype):
        return found
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(found, torch.dtype):
        with suppress(TypeError):  # which NumPy has not
            return dtype_named(str(found).removeprefix("torch."))
    return described("out", value).dtype


def _stream_of(value: Any, found: Described) -> int | None:
    """Return the stream in which the library of `value` works on it now; None where that is not known."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return torch.cuda.current_stream(value.device).cuda_stream or LEGACY
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(value, cupy.ndarray):
        return cupy.cuda.get_current_stream().ptr or LEGACY
    return found.stream


@dataclass
class Borrowed:
    """An array of CUDA that a queue's device works on for one call."""

    name: str
    value: Any
    found: Described
    queue: cl.CommandQueue
    pool: Pool

    def __post_init__(self) -> None:
        self._check()
        self.stream = _stream_of(self.value, self.found)
        self.memory = self.pool.owner_of(*self.found.extent) if self.found.nbytes else None

    def _check(self) -> None:
        """Check that the device can work on the array."""
        found, name = self.found, self.name
        if not found.nbytes:
            return
        if not found.address:
            raise ValueError(f"{name} must have memory, which an array of shape {found.shape} at address 0 has not")
        number, context = _place_of(name, found.address)
        if number != self.pool.device.number:
            raise ValueError(
                f"{name} must be on CUDA's device {self.pool.device.number}, which is the queue's, not on its device "
                f"{number}"
            )
        if context and context != self.pool.device.context:
            raise ValueError(f"{name} must be in the primary context of CUDA's device, not in another one")

    @property
    def is_contiguous(self) -> bool:
        """Return whether the values are in C order without gaps."""
        steps = tuple(self.found.dtype.itemsize * step for step in contiguous(self.found.shape))
        return not self.found.nbytes or all(
            size == 1 or stride == step
            for size, stride, step in zip(self.found.shape, self.found.strides, steps, strict=True)
        )

    def shared(self) -> Array | None:
        """Return an array in the same memory, where a pool has it, whose commands wait for the library's."""
        found = self.found
        if self.memory is None:
            return None
        made = Array(
            self.queue, found.shape, found.dtype, data=self.memory.buffer, strides=found.strides,
            offset=found.address - self.memory.address,
        )  # fmt: skip
        made.events = cast("list[cl.Event]", self.memory.events)
        self.memory.is_used_by(self.queue)
        self._after(made)
        return made

    def beside(self, *, reads: bool) -> Array:
        """Return an array in memory of its own, which has the values of the library's where it `reads` them."""
        found = self.found
        if not self.is_contiguous:
            raise ValueError(
                f"{self.name} must be C-contiguous, not with shape {found.shape} and strides {found.strides}"
            )
        made = (
            self.pool.empty(self.queue, found.shape, found.dtype)
            if found.nbytes
            else Array(self.queue, found.shape, found.dtype)
        )
        if reads and found.nbytes:
            if self.stream is None:
                self.pool.device.synchronize()  # what the library still writes
            made.add_event(cl.enqueue_marker(self.queue))  # behind what used the memory before
            self.pool.order.stream_waits(made, self.stream or LEGACY)
            self._copy(made.memory.address, found.address)
            self._after(made)
            made.memory.is_seen()
        return made

    def _after(self, made: Array) -> None:
        """Have OpenCL's commands on an array wait for what the stream has been given so far."""
        if self.stream is None:
            self.pool.device.synchronize()
        elif not self.pool.order.is_idle(self.stream):
            reached = self.pool.order.after(self.queue.context, self.stream)
            made.add_event(cl.enqueue_marker(self.queue, wait_for=[reached]))

    def _copy(self, to: int, source: int) -> None:
        """Have the stream copy the values."""
        with self.pool.device.current():
            call("cuMemcpyDtoDAsync_v2", to, source, self.found.nbytes, c.c_void_p(self.stream or LEGACY))

    def give_back(self, made: Array) -> None:
        """Have the stream wait for OpenCL's work on an array, and then take its values."""
        if not self.found.nbytes:
            return
        self.pool.order.stream_waits(made, self.stream or LEGACY)
        if self.memory is None:
            made.memory.is_seen()
            self._copy(self.found.address, made.memory.address)
        if self.stream is None:
            self.pool.device.synchronize()


def _borrowed(queue: cl.CommandQueue, name: str, value: Any, found: Described) -> Borrowed:
    """Return an array of CUDA as `queue` works on it."""
    try:
        pool = pool_of(queue)
    except UnsupportedError as error:
        raise UnsupportedError(f"{name} must not be an array of CUDA: {error}") from error
    return Borrowed(name, value, found, queue, pool)


def filled(
    queue: cl.CommandQueue, out: Any, fill: Callable[[Any], object], name: str = "out", *, reads: bool = False
) -> Any:
    """Return `out`, an array that `is_foreign`, after `fill` was called with one of PyOpenCL or NumPy in its place.

    That one has the values of `out` at first where it `reads` them. If an error is raised, none are put into `out`.
    """
    found = described(name, out)
    if isinstance(found, np.ndarray):
        fill(found)
        return out
    if found.read_only:
        raise ValueError(f"{name} must be an array that may be written to, not one that is read-only")
    borrowed = _borrowed(queue, name, out, found)
    made = borrowed.shared()
    if made is None:
        made = borrowed.beside(reads=reads)
    fill(made)
    borrowed.give_back(made)
    return out


def taken(queue: cl.CommandQueue | None, name: str, value: Any) -> Any:
    """Return an array of PyOpenCL, or of NumPy, with the values of one that `is_foreign`.

    Without a `queue` it is on a new one of the device of the array.
    """
    found = described(name, value)
    if isinstance(found, np.ndarray):
        return found
    if queue is None:
        queue = _queue_on(_place_of(name, found.address)[0])
    borrowed = _borrowed(queue, name, value, found)
    made = borrowed.beside(reads=True)
    made.allocator = cast("Any", borrowed.pool)  # so that what is made of it is shared, too
    return made


def _place_of(name: str, address: int) -> tuple[int, int | None]:
    """Return CUDA's number of the device that has memory, and the context that does, if it is of one."""
    check_process()
    number, context = c.c_int(), c.c_void_p()
    try:
        call("cuPointerGetAttribute", c.byref(number), ORDINAL, address)
    except CudaError as error:
        raise ValueError(f"{name} must be in memory that CUDA has, not at {address:#x}: {error}") from None
    with suppress(CudaError):  # which memory that is mapped by the page has none of
        call("cuPointerGetAttribute", c.byref(context), CONTEXT, address)
    return number.value, context.value


@cache
def _queue_on(number: int) -> cl.CommandQueue:
    """Return a queue on a device, by CUDA's number."""
    for info in devices.list_devices("gpu"):
        with suppress(UnsupportedError):
            if CudaDevice(info.device).number == number:
                return devices.queue_on(info.device)
    raise UnsupportedError(f"OpenCL has no device that is CUDA's device {number}")
