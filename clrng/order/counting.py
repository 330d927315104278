"""How often values occur in an array, and how many are in each of several bins of equal width."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.errors import UnsupportedError
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import info
from clrng.order.arguments import INTEGERS, WORD, array_of, as_bytes, new_array, offset_of, queue_of
from clrng.order.count_values import (
    Bins,
    bins_between,
    count_values,
    edges_of,
    extremes,
    first_values,
    limits_of,
    offsets_like,
)
from clrng.order.kernels import SMALL, group_sizes, hard_values, launch, rehearse
from clrng.proof.examples import Array, Example
from clrng.validation import shown

MAX_BINS = 2**30
"""The maximum number of bins, so that their counts are less than 2^32 bytes."""

MAX_KNOWN = 10_001
"""The maximum number of bins of an example, more than have counters in local memory."""

EDGES = 150
"""The number of edges near which examples have values."""

BYTES = 256
"""Values that a byte can have."""


def bincount(a: cla.Array, minlength: int = 0) -> cla.Array:
    """Return how often each of the integers 0, 1, 2, ... occurs, as ``numpy.bincount`` does.

    This waits for the largest value, which determines the length of the result, unless `a` is of an unsigned dtype in
    which all integers are less than `minlength`.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        Integers of any dtype, none of them negative or 2^30 or more.
    minlength : int, optional
        The minimum length of the result, from 0 to 2^30.

    Returns
    -------
    clrng.Array of uint32, shape (max(minlength, 1 + largest value),)
        On the queue of `a`.

    Raises
    ------
    TypeError
        If `a` is no ``pyopencl.array.Array``, or `minlength` no integer.
    ValueError
        If `a` is not of one dimension, C-contiguous and of integers, or has a value that is negative or too large; or
        if `minlength` is negative or too large.

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(clrng.order.bincount(a))
    [3 0 0 1 0 1 1 1 1]
    """
    a = array_of("a", a, INTEGERS)
    bins = validation.integer("minlength", minlength, 0, MAX_BINS)
    if a.size and (a.dtype.kind == "i" or bins <= np.iinfo(a.dtype).max):
        low, high = map(int, extremes(a))
        if low < 0 or high >= MAX_BINS:
            wrong = low if low < 0 else high
            raise ValueError(f"a must have integers from 0 to {MAX_BINS - 1}, and has {wrong}")
        bins = max(bins, high + 1)
    return _bincount(a, bins)


def _bincount(a: cla.Array, bins: int) -> cla.Array:
    """Return how often each of the integers below `bins` occurs, where no others do."""
    return count_values("bincount", a, bins, {}, partial(_counts, a.dtype, offsets_like(a), min(bins, MAX_KNOWN)))


def _counts(dtype: np.dtype[Any], offsets: list[int], bins: int, n: int) -> Iterator[Example]:
    """Yield the counts of `n` integers of `dtype` below `bins`, of which half are equal."""
    random = np.random.default_rng(n)
    values = random.integers(0, min(bins - 1, int(np.iinfo(dtype).max)), n, dtype, endpoint=True)
    values[random.random(n) < 1 / 2] = values[0]
    counts = np.bincount(values.astype(np.int64), minlength=bins).astype(WORD)
    yield Example([values], {"count": counts}, offsets=offsets)


def histogram(
    a: cla.Array,
    bins: int = 256,
    range: tuple[float, float] | None = None,  # noqa: A002  # NumPy's name
) -> tuple[cla.Array, npt.NDArray[Any]]:
    """Return how many values are in each of several bins of equal width, and their edges, as ``numpy.histogram`` does.

    Bin k has the values from ``edges[k]`` to below ``edges[k + 1]``, and the last one those equal to the last edge too.
    Counts are exact, and so equal to NumPy's, except that NumPy rounds integers above 2^53 before it compares them.
    Values outside and NaNs are not counted.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        Integers, float32 or, on devices with double precision, float64.
    bins : int, optional
        From 1 to 2^30.
    range : (float, float), optional
        The first and the last edge, both finite and in this order. By default the minimum and the maximum of `a`,
        for which this waits; with a `range` it waits for nothing.

    Returns
    -------
    counts : clrng.Array of uint32, shape (bins,)
        On the queue of `a`.
    edges : ndarray, shape (bins + 1,)
        On the host: float64, or float32 where `a` is and `range` is not of NumPy's float64.

    Raises
    ------
    TypeError
        If `a` is no ``pyopencl.array.Array``, `bins` no integer or `range` no pair of numbers.
    ValueError
        If `a` is not of one dimension, C-contiguous and of a legal dtype; `bins` is out of range; `range` is in the
        wrong order, not finite or too short for its bins; or if there is no `range` and `a` has NaN or infinities.
    UnsupportedError
        If `a` is of float64 and the device has no double precision.

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(*clrng.order.histogram(a, 4))
    [3 1 1 3] [0. 2. 4. 6. 8.]
    """
    a = array_of("a", a, (*INTEGERS, "float32", "float64"))
    bins = validation.integer("bins", bins, 1, MAX_BINS)
    limits = _range(range)
    queue = queue_of(a)
    device = info(queue.device)
    if a.dtype == np.float64 and not device.fp64:
        raise UnsupportedError(f"a must not have dtype float64 on {device.name}, which has no double precision")
    limits = limits_of(a) if limits is None else limits
    if limits[0] == limits[1]:
        limits = limits[0] - 0.5, limits[1] + 0.5
    edges = edges_of(a.dtype, bins, limits)
    if a.dtype.itemsize == 1:
        return _of_bytes(a, edges, limits), edges
    return _between(a, edges, limits), edges


def _between(a: cla.Array, edges: npt.NDArray[Any], limits: tuple[Any, Any]) -> cla.Array:
    """Return how many values of `a` are in each bin between `edges`; `limits` are the ends before rounding."""
    queue, dtype, found = queue_of(a), a.dtype, bins_between(edges, limits, a.dtype)
    real = np.dtype(np.float64 if dtype == np.float64 else np.float32)
    walks = found is not None and found.walks
    values = {"wide": CTYPES[_wide(dtype).name], "real": CTYPES[real.name], "difference": "", "walks": walks}
    if dtype.kind in "iu":
        values["difference"] = "ulong" if dtype.itemsize == np.dtype(np.uint64).itemsize else "uint"
    some, ends = known_edges(edges, limits, found)
    return count_values(
        "histogram", a, edges.size - 1, _parameters(queue, found, dtype),
        partial(_histograms, some, ends, dtype, offsets_like(a)),
        lambda own: _parameters(own, bins_between(some, ends, dtype), dtype), **values,
    )  # fmt: skip


def _histograms(
    edges: Array, limits: tuple[Any, Any], dtype: np.dtype[Any], offsets: list[int], n: int
) -> Iterator[Example]:
    """Yield the counts of `n` values of `dtype`: of edges and of the values next to them, of hard ones and of others.

    The `limits` are the first and the last edge before they were rounded.
    """
    random, few = np.random.default_rng(n), near_edges(edges, dtype)
    few = few if n > SMALL else few[random.integers(0, few.size, SMALL // 3)]
    # as numbers of Python, whose comparisons do not round
    all_edges, ends = [float(edge) for edge in edges], edges[[0, -1]] if dtype.kind == "f" else limits
    first, last = (end.item() if isinstance(end, np.generic) else end for end in ends)
    last_bin = edges.size - 2
    found = [min(max(bisect_right(all_edges, x) - 1, 0), last_bin) if first <= x <= last else -1 for x in few.tolist()]
    bins = np.array(found)
    chosen = random.integers(0, few.size, n)
    within = bins[chosen]
    counts = np.bincount(within[within >= 0], minlength=edges.size - 1).astype(WORD)
    yield Example([few[chosen]], {"count": counts}, offsets=offsets)


def near_edges(edges: Array, dtype: np.dtype[Any]) -> Array:
    """Return values of `dtype` at some edges, next to these, between them and outside."""
    random, last = np.random.default_rng(edges.size), edges.size - 1
    some = np.concatenate([edges[[0, 1, -2, -1]], edges[random.integers(0, last, EDGES, endpoint=True)]])
    between = float(edges[0]) + random.random(EDGES) * (float(edges[-1]) - float(edges[0]))
    if dtype.kind in "iu":
        limits, numbers = np.iinfo(dtype), [float(number) for number in (*some.tolist(), *between.tolist())]
        near = [int(number) + step for number in numbers for step in (-1, 0, 1)]
        legal = [number for number in near if limits.min <= number <= limits.max]
        return np.concatenate([np.array(legal, dtype), hard_values(dtype)])
    with np.errstate(all="ignore"):
        here = np.concatenate([some, between]).astype(dtype)
        down, up = (np.nextafter(here, dtype.type(end)) for end in (-np.inf, np.inf))
    found: Array = np.concatenate([here, down, up, hard_values(dtype)])
    tiny, sizes = np.finfo(dtype).tiny, np.abs(found)
    flushed = np.abs(edges[edges != 0]).min(initial=1.0) < tiny  # then zeros are not sure, either
    sure: Array = found[~((sizes < tiny) & ((sizes > 0) | flushed))]
    return sure


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype that values are compared as."""
    return np.promote_types(dtype, "int32" if dtype.kind == "i" else "uint32") if dtype.kind in "iu" else dtype


