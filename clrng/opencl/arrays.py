"""The arrays that values are stored in, of the device and of the host: checked, made, filled and copied.

An array of the host is filled in place where its memory is the device's too, else through memory of the device.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import prod
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import in_any_order, of_queue
from clrng.opencl.pool import Pool, block_size
from clrng.opencl.results import Array, Owner, extent
from clrng.opencl.staging import copy_to_host
from clrng.opencl.traits import traits_of
from clrng.validation import LONGEST, shown

MAX_COPIED = 2**30
"""The most bytes that are made on a device before they are copied."""

MANY_EVENTS = 8
"""Events of an array from which on the oldest are removed, before PyOpenCL waits for them."""

PROTOCOLS = ("__dlpack__", "__cuda_array_interface__")
"""What arrays of other libraries have."""


def is_foreign(value: Any) -> bool:
    """Return whether `value` is an array of another library than NumPy and PyOpenCL."""
    if value is None or isinstance(value, (cla.Array, np.ndarray, np.generic, type)):
        return False
    own = getattr(value, "__dict__", ())
    return any(hasattr(type(value), name) or name in own for name in PROTOCOLS)


def queued(array: cla.Array) -> cla.Array:
    """Return `array`, or if it has no queue the same with one of its context."""
    if array.queue is not None:
        return array
    return cast("cla.Array", array.with_queue(cl.CommandQueue(cast("Any", array.context))))


def output_array(
    queue: cl.CommandQueue, device: DeviceInfo, shape: tuple[int, ...] | None, dtype: np.dtype[Any],
    out: cla.Array | None = None, name: str = "size", allocator: Any = None, *, strided: bool = False,
    legal: str = "a pyopencl.array.Array",
) -> cla.Array:  # fmt: skip
    """Return `out` after checking it, or a new array of `shape`, whose memory `allocator` gives.

    `out` may be an array of another queue, and a slice where `strided`. In errors `name` is the argument that `shape`
    comes from, and `legal` is what `out` must be.
    """
    if out is not None:
        if not isinstance(out, cla.Array):
            raise TypeError(f"out must be {legal}, not {shown(out)}")
        check(queue, shape, dtype, out, strided=strided)
        return out
    shape = shape or ()
    values = prod(shape)
    takes: Callable[[int], bool] = getattr(allocator, "takes", lambda _: True)
    if values * dtype.itemsize > device.largest_allocation or not takes(values * dtype.itemsize):
        check_allocation(device, values, dtype, name, getattr(allocator, "largest_allocation", None))
    return maker(queue, shape, dtype)(allocator) if values else Array(queue, shape, dtype)


def check_allocation(
    device: DeviceInfo, values: int, dtype: np.dtype[Any], name: str, largest: Callable[[], int] | None = None
) -> None:
    """Check that a device allocates so many values of `dtype` together, which the argument `name` asks for.

    `largest` returns the bytes of the largest allocation, where that is not the device's own.
    """
    most = largest() if largest else device.largest_allocation
    if values * dtype.itemsize > most:
        advice = "; make them in several calls, which continue one another" if name == "size" else ""
        raise ValueError(
            f"{name} must make at most {most // dtype.itemsize} values of {dtype} for the largest "
            f"allocation of {device.name}, {most} bytes, not {shown(values)}{advice}"
        )


def maker(queue: cl.CommandQueue, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Callable[[Any], Array]:
    """Return what makes new arrays of this shape, which is not empty, given what allocates their memory, or None.

    A pool gives memory of dropped arrays that unfinished commands may still use. In a queue that runs commands in any
    order the new array therefore carries the event of a marker, which is complete when all commands before it are.
    """
    like = model(queue, shape, dtype)  # of which all is known that takes long to find out
    strides, size, flags, nbytes, context = like.strides, like.size, like.flags, like.nbytes, queue.context
    orderless = in_any_order(queue)
    pool: Pool = of_queue(queue).cached(Pool)()
    block = block_size(nbytes)

    def make(allocator: Any) -> Array:
        if allocator is None:
            data = pool(nbytes, block)
        else:
            data = allocator(nbytes)
            _check_allocated(queue, data.buffer if isinstance(data, Owner) else data, nbytes)
        made = Array.__new__(Array)
        cla.Array.__init__(
            made, None, shape, dtype, allocator=allocator, data=data, strides=strides, _fast=True, _queue=queue,
            _context=context, _size=size, _flags=flags,
        )  # fmt: skip
        if allocator is not None:
            made.take_owner()
            if orderless:
                made.add_event(cl.enqueue_marker(queue))
        return made

    return make


def in_memory(queue: cl.CommandQueue, memory: cl.Buffer, shape: tuple[int, ...], dtype: np.dtype[Any]) -> cla.Array:
    """Return an array, which is not empty, at the beginning of memory of the context of `queue`."""
    like = model(queue, shape, dtype)
    return cla.Array(
        None, shape, dtype, data=memory, strides=like.strides, _fast=True, _queue=queue, _context=like.context,
        _size=like.size, _flags=like.flags,
    )  # fmt: skip


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


def model(queue: cl.CommandQueue, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Return an array of this shape that owns one byte: to make another like it takes a tenth of the time."""
    made: Array = of_queue(queue).cached(_model)(shape, dtype)
    return made


