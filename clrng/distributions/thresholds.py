"""Tables of thresholds: what a kernel needs to draw from a discrete distribution."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.discrete import Discrete

MOST_HALVINGS = 22
"""The most halvings that a search takes in any table, which has at most 2^22 entries."""

LEAST_GUIDE_BITS, MOST_GUIDE_BITS = 4, 16


@dataclass(frozen=True, eq=False)
class ThresholdTable:
    """The thresholds of a discrete distribution with a guide to them (Chen and Asau 1974).

    A number X, 0 <= X < N, becomes the value ``low + k`` with the least k for which X < T(k). That k is found between
    ``guide[g]`` and ``guide[g + 1]``, both included, where g = X >> shift; for most g these are one or two.

    Attributes
    ----------
    low : int
        The least value.
    thresholds : numpy.ndarray of uint64, shape (k,)
        T(0), T(1), ... in ascending order. The last one is N, which may not fit: N - 1 stands in its place, and no
        search looks at it.
    guide : numpy.ndarray of uint32, shape (((N - 1) >> shift) + 2,)
        ``guide[g]`` is the least k with T(k) > g << shift. The last is the index of the last threshold.
    shift : int
        From 0 to 60.
    numbers : int
        N.
    """

    low: int
    thresholds: npt.NDArray[np.uint64]
    guide: npt.NDArray[np.uint32]
    shift: int
    numbers: int

    @property
    def halvings(self) -> int:
        """How many halvings the longest search takes, from 0 to 22."""
        return int(np.diff(self.guide).max()).bit_length()

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What `convert` takes after the raw values, in this order; arrays are to be put into buffers."""
        return self.thresholds, self.guide, np.uint32(self.shift), np.int64(self.low)


@lru_cache(maxsize=32)
def threshold_table(distribution: Discrete, numbers: int) -> ThresholdTable:
    """Return the table of `distribution` for numbers below `numbers`; it is kept.

    Parameters
    ----------
    distribution : Discrete
    numbers : int
        N, from 3 to 2^64: how many raw values, or pairs of them, there are.

    Raises
    ------
    ValueError
        If it would have more than 2^22 entries, as where the distribution spreads over many values.
    """
    validation.integer("numbers", numbers, 3, 2**64)
    low, found = distribution.thresholds(numbers)
    last = len(found) - 1
    thresholds = np.array([*found[:last], numbers - 1], dtype=np.uint64)
    guide_bits = min(max(len(found).bit_length(), LEAST_GUIDE_BITS), MOST_GUIDE_BITS)
    shift = max((numbers - 1).bit_length() - guide_bits, 0)
    begins = np.arange(((numbers - 1) >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
    guide = np.append(np.searchsorted(thresholds[:last], begins, side="right"), last).astype(np.uint32)
    for array in (thresholds, guide):
        array.flags.writeable = False
    return ThresholdTable(low, thresholds, guide, shift, numbers)
