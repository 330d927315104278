"""Tables of thresholds: what a kernel needs to draw from a discrete distribution."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.quantiles.discrete import Discrete

HALVINGS = (2, 6, 22)
"""The depths of searches for which there are kernels; a table has at most 2^22 entries."""

MIN_GUIDE_BITS, MAX_GUIDE_BITS = 10, 16
"""A guide has about four entries for each threshold, but 2^10 at least and 2^16 at most."""

TOP_BITS = 32


@dataclass(frozen=True, eq=False)
class ThresholdTable:
    """The thresholds of a discrete distribution.

    A number X, 0 <= X < N, becomes the value ``low + k`` with the least k for which X < T(k). The last threshold is N,
    which may not fit: N - 1 stands in its place, and no search looks at it.
    """

    low: int
    thresholds: npt.NDArray[np.uint64]
    numbers: int


@dataclass(frozen=True, eq=False)
class Guide:
    """A guide to the thresholds of a table by the tops of numbers (Chen and Asau 1974).

    A top is a number without its last digit or bits; `tops` are those of the thresholds. ``guide[g]`` is the least k
    for which the top of threshold k is at least g << shift, and the last entry the index of the last threshold. With
    g = top >> shift, the least k for which the top of threshold k is above that of X is between ``guide[g]`` and
    ``guide[g + 1]``, both included; for most g these are one or two.
    """

    tops: npt.NDArray[np.uint32]
    guide: npt.NDArray[np.uint32]
    shift: int

    @property
    def halvings(self) -> int:
        """One of `HALVINGS`: how many the longest search takes, or more."""
        longest = int(np.diff(self.guide.astype(np.int64)).max()).bit_length()
        return next(depth for depth in HALVINGS if depth >= longest)


@lru_cache(maxsize=32)
def guide_to(table: ThresholdTable, raw_values: int, steps: int) -> Guide:
    """Return the guide to `table`, whose numbers have `steps` digits to the base `raw_values`; it is cached.

    The top is the first of two digits, or the leading 32 bits of one.
    """
    last = len(table.thresholds) - 1
    behind = raw_values if steps > 1 else 1 << max((table.numbers - 1).bit_length() - TOP_BITS, 0)
    tops = (table.thresholds // np.uint64(behind)).astype(np.uint32)
    largest = (table.numbers - 1) // behind
    bits = min(max((4 * last).bit_length(), MIN_GUIDE_BITS), MAX_GUIDE_BITS)
    shift = max(largest.bit_length() - bits, 0)
    begins = np.arange((largest >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
    guide = np.append(np.searchsorted(tops[:last], begins, side="left"), last).astype(np.uint32)
    for array in (tops, guide):
        array.flags.writeable = False
    return Guide(tops, guide, shift)


@lru_cache(maxsize=32)
def threshold_table(distribution: Discrete, numbers: int) -> ThresholdTable:
    """Return the table of `distribution` for N = `numbers`, from 3 to 2^64, of at most 2^22 entries; it is cached."""
    validation.integer("numbers", numbers, 3, 2**64)
    low, found = distribution.thresholds(numbers)
    thresholds = np.array([*found[:-1], numbers - 1], dtype=np.uint64)
    thresholds.flags.writeable = False
    return ThresholdTable(low, thresholds, numbers)
