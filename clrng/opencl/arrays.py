"""The arrays that values are stored in: the user's, which are checked, or new ones."""

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import contexts
from clrng.opencl.devices import DeviceInfo
from clrng.validation import shown


def output_array(
    queue: cl.CommandQueue,
    device: DeviceInfo,
    shape: tuple[int, ...] | None,
    dtype: np.dtype[Any],
    out: cla.Array | None = None,
    name: str = "size",
    allocator: Any = None,
    *,
    strided: bool = False,
    legal: str = "a pyopencl.array.Array",
) -> cla.Array:
    """Return `out` after checking it, or a new array of `shape`, whose memory `allocator` gives.

    `out` may be an array of another queue: that is flushed, so that `queue` may wait for its events. It may be a slice
    where `strided`. In errors `name` is the argument that `shape` comes from, and `legal` is what `out` must be.
    """
    if out is not None:
        if not isinstance(out, cla.Array):
            raise TypeError(f"out must be {legal}, not {shown(out)}")
        check(queue, shape, dtype, out, strided=strided)
        if out.queue is not None and out.queue != queue:
            out.queue.flush()
        return out
    shape = shape or ()
    values = prod(shape)
    check_allocation(device, values, dtype, name)
    if not values:
        return cla.Array(queue, shape, dtype)
    if allocator is not None:
        return _allocated(queue, shape, dtype, allocator)
    made: cla.Array = cla.empty_like(model(queue, shape, dtype), queue)
    return made


def check_allocation(device: DeviceInfo, values: int, dtype: np.dtype[Any], name: str) -> None:
    """Check that a device allocates so many values of `dtype` together, which the argument `name` asks for."""
    if values * dtype.itemsize > device.largest_allocation:
        advice = "; make them in several calls, which continue one another" if name == "size" else ""
        raise ValueError(
            f"{name} must make at most {device.largest_allocation // dtype.itemsize} values of {dtype} for the largest "
            f"allocation of {device.name}, {device.largest_allocation} bytes, not {shown(values)}{advice}"
        )


def _allocated(queue: cl.CommandQueue, shape: tuple[int, ...], dtype: np.dtype[Any], allocator: Any) -> cla.Array:
    """Return a new array whose memory `allocator` gives.

    A pool gives memory of dropped arrays that unfinished commands may still use. In a queue that runs commands in any
    order the new array therefore carries the event of a marker, which is complete when all commands before it are.
    """
    needed = prod(shape) * dtype.itemsize
    data = allocator(needed)
    _check_allocated(queue, data, needed)
    made = cla.Array(queue, shape, dtype, allocator=allocator, data=data)
    if queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE:
        made.add_event(cl.enqueue_marker(queue))
    return made


def _check_allocated(queue: cl.CommandQueue, data: Any, needed: int) -> None:
    """Check that `data`, which an allocator returned, is memory in which a kernel can put `needed` bytes."""
    if not isinstance(data, (cl.MemoryObjectHolder, cl.SVMPointer)):
        raise TypeError(f"allocator must return memory, as a pyopencl.Buffer is, not {shown(data)}")
    context = getattr(data, "context", queue.context)
    if context != queue.context:
        raise ValueError("allocator must be of the context of the queue, not of another one")
    if not _writable(data):
        raise ValueError("allocator must return memory that a device may write to, not a buffer that is read-only")
    if data.size is not None and data.size < needed:
        raise ValueError(f"allocator must return the {needed} bytes that it is asked for, not {data.size}")


def model(queue: cl.CommandQueue, shape: tuple[int, ...], dtype: np.dtype[Any]) -> cla.Array:
    """Return an array of this shape that owns one byte: to make another like it takes a tenth of the time."""
    made: cla.Array = contexts.of_queue(queue).cached(_model)(shape, dtype)
    return made


def _model(context: cl.Context, shape: tuple[int, ...], dtype: np.dtype[Any]) -> cla.Array:
    return cla.Array(context, shape, dtype, data=cl.Buffer(context, cl.mem_flags.READ_WRITE, 1))


def check_strides(out: Any, *, strided: bool, name: str = "out") -> None:
    """Check that `out`, of PyOpenCL or NumPy, is C-contiguous or, where `strided`, a slice; errors call it `name`."""
    if out.flags.c_contiguous or out.size == 0:
        return
    about = f"shape {out.shape} and strides {out.strides}"
    if not strided:
        raise ValueError(f"{name} must be C-contiguous, not with {about}")
    if any(stride % out.dtype.itemsize for stride in out.strides):
        raise ValueError(
            f"{name} must have strides that are multiples of its itemsize, {out.dtype.itemsize}, not {about}"
        )
    check_places(out, name)


