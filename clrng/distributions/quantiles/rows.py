"""The rows of a table of the inverse of a distribution function, and polynomials through points of each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles import chebyshev
from clrng.distributions.quantiles.elementary import Array

MEDIAN = 0.5
SAMPLES = 17
MAX_MOVES = 4
"""How many times a constant is moved by its last digit, so that values are not beyond an end."""


@dataclass(frozen=True, eq=False)
class Segments:
    """The rows of one side of a table, as arrays over them."""

    raw_values: int

    octave: npt.NDArray[np.int32]
    """The exponent of f."""

    middle: Array
    """The significand of f, in [1, 2), where t is 0."""

    first: Array
    last: Array
    """The significands of the smallest and the largest f that occur."""

    points: Array
    """How many f occur at most; a row that none reaches has 1, outside it."""

    step: Array
    """The distance of their significands."""

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

        They are the points of a row and others behind them, where it has `count` at most, else Chebyshev nodes.
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
    """Return the coefficients of polynomials, all of shape (rows, n).

    Row by row the one of least degree through values[i] at t[i], i below the lesser of n and points[row], by Newton's
    divided differences.
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

    A row with a coefficient beyond a quarter of the largest number is made constant, at most that number. Coefficients
    below four times the smallest normal number are 0, and so are all behind one where sums might be as small; only sums
    of very small coefficients can be. The polynomials, of shape (rows, n), go through `values`; `widest` is the largest
    |t|. Also return in which rows this changes values by more than rounding does.
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

    The constants of rows whose values are beyond an end, by their last digits, are moved inwards.
    """
    dtype = coefficients.dtype.type
    largest = float(np.finfo(dtype).max)
    result = np.array(coefficients)
    for end, sign in ((low, -1), (high, 1)):
        limit, inwards = dtype(np.clip(end, -largest, largest)), dtype(-sign * np.inf)
        result[:, 0] = np.where(sign * (result[:, 0] - limit) > 0, limit, result[:, 0])
        for _ in range(MAX_MOVES):
            beyond = (sign * (horner(result, t) - limit) > 0).any(axis=1)
            result[beyond, 0] = np.nextafter(result[beyond, 0], inwards)
    return result


def horner(coefficients: npt.NDArray[Any], t: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the value of each row at t, of shape (rows, n), to one more rounding than by fma.

    Products of float32 are exact in float64; for float64 each product is rounded.
    """
    dtype = coefficients.dtype
    wide = t.astype(np.float64)
    result = np.broadcast_to(coefficients[:, -1:], t.shape)
    for k in range(coefficients.shape[1] - 2, -1, -1):
        result = (result.astype(np.float64) * wide + coefficients[:, k : k + 1].astype(np.float64)).astype(dtype)
    return result
