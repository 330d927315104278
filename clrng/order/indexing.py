"""Elements of an array that other arrays pick, by their places or by a mask."""

from math import prod
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.opencl import results
from clrng.opencl.arrays import upload
from clrng.order.arguments import queue_of
from clrng.order.copies import Picks, move
from clrng.order.count_values import extremes
from clrng.order.selection import flatnonzero
from clrng.validation import integer

NOT_ONE = ~1
"""The least value of a mask of int8."""


def _flat(a: Any) -> Any:
    """Return the values in one dimension, in C order; copied where they are not contiguous."""
    return (a if a.flags.c_contiguous or not a.size else move(queue_of(a), a)).reshape(a.size)


def _picked(a: Any, places: Any, axis: int, shape: tuple[int, ...]) -> Any:
    """Return the elements along an axis at `places`, which are checked; `shape` takes the place of the axis."""
    out = results.Array(a.queue, (*a.shape[:axis], places.size, *a.shape[axis + 1 :]), a.dtype)
    moved: Any = move(a.queue, a, out, Picks.along(axis, a.ndim, places))
    return moved.reshape((*a.shape[:axis], *shape, *a.shape[axis + 1 :]))


def _held(mask: Any) -> Any:
    """Return a mask in which 0 does not hold: of int8, where comparisons give 0 and 1, and ``~`` of these -1 and -2."""
    low, high = map(int, extremes(mask)) if mask.dtype == np.int8 and mask.size else (0, 1)
    if low < NOT_ONE or high > 1:
        wrong = low if low < NOT_ONE else high
        raise IndexError(
            f"a mask of int8 must have 0 and 1, as comparisons do, or -1 and -2, as ~ of them, and has {wrong}; as "
            f"indices take numbers of another dtype"
        )
    return mask & np.int8(1) if low < 0 else mask


def take(a: Any, indices: Any, axis: int | None) -> Any:
    """Return what `Array.take` does; where `indices` are a mask, what ``a[mask]`` is."""
    if a.queue is None:
        raise ValueError("an array must have a queue, on which the work is done; with_queue(queue) gives it one")
    given = indices if isinstance(indices, cla.Array) else upload(a.queue, np.asarray(indices))
    if given.context != a.queue.context:
        raise ValueError("indices must be in the context of the array, not in another one")
    given = given.with_queue(a.queue) if given.queue is None else given
    if given.dtype in (np.dtype(bool), np.dtype(np.int8)) and axis is not None:
        if not given.ndim or given.shape != a.shape[: given.ndim]:
            raise IndexError(f"a mask must have the shape {a.shape} or its beginning, not {given.shape}")
        places = flatnonzero(_held(_flat(given)))
        return _picked(_flat(a).reshape((prod(given.shape), *a.shape[given.ndim :])), places, 0, (places.size,))
    a, axis = (_flat(a), 0) if axis is None else (a, axis)
    if given.dtype.kind not in "iu" and (given.size or given is indices):
        raise IndexError(f"indices must be integers, or a mask of bool, not {given.dtype}")
    if not a.ndim:
        raise IndexError("indices need an array that has an axis, not one of shape ()")
    axis = integer("axis", axis, -a.ndim, a.ndim - 1) % a.ndim
    places, n = _flat(given), a.shape[axis]
    low, high = map(int, extremes(places)) if places.size else (0, -1)
    if low < -n or high >= n:
        wrong = low if low < -n else high
        raise IndexError(f"indices must be from {-n} to {n - 1}, as axis {axis} has {n} elements, and have {wrong}")
    if low < 0:  # few are: they go by way of the host
        places = upload(a.queue, places.get().astype(np.int64) % n)
    return _picked(a, places, axis, given.shape)
