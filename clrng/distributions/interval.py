"""Uniform real numbers between two bounds, of which each may be among them or not."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar

import numpy as np

from clrng import validation
from clrng.distributions.digit_transforms import UniformIntegers, index_transform
from clrng.distributions.distribution import LARGEST_REAL, REALS, Distribution, digits
from clrng.distributions.quantile import real
from clrng.distributions.transform import Transform

INTERVALS = ("[)", "(]", "()", "[]")
"""Which bounds are among the numbers: a square bracket says that one is."""


@dataclass(frozen=True)
class Grid:
    """Numbers between two bounds, all as far apart as the floats at the larger bound are.

    Number i is (first + i) * unit, and number `special` is `bound`, which need not be a multiple of the unit.

    Attributes
    ----------
    first, count, special : int
    unit, bound : float
    """

    first: int
    count: int
    unit: float
    special: int
    bound: float


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
    with np.errstate(over="ignore"):
        a, b = kind(low), kind(high)
    if not (np.isfinite(a) and np.isfinite(b)):
        raise ValueError(f"low and high must be finite as {dtype}, not {low!r} and {high!r}")
    if not a < b:
        raise ValueError(f"high must be above low, {low!r} as {dtype}, not {high!r}")
    above, below = float(np.nextafter(a, b)), float(np.nextafter(b, a))
    spacings = Fraction(above) - Fraction(float(a)), Fraction(float(b)) - Fraction(below)
    unit = max(*spacings, Fraction(float(np.finfo(dtype).tiny)))
    lower, upper = Fraction(float(a)), Fraction(float(b))
    last = ceil((upper - lower) / unit)
    from_above = abs(lower) <= abs(upper)
    first = int(upper / unit) - last if from_above else int(lower / unit)
    begin, end = int(interval[0] == "("), last + (interval[1] == "]")
    if end <= begin:
        raise ValueError(f"high must be further above low, {low!r}, not {high!r}: no {dtype} is between them")
    special, bound = (0, float(a)) if from_above else (last, float(b))
    return Grid(first + begin, end - begin, float(unit), special - begin, bound)


@dataclass(frozen=True)
class Between(Distribution):
    """Numbers between `low` and `high`, equally far apart and equally likely.

    A value takes one step of the stream; as float64, two where raw values have at most 32 bits.

    Attributes
    ----------
    low, high : float
        Finite, low < high.
    interval : {"[)", "(]", "()", "[]"}
        Which bounds are among them.
    """

    low: float = 0.0
    high: float = 1.0
    interval: str = "[)"

    dtypes: ClassVar[tuple[str, ...]] = REALS

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, real(name, getattr(self, name), -LARGEST_REAL, LARGEST_REAL))
        if not self.low < self.high:
            raise ValueError(f"high must be above low, {self.low!r}, not {self.high!r}")
        validation.choice("interval", self.interval, INTERVALS)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        found = grid(self.low, self.high, self.interval, dtype)
        raw_values = upper_bound - min_value
        steps = 1 if dtype == np.float32 else digits(raw_values)
        index = index_transform(found.count, raw_values, steps, np.dtype(np.uint64))
        ctype = "float" if dtype == np.float32 else "double"
        special = found.special if 0 <= found.special < found.count else 2**64 - 1
        places = ("const long least_number", f"const {ctype} unit", "const ulong special", f"const {ctype} bound")
        numbers = np.int64(found.first), dtype.type(found.unit), np.uint64(special), dtype.type(found.bound)
        parameters, arguments = (*index.parameters, *places), (*index.arguments, *numbers)
        return InInterval("interval", dtype, steps, parameters, arguments, index=index)


@dataclass(frozen=True)
class InInterval(Transform):
    """Numbers of a grid.

    Attributes
    ----------
    index : UniformIntegers
        What makes the numbers of the grid's places.
    """

    index: UniformIntegers | None = None

    @property
    def inner(self) -> Transform | None:  # noqa: D102  # as inherited
        return self.index

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: ARG002, D102  # as inherited
        return {"index_parameters": len(self.index.parameters) if self.index else 0}