def check_places(out: Any, name: str = "out") -> None:
    """Check that each value of `out`, of PyOpenCL or NumPy, has a place of its own in memory; errors call it `name`."""
    if out.size == 0:
        return
    about = f"shape {out.shape} and strides {out.strides}"
    taken = out.dtype.itemsize  # bytes from the first to the last value of the axes so far
    for stride, size in sorted((abs(stride), size) for size, stride in zip(out.shape, out.strides, strict=True)):
        if size > 1 and stride < taken:
            raise ValueError(
                f"{name} must be an array or a slice of one, with a place for each value, not with {about}"
            )
        taken += (size - 1) * stride


def value_strides(out: cla.Array) -> list[int]:
    """Return how many values of memory lie between neighbours of `out` along each axis."""
    return [stride // out.dtype.itemsize for stride in out.strides]


def joined_axes(axes: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return axes, each a size and strides, without those of one element; those that can be one are joined."""
    found: list[tuple[int, ...]] = []
    for axis in axes:
        if axis[0] == 1:
            continue
        if found and all(outer == inner * axis[0] for outer, inner in zip(found[-1][1:], axis[1:], strict=True)):
            found[-1] = (found[-1][0] * axis[0], *axis[1:])
        else:
            found.append(axis)
    return found


def part(out: cla.Array, begin: int, length: int) -> cla.Array:
    """Return `length` neighbouring values of the memory of `out` from value `begin` on, which shares its events."""
    place = out.offset + begin * out.dtype.itemsize
    return cla.Array(
        out.queue or out.context, (length,), out.dtype, data=out.base_data, offset=place, events=out.events
    )


def check(
    queue: cl.CommandQueue, shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: cla.Array, *, strided: bool,
    name: str = "out",
) -> None:  # fmt: skip
    """Check that a kernel of `queue` can write to `out`, which errors call `name`; parameters are as above."""
    if out.dtype != dtype:
        raise ValueError(f"{name} must have dtype {dtype}, not {out.dtype}")
    if shape is not None and out.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, the size asked for, not {out.shape}")
    check_strides(out, strided=strided, name=name)
    if out.context != queue.context:
        raise ValueError(f"{name} must be in the context of the queue, not in another one")
    if not _writable(out.base_data):
        raise ValueError(f"{name} must be in memory that a device may write to, not in a buffer that is read-only")
    check_memory(name, out)


def check_memory(name: str, out: cla.Array) -> None:
    """Check that the values of `out`, which errors call `name`, are whole values of its buffer."""
    itemsize = out.dtype.itemsize
    if out.offset % itemsize:
        raise ValueError(f"{name} must begin at a multiple of {itemsize} bytes of its buffer, not at {out.offset}")
    if out.size and any(stride % itemsize for stride in out.strides):
        raise ValueError(f"{name} must have strides of whole values of {itemsize} bytes, not {out.strides}")
    held = getattr(out.base_data, "size", None)
    spans = [(size - 1) * stride for size, stride in zip(out.shape, out.strides, strict=True)] if out.size else []
    first = out.offset + sum(span for span in spans if span < 0)
    last = out.offset + sum(span for span in spans if span > 0) + (itemsize if out.size else 0)
    if held is not None and out.size and (first < 0 or last > held):
        raise ValueError(f"{name} must fit its buffer of {held} bytes, not need {last if first >= 0 else first}")


def _writable(memory: Any) -> bool:
    """Return whether a kernel may write to `memory`: neither OpenCL nor NumPy has it as read-only."""
    if not isinstance(memory, cl.MemoryObjectHolder):
        return True
    flags = memory.flags
    if flags & cl.mem_flags.READ_ONLY:
        return False
    host: Any = getattr(memory, "hostbuf", None) if flags & cl.mem_flags.USE_HOST_PTR else None
    return host is None or not memoryview(host).readonly


def attach_event(queue: cl.CommandQueue, out: cla.Array, event: cl.Event) -> None:
    """Add `event`, the last work on `out` in `queue`, to the events of `out`, so that later work on it waits.

    If `out` is of another queue, `queue` is flushed: only then may another queue wait for its events (OpenCL 1.2,
    section 5.13).
    """
    out.add_event(event)
    if out.queue != queue:
        queue.flush()