def _parameters(queue: cl.CommandQueue, found: Bins | None, dtype: np.dtype[Any]) -> dict[str, Any] | None:
    """Return the arguments with which the kernel finds bins."""
    if found is None:
        return None
    numbers = {name: value for name, value in found._asdict().items() if name != "walks"}
    return numbers | {"bounds": upload(queue, found.bounds.astype(_wide(dtype))).base_data}


def _of_bytes(a: cla.Array, edges: npt.NDArray[Any], limits: tuple[Any, Any]) -> cla.Array:
    """Return what `_between` does for values of one byte: each value is counted, and then the values of each bin."""
    queue = queue_of(a)
    first = upload(queue, first_values(edges, limits, a.dtype).astype(np.int32))
    of_values = _bincount(as_bytes(a), BYTES)
    counts = new_array(a, edges.size - 1, WORD, name="bins")
    rehearse(queue, "fold", (_fold, _folds))
    _fold([of_values, first], [counts])
    return counts


def _fold(given: Sequence[cla.Array], results: Sequence[cla.Array]) -> None:
    """Set the count of each bin to the sum of the counts of its values."""
    (of_values, first), (counts,), queue = given, results, queue_of(given[0])
    event = launch(
        queue, "fold", "fold", {}, group_sizes(counts.size, queue), of_values=of_values.base_data,
        first=first.base_data, counts=counts.base_data, offset=offset_of(counts), bins=counts.size,
        wait_for=wait_list(of_values, counts),
    )  # fmt: skip
    arrays.attach_event(queue, counts, event)


