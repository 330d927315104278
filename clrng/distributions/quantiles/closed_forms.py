"""Continuous distributions whose quantiles are elementary functions, under NumPy's names and parameters."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from clrng.distributions.parameters import number
from clrng.distributions.quantiles.density_inverse import DensityInverse, panels
from clrng.distributions.quantiles.elementary import (
    Array,
    Pair,
    chosen,
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

    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: ARG002, D102  # as inherited
        return normal_tail(p)


@dataclass(frozen=True)
class Exponential(Quantile):
    """The standard exponential distribution, -log(1 - U); within 1 ulp."""

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        return minus_log_survival(p, upper)[0]


@dataclass(frozen=True)
class Laplace(Quantile):
    """The Laplace distribution of density exp(-|x|)/2; within 1 ulp."""

    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: ARG002, D102  # as inherited
        return np.where(p > QUARTER, -log1p(2 * np.maximum(p, QUARTER) - 1), -log(2 * p)) + 0.0


@dataclass(frozen=True)
class Logistic(Quantile):
    """The logistic distribution, log U - log(1 - U); within 2 ulp."""

    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: ARG002, D102  # as inherited
        near = log1p((1 - 2 * p) / p)
        high, low = log_pair(p)
        other, other_low = log1p_pair(-p)
        s, e = two_sum(other, -high)
        return np.where(p > QUARTER, near, s + (e + (other_low - low)))


@dataclass(frozen=True)
class Gumbel(Quantile):
    """The Gumbel distribution of maxima, -log(-log U); within 2 ulp, or 2^-53 absolute near 0."""

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        inner, inner_low = minus_log_survival(p, not upper)
        high, low = log_pair(inner)
        return -(high + (low + inner_low / inner))


@dataclass(frozen=True)
class Cauchy(Quantile):
    """The standard Cauchy distribution, tan(pi (U - 1/2)); within 2 ulp."""

    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: ARG002, D102  # as inherited
        near = p > QUARTER
        folded = np.where(near, 0.5 - p, p)
        sine, cosine = sin_pi(folded), cos_pi(folded)
        return np.where(near, sine, cosine) / np.where(near, cosine, sine)


@dataclass(frozen=True)
class Rayleigh(Quantile):
    """The Rayleigh distribution of scale 1, sqrt(-2 log(1 - U)); within 1 ulp."""

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        return np.sqrt(2 * minus_log_survival(p, upper)[0])


@dataclass(frozen=True)
class Weibull(Quantile):
    """The Weibull distribution of scale 1, (-log(1 - U))^(1/a); within 2 ulp, and 2^-58/a relative.

    Of shape 0 all values are 0.
    """

    a: float = number(SMALLEST_SHAPE, LARGEST_SHAPE, or_zero=True)

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        if not self.a:
            return np.zeros_like(p)
        inner, low = minus_log_survival(p, upper)
        return reciprocal_power(plus(log_pair(inner), low / inner), self.a)

    def logarithm(self, p: Array, upper: bool) -> Pair | None:  # noqa: D102  # as inherited
        inner, low = minus_log_survival(p, upper)
        return divided(plus(log_pair(inner), low / inner), self.a) if self.a else None


@dataclass(frozen=True)
class Pareto(Quantile):
    """The Pareto distribution of the second kind (Lomax), (1 - U)^(-1/a) - 1; within 3 ulp, infinite beyond 2^1024."""

    a: float = number(SMALLEST_SHAPE, LARGEST_SHAPE)

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        high, low = minus_log_survival(p, upper)
        inverse = 1 / self.a
        product, error = two_product(inverse, self.a)
        correction = high * (((1 - product) - error) / self.a)
        near = power_m1((high, low), inverse)
        return near + np.where(np.isinf(near), 0.0, near + 1) * correction

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: D102  # as inherited
        high, low = divided(minus_log_survival(p, upper), self.a)
        far = plus((high, low), log1p(-exp(-np.maximum(high, 1.0), -low)))
        return chosen(high > 1, far, log_pair(expm1(np.minimum(high, 1.0), low)))


@dataclass(frozen=True)
class Power(Quantile):
    """The power distribution, U^(1/a); within 2 ulp."""

    a: float = number(SMALLEST_SHAPE, LARGEST_SHAPE)
    at_most_one: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
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
    """

    left: float = number(-LARGEST, LARGEST)
    mode: float = number(-LARGEST, LARGEST)
    right: float = number(-LARGEST, LARGEST)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.limit("right", self.left, LARGEST, low_is_legal=False)
        self.limit("mode", self.left, self.right)

    @property
    def ends(self) -> tuple[float, float]:  # noqa: D102  # as inherited
        return self.left, self.right

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
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
    """exp(sigma·Z) of a standard normal Z; within 4e-16·(1 + sigma) relative."""

    sigma: float = number(0, 1024, default=1.0)

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        return exp(*times(normal_inverse()(p, upper), self.sigma))

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: D102  # as inherited
        return times(normal_inverse()(p, upper), self.sigma)
