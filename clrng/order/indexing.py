"""Elements of an array that other arrays pick, by their places or by a mask; to be copied or to be set."""

from math import prod
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.opencl import results
from clrng.opencl.arrays import flush_others, upload
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


def _copied(a: Any, places: Any, axis: int, shape: tuple[int, ...]) -> Any:
    """Return the elements along an axis at `places`, which are checked; `shape` takes the place of the axis."""
    flush_others(a.queue, places)
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


def _given(a: Any, indices: Any) -> Any:
    """Return what picks elements of `a` as an array of its device."""
    if a.queue is None:
        raise ValueError("an array must have a queue, on which the work is done; with_queue(queue) gives it one")
    given = indices if isinstance(indices, cla.Array) else upload(a.queue, np.asarray(indices))
    if given.context != a.queue.context:
        raise ValueError("indices must be in the context of the array, not in another one")
    if given.dtype.kind not in "iub" and (given.size or given is indices):
        raise IndexError(f"indices must be integers, or a mask of bool, not {given.dtype}")
    if given.queue is None:
        flush_others(a.queue, given)
        return move(a.queue, given)
    return given


def _is_mask(given: Any) -> bool:
    return given.dtype in (np.dtype(bool), np.dtype(np.int8))


def _held_places(a: Any, mask: Any) -> Any:
    """Return where a mask of the shape of `a`, or its beginning, holds, in C order."""
    if not mask.ndim or mask.shape != a.shape[: mask.ndim]:
        raise IndexError(f"a mask must have the shape {a.shape} or its beginning, not {mask.shape}")
    return flatnonzero(_held(_flat(mask)))


def _checked_places(a: Any, given: Any, axis: int) -> Any:
    """Return indices along an axis in one dimension, counted from 0."""
    places, n = _flat(given), a.shape[axis]
    low, high = map(int, extremes(places)) if places.size else (0, -1)
    if low < -n or high >= n:
        wrong = low if low < -n else high
        raise IndexError(f"indices must be from {-n} to {n - 1}, as axis {axis} has {n} elements, and have {wrong}")
    if low < 0:  # few are: they go by way of the host
        places = upload(a.queue, places.get().astype(np.int64) % n)
    return places


def take(a: Any, indices: Any, axis: int | None) -> Any:
    """Return what `Array.take` does."""
    given = _given(a, indices)
    return _taken(a, given.view(np.uint8) if given.dtype == np.dtype(bool) else given, axis)  # 0 and 1, as in NumPy


def _taken(a: Any, given: Any, axis: int | None) -> Any:
    """Return the elements at indices, which may be none of any dtype."""
    a, along = (_flat(a), 0) if axis is None else (a, axis)
    if not a.ndim:
        raise IndexError("indices need an array that has an axis, not one of shape ()")
    along = integer("axis", along, -a.ndim, a.ndim - 1) % a.ndim
    return _copied(a, _checked_places(a, given, along), along, given.shape)


def picked(a: Any, index: Any) -> Any:
    """Return what ``a[index]`` is, where `index` is an array of integers or a mask."""
    given = _given(a, index)
    if not _is_mask(given):
        return _taken(a, given, 0)
    held = _held_places(a, given)
    return _copied(_flat(a).reshape((prod(given.shape), *a.shape[given.ndim :])), held, 0, (held.size,))


def places(a: Any, index: Any) -> Any:
    """Return the places in `a`, of one dimension, of the elements that ``a[index]`` has, as PyOpenCL takes them."""
    if a.ndim != 1 or not a.flags.c_contiguous:
        raise NotImplementedError(
            f"elements that an array picks are set in a contiguous array of one dimension alone, not in one of shape "
            f"{a.shape} and strides {a.strides}; pyopencl.array.if_positive takes masks of any shape"
        )
    given = _given(a, index)
    return _held_places(a, given) if _is_mask(given) else _checked_places(a, given, 0)
