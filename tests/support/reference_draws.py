"""What the methods of `clrng.Generator` that draw must give: by the definitions, in integers and exact fractions.

It shares no code with the kernels or with what starts them. Taken from the package are the recurrence in Python's
integers, the coefficients of tables and surfaces and the thresholds; other tests are about these.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil, frexp
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.discrete import Discrete
from clrng.distributions.quantiles import surfaces
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import inverse_table
from clrng.generators import BitGenerator
from tests.support import reference_inverse, reference_logarithms, reference_surfaces


@dataclass(frozen=True)
class Located:
    """Numbers loc + scale·x, rounded once, where x has the distribution of `quantile`."""

    quantile: Quantile
    loc: float = 0.0
    scale: float = 1.0

    def steps(self, raw_values: int, dtype: str) -> int:
        """Return how many raw values a value takes, of which there are `raw_values`."""
        return 1 if dtype == "float32" or raw_values > 2**32 else 2

    def values(self, numbers: Sequence[int], count: int, dtype: str) -> npt.NDArray[Any]:
        """Return the values of `numbers` below `count`."""
        table = inverse_table(self.quantile, count, dtype)
        standard = reference_logarithms.of_table(np.array(numbers, np.uint64), table)
        if (self.loc, self.scale) == (0.0, 1.0):
            return standard
        return located(standard, self.loc, self.scale)

    def table_bytes(self, raw_values: int, dtype: str) -> bytes:
        """Return the coefficients of the table as bytes, the least significant of each first."""
        table = inverse_table(self.quantile, raw_values ** self.steps(raw_values, dtype), dtype)
        return table.coefficients.astype(np.dtype(dtype).newbyteorder("<")).tobytes()


@dataclass(frozen=True)
class Angles(Located):
    """Such numbers as angles, which are brought back to -pi to pi by whole turns."""

    def values(self, numbers: Sequence[int], count: int, dtype: str) -> npt.NDArray[Any]:
        """Return the values of `numbers` below `count`."""
        standard = turned(Located(self.quantile).values(numbers, count, dtype))
        return turned(located(standard, self.loc, self.scale)) if self.loc else standard


@dataclass(frozen=True)
class Counted:
    """Integers of a discrete distribution: the first threshold above the number says which."""

    discrete: Discrete

    def steps(self, raw_values: int, dtype: str) -> int:  # noqa: ARG002  # as the others
        """Return how many raw values a value takes, of which there are `raw_values`."""
        return 1 if raw_values > 2**32 else 2

    def values(self, numbers: Sequence[int], count: int, dtype: str) -> npt.NDArray[Any]:
        """Return the values of `numbers` below `count`."""
        low, thresholds = self.discrete.thresholds(count)
        return np.array([low + bisect_right(thresholds, number) for number in numbers], dtype)

    def table_bytes(self, raw_values: int, dtype: str) -> bytes:
        """Return the least value and the thresholds, 16 bytes each, the least significant first."""
        low, thresholds = self.discrete.thresholds(raw_values ** self.steps(raw_values, dtype))
        return b"".join(number.to_bytes(16, "little", signed=True) for number in (low, *thresholds))


@dataclass(frozen=True)
class OfShape:
    """Numbers of a surface of one family, and of one shape."""

    family: str
    shape: float

    def steps(self, raw_values: int, dtype: str) -> int:
        """Return how many raw values a value takes, of which there are `raw_values`."""
        return 1 if dtype == "float32" or raw_values > 2**32 else 2

    def values(self, numbers: Sequence[int], count: int, dtype: str) -> npt.NDArray[Any]:
        """Return the values of `numbers` below `count`."""
        octave = frexp(self.shape)[1] - 1
        surface = surfaces.surface(self.family, dtype, octave, octave)
        return np.array([reference_surfaces.value(number, count, self.shape, surface) for number in numbers], dtype)


@dataclass(frozen=True)
class Each:
    """Values of several references by turns."""

    references: tuple[Any, ...]

    def steps(self, raw_values: int, dtype: str) -> int:
        """Return how many raw values a value takes."""
        return max(each.steps(raw_values, dtype) for each in self.references)

    def values(self, numbers: Sequence[int], count: int, dtype: str) -> npt.NDArray[Any]:
        """Return the values of `numbers` below `count`."""
        made = np.empty(len(numbers), dtype)
        for i, reference in enumerate(self.references):
            own = slice(i, None, len(self.references))
            made[own] = reference.values(numbers[own], count, dtype)
        return made

    def table_bytes(self, raw_values: int, dtype: str) -> None:
        """Return None: there are several tables."""


@dataclass(frozen=True)
class Whole:
    """The integers from `low` to ``low + n - 1``, each as likely as the others."""

    low: int
    n: int

    def steps(self, raw_values: int, dtype: str) -> int:  # noqa: ARG002  # as the others
        """Return the least K for which n divides m^K, or n/(4 m^K) is at most 2^-40."""
        return next(
            k
            for k in count(1)
            if raw_values**k % self.n == 0 or Fraction(self.n, 4 * raw_values**k) <= Fraction(1, 2**40)
        )

    def values(self, numbers: Sequence[int], count: int, dtype: str) -> npt.NDArray[Any]:
        """Return the values of `numbers` below `count`."""
        return np.array([self.low + number * self.n // count for number in numbers], dtype)

    def table_bytes(self, raw_values: int, dtype: str) -> None:
        """Return None: there is no table."""


@dataclass(frozen=True)
class Spaced:
    """The gamma-section of an interval: floats from `low` to `high`, equally far apart, by Goualard's formulas.

    Of n such floats a number X of N becomes the one of number floor(X n / N). Where n is above N, so that this leaves
    some out, an upper end that belongs to the interval is the value of the last X: the fraction of X is then
    X / (N - 1) in a closed interval, and (X + 1) / N rounded up to the next float in one without its lower end.
    """

    low: float
    high: float
    interval: str

    def steps(self, raw_values: int, dtype: str) -> int:
        """Return how many raw values a value takes, of which there are `raw_values`."""
        return 1 if dtype == "float32" or raw_values > 2**32 else 2

    def values(self, numbers: Sequence[int], count: int, dtype: str) -> npt.NDArray[Any]:
        """Return the values of `numbers` below `count`."""
        kind = np.dtype(dtype).type
        a, b = kind(self.low), kind(self.high)
        gap = max(abs(Fraction(float(np.nextafter(p, q))) - Fraction(float(p))) for p, q in ((a, b), (b, a)))
        lower, upper = Fraction(float(a)), Fraction(float(b))
        pieces = ceil((upper - lower) / gap)
        begin, end = int(self.interval[0] == "("), pieces + (self.interval[1] == "]")
        n = end - begin
        if n > count and self.interval == "[]":
            places = [number * (n - 1) // (count - 1) for number in numbers]
        elif n > count and self.interval == "(]":
            places = [ceil(Fraction((number + 1) * n, count)) - 1 for number in numbers]
        else:
            places = [number * n // count for number in numbers]
        places = [begin + place for place in places]
        if abs(lower) <= abs(upper):
            exact = [lower if i == 0 else upper - (pieces - i) * gap for i in places]
        else:
            exact = [upper if i == pieces else lower + i * gap for i in places]
        return np.array([float(each) for each in exact], dtype)

    def table_bytes(self, raw_values: int, dtype: str) -> None:
        """Return None: there is no table."""


@dataclass(frozen=True)
class Stretched(Spaced):
    """The float64 numbers from `low` to `high` that NumPy's `uniform` makes, rounded after each operation."""

    def values(self, numbers: Sequence[int], count: int, dtype: str) -> npt.NDArray[Any]:
        """Return the values of `numbers` below `count`."""
        fractions = np.array([number * 2**53 // count for number in numbers], dtype) / 2**53
        return self.low + (self.high - self.low) * fractions


Reference = Located | Counted | Whole | Spaced | Each


def of_numpy(reference: Reference, dtype: str) -> Reference:
    """Return what a bit generator of NumPy's gives in place of a reference."""
    if isinstance(reference, Each):
        return Each(tuple(of_numpy(each, dtype) for each in reference.references))
    if isinstance(reference, Spaced) and reference.interval == "[)" and dtype == "float64":
        return Stretched(reference.low, reference.high, reference.interval)
    return reference


def located(standard: npt.NDArray[Any], loc: Any, scale: Any) -> npt.NDArray[Any]:
    """Return loc + scale·x of every x, rounded once; each is 0 where it is no normal number, and broadcast."""
    dtype = standard.dtype
    factors, offsets = (
        np.broadcast_to(normal(np.asarray(x).astype(dtype)), standard.shape).copy() for x in (scale, loc)
    )
    return normal(reference_inverse.fma(standard, factors, offsets))


def normal(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return numbers, 0 in place of -0.0 and denormal ones."""
    return np.where(np.abs(numbers) < np.finfo(numbers.dtype).tiny, numbers.dtype.type(0), numbers)


PI = Fraction(31415926535897932384626433832795028841971693993751, 10**49)


def turned(angles: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return angles y without whole turns: y - 2 pi k for the integer k nearest to y/(2 pi), at most pi in size.

    2 pi is the sum of two floats, and each fused operation is rounded once.
    """
    kind = angles.dtype.type
    near = kind(float(2 * PI))
    rest = kind(float(2 * PI - Fraction(float(near))))
    k = np.rint(angles * kind(float(1 / (2 * PI))))
    left = reference_inverse.fma(-k, np.full_like(k, near), angles)
    found = reference_inverse.fma(-k, np.full_like(k, rest), left)
    last = kind(float(PI)) if Fraction(float(kind(float(PI)))) < PI else np.nextafter(kind(float(PI)), kind(0))
    return np.clip(found, -last, last)


def numbers(bits: BitGenerator, n: int, steps: int) -> list[int]:
    """Return the next `n` numbers; the digits of each are `steps` raw values, counted from 0, the first the highest."""
    raw_values, found = bits.upper_bound - bits.min_value, []
    raw = [value - bits.min_value for value in bits.sequence(n * steps).tolist()]
    for i in range(0, n * steps, steps):
        number = 0
        for digit in raw[i : i + steps]:
            number = number * raw_values + digit
        found.append(number)
    return found


def steps_of(reference: Reference, bits: BitGenerator, dtype: str) -> int:
    """Return how many steps of the stream a value takes."""
    return reference.steps(bits.upper_bound - bits.min_value, dtype)


def draws(reference: Reference, bits: BitGenerator, n: int, dtype: str) -> npt.NDArray[Any]:
    """Return the next `n` values of a distribution; `bits` stays where it is."""
    steps = steps_of(reference, bits, dtype)
    count = (bits.upper_bound - bits.min_value) ** steps
    return reference.values(numbers(bits, n, steps), count, dtype)
