"""Checks of the arrays that workloads take."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.validation import shown

CTYPES: dict[np.dtype[Any], str] = {
    np.dtype(np.int32): "int",
    np.dtype(np.uint32): "uint",
    np.dtype(np.float32): "float",
}
"""The C types of values of 4 bytes."""


def checked(name: str, value: Any, dtypes: Iterable[Any], least: int) -> cla.Array:
    """Return `value` if it is a device array of one dimension, of one of `dtypes`, that has a buffer of its own.

    Raises
    ------
    TypeError
        If it is no device array, or of another dtype.
    ValueError
        If it has not one dimension, has gaps or fewer than `least` values, or does not begin where its buffer does.
    """
    legal = [np.dtype(dtype) for dtype in dtypes]
    if not isinstance(value, cla.Array):
        raise TypeError(f"{name} must be a pyopencl.array.Array, not {shown(value)}")
    if value.dtype not in legal:
        raise TypeError(f"{name} must have the dtype {' or '.join(map(str, legal))}, not {value.dtype}")
    if value.ndim != 1 or not value.flags.c_contiguous:
        raise ValueError(f"{name} must have one dimension and no gaps, not the shape {value.shape}")
    if value.size < least:
        raise ValueError(f"{name} must have at least {least} values, not {value.size}")
    if value.offset:
        raise ValueError(f"{name} must begin where its buffer does, not {value.offset} bytes behind; take a copy")
    return value


def result(queue: cl.CommandQueue, out: Any, dtype: Any, size: int) -> cla.Array:
    """Return `out`, checked as `checked` does, or a new array if it is None.

    Raises
    ------
    TypeError, ValueError
        As `checked` does, and if it has not `size` values.
    """
    if out is None:
        return cla.Array(queue, size, dtype)
    if checked("out", out, [dtype], 0).size != size:
        raise ValueError(f"out must have {size} values, not {out.size}")
    return out
