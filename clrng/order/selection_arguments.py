"""Checks of the arrays that selections, sums and counts are made of."""

from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.validation import shown

MOST_VALUES = 2**32 - 1
"""The most values of an array: places in it are numbers of 32 bits."""

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
CONDITIONS = ("bool", *INTEGERS)
WORDS = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}
"""The OpenCL types that values are copied as, by their bytes."""


def device_array(name: str, value: Any, legal: tuple[str, ...] | None = None) -> None:
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
    TypeError
        If it is no `pyopencl.array.Array`.
    ValueError
        If it is not of one dimension, C-contiguous and of a legal dtype; or if it has no queue, too many values, or
        begins between two values of its buffer.
    """
    if not isinstance(value, cla.Array):
        raise TypeError(f"{name} must be a pyopencl.array.Array, not {shown(value)}")
    if value.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not shape {value.shape}")
    if value.dtype.name not in legal if legal else value.dtype.itemsize not in WORDS:
        raise ValueError(f"{name} must have dtype {' or '.join(legal or ['of 1, 2, 4 or 8 bytes'])}, not {value.dtype}")
    if not value.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous, not with strides {value.strides}")
    if value.size > MOST_VALUES:
        raise ValueError(f"{name} must have at most {MOST_VALUES} values, not {value.size}")
    if value.offset % value.dtype.itemsize:
        raise ValueError(
            f"{name} must begin at a multiple of {value.dtype.itemsize} bytes of its buffer, not at {value.offset}"
        )
    if value.queue is None:
        raise ValueError(f"{name} must have a queue, which pyopencl's with_queue gives it")


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
