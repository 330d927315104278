"""Checks of the arguments of sorts, before anything is begun on a device."""

from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.order.keys import KEYS
from clrng.validation import integer, shown

MAX_SIZE = 2**31
"""The most values of an array, whose places are integers of 32 bits."""

VALUE_BYTES = (4, 8)
"""Bytes that a value may have which is moved with a key."""

VALUE_KINDS = "iufcmM"
"""NumPy's letters of the kinds of dtypes that values may have."""

PAIR = 2


def check_size(name: str, size: int) -> None:
    """Check that the places of `size` values are integers of 32 bits.

    Raises
    ------
    ValueError
        If there are more.
    """
    if size > MAX_SIZE:
        raise ValueError(f"{name} must have at most 2^31 = {MAX_SIZE} values, not {size}")


def device_array(name: str, value: Any) -> cla.Array:
    """Return `value` if it is a one-dimensional, C-contiguous array on a device.

    Raises
    ------
    TypeError
        If it is no ``pyopencl.array.Array``.
    ValueError
        If it has another number of dimensions, is not C-contiguous, has no queue or too many values, begins in its
        buffer between two values, or does not fit it.
    """
    if not isinstance(value, cla.Array):
        raise TypeError(f"{name} must be a pyopencl.array.Array, not {shown(value)}")
    if len(value.shape) != 1:
        raise ValueError(f"{name} must have one dimension, not the {len(value.shape)} of shape {value.shape}")
    if value.size and not value.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous, not with shape {value.shape} and strides {value.strides}")
    if value.queue is None:
        raise ValueError(f"{name} must have a queue, on which it is worked; {name}.with_queue(queue) gives it one")
    check_size(name, value.size)
    if value.offset % value.dtype.itemsize:
        raise ValueError(
            f"{name} must begin at a multiple of {value.dtype.itemsize} bytes of its buffer, not at {value.offset}"
        )
    held = getattr(value.base_data, "size", None)
    if held is not None and value.offset + value.nbytes > held:
        raise ValueError(f"{name} must fit its buffer of {held} bytes, not need {value.offset + value.nbytes}")
    return value


def key_array(name: str, value: Any) -> cla.Array:
    """Return `value` if it is an array of keys.

    Raises
    ------
    TypeError, ValueError
        As `device_array` does; and a ValueError if its dtype is none of `KEYS`.
    """
    array = device_array(name, value)
    if array.dtype.name not in KEYS or not array.dtype.isnative:
        raise ValueError(f"{name} must be of dtype {', '.join(KEYS[:-1])} or {KEYS[-1]}, not {shown(array.dtype)}")
    return array


def value_array(name: str, value: Any, keys: cla.Array) -> cla.Array:
    """Return `value` if it is an array of what is moved with `keys`.

    Raises
    ------
    TypeError, ValueError
        As `device_array` does; and a ValueError if its values are not numbers of 4 or 8 bytes, or it has another size
        or context than `keys`.
    """
    array = device_array(name, value)
    if array.dtype.kind not in VALUE_KINDS or array.dtype.itemsize not in VALUE_BYTES:
        raise ValueError(f"{name} must be of a dtype of numbers of 4 or 8 bytes, not {shown(array.dtype)}")
    if array.size != keys.size:
        raise ValueError(f"{name} must have as many values as keys, {keys.size}, not {array.size}")
    if array.context != keys.context:
        raise ValueError(f"{name} must be in the context of keys, not in another one")
    return array


def bit_range(bits: Any, dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the first bit to sort keys of `dtype` by and the one behind the last; all of them where `bits` is None.

    Raises
    ------
    TypeError
        If `bits` is neither None nor two integers.
    ValueError
        If the keys have fewer bits, or the second one is less than the first.
    """
    most = 8 * dtype.itemsize
    if bits is None:
        return 0, most
    if not isinstance(bits, (tuple, list)) or len(bits) != PAIR:
        raise TypeError(f"bits must be two integers, low and high, or None, not {shown(bits)}")
    low = integer("bits[0]", bits[0], 0, most)
    return low, integer("bits[1]", bits[1], low, most)


def flag(name: str, value: Any) -> bool:
    """Return `value`, True or False.

    Raises
    ------
    TypeError
        If it is something else.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)
