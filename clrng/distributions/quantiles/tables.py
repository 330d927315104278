"""Tables of inverses of distribution functions: what they are. `inverse_table` chooses and makes them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.elementary import Array
from clrng.distributions.quantiles.quantile import Quantile


@dataclass(frozen=True, eq=False)
class InverseTable:
    """The inverse of a distribution function, in polynomials.

    Attributes
    ----------
    quantile : Quantile
    raw_values : int
        N, how many raw values there are.
    dtype : numpy.dtype
        That of values.
    symmetric : bool
        Whether there are rows of the lower side alone.
    degree, segment_bits : int
    rows : int
        Of one side.
    coefficients : ndarray of float32 or float64, shape (rows or 2·rows, degree + 1)
        Row by row, c[0] first, read-only.
    error : float
        The largest error measured, relative to the value; where there are values of both signs, to half the
        larger quartile at least. Rows that are replaced are left out.
    replaced : int
        How many rows have not the quantiles as values, as the dtype has them not or not next to them.
    least, greatest : float
        The values of the raw values 0 and N - 1.
    excess : float
        The largest error of all rows, as a share of what `accuracy` allows.
    digest : str
        SHA-256 of the coefficients' bytes, little end first, in hexadecimal.
    """

    quantile: Quantile
    raw_values: int
    dtype: np.dtype[Any]
    symmetric: bool
    degree: int
    segment_bits: int
    rows: int
    coefficients: npt.NDArray[Any] = field(repr=False)
    error: float
    replaced: int
    least: float
    greatest: float
    excess: float
    digest: str


@dataclass(frozen=True, eq=False)
class LogarithmTable(InverseTable):
    """The logarithm of the inverse of a distribution function, to base 2, in polynomials of integers.

    `coefficients` are integers of 64 bits in units of 2^-52, `segment_bits` those of the octave that has most, `rows`
    the rows of all octaves of both sides, and nothing is replaced.

    Attributes
    ----------
    octaves : ndarray of uint32, shape (64 or 128,)
        By the exponent of z, those of the upper side behind those of the lower one: 16 times the first row, plus k
        where an octave has 2^k rows.
    sine : (int, int) or None
        The factor, of 64 bits, and the power of two where values are hyperbolic sines; they have both signs then.
    most : int
        The largest logarithm.
    """

    octaves: npt.NDArray[np.uint32] = field(repr=False)
    sine: tuple[int, int] | None
    most: int


UNITS, STEEP_UNITS = 16.0, 8.0
ROUNDING = 0.5
"""Units by which a tail probability that is rounded to float32 moves a value, for each s."""

TINY = 4.0
"""Values below so many times the smallest normal number may be 0."""


def excess(made: Array, right: Array, p: Array, dtype: np.dtype[Any], floor: float) -> float:
    """Return the largest error as a share of what is allowed.

    Parameters
    ----------
    made, right, p : ndarray of float64, shape (rows, n)
        Values, what they should be, and their tail probabilities; neighbours are near to each other.
    dtype : numpy.dtype
    floor : float
        What errors are relative to at least.
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
