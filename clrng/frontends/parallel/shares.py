"""How arrays are cut for several devices: into parts of given relative sizes, or by the rates of the devices."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import isfinite, prod
from numbers import Real
from typing import Any

import numpy as np

from clrng.distributions import Transform
from clrng.frontends.parallel.worker import MAX_TIMED, Worker
from clrng.validation import shown

NEAR = 64
"""Rows stay whole where that moves no cut by more than this part of the array."""

TIMED_FROM = 2**20
"""The minimum number of values of a call for which it is worth measuring the rates of the devices."""

SHORTEST_CUT = 1e-3
"""Arrays that the fastest device makes in fewer seconds are not cut: another launch would take longer than it saves."""

MAX_CACHED = 256
"""The maximum number of kernels and sizes for which rates are cached."""

SIZE_BITS = 3
"""Fills have one rate where the numbers of bits of their sizes, divided by this and rounded down, are equal. Small
fills on a device that needs long ones say little of its rate."""


def check_shares(values: Any, count: int) -> tuple[float, ...] | None:
    """Return `values` as `count` floats, finite, 0 or more and not all 0; None stays None."""
    if values is None:
        return None
    legal = f"{count} finite numbers of 0 or more, one for each of queues, not all 0"
    listed = isinstance(values, (Sequence, np.ndarray)) and not isinstance(values, (str, bytes))
    if not listed or not all(isinstance(value, Real) and not isinstance(value, bool) for value in values):
        raise TypeError(f"shares must be {legal}, not {shown(values)}")
    try:
        found = tuple(float(value) for value in values)
    except OverflowError:  # an integer or a fraction beyond the floats
        found = ()
    if len(found) != count or not all(isfinite(value) and value >= 0 for value in found) or not any(found):
        raise ValueError(f"shares must be {legal}, not {shown(values)}")
    return found


@dataclass(frozen=True)
class Cut:
    """A part of an array: its values from place `begin` to `end` - 1, counted in C order.

    Its `shape` has whole rows along the first axis, and `rows` says which; where rows are cut it has one dimension, and
    `rows` is None, as for the part of an array that has no axis.
    """

    begin: int
    end: int
    shape: tuple[int, ...]
    rows: slice | None


def edges(n: int, weights: Sequence[float]) -> list[int]:
    """Return where `n` things are cut in proportion to `weights`: from 0 to `n`, each cut at the nearest integer."""
    exact, found, sums = [Fraction(weight) for weight in weights], [0], Fraction(0)
    total = sum(exact)
    for weight in exact:
        sums += weight
        found.append(round(n * sums / total))
    return found


@lru_cache(maxsize=256)
def cuts(shape: tuple[int, ...], weights: tuple[float, ...]) -> tuple[Cut, ...]:
    """Return a part of an array for each of `weights`, in proportion to them; some may be empty.

    Rows stay whole where the parts are still near the weights.
    """
    n, rows = prod(shape), shape[0] if shape else 0
    flat = edges(n, weights)
    if not shape:
        return tuple(Cut(a, b, shape if b > a else (0,), None) for a, b in pairwise(flat))
    if rows:
        width = n // rows
        by_rows = edges(rows, weights)
        if max(abs(row * width - place) for row, place in zip(by_rows, flat, strict=True)) * NEAR <= n:
            return tuple(Cut(a * width, b * width, (b - a, *shape[1:]), slice(a, b)) for a, b in pairwise(by_rows))
    return tuple(Cut(a, b, (b - a,), None) for a, b in pairwise(flat))


class Balance:
    """Cuts arrays for workers, one for each device; without `shares` by their rates, which are measured."""

    def __init__(self, workers: Sequence[Worker], shares: tuple[float, ...] | None) -> None:
        self._workers, self._shares = workers, shares
        self._rates: dict[Any, tuple[float, ...]] = {}
        self._fastest = workers[0]

    def parts(self, transform: Transform, shape: tuple[int, ...]) -> list[tuple[Worker, Cut]]:
        """Return the parts of an array, none of them empty, and the worker that makes each."""
        weights = self._shares or self._weights(transform, prod(shape))
        if weights is None:
            whole = Cut(0, prod(shape), shape, slice(0, shape[0]) if shape else None)
            return [(self._fastest, whole)] if whole.end else []
        parts = zip(self._workers, cuts(shape, weights), strict=True)
        return [(worker, cut) for worker, cut in parts if cut.end > cut.begin]

    def _weights(self, transform: Transform, n: int) -> tuple[float, ...] | None:
        """Return how fast the devices make `n` values; None where one device alone makes them."""
        if n < TIMED_FROM or len(self._workers) == 1:
            return None
        size_class = min(n, MAX_TIMED).bit_length() // SIZE_BITS
        key = transform, size_class, tuple(worker.key for worker in self._workers)
        rates = self._rates.get(key)
        if rates is None:
            if len(self._rates) >= MAX_CACHED:
                self._rates.clear()
            rates = self._rates[key] = self._measured(transform, n)
        self._fastest = self._workers[rates.index(max(rates))]
        return rates if n > SHORTEST_CUT * max(rates) else None

    def _measured(self, transform: Transform, n: int) -> tuple[float, ...]:
        """Return the rate of each device, in values a second, for `n` values; devices of one model have the same."""
        rates: dict[Any, float] = {}
        for worker in self._workers:
            if worker.model not in rates:
                rates[worker.model] = worker.rate(transform, n)
        return tuple(rates[worker.model] for worker in self._workers)
