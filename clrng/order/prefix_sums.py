"""Sums of all values up to each of an array."""

from functools import partial
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng import validation
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays
from clrng.order.arguments import flag
from clrng.order.moves import info
from clrng.order.scan import Scan
from clrng.order.scan_proof import check_cumsum
from clrng.order.selection_arguments import INTEGERS, legal_array, queue_of

SUMS = ("int32", "uint32", "int64", "uint64")


def cumsum(a: cla.Array, dtype: Any = None, *, exclusive: bool = False) -> cla.Array:
    """Return the sums of the values up to each, as ``numpy.cumsum`` does.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        Integers of any dtype, or bool.
    dtype : {"int32", "uint32", "int64", "uint64"}, optional
        Of the sums. By default uint64 where `a` is unsigned, else int64. Values are converted to it before they are
        added, and sums are exact modulo 2^32 or 2^64.
    exclusive : bool, optional
        Whether each sum leaves out the value at its own place, so that the first one is 0.

    Returns
    -------
    pyopencl.array.Array, shape (n,)
        On the queue of `a`; nothing is waited for.

    Raises
    ------
    TypeError
        If `a` is no ``pyopencl.array.Array``, or `dtype` names no dtype, or `exclusive` is not a bool.
    ValueError
        If `a` is not of one dimension, C-contiguous and of integers, or `dtype` is another one. Sums of floating-point
        numbers depend on the order in which they are rounded, and are not made.

    Examples
    --------
    >>> import clrng, numpy
    >>> import pyopencl.array as cla
    >>> queue = clrng.make_queue()
    >>> a = cla.to_device(queue, numpy.array([3, 1, 4, 1, 5], numpy.uint32))
    >>> print(clrng.order.cumsum(a), clrng.order.cumsum(a, "uint32", exclusive=True))
    [ 3  4  8  9 14] [0 3 4 8 9]
    """
    legal_array("a", a, ("bool", *INTEGERS))
    if dtype is None:
        total = np.dtype("uint64" if a.dtype.kind == "u" else "int64")
    else:
        total = validation.dtype("dtype", dtype, SUMS)
    queue, without_own = queue_of(a), flag("exclusive", exclusive)
    out = arrays.output_array(queue, info(queue.device), a.shape, total, None, "a", a.allocator)
    value = "uchar" if a.dtype == bool else CTYPES[a.dtype.name]
    word = np.dtype(f"uint{8 * total.itemsize}")
    check = partial(check_cumsum, a.dtype if a.dtype != bool else np.dtype(np.uint8), word)
    Scan(queue, "cumsum", a.size, word, [a], check, value=value, exclusive=without_own).place([], [out])
    return out
