"""Uniform real numbers between two bounds, of which each may be among them or not."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, frexp
from typing import Any

import numpy as np

from clrng.distributions.transforms.integers import UniformIntegers
from clrng.distributions.transforms.transform import Transform

INTERVALS = ("[)", "(]", "()", "[]")
"""Which bounds are among the numbers: a square bracket says that one is."""


@dataclass(frozen=True)
class Grid:
    """Numbers between two bounds, all as far apart as the floats at the larger bound are.

    Number i is (first + i) * unit, and number `special` is `bound`, which need not be a multiple of the unit. None is a
    negative zero.

    Attributes
    ----------
    first, count, special : int
    unit, bound : float
        The unit is a power of two, and may be a subnormal number.
    """

    first: int
    count: int
    unit: float
    special: int
    bound: float

    def is_normal(self, dtype: np.dtype[Any]) -> bool:
        """Return whether no number of it, nor its unit, is subnormal as `dtype`, so that devices may flush those."""
        least = float(np.finfo(dtype).tiny)
        bound = abs(self.bound) if 0 <= self.special < self.count else 0.0
        return self.unit >= least and (bound == 0 or bound >= least)


def grid(low: float, high: float, interval: str, dtype: np.dtype[Any]) -> Grid:
    """Return the gamma-section of an interval (Goualard 2022): its numbers are floats, and equally far apart.

    Parameters
    ----------
    low, high : float
        low < high after both are rounded to `dtype`.
    interval : str
        One of `INTERVALS`.
    dtype : numpy.dtype

    Raises
    ------
    ValueError
        If a bound is no finite number of `dtype`, or there is no number in the interval.

    References
    ----------
    F. Goualard, "Drawing random floating-point numbers from an interval", ACM Transactions on Modeling and Computer
    Simulation 32(3), 2022, article 16.
    """
    kind: Any = dtype.type
    with np.errstate(over="ignore", under="ignore"):
        a, b = (kind(bound) + kind(0) for bound in (low, high))  # of -0.0 it makes 0.0
    for name, given, rounded in (("low", low, a), ("high", high, b)):
        if not np.isfinite(rounded):
            largest = float(np.finfo(dtype).max)
            raise ValueError(f"{name} must be at most {largest:g} in size as dtype is {dtype}, not {given!r}")
    if not a < b:
        raise ValueError(f"high must be above low, {low!r} as {dtype}, not {high!r}")
    above, below = float(np.nextafter(a, b)), float(np.nextafter(b, a))
    unit = max(Fraction(above) - Fraction(float(a)), Fraction(float(b)) - Fraction(below))
    lower, upper = Fraction(float(a)), Fraction(float(b))
    last = ceil((upper - lower) / unit)
    from_above = abs(lower) <= abs(upper)
    first = int(upper / unit) - last if from_above else int(lower / unit)
    begin, end = int(interval[0] == "("), last + (interval[1] == "]")
    if end <= begin:
        raise ValueError(f"high must be further above low, {low!r}, not {high!r}: no {dtype} is between them")
    special, bound = (0, float(a)) if from_above else (last, float(b))
    return Grid(first + begin, end - begin, float(unit), special - begin, bound)


def _special(found: Grid) -> np.uint64:
    return np.uint64(found.special if 0 <= found.special < found.count else 2**64 - 1)


def scaled(found: Grid, dtype: np.dtype[Any]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the parameters, and the arguments, that make numbers of a grid by a product with its unit."""
    ctype = "float" if dtype == np.float32 else "double"
    parameters = ("const long least_number", f"const {ctype} unit", "const ulong special", f"const {ctype} bound")
    return parameters, (np.int64(found.first), dtype.type(found.unit), _special(found), dtype.type(found.bound))


def in_bits(found: Grid, dtype: np.dtype[Any]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the parameters, and the arguments, that make the bits of numbers of a grid.

    Let s be the smallest subnormal number. The bits of a float below 2^p * s, where the significand has p bits, are
    those of the float divided by s: they are the bits of k for k * s. So where the unit is s * 2^shift, they are
    k << shift for k below 2^p / 2^shift, the limit. Other floats are normal, and the unit is added to their exponent.
    """
    ctype, word = ("uint", np.uint32) if dtype == np.float32 else ("ulong", np.uint64)
    stored = np.finfo(dtype).nmant
    exponent = int(frexp(found.unit)[1]) - 1
    shift = exponent - int(frexp(float(np.finfo(dtype).smallest_subnormal))[1]) + 1
    limit = 1 << stored + 1 - shift if shift <= stored + 1 else 1
    added = (exponent << stored) % 2 ** (8 * dtype.itemsize)
    bound = dtype.type(found.bound).view(word)
    parameters = ("const long least_number", f"const {ctype} exponent", "const uint shift", "const ulong limit")
    arguments = np.int64(found.first), word(added), np.uint32(shift if limit > 1 else 0), np.uint64(limit)
    return (*parameters, "const ulong special", f"const {ctype} bound"), (*arguments, _special(found), bound)


@dataclass(frozen=True)
class InInterval(Transform):
    """Numbers of a grid.

    Attributes
    ----------
    index : UniformIntegers
        What makes the numbers of the grid's places.
    from_above : bool
        Whether the largest raw value makes the last place, and the others count down from there.
    in_bits : bool
        Whether integers make the bits of the numbers, as devices may take subnormal ones for 0.
    """

    index: UniformIntegers | None = None
    from_above: bool = False
    in_bits: bool = False

    @property
    def inner(self) -> Transform | None:  # noqa: D102  # as inherited
        return self.index

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {
            "index_parameters": len(self.index.parameters) if self.index else 0,
            "ends": min_value + upper_bound - 1,
            "from_above": self.from_above,
            "in_bits": self.in_bits,
        }
