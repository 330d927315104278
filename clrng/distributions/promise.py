"""How right the values of continuous distributions are promised to be, and whether a table keeps that.

A value is within 16 units of the right one. The unit is 2^-24 or 2^-53 of its size; with values of both signs, of half
the larger quartile at least, or of sqrt(df) for Student's t distribution, if that is less. As float64 there are 16·s
units more, where a relative change e of the tail probability changes the value by s·e: so much do the last bits of a
probability in double precision matter. Values below four times the smallest normal number of the dtype may be 0, and
those beyond the largest number are that. Of the 16·s units a table has 8, and the quantile itself 8.
"""

from typing import Any

import numpy as np

from clrng.distributions.maths.pairs import Array

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
