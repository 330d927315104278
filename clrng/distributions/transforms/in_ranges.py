"""Integers and uniform numbers between bounds that every element of an array has of its own."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.transform import Declaration, Transform
from clrng.distributions.transforms.uniform import (
    CLOSENESS_BITS,
    LARGEST_SHORT_FACTOR,
    NOWHERE,
    InInterval,
    UniformIntegers,
    index_transform,
    interval_transform,
    steps_for,
    stretched,
)

Array = npt.NDArray[Any]

LARGEST = 2**63 - 1
"""The largest bound of integers that is taken."""

MAX_WORD = 2**64 - 1


def most_of_steps(steps: int, raw_values: int) -> int:
    """Return up to how many integers need no more than so many raw values, whatever divides what."""
    return min(4 * int(raw_values**steps) >> CLOSENESS_BITS, MAX_WORD)


@dataclass(frozen=True)
class Bounds:
    """What the bounds of all elements have in common."""

    dtype: str
    """That of the values."""

    def sizes(self, low: Array, high: Array) -> npt.NDArray[np.uint64]:
        """Return how many integers there are between bounds, or 1 for those of floats; 0 for those not taken."""
        raise NotImplementedError

    def law(self, low: Any, high: Any, raw_values: int) -> Transform:
        """Return the transform of a law with these bounds, which are taken."""
        raise NotImplementedError

    def check(self, law: Any) -> None:
        """Raise the error that a distribution with bounds that are not taken has for these values, if it has one."""
        law.transform(0, 2**32, np.dtype(self.dtype))

    def form(self, steps: int, wide: bool) -> Transform:
        """Return a transform whose kernel makes all values, from what it is given for each; others are like it.

        Products are of 128 bits if they are `wide`, else of 64.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class IntegerBounds(Bounds):
    """Integers from `low` to `high` - 1, or to `high` where it is an `endpoint`, all from `least` to `largest`."""

    endpoint: bool
    least: int
    largest: int

    def sizes(self, low: Array, high: Array) -> npt.NDArray[np.uint64]:  # noqa: D102  # as inherited
        legal = (low <= high if self.endpoint else low < high) & (low <= LARGEST) & (high <= LARGEST)
        with np.errstate(over="ignore"):  # where they are not legal
            begin, last = low.astype(np.int64), high.astype(np.int64) - (not self.endpoint)
            legal &= (begin >= self.least) & (last <= min(self.largest, LARGEST))
            sizes = last.astype(np.uint64) - begin.astype(np.uint64) + np.uint64(1)
        return np.where(legal, sizes, np.uint64(0))

    def law(self, low: Any, high: Any, raw_values: int) -> Transform:  # noqa: D102  # as inherited
        n = int(high) - int(low) + self.endpoint
        return index_transform(n, raw_values, steps_for(n, raw_values), np.dtype(self.dtype), int(low))

    def form(self, steps: int, wide: bool) -> Transform:  # noqa: D102  # as inherited
        return _integers(np.dtype(self.dtype), steps, wide)


@dataclass(frozen=True)
class FloatBounds(Bounds):
    """Numbers of a grid between bounds, of one of `INTERVALS`; bounds and the grid's unit are not subnormal."""

    interval: str

    def sizes(self, low: Array, high: Array) -> npt.NDArray[np.uint64]:  # noqa: D102  # as inherited
        kind: Any = np.dtype(self.dtype)
        tiny, zero = np.finfo(kind).tiny, np.zeros((), kind)
        with np.errstate(all="ignore"):
            a, b = (each.astype(np.float64).astype(kind) + zero for each in (low, high))
            larger = np.maximum(abs(a), abs(b))
            unit = larger - np.nextafter(larger, zero)
            legal = np.isfinite(a) & np.isfinite(b) & (a < b) & (unit >= tiny)
            for each in (a, b):
                legal &= (each == 0) | (abs(each) >= tiny)
            ends = np.floor(a.astype(np.float64) / unit), np.ceil(b.astype(np.float64) / unit)
            lowest, highest = (each.astype(np.int64) for each in ends)
            legal &= highest - lowest > (self.interval == "()")
        return np.asarray(legal).astype(np.uint64)

    def law(self, low: Any, high: Any, raw_values: int) -> Transform:  # noqa: D102  # as inherited
        return interval_transform(float(low), float(high), self.interval, raw_values, np.dtype(self.dtype))

    def form(self, steps: int, wide: bool) -> Transform:  # noqa: D102  # as inherited
        index = _integers(np.dtype(np.uint64), steps, wide)
        kind = np.dtype(self.dtype)
        ctype = "float" if kind == np.float32 else "double"
        given = {
            Declaration("long", "least_number"): np.int64(0), Declaration(ctype, "unit"): kind.type(1),
            Declaration("ulong", "special"): NOWHERE, Declaration(ctype, "bound"): kind.type(0),
        }  # fmt: skip
        return InInterval("interval", kind, steps, {**index.given, **given}, index=index)


@dataclass(frozen=True)
class NumpyBounds(Bounds):
    """float64 numbers as NumPy makes them; bounds and their differences are finite."""

    def sizes(self, low: Array, high: Array) -> npt.NDArray[np.uint64]:  # noqa: D102  # as inherited
        with np.errstate(all="ignore"):
            a, b = low.astype(np.float64), high.astype(np.float64)
            return np.asarray(np.isfinite(b - a) & (a < b)).astype(np.uint64)

    def law(self, low: Any, high: Any, raw_values: int) -> Transform:  # noqa: ARG002, D102  # as inherited
        return stretched(float(low), float(high))

    def check(self, law: Any) -> None:  # noqa: D102  # as inherited
        law.numpys(np.dtype(self.dtype))

    def form(self, steps: int, wide: bool) -> Transform:  # noqa: ARG002, D102  # as inherited
        return stretched(0.0, 1.0)


def _integers(dtype: np.dtype[Any], steps: int, wide: bool) -> UniformIntegers:
    given = {Declaration("ulong", name): np.uint64(0) for name in ("last", "low")}
    return UniformIntegers("integers", dtype, steps, given, product_bits=128 if wide else 64)


@dataclass(frozen=True, eq=False)
class InRanges(Varying):
    """Numbers between bounds, of which the lower ones are in `each`, and the upper ones in `highs`."""

    __hash__ = object.__hash__

    highs: Any = field(kw_only=True, repr=False)
    """An array of the host or a device that is broadcast to `shape`."""
    bounds: Bounds = field(kw_only=True)
    most: int = field(kw_only=True)
    """There are at most so many numbers between the bounds of an element, as the products of kernels have to know."""

    def is_wide(self, raw_values: int) -> bool:
        """Return whether products may need more than 64 bits."""
        return max(self.most, raw_values) > LARGEST_SHORT_FACTOR
