"""Continuous distributions whose quantiles are elementary functions, under NumPy's names and parameters."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from clrng.distributions.quantiles.density_inverse import DensityInverse, panels
from clrng.distributions.quantiles.elementary import (
    Array,
    Pair,
    cos_pi,
    divided,
    exp,
    expm1,
    log,
    log1p,
    log1p_pair,
    log_pair,
    plus,
    power_m1,
    reciprocal_power,
    sin_pi,
    times,
    two_product,
    two_sum,
)
from clrng.distributions.quantiles.normal import normal_tail
from clrng.distributions.quantiles.quantile import Quantile

QUARTER = 0.25
LARGEST, SMALLEST_SHAPE, LARGEST_SHAPE = 2.0**500, 2.0**-10, 2.0**40


def minus_log_survival(p: Array, upper: bool) -> Pair:
    """Return -log(1 - F) as a pair, where F is p, or 1 - p where `upper`."""
    high, low = log_pair(p) if upper else log1p_pair(-p)
    return -high, -low


@dataclass(frozen=True)
class Normal(Quantile):
    """The standard normal distribution; within 1e-15 relative."""

    name: ClassVar[str] = "standard_normal"
    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        return normal_tail(p) if upper else -normal_tail(p)


@dataclass(frozen=True)
class Exponential(Quantile):
    """The standard exponential distribution, -log(1 - U); within 1 ulp."""

    name: ClassVar[str] = "standard_exponential"

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        return minus_log_survival(p, upper)[0]


@dataclass(frozen=True)
class Laplace(Quantile):
    """The Laplace distribution of density exp(-|x|)/2; within 1 ulp."""

    name: ClassVar[str] = "laplace"
    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        size = np.where(p > QUARTER, -log1p(2 * np.maximum(p, QUARTER) - 1), -log(2 * p)) + 0.0
        return size if upper else -size


@dataclass(frozen=True)
class Logistic(Quantile):
    """The logistic distribution, log U - log(1 - U); within 2 ulp."""

    name: ClassVar[str] = "logistic"
    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        near = log1p((1 - 2 * p) / p)
        high, low = log_pair(p)
        other, other_low = log1p_pair(-p)
        s, e = two_sum(other, -high)
        size = np.where(p > QUARTER, near, s + (e + (other_low - low)))
        return size if upper else -size


@dataclass(frozen=True)
class Gumbel(Quantile):
    """The Gumbel distribution of maxima, -log(-log U); within 2 ulp, or 2^-53 absolute near 0."""

    name: ClassVar[str] = "gumbel"

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        inner, inner_low = minus_log_survival(p, not upper)
        high, low = log_pair(inner)
        return -(high + (low + inner_low / inner))


@dataclass(frozen=True)
class Cauchy(Quantile):
    """The standard Cauchy distribution, tan(pi (U - 1/2)); within 2 ulp."""

    name: ClassVar[str] = "standard_cauchy"
    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        near = p > QUARTER
        folded = np.where(near, 0.5 - p, p)
        sine, cosine = sin_pi(folded), cos_pi(folded)
        size = np.where(near, sine, cosine) / np.where(near, cosine, sine)
        return size if upper else -size


@dataclass(frozen=True)
class Rayleigh(Quantile):
    """The Rayleigh distribution of scale 1, sqrt(-2 log(1 - U)); within 1 ulp."""

    name: ClassVar[str] = "rayleigh"

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        return np.sqrt(2 * minus_log_survival(p, upper)[0])


@dataclass(frozen=True)
class Weibull(Quantile):
    """The Weibull distribution of scale 1, (-log(1 - U))^(1/a); within 2 ulp, and 2^-58/a relative.

    Parameters
    ----------
    a : float
        Shape, from 2^-10 to 2^40, or 0, of which all values are 0.
    """

    a: float
    name: ClassVar[str] = "weibull"

    def __post_init__(self) -> None:
        self.check("a", SMALLEST_SHAPE, LARGEST_SHAPE, zero_is_legal=True)

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        if not self.a:
            return np.zeros_like(p)
        inner, low = minus_log_survival(p, upper)
        return reciprocal_power(plus(log_pair(inner), low / inner), self.a)

    def logarithm(self, p: Array, upper: bool) -> Pair | None:  # noqa: D102  # as inherited
        inner, low = minus_log_survival(p, upper)
        return divided(plus(log_pair(inner), low / inner), self.a) if self.a else None


@dataclass(frozen=True)
class Pareto(Quantile):
    """The Pareto distribution of the second kind (Lomax), (1 - U)^(-1/a) - 1; within 3 ulp, infinite beyond 2^1024.

    Parameters
    ----------
    a : float
        Shape, from 2^-10 to 2^40.
    """

    a: float
    name: ClassVar[str] = "pareto"

    def __post_init__(self) -> None:
        self.check("a", SMALLEST_SHAPE, LARGEST_SHAPE)

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        high, low = minus_log_survival(p, upper)
        inverse = 1 / self.a
        product, error = two_product(inverse, self.a)
        correction = high * (((1 - product) - error) / self.a)
        near = power_m1((high, low), inverse)
        return near + np.where(np.isinf(near), 0.0, near + 1) * correction

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: D102  # as inherited
        high, low = divided(minus_log_survival(p, upper), self.a)
        far = plus((high, low), log1p(-exp(-np.maximum(high, 1.0), -low)))
        near = log_pair(expm1(np.minimum(high, 1.0), low))
        return np.where(high > 1, far[0], near[0]), np.where(high > 1, far[1], near[1])


@dataclass(frozen=True)
class Power(Quantile):
    """The power distribution, U^(1/a); within 2 ulp.

    Parameters
    ----------
    a : float
        Shape, from 2^-10 to 2^40.
    """

    a: float
    name: ClassVar[str] = "power"
    at_most_one: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.check("a", SMALLEST_SHAPE, LARGEST_SHAPE)

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        high, low = minus_log_survival(p, not upper)
        return reciprocal_power((-high, -low), self.a)

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: D102  # as inherited
        high, low = minus_log_survival(p, not upper)
        return divided((-high, -low), self.a)


@dataclass(frozen=True)
class Triangular(Quantile):
    """The triangular distribution; within 2^-51 of the distance from its nearer end, plus 2^-53 of that end.

    Values that are drawn are less exact next to the mode, where the curvature of the inverse jumps inside one row of a
    table and no polynomial follows: in that row they are within 4e-6 as float32 and 4e-7 as float64, relative to the
    value or, with values of both signs, to half the larger quartile. There is no such row where the mode is an end or
    in the middle.

    Parameters
    ----------
    left, mode, right : float
        left <= mode <= right, left < right, none larger than 2^500.
    """

    left: float
    mode: float
    right: float
    name: ClassVar[str] = "triangular"

    def __post_init__(self) -> None:
        self.check("left", -LARGEST, LARGEST)
        self.check("right", self.left, LARGEST, low_is_legal=False)
        self.check("mode", self.left, self.right)

    @property
    def ends(self) -> tuple[float, float]:  # noqa: D102  # as inherited
        return self.left, self.right

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        whole, below, above = self.right - self.left, self.mode - self.left, self.right - self.mode
        first, other = (above, below) if upper else (below, above)
        near = np.sqrt(p * whole * first)
        far = (first + p * other) / (1 + np.sqrt((1 - p) * (other / whole)))
        distance = np.where(p * whole <= first, near, far)
        return self.right - distance if upper else self.left + distance


@lru_cache(maxsize=1)
def normal_inverse() -> DensityInverse:
    """Return the inverse of the standard normal distribution, as a pair."""

    def log_density(w: Array) -> Pair:
        p, e = two_product(w, w)
        return -0.5 * p, -0.5 * e

    return DensityInverse.of(log_density, panels(log_density))


@dataclass(frozen=True)
class Lognormal(Quantile):
    """exp(sigma·Z) of a standard normal Z; within 4e-16·(1 + sigma) relative.

    Parameters
    ----------
    sigma : float
        From 0 to 1024.
    """

    sigma: float
    name: ClassVar[str] = "lognormal"

    def __post_init__(self) -> None:
        self.check("sigma", 0, 1024)

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        return exp(*times(normal_inverse()(p, upper), self.sigma))

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: D102  # as inherited
        return times(normal_inverse()(p, upper), self.sigma)