def _model(context: cl.Context, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    return Array(context, shape, dtype, data=cl.Buffer(context, cl.mem_flags.READ_WRITE, 1))


def upload(queue: cl.CommandQueue, words: npt.NDArray[Any]) -> Array:
    """Return a new array on the device with a copy of `words`.

    The copy is made with the memory, so no later command has to wait for it. A command that copies would not do: even
    after a blocking one all that is certain is that `words` may be changed again (OpenCL 1.2, section 5.2.2), and in a
    queue without an order the next command may still run before it.
    """
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    words = np.asarray(words, order="C")
    memory = words if words.size else np.zeros(1, words.dtype)  # no buffer is empty
    return Array(queue, words.shape, words.dtype, data=cl.Buffer(queue.context, flags, hostbuf=memory))


def first_of(array: cla.Array, count: int, meanwhile: Callable[[], object] | None = None) -> npt.NDArray[Any]:
    """Return the first values of an array of one dimension, on the host; this calls `meanwhile`, and waits for them."""
    queue, memory, found = cast("Any", array.queue), cast("Any", array.base_data), np.empty(count, array.dtype)
    event = cl.enqueue_copy(
        queue, found, memory, src_offset=array.offset, wait_for=array.events, is_blocking=meanwhile is None
    )  # which holds the memory of what is found
    if meanwhile is not None:
        meanwhile()
        event.wait()
    return found


def wait_list(*things: cla.Array | cl.Event | None) -> list[cl.Event] | None:
    """Return the events that a command has to wait for: those given, and those of the arrays given; or None."""
    found: list[cl.Event] = []
    for thing in things:
        if isinstance(thing, cl.Event):
            found.append(thing)
        elif thing is not None:
            found.extend(thing.events)
    return found or None


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


def contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the strides, in values, of a C-contiguous array of this shape."""
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


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
    """Check that a kernel of `queue` can write to `out`, which errors call `name`; parameters are as above.

    What another library does with the memory of `out` is then waited for. If `out` is of another queue, it gets the
    event of all commands there, as those that only read it may have left none.
    """
    _check_form(shape, dtype, out, strided, name)
    if out.context != queue.context:
        raise ValueError(f"{name} must be in the context of the queue, not in another one")
    if not _writable(out.base_data):
        raise ValueError(f"{name} must be in memory that a device may write to, not in a buffer that is read-only")
    check_memory(name, out)
    if isinstance(out, Array):
        out.is_written()
    if out.queue is not None and out.queue != queue:
        out.add_event(cl.enqueue_marker(out.queue))
    flush_others(queue, out)


def flush_others(queue: cl.CommandQueue, *arrays: cla.Array) -> None:
    """Flush the queues of arrays but `queue`, so that commands of this may wait for the events of the arrays.

    Events that a queue has added to arrays of others are of a queue that was flushed then.
    """
    for each in arrays:
        others = [event.command_queue for event in each.events] if each.queue is None else [each.queue]
        for other in others:
            if other is not None and other != queue:
                other.flush()


def check_host(shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: Any, *, strided: bool = False) -> None:
    """Check that `out` is an array of NumPy that can be filled with values of `dtype`."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a numpy.ndarray, not {shown(out)}")
    _check_form(shape, dtype, out, strided)
    if not out.flags.writeable:
        raise ValueError("out must be an array that may be written to, not one that is read-only")


