"""What the quantile functions of continuous distributions have in common."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from clrng import validation
from clrng.distributions.parameters import Declared
from clrng.distributions.quantiles.density_inverse import DensityInverse
from clrng.distributions.quantiles.elementary import Array, Pair, added, exp, log_pair

MEDIAN = 0.5
MIN_PROBABILITY = 2.0**-70
"""The smallest tail probability that the quantiles are made for; tables of 64 bits need 2^-65."""


class Quantile(Declared, ABC):
    """The inverse of the distribution function F of a continuous distribution, the same bits on every machine.

    Those derived from it are frozen dataclasses: two of the same class and parameters are equal.
    """

    symmetric: ClassVar[bool] = False
    """Whether F^-1(1 - p) = -F^-1(p); `tail` is then asked for the upper side alone."""

    circular: ClassVar[bool] = False
    """Whether values are angles from -pi to pi; with loc added they are brought back to these."""

    at_most_one: ClassVar[bool] = False
    """Whether no value is above 1."""

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the support, where rounding might put values beyond one."""
        return None

    @property
    def sine_factor(self) -> float | None:
        """The number c where `logarithm` is the w of values c·sinh w."""
        return None

    @abstractmethod
    def tail(self, p: Array, upper: bool) -> Array:
        """Return what a call returns, of legal probabilities."""

    def logarithm(self, p: Array, upper: bool) -> Pair | None:  # noqa: ARG002  # some have none
        """Return log F^-1 of the tail as a pair, also where F^-1 is no float64; None where values are not all positive.

        Where there is a `sine_factor`, the upper side's w >= 0 of values c·sinh w instead, whichever side is asked for.
        """
        return None

    def __call__(self, p: Any, upper: bool) -> Array:
        """Return F^-1(p), or F^-1(1 - p) where `upper`, of tail probabilities 2^-70 <= p <= 1/2."""
        tails = np.asarray(p, np.float64)
        if tails.size and not (tails.min() >= MIN_PROBABILITY and tails.max() <= MEDIAN):
            raise ValueError(f"p must be numbers from 2^-70 to 1/2, not {validation.shown(p)}")
        if self.symmetric and not upper:
            return -self.tail(tails, upper=True)
        return self.tail(tails, bool(upper))


class OfLogarithm(Quantile):
    """A distribution of positive numbers, by their logarithms; where it has none, all are 0."""

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        found = self.logarithm(p, upper)
        return np.zeros_like(p) if found is None else exp(*found)


class Scaled(Quantile):
    """A distribution of positive numbers factor·exp w, by the inverse of the distribution of w."""

    @abstractmethod
    def scaled_inverse(self) -> tuple[float, DensityInverse] | None:
        """Return the factor, and the inverse of the distribution of w; None where all values are 0."""

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        found = self.scaled_inverse()
        if found is None:
            return np.zeros_like(p)
        with np.errstate(over="ignore"):
            return found[0] * exp(*found[1](p, upper))

    def logarithm(self, p: Array, upper: bool) -> Pair | None:  # noqa: D102  # as inherited
        found = self.scaled_inverse()
        return found and added(found[1](p, upper), log_pair(np.array(found[0])))
