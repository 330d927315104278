"""Tables of inverses of distribution functions, from which a kernel makes values of a continuous distribution.

A value is within 16 units of the exact one. The unit is 2^-24 (float32) or 2^-53 (float64) times the size of the value.
Where values have both signs, that size is taken as half the larger quartile at least, or as sqrt(df) for Student's t
distribution, if that is smaller. For float64 an error of 16·s units more is allowed, where a relative change e of the
tail probability changes the value by the relative s·e: so much do the last bits of a probability in double precision
matter. Of these the table may use 8·s, and the quantile function 8·s. Values below four times the smallest normal
number of the dtype may be 0, and those beyond its largest number are replaced by that.

The definition of a value, of which ``tests/support/reference_inverse.py`` is the exact form. Of N raw values the one of
number X, 0 <= X < N, has d = min(X, N - 1 - X), z = 2d + 1 and the tail probability p = z/(2N). It is on the upper side
where X > N - 1 - X. Then

1. z is cut to its 32 (float32) or 64 (float64) leading bits; f is that rounded to the dtype, to nearest, ties to even.
2. The exponent of f (an octave) and the `segment_bits` highest bits of its mantissa name a row, counted from f = 1.
3. The rest of the mantissa under the exponent of 1.0, minus 1 + 2^-(segment_bits + 1), is t, exactly.
4. r = c[degree]; r = fma(r, t, c[k]) for k = degree - 1 ... 0. The value is r, or -r on the upper side of a symmetric
   distribution. The upper side of another one has rows of its own behind those of the lower side. No coefficient is
   -0.0, and so r is never -0.0. Rows of float64 of degree 6 have another r, which `packed` defines.

Where values of one row differ by powers of ten, or are near the limits of the dtype, no polynomial is as accurate as
promised. Their logarithm is smooth. So a value is 2^v or, where there are both signs, a hyperbolic sine; and v is a
polynomial. The definition, of which ``tests/support/reference_logarithms.py`` is an independent form; >> rounds down:

1. e is the exponent of z, its octave, which has 2^k rows. The k bits of z below the leading one say which row. The bits
   behind these are a fraction from 0 to 1, and t is that minus 1/2, in units of 2^-64.
2. v = c[degree]; v = c[i] + (v·t >> 64) for i = degree - 1 ... 0. The c and v are in units of 2^-52. v is then at most
   `most`.
3. The value is 2^v, or factor (2^v - 2^-v) / 2, negative on the lower side; a kernel has the same operations.

All of it is exact or rounds down, in integers of 64 bits, so that no device has other bits, whatever it does with
denormal numbers and the signs of zeros. Values below the smallest normal number of the dtype are 0, never -0.0, and
those beyond the largest number are that.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.quantiles import packed
from clrng.distributions.quantiles.density_inverse import chebyshev_nodes
from clrng.distributions.quantiles.elementary import LN2, LOG2_E, Array, Pair, log_pair, times, two_sum
from clrng.distributions.quantiles.quantile import MEDIAN, MIN_PROBABILITY, Quantile


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

    @property
    def packed(self) -> bool:
        """Whether values are those that `packed` defines."""
        return self.dtype == np.float64 and self.degree == packed.DEGREE

    @cached_property
    def largest(self) -> float:
        """A number that no value exceeds in size."""
        used = self.coefficients[:, :2] if self.packed else self.coefficients
        return float(np.abs(used.astype(np.float64)).sum(axis=1).max())


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

    @cached_property
    def largest(self) -> float:
        """A number that no value exceeds in size."""
        terms = np.abs(self.coefficients[:, 1:]) * 0.5 ** np.arange(1, self.degree + 1)  # where t = 1/2
        logarithm = min(float((self.coefficients[:, 0] + terms.sum(axis=1)).max()), self.most) * 2.0**-FRACTION_BITS
        return float(2.0 ** min(logarithm + 1 + (self.sine[1] if self.sine else 0), 1023))


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
        steep = steepness(wanted, p, p / size)[:, None]
        units = UNITS - ROUNDING * steep if dtype == np.float32 else UNITS + STEEP_UNITS * steep
        allowed = np.maximum(units, 0.0) * unit * size + np.where(np.abs(wanted) < TINY * tiny, TINY, 0.0) * tiny
        off = np.abs(made - wanted)
        shares = np.where(off == 0, 0.0, off / allowed)
        return float(np.max(np.where(np.isnan(shares), np.inf, shares), initial=0.0))


def steepness(values: Array, p: Array, factors: Array) -> Array:
    """Return for each row the largest slope of values over p, times the factor there, in size."""
    with np.errstate(all="ignore"):
        steep = np.abs(np.diff(values) / np.diff(p)) * factors[:, 1:]
    found: Array = np.nan_to_num(steep, nan=0.0, posinf=0.0).max(axis=1, initial=0.0)
    return found


def _probability(octaves: npt.NDArray[np.int32], significands: Array, raw_values: int) -> Array:
    """Return the tail probabilities of z of these exponents, one for each row, and significands."""
    return np.minimum(np.ldexp(significands, octaves[:, None]) / (2 * float(raw_values)), MEDIAN)


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
        return _probability(self.octave, significands, self.raw_values)

    def nodes(self, count: int) -> Array:
        """Return the significands to interpolate at, shape (rows, count).

        For a row of at most `count` points they are these, and others behind them; else they are Chebyshev nodes.
        """
        few = self.first[:, None] + self.step[:, None] * np.arange(count)
        many = self._at(0.5 + 0.5 * chebyshev_nodes(count))
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


Evaluator = Callable[[npt.NDArray[Any], npt.NDArray[Any]], npt.NDArray[Any]]
"""Makes values of coefficients, and of t of shape (rows, n)."""


def inside(
    coefficients: npt.NDArray[Any], t: npt.NDArray[Any], low: float, high: float, evaluated: Evaluator
) -> npt.NDArray[Any]:
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
            beyond = (sign * evaluated(result, t) > sign * limit).any(axis=1)
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


FRACTION_BITS = 52
"""The bits of a logarithm behind the point; it is an integer of 64 bits in units of 2^-52."""

EXP2 = (
    0xB17217F7D1CF79A8, 0x3D7F7BFF058B21E2, 0x0E35846B824F8636, 0x0276556DF759A597,
    0x005761FF9D9140E9, 0x000A18489B231E71, 0x0000FFE5F210E196, 0x0000162C1EAD717D,
    0x000001B4F8826156, 0x0000001E7B024355, 0x00000001CB0D4A04, 0x0000000026F79788,
)  # fmt: skip
"""(2^x - 1)/x on [0, 1] as a polynomial, c[0] first, in units of 2^-64; 2^x - 1 is within 2^-61."""

OCTAVES = 64
MAX_BITS = 12
"""An octave has at most 2^12 rows."""

DEGREES = {"float32": 5, "float64": 9}
TOLERANCES = {"float32": 2.0**-25, "float64": 2.0**-52}
"""The error of v that is good enough, by dtype."""

NOISE = 4 * 2.0**-53
"""The error of v that the quantiles themselves have, for each s; a relative change e of p changes v by s·e."""

FARTHEST = 1900.0
"""Logarithms are cut to so much in size, far beyond those of the largest and the smallest number."""

UNBOUNDED = 2**63 - 1
LOG2_E_LOW = float(1 / LN2 - Fraction(LOG2_E))


@dataclass(frozen=True)
class Fit:
    """What the rows of one side are fitted to.

    Logarithms between `low` and `high` must be right; beyond these, values are 0 or the largest number of the dtype.
    """

    quantile: Quantile
    upper: bool
    raw_values: int
    dtype: str
    low: float
    high: float

    def logarithms(self, octaves: Array, significands: Array) -> tuple[Array, Pair]:
        """Return the tail probabilities of numbers z, shape (rows, n), and the v there as a pair."""
        p = _probability(octaves.astype(np.int32), significands, self.raw_values)
        found = self.quantile.logarithm(p, self.upper)
        if found is None:
            raise TypeError(f"{self.quantile} must have logarithms")
        high, low = binary(found)
        inside = np.abs(high) < FARTHEST
        return p, (np.clip(high, -FARTHEST, FARTHEST), np.where(inside, low, 0.0))

    def rows(self, octaves: Array, bits: int) -> tuple[npt.NDArray[np.int64], Array, Array]:
        """Return the rows of octaves with 2^bits each: (rows, degree + 1) coefficients, the errors of v, and shares.

        A share is the error as a share of what is good enough.
        """
        degree, count = DEGREES[self.dtype], 1 << bits
        octave, segment = np.repeat(octaves, count), np.tile(np.arange(count), len(octaves))
        top = np.ldexp(float(self.raw_values - 1 + self.raw_values % 2), -octave.astype(np.int32))
        first, last = (np.minimum(1 + (segment + end) / count, top)[:, None] for end in (0.0, 1.0))
        middle = (1 + (segment + 0.5) / count)[:, None]
        nodes = first + (last - first) * (0.5 + 0.5 * chebyshev_nodes(degree + 1))
        _, at_nodes = self.logarithms(octave, nodes)
        start = at_nodes[0][:, degree // 2, None], at_nodes[1][:, degree // 2, None]
        points = np.where((last > first)[:, 0], degree + 1.0, 1.0)
        with np.errstate(all="ignore"):
            raw = interpolated((nodes - middle) * count, _minus(at_nodes, start), points)
        places = first + (last - first) * (np.arange(2.0 * degree + 3) / (2 * degree + 2))
        p, at_places = self.logarithms(octave, places)
        right = _minus(at_places, start)
        ends = (self.low - start[0], self.high - start[0])
        made = horner(raw, (places - middle) * count)
        error = np.max(np.abs(np.clip(made, *ends) - np.clip(right, *ends)), axis=1)
        share = error / (TOLERANCES[self.dtype] + NOISE * steepness(right, p, p))
        steady = np.all(right <= ends[0], axis=1) | np.all(right >= ends[1], axis=1)
        raw[steady], error[steady], share[steady] = 0.0, 0.0, 0.0
        outside = np.where(start[0] > 0, self.high + 1, self.low - 1)
        start = np.where(steady[:, None], outside, start[0]), np.where(steady[:, None], 0.0, start[1])
        fits = np.abs(start[0][:, 0]) + np.sum(np.abs(raw), axis=1) < 2.0 ** (63 - FRACTION_BITS)
        whole = np.where(fits[:, None], raw, 0.0) * 2.0**FRACTION_BITS
        coefficients = np.rint(whole).astype(np.int64)
        coefficients[:, 0] = np.rint(start[0] * 2.0**FRACTION_BITS).astype(np.int64)[:, 0] + np.rint(
            whole[:, 0] + start[1][:, 0] * 2.0**FRACTION_BITS
        ).astype(np.int64)
        return coefficients, error, np.where(fits, share, np.inf)


def binary(logarithms: Pair) -> Pair:
    """Return logarithms to base 2 of natural ones."""
    high, low = times(logarithms, LOG2_E)
    return two_sum(high, low + logarithms[0] * LOG2_E_LOW)


def _minus(pair: Pair, start: Pair) -> Array:
    difference: Array = (pair[0] - start[0]) + (pair[1] - start[1])
    return difference


def _side(fit: Fit) -> tuple[list[npt.NDArray[np.int64]], float, float]:
    """Return the rows of each octave, the largest error of v, and that as a share of what is good enough.

    An octave has the fewest rows that are good enough or, where none are, whose error is near the smallest.
    """
    found: dict[int, npt.NDArray[np.int64]] = {}
    shares: dict[int, list[float]] = {octave: [] for octave in range(OCTAVES)}
    best: dict[int, tuple[float, float]] = dict.fromkeys(range(OCTAVES), (np.inf, np.inf))
    open_octaves = list(range(OCTAVES))
    for bits in range(MAX_BITS + 1):
        rows = fit.rows(np.array(open_octaves, np.float64), bits)
        each = (part.reshape(len(open_octaves), 1 << bits, -1) for part in rows)
        for octave, coefficients, error, share in zip(list(open_octaves), *each, strict=True):
            now = float(share.max())
            shares[octave].append(now)
            if now < best[octave][0] / 2 or now <= 1:
                best[octave], found[octave] = (now, float(error.max())), coefficients
            stuck = bits > MAX_BITS // 2 and now > min(shares[octave][:-2]) / 2
            if now <= 1 or (stuck and now < np.inf):
                open_octaves.remove(octave)
        if not open_octaves:
            break
    worst = max(best.values())
    return [found[octave] for octave in range(OCTAVES)], max(error for _, error in best.values()), worst[0]


def logarithm_table(quantile: Quantile, raw_values: int, dtype: np.dtype[Any]) -> LogarithmTable:
    """Return the table of the logarithms of a quantile function that has these, for 2 to 2^64 raw values."""
    limits, factor = np.finfo(dtype), quantile.sine_factor
    low, high = float(limits.minexp), float(limits.maxexp)
    if factor is not None:
        low, high = 0.0, high + 1 - float(log_pair(np.array(factor))[0]) * LOG2_E
    sides = [
        _side(Fit(quantile, upper, raw_values, dtype.name, low, high))
        for upper in ((True,) if factor is not None else (False, True))
    ]
    coefficients, octaves = laid_out([part for parts, _, _ in sides for part in parts])
    sine = None if factor is None else _sine(factor)
    kept = coefficients.astype("<i8").tobytes() + octaves.astype("<u4").tobytes() + repr(sine).encode()
    return LogarithmTable(
        quantile=quantile,
        raw_values=raw_values,
        dtype=dtype,
        symmetric=factor is not None,
        degree=DEGREES[dtype.name],
        segment_bits=int((octaves & 15).max()),
        rows=len(coefficients),
        coefficients=coefficients,
        error=(max(error for _, error, _ in sides) + 4 * 2.0**-FRACTION_BITS) * float(LN2),
        excess=max(share for _, _, share in sides),
        digest=hashlib.sha256(kept).hexdigest(),
        octaves=octaves,
        sine=sine,
        most=0 if quantile.at_most_one else UNBOUNDED,
    )


def laid_out(parts: list[npt.NDArray[np.int64]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
    """Return the rows of all octaves, equal ones once, and for each octave its first row and its bits."""
    places: dict[bytes, int] = {}
    octaves, kept, rows = [], [], 0
    for part in parts:
        if part.tobytes() not in places:
            places[part.tobytes()] = rows
            kept.append(part)
            rows += len(part)
        octaves.append(places[part.tobytes()] << 4 | (len(part).bit_length() - 1))
    coefficients = np.concatenate(kept)
    coefficients.setflags(write=False)
    return coefficients, np.array(octaves, np.uint32)


def _sine(factor: float) -> tuple[int, int]:
    """Return the integer of 64 bits and the power of two whose product is half of the factor, times 2^64."""
    mantissa, exponent = np.frexp(factor)
    return int(mantissa * 2.0**53) << 11, int(exponent) - 1


SIZES = {
    "float32": ((3, 4), (3, 5), (4, 4), (5, 4)),
    "float64": ((packed.DEGREE, 5), (packed.DEGREE, 6), (8, 4), (9, 5)),
}
"""The (degree, segment_bits) that are tried, by dtype, those first whose values cost the least."""

TARGETS = {"float32": 4 * 2.0**-24, "float64": 16 * 2.0**-53}
"""The relative error that is good enough, by dtype: 4 and 16 halves of a unit in the last place of 1."""

LEADING_BITS = {"float32": 32, "float64": 64}
DENSER = 4


@lru_cache(maxsize=256)
def inverse_table(quantile: Quantile, raw_values: int, dtype: str) -> InverseTable:
    """Return the table of a distribution for a generator of `raw_values` raw values, from 2 to 2^64.

    It is the first of `SIZES` whose error is at most that of `TARGETS`, and one that is packed is also as right as
    promised at every size; else the first of the others whose error is at most twice the smallest. Values beyond the
    range of the dtype are replaced by its largest number, those below four times its smallest normal number by 0. Where
    the errors of that table are above what `tables` promises, and the quantile has logarithms, a `LogarithmTable` is
    returned instead.
    """
    if not isinstance(quantile, Quantile):
        raise TypeError(f"quantile must be a quantile function of clrng, not {validation.shown(quantile)}")
    raw_values = validation.integer("raw_values", raw_values, 2, 2**64)
    kind = validation.dtype("dtype", dtype, tuple(SIZES))
    kept: dict[tuple[int, str], InverseTable] = getattr(quantile, "kept", {})  # of functions of others
    if (raw_values, kind.name) not in kept:
        kept[raw_values, kind.name] = _best(quantile, raw_values, kind)
    return kept[raw_values, kind.name]


def _best(quantile: Quantile, raw_values: int, kind: np.dtype[Any]) -> InverseTable:
    """Return the table that `inverse_table` chooses."""
    tables: list[InverseTable] = []
    for degree, segment_bits in SIZES[kind.name]:
        found = _table(quantile, raw_values, kind, degree, segment_bits)
        if found.error <= TARGETS[kind.name] and (found.excess <= 1 or not found.packed):
            break
        if not found.packed:
            tables.append(found)
    else:
        best = min(table.error for table in tables)
        found = next(table for table in tables if table.error <= 2 * best)
    if found.excess <= 1 or quantile.logarithm(np.array([0.25]), upper=False) is None:
        return found
    return logarithm_table(quantile, raw_values, kind)


def _table(quantile: Quantile, raw_values: int, dtype: np.dtype[Any], degree: int, segment_bits: int) -> InverseTable:
    segments = Segments.of(raw_values, LEADING_BITS[dtype.name], dtype, segment_bits)
    sides = (False,) if quantile.symmetric else (False, True)
    nodes, widest = segments.nodes(degree + 1), 2.0 ** -(segment_bits + 1)
    parts, error, share, floor = [], 0.0, 0.0, _floor(quantile)
    least_size = min(floor, quantile.sine_factor or floor)
    is_packed = dtype == np.float64 and degree == packed.DEGREE
    evaluated = packed.evaluated if is_packed else horner
    for upper in sides:
        values = quantile(segments.probability(nodes), upper)
        raw = interpolated(nodes - segments.middle[:, None], values, segments.points)
        part, lost = packed.fitted(raw, values, segment_bits) if is_packed else safe(raw, values, dtype, widest)
        points = segments.between(DENSER * (degree + 1), dtype)
        t = (points - segments.middle[:, None]).astype(dtype)
        if quantile.ends:
            part = inside(part, t, *quantile.ends, evaluated)
        made = evaluated(part, t)
        p = segments.probability(points)
        right = quantile(p, upper)
        error = max(error, largest_error(made[~lost], right[~lost], floor))
        share = max(share, excess(made, right, p, dtype, least_size))
        parts.append(part)
    coefficients = np.concatenate(parts)
    coefficients.setflags(write=False)
    return InverseTable(
        quantile=quantile,
        raw_values=raw_values,
        dtype=dtype,
        symmetric=quantile.symmetric,
        degree=degree,
        segment_bits=segment_bits,
        rows=len(segments.points),
        coefficients=coefficients,
        error=error,
        excess=share,
        digest=hashlib.sha256(coefficients.astype(dtype.newbyteorder("<")).tobytes()).hexdigest(),
    )


def _floor(quantile: Quantile) -> float:
    """Return the smallest size that errors are relative to: half the larger quartile where both signs occur, else 0."""
    ends, quartiles = ([float(quantile(p, upper)) for upper in (False, True)] for p in (MIN_PROBABILITY, 0.25))
    return max(map(abs, quartiles)) / 2 if ends[0] < 0 < ends[1] else 0.0


def largest_error(made: npt.NDArray[Any], right: Array, floor: float) -> float:
    """Return the largest error of values, relative to the right one or to `floor`; both of shape (rows, points)."""
    size = np.maximum(np.abs(right), floor)
    return float(np.max(np.abs(made - right) / np.where(size > 0, size, 1.0), initial=0.0))
