"""Distributions of others: frozen ones of SciPy, and inverse distribution functions of the user."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar

import numpy as np

from clrng import validation
from clrng.distributions.discrete import Discrete
from clrng.distributions.distribution import Continuous, Counted, Distribution
from clrng.distributions.masses import MOST_ENTRIES
from clrng.distributions.maths.pairs import Array
from clrng.distributions.quantile import Quantile

SMALLEST_TAIL = 2.0**-64


@dataclass(frozen=True, eq=False)
class Inverted(Quantile):
    """The distribution of an inverse distribution function; equal only to itself.

    Its numbers, unlike those of all other distributions, depend on the library that computes the function.

    Attributes
    ----------
    lower, upper : callable
        F^-1(p) and F^-1(1 - p) for arrays of probabilities p of at most 1/2.
    """

    lower: Callable[[Array], Any]
    upper: Callable[[Array], Any]
    name: ClassVar[str] = "sample"

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        found = np.asarray((self.upper if upper else self.lower)(p), np.float64)
        if found.shape != p.shape or np.isnan(found).any():
            raise ValueError(
                f"distribution must give a number for every probability, an array of the shape {p.shape}, not "
                f"{validation.shown(found)}"
            )
        return found


@dataclass(frozen=True, eq=False)
class Cumulated(Discrete):
    """A discrete distribution of SciPy; equal only to itself.

    Attributes
    ----------
    frozen : object
        With methods ``cdf``, ``sf``, ``ppf`` and ``isf``.
    """

    frozen: Any = field(repr=False)

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value and the thresholds, from the distribution function as rounded to float64."""
        low = int(self.frozen.ppf(SMALLEST_TAIL))
        high, last = low + 1, self.frozen.support()[1]
        while high < last and high - low < MOST_ENTRIES and self.frozen.sf(high) >= SMALLEST_TAIL:
            high = min(low + 2 * (high - low), last)
        if not high - low < MOST_ENTRIES:
            raise ValueError(
                f"distribution spreads over too many values, {low:g} to {high:g}: its table would need more than "
                f"{MOST_ENTRIES} entries"
            )
        values = np.arange(low, int(high) + 1)
        below, above = np.asarray(self.frozen.cdf(values)), np.asarray(self.frozen.sf(values))
        parts = [Fraction(float(f)) if f < s else 1 - Fraction(float(s)) for f, s in zip(below, above, strict=True)]
        found = [ceil(part * numbers) for part in parts]
        found[-1] = numbers
        return low, list(np.maximum.accumulate(np.array(found, object)))


def as_distribution(value: Any) -> Distribution:
    """Return `value`, a distribution of clrng or SciPy or an inverse distribution function, as a `Distribution`.

    Raises
    ------
    TypeError
        If it is something else.
    """
    if isinstance(value, Distribution):
        return value
    if all(callable(getattr(value, name, None)) for name in ("cdf", "sf", "ppf", "isf")):
        if not hasattr(value, "pmf") or hasattr(getattr(value, "dist", None), "pdf"):
            return Continuous(Inverted(value.ppf, value.isf))
        return Counted(Cumulated(value))
    if callable(value) and not isinstance(value, type):
        return Continuous(Inverted(value, lambda p: value(1 - p)))
    raise TypeError(
        f"distribution must be one of clrng, such as clrng.distribution('normal'), a frozen one of scipy.stats, or an "
        f"inverse distribution function, not {validation.shown(value)}"
    )