def _check_form(
    shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: Any, strided: bool, name: str = "out"
) -> None:
    """Check the dtype, shape and strides of `out`, of PyOpenCL or NumPy."""
    if out.dtype != dtype:
        raise ValueError(f"{name} must have dtype {dtype}, not {out.dtype}")
    if shape is not None and out.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, the size asked for, not {out.shape}")
    check_strides(out, strided=strided, name=name)


def check_memory(name: str, out: cla.Array) -> None:
    """Check that the values of `out`, which errors call `name`, are whole values of its buffer."""
    itemsize = out.dtype.itemsize
    if out.offset % itemsize:
        raise ValueError(f"{name} must begin at a multiple of {itemsize} bytes of its buffer, not at {out.offset}")
    if not out.size:
        return
    before, nbytes = 0, out.nbytes
    if not out.flags.c_contiguous:
        if any(stride % itemsize for stride in out.strides):
            raise ValueError(f"{name} must have strides of whole values of {itemsize} bytes, not {out.strides}")
        before, nbytes = extent(out.shape, out.strides, itemsize)
    first, last = out.offset - before, out.offset - before + nbytes
    held = getattr(out.base_data, "size", None)
    if held is not None and (first < 0 or last > held):
        raise ValueError(f"{name} must fit its buffer of {held} bytes, not need {last if first >= 0 else first}")


ROOM = "_clrng_room"
"""The name of the attribute by which a buffer says what `room` returns for it."""

UNUSUAL = cl.mem_flags.READ_ONLY | cl.mem_flags.USE_HOST_PTR


def room(memory: Any) -> int:
    """Return the bytes of `memory` that kernels may write to as long as it lasts; 0 where that must be looked at."""
    if not isinstance(memory, cl.MemoryObjectHolder):
        return 0
    found = 0 if memory.flags & UNUSUAL else memory.size
    setattr(memory, ROOM, found)
    return found


def _writable(memory: Any) -> bool:
    """Return whether a kernel may write to `memory`: neither OpenCL nor NumPy has it as read-only."""
    if not isinstance(memory, cl.MemoryObjectHolder):
        return True
    flags = memory.flags
    if flags & cl.mem_flags.READ_ONLY:
        return False
    host: Any = getattr(memory, "hostbuf", None) if flags & cl.mem_flags.USE_HOST_PTR else None
    if isinstance(host, np.ndarray):
        return bool(host.flags.writeable)
    return host is None or not memoryview(host).readonly


def attach_event(queue: cl.CommandQueue, out: cla.Array, event: cl.Event) -> None:
    """Add `event`, the last work on `out` in `queue`, to the events of `out`, so that later work on it waits.

    If `out` is of another queue, `queue` is flushed: only then may another queue wait for its events (OpenCL 1.2,
    section 5.13).
    """
    out.add_event(event)
    if out.queue != queue:
        queue.flush()
    elif len(out.events) > MANY_EVENTS:
        _forget(queue, out.events)


