"""Arrays of the device: which of them functions take, checked before anything is begun, and how kernels take them."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.cuda.foreign import taken
from clrng.opencl import arrays
from clrng.opencl.arrays import is_foreign
from clrng.opencl.devices import info
from clrng.opencl.kernel import check_process
from clrng.validation import integer, name_of, shown

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

MAX_SIZE = 2**31
"""The maximum size of an array, whose places are integers of 32 bits."""

VALUE_BYTES = (4, 8)
"""The legal sizes, in bytes, of a value that is moved with a key."""

VALUE_KINDS = "iufcmM"
"""The legal kinds of the dtypes of such values, by NumPy's letters."""

PAIR = 2


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
    begin: int = a.offset
    return begin and begin // a.dtype.itemsize


def placed(*given: tuple[str, cla.Array | None]) -> dict[str, Any]:
    """Return arguments of a kernel: as NAME the memory of each array but None, and as NAME_offset where it begins."""
    found: dict[str, Any] = {}
    for name, each in given:
        if each is not None:
            begin = each.offset
            found[name], found[name + "_offset"] = each.base_data, begin and begin // each.dtype.itemsize
    return found


def as_bytes(a: cla.Array) -> cla.Array:
    """Return the memory of an array of values of one byte as an array of uint8, which shares its events."""
    return cla.Array(a.queue, a.shape, np.dtype(np.uint8), data=a.base_data, offset=a.offset, events=a.events)


def overlap(a: cla.Array, b: cla.Array) -> bool:
    """Return whether two arrays that are contiguous may have some bytes of memory in common."""
    (one, first), (other, second) = (_bytes_of(each) for each in (a, b))
    return one == other and first < second + b.nbytes and second < first + a.nbytes


def _bytes_of(a: cla.Array) -> tuple[Any, int]:
    """Return the memory of an array, the whole where it is a part of a buffer, and where it begins in it."""
    memory: Any = a.base_data
    if not isinstance(memory, cl.Buffer):
        return memory, a.offset
    whole: Any = memory.get_info(cl.mem_info.ASSOCIATED_MEMOBJECT)
    begin: Any = memory.get_info(cl.mem_info.OFFSET)
    return (memory, a.offset) if whole is None else (whole, a.offset + begin)


def attach(queue: cl.CommandQueue, event: cl.Event, *given: cla.Array | None) -> None:
    """Add `event`, the last work of `queue`, to each array that is not None."""
    for array in given:
        if array is not None:
            arrays.attach_event(queue, array, event)


def device_array(name: str, value: Any) -> cla.Array:
    """Return `value` if it is a one-dimensional, C-contiguous array on a device."""
    check_process()
    if is_foreign(value):
        value = taken(None, name, value)
    if not isinstance(value, cla.Array):
        raise TypeError(f"{name} must be a pyopencl.array.Array or an array of CUDA, not {shown(value)}")
    if len(value.shape) != 1:
        raise ValueError(f"{name} must have one dimension, not the {len(value.shape)} of shape {value.shape}")
    if value.size and not value.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous, not with shape {value.shape} and strides {value.strides}")
    if value.queue is None:
        raise ValueError(f"{name} must have a queue, on which the work is done; {name}.with_queue(queue) gives it one")
    if value.size > MAX_SIZE:
        raise ValueError(f"{name} must have at most 2^31 = {MAX_SIZE} values, not {value.size}")
    arrays.check_memory(name, value)
    return value


def array_of(name: str, value: Any, legal: tuple[str, ...] | None = None) -> cla.Array:
    """Return `value` if it is an array of one of the `legal` dtypes, by default of all of 1, 2, 4 or 8 bytes."""
    array = device_array(name, value)
    dtype = array.dtype
    if not dtype.isnative or (name_of(dtype) not in legal if legal else dtype.itemsize not in WORDS):
        allowed = f"{', '.join(legal[:-1])} or {legal[-1]}" if legal else "1, 2, 4 or 8 bytes"
        raise ValueError(f"{name} must be of dtype {allowed}, not {shown(dtype)}")
    return array


def value_array(name: str, value: Any, keys: cla.Array) -> cla.Array:
    """Return `value` if it is an array of values that can be moved with `keys`."""
    array = device_array(name, value)
    if array.dtype.kind not in VALUE_KINDS or array.dtype.itemsize not in VALUE_BYTES:
        raise ValueError(f"{name} must be of a dtype of numbers of 4 or 8 bytes, not {shown(array.dtype)}")
    check_beside(name, array, "keys", keys)
    return array


def check_beside(name: str, value: cla.Array, other_name: str, other: cla.Array) -> None:
    """Check that an array has the length and the context of another one, on whose queue the work is done.

    If they are of two queues, both are flushed, so that each may wait for the events of the other.
    """
    if value.size != other.size:
        raise ValueError(f"{name} must have as many values as {other_name}, {other.size}, not {value.size}")
    if value.context != other.context:
        raise ValueError(f"{name} must be in the context of {other_name}, not in another one")
    arrays.flush_others(queue_of(other), value)
    arrays.flush_others(queue_of(value), other)


def bit_range(bits: Any, dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the first bit to sort keys of `dtype` by and the one behind the last; all of them where `bits` is None."""
    key_bits = 8 * dtype.itemsize
    if bits is None:
        return 0, key_bits
    if not isinstance(bits, (tuple, list)) or len(bits) != PAIR:
        raise TypeError(f"bits must be two integers, low and high, or None, not {shown(bits)}")
    low = integer("bits[0]", bits[0], 0, key_bits)
    return low, integer("bits[1]", bits[1], low, key_bits)
