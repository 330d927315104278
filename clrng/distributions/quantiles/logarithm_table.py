"""Tables of the logarithm of the inverse of a distribution function, for parameters that are hard.

Where values of one row differ by powers of ten, or are near the limits of the dtype, no polynomial approximates them.
Their logarithm is smooth. So a value is 2^v or, where there are both signs, a hyperbolic sine; and v is a polynomial.

The definition, of which ``tests/support/reference_logarithms.py`` is an independent form; d and z are those of
`inverse_table`, and >> rounds down:

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
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles import chebyshev
from clrng.distributions.quantiles.elementary import LN2, Array, Pair, log_pair, times, two_sum
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import LogarithmTable, horner, interpolated

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
LOG2_E = float(1 / LN2)
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
        p = np.minimum(np.ldexp(significands, octaves.astype(np.int32)[:, None]) / (2 * float(self.raw_values)), 0.5)
        found = self.quantile.logarithm(p, self.upper)
        if found is None:
            raise TypeError(f"{self.quantile} must have logarithms")
        high, low = times(found, LOG2_E)
        high, low = two_sum(high, low + found[0] * LOG2_E_LOW)
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
        nodes = first + (last - first) * (0.5 + 0.5 * chebyshev.nodes(degree + 1))
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
        share = error / (TOLERANCES[self.dtype] + NOISE * _steepness(p, right))
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


def _minus(pair: Pair, start: Pair) -> Array:
    difference: Array = (pair[0] - start[0]) + (pair[1] - start[1])
    return difference


def _steepness(p: Array, right: Array) -> Array:
    """Return the largest change of each row, as a multiple of the relative change of p."""
    with np.errstate(all="ignore"):
        steep = np.abs(np.diff(right) / np.diff(p)) * p[:, 1:]
    found: Array = np.nan_to_num(steep, nan=0.0, posinf=0.0).max(axis=1)
    return found


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
    coefficients, octaves = _laid_out([part for parts, _, _ in sides for part in parts])
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


def _laid_out(parts: list[npt.NDArray[np.int64]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
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
