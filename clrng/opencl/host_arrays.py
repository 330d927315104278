"""NumPy arrays that a device fills: in place where its memory is the host's, else through memory of its own."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from math import prod
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays, transfers
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.traits import traits_of
from clrng.validation import LONGEST, shown

MOST_COPIED = 2**30
"""The most bytes that are made on a device before they are copied."""


def check_size(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Check that NumPy can have an array of this shape, if there is enough memory."""
    most = LONGEST // dtype.itemsize
    if prod(shape) > most:
        raise ValueError(f"size must make at most {most} values of {dtype} for an array of NumPy, not {prod(shape)}")


def empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return a new array of NumPy; errors are those of `check_size`."""
    check_size(shape, dtype)
    return np.empty(shape, dtype)


def check(shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: npt.NDArray[Any], *, strided: bool = False) -> None:
    """Check that `out` can be filled with values of `dtype`."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a numpy.ndarray, not {shown(out)}")
    if out.dtype != dtype:
        raise ValueError(f"out must have dtype {dtype}, not {out.dtype}")
    if shape is not None and out.shape != shape:
        raise ValueError(f"out must have shape {shape}, the size asked for, not {out.shape}")
    arrays.check_strides(out, strided=strided)
    if not out.flags.writeable:
        raise ValueError("out must be an array that may be written to, not one that is read-only")


def is_filled_in_place(device: DeviceInfo, out: npt.NDArray[Any]) -> bool:
    """Return whether commands of `device` write to `out` itself: on a processor, if its values begin aligned."""
    return bool(traits_of(device).host_memory and out.flags.aligned)


def portions(device: DeviceInfo, out: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
    """Yield `out`, which `check` has passed, as portions to be filled one after the other, in C order.

    `device` can allocate each of them, and those that are copied take little of its memory.
    """
    if not out.flags.c_contiguous:
        yield from (part for _, part in rectangles(device, out))
        return
    flat, most = out.reshape(-1), most_bytes(device, out) // out.itemsize
    for first in range(0, flat.size, most):
        yield flat[first : first + most]


def most_bytes(device: DeviceInfo, out: npt.NDArray[Any]) -> int:
    """Return the most bytes of `out` that `device` fills at once."""
    if is_filled_in_place(device, out) and out.flags.c_contiguous:
        return device.largest_allocation
    return min(device.largest_allocation, MOST_COPIED)


def rectangles(device: DeviceInfo, out: npt.NDArray[Any]) -> Iterator[tuple[tuple[int, ...], npt.NDArray[Any]]]:
    """Yield rectangles of `out`, as `portions` does, each with the indices of its first value."""
    most = most_bytes(device, out)

    def cut(first: tuple[int, ...], part: npt.NDArray[Any]) -> Iterator[tuple[tuple[int, ...], npt.NDArray[Any]]]:
        axis = next((d for d, size in enumerate(part.shape) if size > 1), None)
        if part.nbytes <= most or axis is None:
            yield first, part
            return
        rows = max(most * part.shape[axis] // part.nbytes, 1)
        for begin in range(0, part.shape[axis], rows):
            index = (*[slice(None)] * axis, slice(begin, begin + rows))
            yield from cut((*first[:axis], first[axis] + begin, *first[axis + 1 :]), part[index])

    return cut((0,) * out.ndim, out)


def on_device(queue: cl.CommandQueue, device: DeviceInfo, out: npt.NDArray[Any]) -> AbstractContextManager[cla.Array]:
    """Return a context manager that yields an array for commands to fill; at its end `out` has what they wrote.

    Its memory is that of `out` itself where `is_filled_in_place`; else it is a new array, which is copied. Where `out`
    is not contiguous, an array of NumPy that is takes its place, and is copied to it.
    """
    if not out.flags.c_contiguous:
        return filled_by_another(queue, device, out)
    if is_filled_in_place(device, out):
        return filled_in_place(queue, out)
    return filled_by_copy(queue, device, out)


@contextmanager
def filled_in_place(queue: cl.CommandQueue, out: npt.NDArray[Any]) -> Iterator[cla.Array]:
    """Yield an array whose memory is that of `out`; at the end `out` has what commands wrote.

    The commands must be events of the array that is yielded, as those of clrng's calls are. `out` may begin anywhere
    that suits its dtype. It must not be used in between, and the array that is yielded not afterwards.

    A driver may keep a copy of memory that the host gave it. What commands wrote is in `out` for certain once it has
    been mapped (OpenCL 1.2, section 5.2.1).
    """
    if out.size == 0:
        yield cla.Array(queue, out.shape, out.dtype)
        return
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=out)
    try:
        result = cla.Array(queue, out.shape, out.dtype, data=buffer)
        yield result
        mapped, _ = cl.enqueue_map_buffer(
            queue, buffer, cl.map_flags.READ, 0, out.shape, out.dtype, wait_for=result.events, is_blocking=True
        )
        mapped.base.release(queue).wait()
    except BaseException:
        queue.finish()  # commands may still write to the memory, which is the caller's
        raise
    finally:
        buffer.release()


@contextmanager
def filled_by_another(queue: cl.CommandQueue, device: DeviceInfo, out: npt.NDArray[Any]) -> Iterator[cla.Array]:
    """Yield what `on_device` does for a contiguous array of the shape of `out`, which is then copied to `out`."""
    another = np.empty(out.shape, out.dtype)
    with on_device(queue, device, another) as result:
        yield result
    np.copyto(out, another)


def copied(queue: cl.CommandQueue, made: cla.Array, out: Any) -> npt.NDArray[Any]:
    """Return the values of `made` in `out`, which `check` has passed; in a new array where it is ``numpy.ndarray``."""
    if out is np.ndarray:
        out = empty(made.shape, made.dtype)
    target = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
    transfers.copy_to_host(queue, made, target)
    if target is not out:
        out[...] = target
    return cast("npt.NDArray[Any]", out)


@contextmanager
def filled_by_copy(queue: cl.CommandQueue, device: DeviceInfo, out: npt.NDArray[Any]) -> Iterator[cla.Array]:
    """Yield a new array of the shape and dtype of `out`; at the end it is copied to `out`."""
    result = arrays.output_array(queue, device, out.shape, out.dtype)
    yield result
    transfers.copy_to_host(queue, result, out)
