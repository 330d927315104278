"""Checks of the arrays that selections, sums and counts are made of."""

from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import processes
from clrng.order.arguments import device_array
from clrng.order.keys import WORDS
from clrng.validation import shown

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
CONDITIONS = ("bool", *INTEGERS)


def legal_array(name: str, value: Any, legal: tuple[str, ...] | None = None) -> None:
    """Check an array.

    Parameters
    ----------
    name : str
        What errors call it.
    value : pyopencl.array.Array
    legal : tuple of str, optional
        The dtypes that it may have; by default all of 1, 2, 4 or 8 bytes.

    Raises
    ------
    TypeError, ValueError
        As `clrng.order.arguments.device_array` does; and a ValueError if it is of another dtype.
    ForkError
        If this process was forked from one that used OpenCL before.
    """
    processes.check()
    device_array(name, value)
    dtype = value.dtype
    if not dtype.isnative or (dtype.name not in legal if legal else dtype.itemsize not in WORDS):
        allowed = f"{', '.join(legal[:-1])} or {legal[-1]}" if legal else "1, 2, 4 or 8 bytes"
        raise ValueError(f"{name} must be of dtype {allowed}, not {shown(dtype)}")


def same_places(name: str, value: cla.Array, a: cla.Array) -> None:
    """Check that an array has the length and the context of the array `a`.

    Its queue is flushed where that is another one, so that the queue of `a` may wait for its events.

    Raises
    ------
    ValueError
        If it has another length or context.
    """
    if value.size != a.size:
        raise ValueError(f"{name} must have as many values as a, {a.size}, not {value.size}")
    if value.context != a.context:
        raise ValueError(f"{name} must be in the context of a, not in another one")
    if value.queue != a.queue:
        queue_of(value).flush()


def queue_of(a: cla.Array) -> cl.CommandQueue:
    """Return the queue of a checked array."""
    queue: Any = a.queue
    made: cl.CommandQueue = queue
    return made
