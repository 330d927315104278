"""Checks of the arguments of functions, before anything is begun on a device."""

from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.opencl import processes
from clrng.order.memory import WORDS, name_of, queue_of
from clrng.validation import integer, shown

MAX_SIZE = 2**31
"""The maximum size of an array, whose places are integers of 32 bits."""

VALUE_BYTES = (4, 8)
"""The legal sizes, in bytes, of a value that is moved with a key."""

VALUE_KINDS = "iufcmM"
"""The legal kinds of the dtypes of such values, by NumPy's letters."""

PAIR = 2


def check_size(name: str, size: int) -> None:
    """Check that the places of `size` values are integers of 32 bits."""
    if size > MAX_SIZE:
        raise ValueError(f"{name} must have at most 2^31 = {MAX_SIZE} values, not {size}")


def device_array(name: str, value: Any) -> cla.Array:
    """Return `value` if it is a one-dimensional, C-contiguous array on a device."""
    processes.check()
    if not isinstance(value, cla.Array):
        raise TypeError(f"{name} must be a pyopencl.array.Array, not {shown(value)}")
    if len(value.shape) != 1:
        raise ValueError(f"{name} must have one dimension, not the {len(value.shape)} of shape {value.shape}")
    if value.size and not value.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous, not with shape {value.shape} and strides {value.strides}")
    if value.queue is None:
        raise ValueError(f"{name} must have a queue, on which the work is done; {name}.with_queue(queue) gives it one")
    check_size(name, value.size)
    if value.offset % value.dtype.itemsize:
        raise ValueError(
            f"{name} must begin at a multiple of {value.dtype.itemsize} bytes of its buffer, not at {value.offset}"
        )
    held = getattr(value.base_data, "size", None)
    if held is not None and value.offset + value.nbytes > held:
        raise ValueError(f"{name} must fit its buffer of {held} bytes, not need {value.offset + value.nbytes}")
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

    If its own queue is a different one, that is flushed, so that the queue of the other may wait for its events.
    """
    if value.size != other.size:
        raise ValueError(f"{name} must have as many values as {other_name}, {other.size}, not {value.size}")
    if value.context != other.context:
        raise ValueError(f"{name} must be in the context of {other_name}, not in another one")
    if value.queue != other.queue:
        queue_of(value).flush()


def bit_range(bits: Any, dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the first bit to sort keys of `dtype` by and the one behind the last; all of them where `bits` is None."""
    key_bits = 8 * dtype.itemsize
    if bits is None:
        return 0, key_bits
    if not isinstance(bits, (tuple, list)) or len(bits) != PAIR:
        raise TypeError(f"bits must be two integers, low and high, or None, not {shown(bits)}")
    low = integer("bits[0]", bits[0], 0, key_bits)
    return low, integer("bits[1]", bits[1], low, key_bits)
