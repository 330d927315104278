"""Tables of inverses of distribution functions: what they are, and how right their values are promised to be.

A value is within 16 units of the right one. The unit is 2^-24 or 2^-53 of its size; with values of both signs, of half
the larger quartile at least, or of sqrt(df) for Student's t distribution, if that is less. As float64 there are 16·s
units more, where a relative change e of the tail probability changes the value by s·e: so much do the last bits of a
probability in double precision matter. Values below four times the smallest normal number of the dtype may be 0, and
those beyond the largest number are that. Of the 16·s units a table has 8, and the quantile itself 8.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.elementary import Array
from clrng.distributions.quantiles.quantile import Quantile


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
    quartile at least. Rows that are replaced are left out."""

    replaced: int
    """How many rows have not the quantiles as values, as the dtype has them not or not next to them."""

    least: float
    greatest: float
    """The values of the first and the last raw value."""

    excess: float
    """The largest error of all rows, as a share of what `excess` allows."""

    digest: str
    """SHA-256 of the coefficients' bytes, little end first, in hexadecimal."""


@dataclass(frozen=True, eq=False)
class LogarithmTable(InverseTable):
    """The logarithm of the inverse of a distribution function, to base 2, in polynomials of integers.

    `coefficients` are integers of 64 bits in units of 2^-52, `segment_bits` those of the octave that has most, `rows`
    the rows of all octaves of both sides, and nothing is replaced.
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
    """Return the largest error of values, relative to `floor` at least, as a share of what is allowed.

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
