"""What a histogram of a distribution should look like: its bins, and the heights that they approach."""

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.discrete import Discrete
from clrng.distributions.distribution import Between, Continuous, Distribution, Integers
from clrng.distributions.quantiles.integrated import without_turns
from clrng.distributions.quantiles.quantile import MIN_PROBABILITY

Array = npt.NDArray[np.float64]

BINS = 100
TAIL = 1e-4
"""The probability of either side that is left out."""

REACH = 8
"""How many interquartile ranges beyond the quartiles are shown at most, so that long tails leave room for the rest."""

MARGIN = 0.1
"""A tail is shown to its end where that lengthens the picture by less than this part."""

LARGEST = 1e300
"""The largest value shown. The range shown is longer than 10^-6 of its beginning, and than 10^-300."""

EXACT = 2**50
"""Integers beyond this many times the width of a bin are shown as differences from the smallest one."""

NUMBERS = 2**64
"""Probabilities of integers are multiples of 2^-64."""

OCTAVES, POINTS = 20, 64
"""A curve has a point for each of 64 probabilities in each of 20 octaves of both tails."""

NEAR = 2.0**-10
"""The density at a quantile is taken between the quantiles of probabilities that differ by this, relatively."""


@dataclass(frozen=True, eq=False)
class Expected:
    """The bins of a histogram, between equidistant `edges`, and what is expected there.

    `x` and `y` are points of the density, or the middle of each bin of integers and its probability. Of integers,
    `first` is the smallest in the first bin, `together` are in each, and `origin` is subtracted in `edges` and `x`, so
    that they are exact; of real values `together` is 0.
    """

    edges: Array
    x: Array
    y: Array
    first: int = 0
    together: int = 0
    origin: int = 0

    @property
    def bins(self) -> int:
        """The number of bins."""
        return len(self.edges) - 1

    def counts(self, values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return how many of `values` are in each bin."""
        if not self.together:
            return np.histogram(values.astype(np.float64), self.edges)[0].astype(np.int64)
        place = (values.astype(np.uint64) - np.uint64(self.first % 2**64)) // np.uint64(self.together)
        return np.bincount(place[place < self.bins].astype(np.int64), minlength=self.bins)

    def heights(self, counts: npt.NDArray[np.int64], total: int) -> Array:
        """Return the heights of bins with `counts` values of `total`, which approach `y`."""
        width = 1.0 if self.together else float(self.edges[1] - self.edges[0])
        return counts / (total * width)


@singledispatch
def expected(distribution: Distribution) -> Expected:
    """Return what is expected of the values of `distribution`."""
    raise NotImplementedError(type(distribution).__name__)


@expected.register
def _of_reals(distribution: Continuous) -> Expected:
    if distribution.quantile.circular:
        loc = without_turns(distribution.loc)
        shown = _of_a_line(Continuous(distribution.quantile, loc, distribution.scale))
        return shown if max(map(abs, shown.edges[[0, -1]])) <= math.pi else _of_a_circle(shown)
    return _of_a_line(distribution)


def _of_a_circle(line: Expected) -> Expected:
    """Return what is expected of all angles from -pi to pi, where part of `line` is beyond them."""
    x = np.remainder(line.x + math.pi, 2 * math.pi) - math.pi
    order = np.argsort(x)
    return Expected(np.linspace(-math.pi, math.pi, BINS + 1), x[order], line.y[order])


def _of_a_line(distribution: Continuous) -> Expected:
    def quantiles(p: Array, upper: bool) -> Array:
        with np.errstate(over="ignore"):
            found = distribution.loc + distribution.scale * distribution.quantile(p, upper=upper)
        return np.clip(found, -LARGEST, LARGEST)

    def density(p: Array, upper: bool) -> tuple[Array, Array]:
        ends = quantiles(p * (1 - NEAR), upper), quantiles(p * (1 + NEAR), upper)
        with np.errstate(divide="ignore", over="ignore"):
            return quantiles(p, upper), 2 * NEAR * p / np.abs(ends[1] - ends[0])

    low, high = _shown(*(quantiles(np.array([MIN_PROBABILITY, TAIL, 0.25]), upper) for upper in (False, True)))
    p = 2.0 ** -(1 + np.arange(1, OCTAVES * POINTS) / POINTS)
    lower, upper = density(p[::-1], upper=False), density(p, upper=True)
    x, y = (np.concatenate(pair) for pair in zip(lower, upper, strict=True))
    shown = np.isfinite(y) & (x >= low) & (x <= high)
    return Expected(np.linspace(low, high, BINS + 1), x[shown], y[shown])


def _shown(below: Array, above: Array) -> tuple[float, float]:
    """Return the ends of what is shown; `below` and `above` have the farthest, the `TAIL` and the quarter quantiles."""
    reach = REACH * (above[2] - below[2])
    low, high = max(below[1], below[2] - reach), min(above[1], above[2] + reach)
    margin = MARGIN * (high - low)
    low, high = (below[0] if low - below[0] < margin else low), (above[0] if above[0] - high < margin else high)
    gap = max(1e-6 * abs(low), 1 / LARGEST)
    return (low, high) if high - low > gap else (low - max(gap, 0.5), low + max(gap, 0.5))


@expected.register
def _between(distribution: Between) -> Expected:
    low, high = (min(max(bound, -LARGEST), LARGEST) for bound in (distribution.low, distribution.high))
    below, above = (
        np.array([bound, bound, 0.75 * bound + 0.25 * other]) for bound, other in ((low, high), (high, low))
    )
    x = np.array([low, high])
    return Expected(np.linspace(*_shown(below, above), BINS + 1), x, np.full(2, 1 / max(high - low, 1 / LARGEST)))


@expected.register
def _of_counts(distribution: Discrete) -> Expected:
    first, thresholds = distribution.thresholds(NUMBERS)

    def below(k: int) -> float:
        """Return the probability of values below `k`."""
        index = min(max(k - first, 0), len(thresholds))
        return thresholds[index - 1] / NUMBERS if index else 0.0

    def quantile(p: float) -> int:
        return first + bisect_right(thresholds, int(p * NUMBERS), hi=len(thresholds) - 1)

    left, right = quantile(0.25), quantile(0.75)
    spread = max(right - left, 1)
    low, high = max(quantile(TAIL), left - REACH * spread), min(quantile(1 - TAIL), right + REACH * spread)
    return _of_integers(low, high, below)


@expected.register
def _of_a_range(distribution: Integers) -> Expected:
    low, n = distribution.low, distribution.n
    return _of_integers(low, low + n - 1, lambda k: min(max(k - low, 0), n) / n)


def _of_integers(low: int, high: int, below: Any) -> Expected:
    """Return what is expected of integers from `low` to `high`; `below` gives the probability of those below one."""
    together = -(-(high - low + 1) // BINS)
    begins = range(low, high + 1 + together, together)
    origin = low if max(-low, high) > together * EXACT else 0
    edges: Array = np.array([k - origin for k in begins], np.float64) - 0.5
    y: Array = np.diff([below(k) for k in begins])
    return Expected(edges, (edges[1:] + edges[:-1]) / 2, y, low, together, origin)
