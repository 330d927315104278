"""Continuous distributions whose quantiles are elementary functions, under NumPy's names and parameters.

References
----------
M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988),
477-484, routine PPND16.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

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
    polynomial,
    power_m1,
    sin_pi,
    times,
    two_product,
    two_sum,
)
from clrng.distributions.quantiles.quantile import OfLogarithm, Quantile

QUARTER = 0.25
LARGEST, SMALLEST_SHAPE, LARGEST_SHAPE, LARGEST_SIGMA = 2.0**500, 2.0**-10, 2.0**40, 1024


def minus_log_survival(p: Array, upper: bool) -> Pair:
    """Return -log(1 - F) as a pair, where F is p, or 1 - p where `upper`."""
    high, low = log_pair(p) if upper else log1p_pair(-p)
    return -high, -low


CENTRE_END, MIDDLE_END = 0.425, 5.0
CENTRE = (
    (
        3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
        4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
    ),
    (
        1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
        2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
    ),
)  # fmt: skip
MIDDLE = (
    (
        1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
        1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
    ),
    (
        1.0, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
    ),
)  # fmt: skip
TAIL = (
    (
        6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
        2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
    ),
    (
        1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
    ),
)  # fmt: skip


def normal_tail(p: Array) -> Array:
    """Return z > 0 that a standard normal number exceeds with probability p, 2^-1000 <= p <= 1/2.

    The error is below 1e-15 relative: a rational function within 1e-16, that of Wichura, and its rounding.
    """
    p = np.asarray(p, np.float64)
    q = 0.5 - p
    centre = 0.180625 - q * q
    near = q * (polynomial(CENTRE[0], centre) / polynomial(CENTRE[1], centre))
    high, _ = log_pair(p)
    r = np.sqrt(-high)
    middle = polynomial(MIDDLE[0], r - 1.6) / polynomial(MIDDLE[1], r - 1.6)
    tail = polynomial(TAIL[0], r - 5) / polynomial(TAIL[1], r - 5)
    return np.where(q <= CENTRE_END, near, np.where(r <= MIDDLE_END, middle, tail))


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
class Weibull(OfLogarithm):
    """The Weibull distribution of scale 1, (-log(1 - U))^(1/a); within 2 ulp, and 2^-58/a relative.

    Of shape 0 all values are 0.
    """

    a: float = number(SMALLEST_SHAPE, LARGEST_SHAPE, or_zero=True, wider=True)

    def logarithm(self, p: Array, upper: bool) -> Pair | None:  # noqa: D102  # as inherited
        inner, low = minus_log_survival(p, upper)
        return divided(plus(log_pair(inner), low / inner), self.a) if self.a else None


@dataclass(frozen=True)
class Pareto(Quantile):
    """The Pareto distribution of the second kind (Lomax), (1 - U)^(-1/a) - 1; within 3 ulp, infinite beyond 2^1024."""

    a: float = number(SMALLEST_SHAPE, LARGEST_SHAPE, wider=True)

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
class Power(OfLogarithm):
    """The power distribution, U^(1/a); within 2 ulp."""

    a: float = number(SMALLEST_SHAPE, LARGEST_SHAPE, wider=True)
    at_most_one: ClassVar[bool] = True

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
        return triangular(p, upper, self.left, self.mode, self.right)


SMALL, SCALE = 2.0**-400, 2.0**600
"""Distances below the first are multiplied by the second, so that products of two of them are not too small."""


def triangular(p: Array, upper: bool, left: Any, mode: Any, right: Any) -> Array:
    """Return the number beyond which a triangular distribution has the probability `p`, on one side."""
    whole, below, above = right - left, mode - left, right - mode
    own, other = (above, below) if upper else (below, above)
    scale = np.where(whole < SMALL, SCALE, 1.0)
    width, first = p * (whole * scale), own * scale
    near = np.sqrt(width * first) / scale
    far = (own + p * other) / (1 + np.sqrt((1 - p) * (other / whole)))
    distance = np.where(width <= first, near, far)
    found: Array = right - distance if upper else left + distance
    return found


@lru_cache(maxsize=1)
def normal_inverse() -> DensityInverse:
    """Return the inverse of the standard normal distribution, as a pair."""

    def log_density(w: Array) -> Pair:
        p, e = two_product(w, w)
        return -0.5 * p, -0.5 * e

    return DensityInverse.of(log_density, panels(log_density))


@dataclass(frozen=True)
class Lognormal(OfLogarithm):
    """exp(sigma·Z) of a standard normal Z; within 4e-16·(1 + sigma) relative."""

    sigma: float = number(0, LARGEST_SIGMA, default=1.0)

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: D102  # as inherited
        return times(normal_inverse()(p, upper), self.sigma)
