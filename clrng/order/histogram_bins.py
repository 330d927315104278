"""The bins of a histogram, as a kernel finds them: exactly those between NumPy's edges."""

from math import ceil, floor
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

from clrng.order.count_values import extremes

Array = npt.NDArray[Any]

MIN_ROOM = 4
"""The safety factor against places that are wrong by more than one bin."""


class Bins(NamedTuple):
    """The numbers with which a kernel finds the bin of a value.

    The place of a value x is about (x - start) * scale, counted in bins, or for integers (x - low) * scale + start.
    Where it is nearer to a whole number than `near`, the bounds decide.
    """

    low: Any  # The smallest value that is counted, a NumPy scalar
    high: Any  # The largest one
    low_bin: int
    high_bin: int
    bounds: Array  # The smallest value of bins `low_bin` + 1 to `high_bin`, each at its index
    start: float
    scale: float
    near: float
    walks: bool  # Whether places may be wrong by more than one bin


def limits_of(a: cla.Array) -> tuple[Any, Any]:
    """Return the minimum and the maximum, for which this waits; of an empty array 0 and 1, as NumPy does."""
    limits = extremes(a) if a.size else (0, 1)
    if not np.isfinite(limits).all():
        raise ValueError(f"a must be finite where range is not given, and has values from {limits[0]} to {limits[1]}")
    return limits


def edges_of(dtype: np.dtype[Any], bins: int, limits: tuple[Any, Any]) -> Array:
    """Return the edges that NumPy gives `bins` equal bins of values of `dtype`, shape (bins + 1,).

    The `limits` are the first and the last edge, unequal; a ValueError says that they are too far apart, or so near to
    one another that edges would be equal.
    """
    real = np.result_type(dtype, *limits, np.float32) if dtype.kind == "f" else np.dtype(np.float64)
    with np.errstate(all="ignore"):
        try:
            edges = np.histogram_bin_edges(np.empty(0, dtype), bins, limits)
        except ValueError:
            edges = np.zeros(2)
        if not np.isfinite(edges[-1] - edges[0]) or not (edges[1:] > edges[:-1]).all():
            raise ValueError(
                f"range must have a finite length, and {bins} bins with edges that {real} tells apart, not be "
                f"from {limits[0]} to {limits[1]}"
            )
    return edges


def bins_between(edges: Array, limits: tuple[Any, Any], dtype: np.dtype[Any]) -> Bins | None:
    """Return how the bins between `edges` are found for values of `dtype`, or None if no value is in any.

    Bin k has the values from edge k to below edge k + 1, and the last one those equal to the last edge too.
    The `limits` are the first and the last edge, not yet rounded to what edges are.
    """
    with np.errstate(all="ignore"):
        found = (_of_integers if dtype.kind in "iu" else _of_floats)(edges, limits, dtype)
        if found is None:
            return None
        low, high, bounds, reached = found
        low_bin = int(np.count_nonzero(reached[1:-1] & (bounds[1:-1] <= low)))
        high_bin = int(np.count_nonzero(reached[1:-1] & (bounds[1:-1] <= high)))
        real: Any = np.float64 if dtype == np.float64 else np.float32
        first, last, bins = float(edges[0]), float(edges[-1]), edges.size - 1
        scale = bins / (last - first)
        largest = max(abs(edges[0]), abs(edges[-1]))
        spacing, start = float(np.spacing(largest)), first
        if dtype.kind in "iu":
            middle = 0.5 if (edges == np.floor(edges)).all() else 0.0  # no integer is then near to an edge
            start = (float(low) - first + middle) * scale
        else:
            spacing = max(spacing, float(np.spacing(real(largest))))
        near = 8 * (bins * float(np.finfo(real).eps) + spacing * scale)
        wide = last - first > float(np.finfo(real).max) / MIN_ROOM
        walks = wide or not scale <= float(np.finfo(real).max) or not near <= 1 / MIN_ROOM
    return Bins(low, high, low_bin, high_bin, bounds, start, scale, near, walks)


def first_values(edges: Array, limits: tuple[Any, Any], dtype: np.dtype[Any]) -> Array:
    """Return the first integer of each bin, and behind them the first that is in none, shape (bins + 1,).

    They are of a `dtype` of one byte; those beyond it are left out. The rest is as for `bins_between`.
    """
    range_of = np.iinfo(dtype)
    last = min(max(floor(limits[1]), range_of.min - 1), range_of.max)
    first = np.clip(np.ceil(edges), range_of.min, last + 1)
    first[-1] = last + 1
    return first.astype(np.int64)


def _of_integers(edges: Array, ends: tuple[Any, Any], dtype: np.dtype[Any]) -> tuple[Any, Any, Array, Array] | None:
    """Return the smallest and the largest integer counted, the smallest of each bin, and which bins have one.

    A bin without one may have any bound.
    """
    limits = np.iinfo(dtype)
    first, last = (int(end) if isinstance(end, Integral) else end for end in ends)
    low, high = max(ceil(first), limits.min), min(floor(last), limits.max)
    if low > high:
        return None
    least = np.ceil(edges)
    reached = least < float(limits.max + 1)
    bounds = np.full(edges.shape, low, dtype)
    above = reached & (least > low)
    bounds[above] = least[above].astype(dtype)
    return low, high, bounds, reached


def _of_floats(edges: Array, _: object, dtype: np.dtype[Any]) -> tuple[Any, Any, Array, Array] | None:
    """Return what `_of_integers` does, for floating-point numbers."""
    bounds, high = edges.astype(dtype), dtype.type(edges[-1])
    bounds = np.where(bounds < edges, np.nextafter(bounds, dtype.type(np.inf)), bounds)
    if high > edges[-1]:
        high = np.nextafter(high, dtype.type(-np.inf))
    return (bounds[0], high, bounds, np.ones(edges.shape, bool)) if bounds[0] <= high else None
