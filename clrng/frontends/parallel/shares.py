"""How arrays are cut for several devices: into parts of given relative sizes, or by the rates of the devices."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import isfinite, prod
from numbers import Real
from time import perf_counter
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.distributions import RAW, Transform
from clrng.distributions.transforms.by_element import Varying
from clrng.fill.jump_tree import Reached
from clrng.fill.repeated import Again
from clrng.frontends.drawing import fill_on_host
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator
from clrng.opencl import arrays
from clrng.validation import shown

FIRST_TIMED = 2**20
"""The number of values of the first fill that is timed."""

MAX_TIMED = 2**27
"""The maximum number of values that are timed: the launch of such a fill takes little of its time."""

LONG_ENOUGH = 2e-3
"""The seconds that fills must take to give the rate of a device; on a slow one, larger fills would take long."""

MAX_REPEATS = 64
"""The maximum number of fills that are timed together."""

NEAR = 64
"""Rows stay whole where that moves no cut by more than this part of the array."""

TIMED_FROM = 2**20
"""The minimum number of values of a call for which it is worth measuring the rates of the devices."""

SHORTEST_CUT = 1e-3
"""Arrays that the fastest device makes in fewer seconds are not cut: another launch would take longer than it saves."""

MAX_CACHED = 256
"""The maximum number of kernels and sizes for which rates are cached."""

SIZE_BITS = 3
"""A device may be slow for small fills and fast for large ones, so a rate is that of a class of sizes: of those whose
number of bits, divided by this and rounded down, is the same."""


class Worker(Generator):
    """Draws parts of arrays on one device; a `MultiDeviceGenerator` has the stream and moves it on."""

    def follow(self, bits: BitGenerator) -> None:
        """Take the parameters and the place of `bits`; raise an error where they do not suit the device."""
        self.bit_generator = bits.copy()
        self._looked_at()

    @property
    def key(self) -> Any:
        """What is equal for fills of one transform that take equally long."""
        return self._executor.code.key

    @property
    def model(self) -> Any:
        """What is equal for devices that are equally fast."""
        return self._device.platform, self._device.driver, self._device.name, self._device.units

    def output(self, shape: tuple[int, ...], dtype: np.dtype[Any], out: cla.Array | None = None) -> cla.Array:
        """Return `out` after checking it, or a new array."""
        return arrays.output_array(self._queue, self._device, shape, dtype, out)

    def prepare(self, transform: Transform, nbytes: int) -> None:
        """Build what a fill of so many bytes needs; raise an error where that fails."""
        self._executor.prepare(transform, nbytes)

    def fill(self, transform: Transform, out: Any, begin: int) -> None:
        """Have `out` filled with the values from place `begin` of the next array on; wait if it is of the host."""
        start = self.bit_generator.taken(transform).jumped(begin * transform.steps)
        if isinstance(out, np.ndarray):
            fill_on_host(self._queue, self._device, self._fill, transform, out, start)
        else:
            self._fill(transform, out, start)
            self._queue.flush()

    def draw_next(self, name: str, dtype: Any, out: cla.Array, parameters: dict[str, Any]) -> None:
        """Have `out` filled with the next values of a method of generators."""
        self._named(name, None, dtype, out, **parameters)
        self._queue.flush()

    def again(self, name: str, dtype: Any, out: cla.Array, parameters: dict[str, Any]) -> Again | None:
        """Return what makes calls that are like an earlier one of `draw_next`, if anything does."""
        return self._calls(name, None, dtype, out.dtype, out.shape, **parameters).again

    def rate(self, transform: Transform, limit: int) -> float:
        """Return how many values a second the device makes, from fills of at most `limit` values."""
        dtype = transform.dtype or self._raw
        limit = min(limit, MAX_TIMED, self._device.largest_allocation // (8 * dtype.itemsize))
        size, repeats, reached = min(FIRST_TIMED, limit), 1, Reached()
        while True:
            out = cla.Array(self._queue, size, dtype)
            self._seconds(transform, out, reached, 1)  # builds the kernel, touches the memory
            seconds = min(self._seconds(transform, out, reached, repeats) for _ in range(3))
            if seconds >= LONG_ENOUGH or repeats >= MAX_REPEATS:
                return size * repeats / seconds
            repeats *= 4 if size == limit else 1
            size = min(8 * size, limit)

    def _seconds(self, transform: Transform, out: cla.Array, reached: Reached, repeats: int) -> float:
        """Return how long so many fills of `out` take."""
        self._queue.finish()
        begin = perf_counter()
        for _ in range(repeats):
            self._executor.fill(transform, out, self.bit_generator.taken(transform), reached)
        self._queue.finish()
        return perf_counter() - begin


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

    def of_vectors(self, width: int, *, alone: bool) -> "Cut":
        """Return this part where each value is a vector of so many numbers; the array may be one vector `alone`."""
        begin, end = width * self.begin, width * self.end
        if self.rows is None:
            return Cut(begin, end, (end - begin,), slice(begin, end) if alone else None)
        return Cut(begin, end, (*self.shape, width), self.rows)


def edges(n: int, weights: Sequence[float]) -> list[int]:
    """Return where `n` things are cut in proportion to `weights`: from 0 to `n`, each cut at the nearest integer."""
    exact, found, sums = [Fraction(weight) for weight in weights], [0], Fraction(0)
    total = sum(exact)
    for weight in exact:
        sums += weight
        found.append(round(n * sums / total))
    return found


@lru_cache(maxsize=256)
def cuts(shape: tuple[int, ...], weights: tuple[float, ...], width: int = 1) -> tuple[Cut, ...]:
    """Return parts of an array in proportion to `weights`, some perhaps empty; rows stay whole where `NEAR` allows.

    So do vectors in any case, along a last axis of `width` numbers.
    """
    if width > 1:
        return tuple(each.of_vectors(width, alone=len(shape) == 1) for each in cuts(shape[:-1], weights))
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

    def parts(self, transform: Transform, shape: tuple[int, ...], width: int = 1) -> list[tuple[Worker, Cut]]:
        """Return the parts of an array, none of them empty, and the worker of each; `width` is as for `cuts`."""
        weights = self._shares or self._weights(transform, prod(shape))
        workers = [self._fastest] if weights is None else self._workers
        parts = zip(workers, cuts(shape, weights or (1.0,), width), strict=True)
        return [(worker, cut) for worker, cut in parts if cut.end > cut.begin]

    def _weights(self, transform: Transform, n: int) -> tuple[float, ...] | None:
        """Return how fast the devices make `n` values; None where one device alone makes them."""
        if n < TIMED_FROM or len(self._workers) == 1:
            return None
        transform = RAW if isinstance(transform, Varying) else transform  # it has those of one array
        size_class = min(n, MAX_TIMED).bit_length() // SIZE_BITS
        key = transform, size_class, tuple(worker.key for worker in self._workers)
        rates = self._rates.get(key)
        if rates is None:
            if len(self._rates) >= MAX_CACHED:
                self._rates.clear()
            by_model = {worker.model: worker for worker in reversed(self._workers)}  # which have the same rate
            found = {model: worker.rate(transform, n) for model, worker in by_model.items()}
            rates = self._rates[key] = tuple(found[worker.model] for worker in self._workers)
        self._fastest = self._workers[rates.index(max(rates))]
        return rates if n > SHORTEST_CUT * max(rates) else None
