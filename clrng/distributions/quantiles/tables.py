"""Tables of inverses of distribution functions: what they are, and how right their values are promised to be.

A value is within 16 units of the exact one. The unit is 2^-24 (float32) or 2^-53 (float64) times the size of the value.
Where values have both signs, that size is taken as half the larger quartile at least, or as sqrt(df) for Student's t
distribution, if that is smaller. For float64 an error of 16·s units more is allowed, where a relative change e of the
tail probability changes the value by the relative s·e: so much do the last bits of a probability in double precision
matter. Of these the table may use 8·s, and the quantile function 8·s. Values below four times the smallest normal
number of the dtype may be 0, and those beyond its largest number are replaced by that.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles import chebyshev
from clrng.distributions.quantiles.elementary import Array
from clrng.distributions.quantiles.quantile import MEDIAN, Quantile


@dataclass(frozen=True, eq=False)
class InverseTable:
    """The inverse of a distribution function, in polynomials; a symmetric one has rows of the lower side alone."""

    quantile: Quantile
    raw_values: int
    dtype: np.dtype[Any]
    symmetric: bool
    degree: int
    segment_bits: int

    rows: int
    """Of one side."""

    coefficients: npt.NDArray[Any] = field(repr=False)
    """Row by row, c[0] first, of shape (rows or 2·rows, degree + 1); of the dtype, and read-only."""

    error: float
    """The largest error measured, relative to the value; where there are values of both signs, to half the larger
    quartile at least. Rows whose values the dtype does not have, or has nothing near to, are left out."""

    excess: float
    """The largest error of all rows, as a share of what `excess` allows."""

    digest: str
    """SHA-256 of the coefficients' bytes, little end first, in hexadecimal."""


@dataclass(frozen=True, eq=False)
class LogarithmTable(InverseTable):
    """The logarithm of the inverse of a distribution function, to base 2, in polynomials of integers.

    `coefficients` are integers of 64 bits in units of 2^-52, `segment_bits` those of the octave with the most rows, and
    `rows` the rows of all octaves of both sides.
    """

    octaves: npt.NDArray[np.uint32] = field(repr=False)
    """By the exponent of z, those of the upper side behind those of the lower one: 16 times the first row, plus k where
    an octave has 2^k rows."""

    sine: tuple[int, int] | None
    """The factor, of 64 bits, and the power of two where values are hyperbolic sines; they have both signs then."""

    most: int
    """The largest logarithm."""


UNITS, STEEP_UNITS = 16.0, 8.0
ROUNDING = 0.5
"""Units by which a tail probability that is rounded to float32 moves a value, for each s."""

TINY = 4.0
"""Values below so many times the smallest normal number may be 0."""


def excess(made: Array, right: Array, p: Array, dtype: np.dtype[Any], floor: float) -> float:
    """Return the largest error of values as a share of what is allowed; sizes below `floor` count as that.

    Values, what they should be, and their tail probabilities are of shape (rows, n), neighbours near to each other.
    """
    limits = np.finfo(dtype)
    tiny, largest, unit = float(limits.tiny), float(limits.max), float(limits.eps) / 2
    wanted = np.clip(right, -largest, largest)
    size = np.maximum(np.abs(wanted), floor)
    with np.errstate(all="ignore"):
        steepness = np.abs(np.diff(wanted) / np.diff(p)) * (p / size)[:, 1:]
        steep = np.nan_to_num(steepness, nan=0.0, posinf=0.0).max(axis=1, initial=0.0)[:, None]
        units = UNITS - ROUNDING * steep if dtype == np.float32 else UNITS + STEEP_UNITS * steep
        allowed = np.maximum(units, 0.0) * unit * size + np.where(np.abs(wanted) < TINY * tiny, TINY, 0.0) * tiny
        off = np.abs(made - wanted)
        shares = np.where(off == 0, 0.0, off / allowed)
        return float(np.max(np.where(np.isnan(shares), np.inf, shares), initial=0.0))


