"""Gamma and chi-square distributions, by integration of the density of the logarithm."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from clrng.distributions.density_inverse import DensityInverse, panels
from clrng.distributions.maths.elementary import exp, exp_minus_line, expm1, log, log_pair
from clrng.distributions.maths.pairs import Array, Pair, added, plus, two_product
from clrng.distributions.quantile import Quantile

NEAR = 0.5
SMALLEST_SHAPE, LARGEST_SHAPE = 2.0**-10, 2.0**40


@lru_cache(maxsize=64)
def log_gamma_inverse(shape: float) -> DensityInverse:
    """Return the inverse of the distribution of w = log(X/shape), X of a gamma distribution.

    The logarithm of its density is shape·(w - exp w), up to a constant.
    """

    def log_density(w: Array) -> Pair:
        far = plus(two_product(w, shape), -shape * expm1(w))
        near = -shape * exp_minus_line(np.clip(w, -NEAR, NEAR))
        inside = np.abs(w) <= NEAR
        return np.where(inside, near, far[0]), np.where(inside, 0.0, far[1])

    end = -float(log(np.array(shape)))
    return DensityInverse.of(log_density, panels(log_density, (min(end, 0.0), max(end, 0.0))))


@dataclass(frozen=True)
class Gamma(Quantile):
    """The gamma distribution of scale 1; within 4·(1 + 1/shape)·2^-53 relative.

    Parameters
    ----------
    shape : float
        From 2^-10 to 2^40, or 0, of which all values are 0.
    """

    shape: float
    name: ClassVar[str] = "standard_gamma"

    def __post_init__(self) -> None:
        self.check("shape", SMALLEST_SHAPE, LARGEST_SHAPE, zero_is_legal=True)

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        return self.shape * exp(*log_gamma_inverse(self.shape)(p, upper)) if self.shape else np.zeros_like(p)

    def logarithm(self, p: Array, upper: bool) -> Pair | None:  # noqa: D102  # as inherited
        if not self.shape:
            return None
        return added(log_gamma_inverse(self.shape)(p, upper), log_pair(np.array(self.shape)))


@dataclass(frozen=True)
class ChiSquare(Quantile):
    """The chi-square distribution; within 4·(1 + 2/df)·2^-53 relative.

    Parameters
    ----------
    df : float
        Degrees of freedom, from 2^-9 to 2^40.
    """

    df: float
    name: ClassVar[str] = "chisquare"

    def __post_init__(self) -> None:
        self.check("df", 2 * SMALLEST_SHAPE, LARGEST_SHAPE)

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        return self.df * exp(*log_gamma_inverse(self.df / 2)(p, upper))

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: D102  # as inherited
        return added(log_gamma_inverse(self.df / 2)(p, upper), log_pair(np.array(self.df)))