def _folds(n: int) -> Iterator[Example]:
    """Yield the sums of the counts of bytes, signed and not, in `n` bins."""
    random = np.random.default_rng(n)
    of_values = random.integers(0, 2**20, BYTES, WORD)
    for least in (-BYTES // 2, 0):
        first = np.sort(random.integers(least, least + BYTES, n + 1, np.int32, endpoint=True))
        sums = np.append(WORD.type(0), np.cumsum(np.roll(of_values, -least), dtype=WORD))[first - least]
        yield Example([of_values, first], {"count": np.diff(sums)}, offsets=(0, 0))


def known_edges(edges: npt.NDArray[Any], limits: tuple[Any, Any], found: Bins | None) -> tuple[Any, tuple[Any, Any]]:
    """Return edges and limits for examples: the same or, of very many, those of the first bins that have values."""
    bins = edges.size - 1
    first = 0 if found is None else min(found.low_bin, max(bins - MAX_KNOWN, 0))
    some = edges[first : first + MAX_KNOWN + 1]
    low = limits[0] if first == 0 else some[0]
    return some, (low, limits[1] if first + some.size > bins else some[-1])


def _range(value: Any) -> tuple[Any, Any] | None:
    """Return the argument range: None, or two finite numbers in rising order."""
    if value is None:
        return None
    if not isinstance(value, (tuple, list)) or len(value) != len(("first", "last")):
        raise TypeError(f"range must be a pair of numbers, or None, not {shown(value)}")
    first, last = value
    if not isinstance(first, Real) or not isinstance(last, Real):
        raise TypeError(f"range must be a pair of numbers, or None, not {shown(value)}")
    try:
        finite = isfinite(first) and isfinite(last)
    except OverflowError:  # of an integer
        finite = False
    if not (finite and first <= last):
        raise ValueError(f"range must be finite and in rising order, not {shown(value)}")
    return first, last