SAMPLES = 17
MAX_MOVES = 4
"""How many times a constant is moved by its last digit, so that values are not beyond an end."""


@dataclass(frozen=True, eq=False)
class Segments:
    """The rows of one side of a table: arrays with an element for each row."""

    raw_values: int

    octave: npt.NDArray[np.int32]
    """The exponent of f."""

    middle: Array
    """The significand of f, in [1, 2), where t is 0."""

    first: Array
    last: Array
    """The significands of the smallest and the largest f that occur."""

    points: Array
    """The maximum number of f that occur; a row that none reaches is given one outside it."""

    step: Array
    """The distance between the significands of neighbouring f."""

    @classmethod
    def of(cls, raw_values: int, leading_bits: int, dtype: np.dtype[Any], segment_bits: int) -> "Segments":
        """Return the rows that f reaches, z cut to `leading_bits` bits and rounded to the dtype."""
        digits, segments = int(np.finfo(dtype).nmant) + 1, 1 << segment_bits
        largest = raw_values - 1 + raw_values % 2
        cut = max(largest.bit_length() - leading_bits, 0)
        greatest = int(dtype.type(largest >> cut << cut))
        rows = []
        for octave in range(greatest.bit_length()):
            # f is odd below 2^digits, and from there on a multiple of what the last digit is worth.
            odd = octave < digits
            gap = 2 if odd else 1 << (octave - digits + 1)
            for segment in range(segments, 2 * segments):
                low, end = (-(-(bound << octave) // segments) for bound in (segment, segment + 1))
                if low > greatest:
                    break
                high = min(end - 1, greatest)
                if odd:
                    low, high = low | 1, (high - 1) | 1
                if low > high:
                    low = high = min(low, greatest)
                rows.append((octave, (segment + 0.5) / segments, low, high, (high - low) // gap + 1, gap))
        columns = [np.array(column, np.float64) for column in zip(*rows, strict=True)]
        octaves = columns[0].astype(np.int32)
        first, last, step = (np.ldexp(column, -octaves) for column in (columns[2], columns[3], columns[5]))
        return cls(raw_values, octaves, columns[1], first, last, columns[4], step)

    def probability(self, significands: Array) -> Array:
        """Return the tail probabilities of significands, both of shape (rows, n)."""
        p = np.ldexp(significands, self.octave[:, None]) / (2 * float(self.raw_values))
        return np.minimum(p, MEDIAN)

    def nodes(self, count: int) -> Array:
        """Return the significands to interpolate at, shape (rows, count).

        For a row of at most `count` points they are these, and others behind them; else they are Chebyshev nodes.
        """
        few = self.first[:, None] + self.step[:, None] * np.arange(count)
        many = self._at(0.5 + 0.5 * chebyshev.nodes(count))
        return np.where(self.points[:, None] <= count, few, many)

    def between(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Return significands of the dtype, shape (rows, count): of the points of a row, or evenly spread over it."""
        few = self.first[:, None] + self.step[:, None] * (np.arange(count) % np.minimum(self.points, count)[:, None])
        many = self._at(np.arange(count) / (count - 1.0)).astype(dtype).astype(np.float64)
        return np.where(self.points[:, None] <= count, few, many)

    def _at(self, parts: Array) -> Array:
        return self.first[:, None] + (self.last - self.first)[:, None] * parts


def interpolated(t: Array, values: Array, points: Array) -> Array:
    """Return the coefficients of polynomials, all of shape (rows, n), by Newton's divided differences.

    That of a row is the one of lowest degree through values[i] at t[i] for all i below min(n, points[row]).
    """
    count = t.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        differences = [values[:, 0]]
        column = values
        for order in range(1, count):
            column = (column[:, 1:] - column[:, :-1]) / (t[:, order:] - t[:, : count - order])
            differences.append(np.where(points > order, column[:, 0], 0.0))
        result = np.zeros_like(values)
        result[:, 0] = differences[-1]
        for order in range(count - 2, -1, -1):
            shifted = np.zeros_like(result)
            shifted[:, 1:] = result[:, :-1]
            result = shifted - t[:, order : order + 1] * result
            result[:, 0] = result[:, 0] + differences[order]
    return result


def safe(
    coefficients: Array, values: Array, dtype: np.dtype[Any], widest: float
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Return coefficients rounded to the dtype with which Horner's rule meets no infinity and no denormal number.

    A row with a coefficient above a quarter of the largest number is made constant, at most that number. Coefficients
    below four times the smallest normal number become 0. So do all higher coefficients where a sum of Horner's rule
    might be as small as that, which happens only where the coefficients are very small. The polynomials, of shape
    (rows, n), go through `values`; `widest` is the largest |t|. Also return in which rows this changes values by more
    than rounding does.
    """
    limits = np.finfo(dtype)
    largest, tiny = float(limits.max), 4 * float(limits.tiny)
    with np.errstate(invalid="ignore"):
        constant = ~np.all(np.abs(coefficients) <= largest / 4, axis=1)
    result = np.where(np.abs(coefficients) < tiny, 0.0, coefficients)
    middle = np.clip(values[:, values.shape[1] // 2], -largest, largest)
    result[constant] = 0.0
    result[constant, 0] = np.where(np.abs(middle) < tiny, 0.0, middle)[constant]
    fine = tiny * 2.0 ** (2 * int(limits.nmant) + 8)
    t = widest * np.linspace(-1, 1, SAMPLES)
    total = np.repeat(result[:, -1:], SAMPLES, axis=1)
    for k in range(result.shape[1] - 2, -1, -1):
        behind = np.max(np.abs(total), axis=1)
        total = total * t + result[:, k : k + 1]
        least, most = np.min(total, axis=1), np.max(total, axis=1)
        risky = (behind > 0) & (behind < fine) & (np.abs(result[:, k]) < fine) & (least < tiny) & (most > -tiny)
        result[risky, k + 1 :] = 0.0
        total[risky] = result[risky, k][:, None]
    terms = np.abs(coefficients) * widest ** np.arange(result.shape[1])
    share = np.max(terms, axis=1, keepdims=True) * 2.0 ** -(int(limits.nmant) + 4)
    lost = (result == 0) & ~(terms <= share)
    return result.astype(dtype), constant | lost.any(axis=1)


def inside(coefficients: npt.NDArray[Any], t: npt.NDArray[Any], low: float, high: float) -> npt.NDArray[Any]:
    """Return coefficients with which no value at t is beyond `low` or `high` as these are rounded to the dtype.

    Where the last digits of values are beyond an end, the constant of the row is moved inwards.
    """
    dtype = coefficients.dtype.type
    largest = float(np.finfo(dtype).max)
    result = np.array(coefficients)
    for end, sign in ((low, -1), (high, 1)):
        limit, inwards = dtype(np.clip(end, -largest, largest)), dtype(-sign * np.inf)
        result[:, 0] = np.where(sign * result[:, 0] > sign * limit, limit, result[:, 0])
        for _ in range(MAX_MOVES):
            beyond = (sign * horner(result, t) > sign * limit).any(axis=1)
            result[beyond, 0] = np.nextafter(result[beyond, 0], inwards)
    return result


def horner(coefficients: npt.NDArray[Any], t: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the value of each row at t, of shape (rows, n); of float64 each product is rounded, unlike by fma."""
    dtype = coefficients.dtype
    wide = t.astype(np.float64)
    result = np.broadcast_to(coefficients[:, -1:], t.shape)
    for k in range(coefficients.shape[1] - 2, -1, -1):
        result = (result.astype(np.float64) * wide + coefficients[:, k : k + 1].astype(np.float64)).astype(dtype)
    return result