def attach_read(queue: cl.CommandQueue, event: cl.Event, *arrays: cla.Array) -> None:
    """Have what writes to `arrays` afterwards wait for `event`, that of a command in `queue` that reads them.

    In the same queue, if that runs commands in order, it comes behind it anyway.
    """
    for each in {id(each): each for each in arrays}.values():
        if each.queue != queue or in_any_order(queue):
            attach_event(queue, each, event)


def _forget(queue: cl.CommandQueue, events: list[cl.Event]) -> None:
    """Remove the oldest events of `queue`, if that runs commands in order: the newest ones come behind them."""
    if in_any_order(queue):
        return
    for each in events[: MANY_EVENTS // 2]:
        if each.command_queue == queue:
            with suppress(ValueError):  # another thread has removed it
                events.remove(each)


def check_host_size(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Check that NumPy can have an array of this shape, if there is enough memory."""
    most = LONGEST // dtype.itemsize
    if prod(shape) > most:
        raise ValueError(f"size must make at most {most} values of {dtype} for an array of NumPy, not {prod(shape)}")


def host_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return a new array of NumPy; errors are those of `check_host_size`."""
    check_host_size(shape, dtype)
    return np.empty(shape, dtype)


def is_filled_in_place(device: DeviceInfo, out: npt.NDArray[Any]) -> bool:
    """Return whether commands of `device` write to `out` itself: on a processor, if its values begin aligned."""
    return bool(traits_of(device).host_memory and out.flags.aligned)


def portions(device: DeviceInfo, out: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
    """Yield `out`, which `check_host` has passed, as portions to be filled one after the other, in C order.

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
    return min(device.largest_allocation, MAX_COPIED)


def rectangles(
    device: DeviceInfo, out: npt.NDArray[Any], axes: int | None = None
) -> Iterator[tuple[tuple[int, ...], npt.NDArray[Any]]]:
    """Yield rectangles of `out`, as `portions` does, each with the indices of its first value; cut `axes`, or all."""
    most = most_bytes(device, out)

    def cut(first: tuple[int, ...], part: npt.NDArray[Any]) -> Iterator[tuple[tuple[int, ...], npt.NDArray[Any]]]:
        axis = next((d for d, size in enumerate(part.shape[:axes]) if size > 1), None)
        if part.nbytes <= most or axis is None:
            yield first, part
            return
        rows = max(most * part.shape[axis] // part.nbytes, 1)
        for begin in range(0, part.shape[axis], rows):
            index = (*[slice(None)] * axis, slice(begin, begin + rows))
            yield from cut((*first[:axis], first[axis] + begin, *first[axis + 1 :]), part[index])

    return cut((0,) * out.ndim, out)


@contextmanager
def on_device(queue: cl.CommandQueue, device: DeviceInfo, out: npt.NDArray[Any]) -> Iterator[cla.Array]:
    """Yield an array for commands to fill; at the end `out` has what they wrote.

    Its memory is that of `out` itself where `is_filled_in_place`; else it is a new array, which is copied. Where `out`
    is not contiguous, an array of NumPy that is takes its place, and is copied to it.
    """
    if not out.flags.c_contiguous:
        another = np.empty(out.shape, out.dtype)
        with on_device(queue, device, another) as result:
            yield result
        np.copyto(out, another)
    elif is_filled_in_place(device, out):
        with filled_in_place(queue, out) as result:
            yield result
    else:
        result = output_array(queue, device, out.shape, out.dtype)
        yield result
        copy_to_host(queue, result, out)


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


def copied(queue: cl.CommandQueue, made: cla.Array, out: Any) -> npt.NDArray[Any]:
    """Return the values of `made` in `out`, which `check_host` has passed, or in a new array for ``numpy.ndarray``."""
    if out is np.ndarray:
        out = host_array(made.shape, made.dtype)
    target = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
    copy_to_host(queue, made, target)
    if target is not out:
        out[...] = target
    return cast("npt.NDArray[Any]", out)
