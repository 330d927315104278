"""Arrays of the device as the kernels of this room take them, and the dtypes that they know."""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.opencl.devices import describe

KEYS = (
    "uint8", "int8", "uint16", "int16", "float16", "uint32", "int32", "float32", "uint64", "int64", "float64",
)  # fmt: skip
"""The dtypes of keys."""

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
CONDITIONS = ("bool", *INTEGERS)

WORDS = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}
"""The OpenCL types of unsigned integers, by bytes: what is only moved is moved as these."""

WORD = np.dtype(np.uint32)
"""The dtype of counts and places."""

info = cache(describe)
"""What a device is, asked once."""


@lru_cache
def name_of(dtype: np.dtype[Any]) -> str:
    """Return the name of a dtype, which NumPy puts together anew whenever it is asked."""
    return dtype.name


@cache
def key_values(dtype: np.dtype[Any]) -> Mapping[str, Any]:
    """Return the values of templates for keys of `dtype`; the kernels take floats too as integers."""
    values = {
        "word": WORDS[dtype.itemsize],
        "key_bits": 8 * dtype.itemsize,
        "kind": dtype.kind,
        "mantissa_bits": int(np.finfo(dtype).nmant) if dtype.kind == "f" else 0,
        "suffix": "UL" if dtype.itemsize == np.dtype(np.uint64).itemsize else "u",
    }
    return MappingProxyType(values)


def queue_of(a: cla.Array) -> cl.CommandQueue:
    """Return the queue of a checked array."""
    queue: Any = a.queue
    made: cl.CommandQueue = queue
    return made


def new_array(like: cla.Array, size: int | None = None, dtype: Any = None, *, name: str = "a") -> cla.Array:
    """Return an array on the queue of `like`, from its allocator and, if nothing else is said, of its size and dtype.

    Errors say that `name` needs it.
    """
    queue, shape = queue_of(like), like.shape if size is None else (size,)
    kind = like.dtype if dtype is None else np.dtype(dtype)
    return arrays.output_array(queue, info(queue.device), shape, kind, name=name, allocator=like.allocator)


def offset_of(a: cla.Array) -> int:
    """Return where in its memory an array begins, in values."""
    return int(a.offset // a.dtype.itemsize)


def memory(*given: cla.Array | None) -> list[Any]:
    """Return the memory of each array that is not None, and where in it the array begins, in values."""
    found: list[Any] = []
    for each in given:
        if each is not None:
            found += each.base_data, each.offset // each.dtype.itemsize
    return found


def as_bytes(a: cla.Array) -> cla.Array:
    """Return the memory of an array of values of one byte as an array of uint8, which shares its events."""
    return cla.Array(a.queue, a.shape, np.dtype(np.uint8), data=a.base_data, offset=a.offset, events=a.events)


def attach(queue: cl.CommandQueue, event: cl.Event, *given: cla.Array | None) -> None:
    """Add `event`, the last work of `queue`, to each array that is not None."""
    for array in given:
        if array is not None:
            arrays.attach_event(queue, array, event)
