"""Known values for the proofs of counts, and how many of them are in each bin."""

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.transfers import upload
from clrng.order.kernels import SMALL
from clrng.order.known import hard_values, placed, rank, spread_values
from clrng.proof.fills import GUARD, check_guard, poisoned
from clrng.proof.prove import compare

Array = npt.NDArray[Any]

MOST_BINS = 10_001
"""The most bins of an example, more than have counters in local memory."""

EDGES = 150
"""Edges of bins near which there are values."""

BYTES = 256
"""Values that a byte can have."""

ALIGNED = 64
"""Bytes of which loads begin at multiples, at most."""

Count = Callable[[cla.Array, cla.Array], Any]
"""Counts values; called with these and with memory for the counts."""


def _counted(queue: cl.CommandQueue, values: Array, offset: int, bins: int, count: Count) -> Array:
    """Return the counts of values, which begin so many bytes behind a place of memory that loads can begin at."""
    counts = poisoned(queue, bins + GUARD, np.dtype(np.uint32))
    count(placed(queue, values, (ALIGNED + offset) // values.itemsize), counts[:bins])
    queue.finish()
    made: Array = counts.get()
    check_guard("behind", made[bins:])
    return made[:bins]


def check_bincount(queue: cl.CommandQueue, dtype: np.dtype[Any], offset: int, bins: int, count: Count, n: int) -> None:
    """Check the counts of `n` integers of `dtype`, of which half are equal.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    dtype : numpy.dtype
    offset : int
        How many bytes behind a multiple of `ALIGNED` the values begin.
    bins : int
    count : callable
        As `Count` says.
    n : int

    Raises
    ------
    MismatchError
        If a count is not right.
    """
    random = np.random.default_rng(n)
    values = random.integers(0, min(bins - 1, int(np.iinfo(dtype).max)), n, dtype, endpoint=True)
    values[random.random(n) < 1 / 2] = values[0]
    found = _counted(queue, values, offset, bins, count)
    compare("count", found, np.bincount(values.astype(np.int64), minlength=bins).astype(np.uint32))


def check_histogram(
    queue: cl.CommandQueue, edges: Array, limits: tuple[Any, Any], dtype: np.dtype[Any], offset: int, count: Count,
    n: int,
) -> None:  # fmt: skip
    """Check the counts of `n` values of `dtype`: of edges and of the values next to them, of hard ones and of others.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    edges : ndarray
    limits : (number, number)
        The first and the last edge before they were rounded.
    dtype : numpy.dtype
    offset, count, n
        As for `check_bincount`.

    Raises
    ------
    MismatchError
        If a count is not right.
    """
    random, few = np.random.default_rng(n), near_edges(edges, dtype)
    few = few if n > SMALL else few[random.integers(0, few.size, SMALL // 3)]
    first, last = (each.item() for each in np.array(edges[[0, -1]])) if dtype.kind == "f" else map(_number, limits)
    bins = np.array([_bin(edges, value) if first <= value <= last else -1 for value in few.tolist()])
    chosen = random.integers(0, few.size, n)
    found = _counted(queue, few[chosen], offset, edges.size - 1, count)
    within = bins[chosen]
    expected = np.bincount(within[within >= 0], minlength=edges.size - 1)
    compare("count", found, expected.astype(np.uint32))


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


def _number(limit: Any) -> Any:
    """Return a number of NumPy or Python as one of Python, which are compared as they are."""
    return limit.item() if isinstance(limit, np.generic) else limit


def _bin(edges: Array, value: float) -> int:
    """Return the bin of a number that is in one."""
    found = bisect_right(range(edges.size), value, key=lambda k: float(edges[k])) - 1
    return min(max(found, 0), edges.size - 2)


def check_fold(queue: cl.CommandQueue, fold: Any, n: int) -> None:
    """Check the sums of the counts of bytes in `n` bins.

    Raises
    ------
    MismatchError
        If one is not right.
    """
    random = np.random.default_rng(n)
    of_values = random.integers(0, 2**20, BYTES, np.uint32)
    for least in (-BYTES // 2, 0):
        first = np.sort(random.integers(least, least + BYTES, n + 1, np.int32, endpoint=True))
        counts = poisoned(queue, n + GUARD, np.dtype(np.uint32))
        fold(upload(queue, of_values), upload(queue, first), counts[:n])
        queue.finish()
        sums = np.append(np.uint32(0), np.cumsum(np.roll(of_values, -least), dtype=np.uint32))[first - least]
        made = counts.get()
        compare("count", made[:n], np.diff(sums))
        check_guard("behind", made[n:])


def check_extremes(queue: cl.CommandQueue, dtype: np.dtype[Any], extremes: Any, n: int) -> None:
    """Check the least and the largest of `n` values of `dtype`, at several places, by a function of an array.

    Raises
    ------
    MismatchError
        If one is not right.
    """
    spread, word = spread_values(dtype, n), f"uint{8 * dtype.itemsize}"
    middle = spread[(rank(spread) >> np.uint64(8 * dtype.itemsize - 2)) % np.uint64(3) != 0]  # no extreme ones
    cases = [spread, np.resize(hard_values(dtype), n)]
    for place in (0, n // 2, n - 1) if n > SMALL else ():
        for extreme in _ends(spread):
            case = np.resize(middle, n)
            case[place] = extreme
            cases.append(case)
    for case in cases:
        found = np.array([each.view(word) for each in extremes(placed(queue, case))], word)
        compare("of the least and the largest value number", found, _ends(case).view(word))


def _ends(values: Array) -> Array:
    """Return the least and the largest value."""
    ranks = rank(values)
    found: Array = values[[int(ranks.argmin()), int(ranks.argmax())]]
    return found
