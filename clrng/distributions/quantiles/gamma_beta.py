"""Gamma, chi-square, beta, F and Student's t distributions, by integration of the density of a logarithm."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from clrng.distributions.parameters import number
from clrng.distributions.quantiles.density_inverse import DensityInverse, panels
from clrng.distributions.quantiles.elementary import (
    Array,
    Pair,
    added,
    chosen,
    exp,
    exp_minus_line,
    expm1,
    log,
    log1p,
    log1p_pair,
    log_pair,
    plus,
    times,
    two_product,
    two_sum,
)
from clrng.distributions.quantiles.quantile import OfLogarithm, Quantile

NEAR = 0.5
SMALLEST_SHAPE, LARGEST_SHAPE = 2.0**-10, 2.0**40
LARGEST_RATIO = 2.0**40
FAR = 100.0
"""From here on exp w is so large that r·(exp w - 1) + 1 is r·exp w, r >= 2^-41."""


@lru_cache(maxsize=64)
def log_gamma_inverse(shape: float) -> DensityInverse:
    """Return the inverse of the distribution of w = log(X/shape), X of a gamma distribution.

    The logarithm of its density is shape·(w - exp w), up to a constant.
    """

    def log_density(w: Array) -> Pair:
        near = -shape * exp_minus_line(np.clip(w, -NEAR, NEAR))
        return chosen(np.abs(w) <= NEAR, (near, 0.0), plus(two_product(w, shape), -shape * expm1(w)))

    end = -float(log(np.array(shape)))
    return DensityInverse.of(log_density, panels(log_density, (min(end, 0.0), max(end, 0.0))))


@dataclass(frozen=True)
class Gamma(OfLogarithm):
    """The gamma distribution of scale 1; within 4·(1 + 1/shape)·2^-53 relative. Of shape 0 all values are 0."""

    shape: float = number(SMALLEST_SHAPE, LARGEST_SHAPE, or_zero=True)

    def scaled_inverse(self) -> tuple[float, DensityInverse]:  # noqa: D102  # as inherited
        return self.shape, log_gamma_inverse(self.shape)

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        return super().tail(p, upper) if self.shape else np.zeros_like(p)

    def logarithm(self, p: Array, upper: bool) -> Pair | None:  # noqa: D102  # as inherited
        return super().logarithm(p, upper) if self.shape else None


@dataclass(frozen=True)
class ChiSquare(OfLogarithm):
    """The chi-square distribution of `df` degrees of freedom; within 4·(1 + 2/df)·2^-53 relative."""

    df: float = number(2 * SMALLEST_SHAPE, LARGEST_SHAPE)

    def scaled_inverse(self) -> tuple[float, DensityInverse]:  # noqa: D102  # as inherited
        return self.df, log_gamma_inverse(self.df / 2)


@lru_cache(maxsize=64)
def log_odds_inverse(a: float, b: float) -> DensityInverse:
    """Return the inverse of the distribution of w = log(X/(1 - X)) - log(a/b), X of a beta distribution.

    The logarithm of its density is a·w - (a + b)·log(1 + r·(exp w - 1)) with r = a/(a + b), up to a constant, and the
    same with a and b exchanged of -w; that of the two is used where r <= 1/2.
    """
    sign, first = (1.0, a) if a <= b else (-1.0, b)
    both, both_low = two_sum(np.array(a), np.array(b))
    ratio = first / both

    def log_density(w: Array) -> Pair:
        w = sign * w
        near = log1p_pair(ratio * expm1(np.minimum(w, FAR)))
        log_sum = chosen(w < FAR, near, plus(log_pair(ratio), w))
        high, low = times(log_sum, -both)
        p, e = two_product(w, first)
        high, error = two_sum(p, high)
        return two_sum(high, error + (low + e) - log_sum[0] * both_low)

    middle = float(log(np.array(b / a)))
    ends = (middle, 0.0, -float(log(np.array(a))), float(log(np.array(b))))
    return DensityInverse.of(log_density, panels(log_density, (min(ends), max(ends))))


@dataclass(frozen=True)
class Beta(Quantile):
    """The beta distribution; within 4·(1 + 1/min(a, b))·2^-53 relative, or the next float64 below or at 1."""

    a: float = number(SMALLEST_SHAPE, LARGEST_SHAPE)
    b: float = number(SMALLEST_SHAPE, LARGEST_SHAPE)
    at_most_one: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.limit("b", self.a / LARGEST_RATIO, self.a * LARGEST_RATIO)

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        w, low = log_odds_inverse(self.a, self.b)(p, upper)
        both = self.a + self.b
        r, q = self.a / both, self.b / both
        odds = exp(-np.abs(w), np.where(w > 0, -low, low))
        return np.where(w > 0, r / (r + q * odds), r * odds / (q + r * odds))

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: D102  # as inherited
        a, b = log_pair(np.array(self.a)), log_pair(np.array(self.b))
        odds = added(log_odds_inverse(self.a, self.b)(p, upper), added(a, (-b[0], -b[1])))
        near = log1p(exp(-np.abs(odds[0]), np.where(odds[0] > 0, -odds[1], odds[1])))
        return chosen(odds[0] > 0, (-near, 0.0), plus(odds, -near))


@dataclass(frozen=True)
class FisherF(OfLogarithm):
    """The F distribution of degrees of freedom; within 4·(1 + 2/min)·2^-53 relative, infinite beyond 2^1024."""

    dfnum: float = number(2 * SMALLEST_SHAPE, LARGEST_SHAPE)
    dfden: float = number(2 * SMALLEST_SHAPE, LARGEST_SHAPE)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.limit("dfden", self.dfnum / LARGEST_RATIO, self.dfnum * LARGEST_RATIO)

    def scaled_inverse(self) -> tuple[float, DensityInverse]:  # noqa: D102  # as inherited
        return 1.0, log_odds_inverse(self.dfnum / 2, self.dfden / 2)


@lru_cache(maxsize=64)
def arsinh_t_inverse(df: float) -> DensityInverse:
    """Return the inverse of the distribution of w = arsinh(T/sqrt(df)), of density cosh(w)^-df up to a constant."""

    def log_density(w: Array) -> Pair:
        size = np.abs(w)
        half = expm1(np.minimum(size, 1.0) / 2)
        sine = 0.5 * (half + half / (half + 1))
        near = -df * log1p(2 * sine * sine)
        return chosen(size <= 1, (near, 0.0), plus(two_product(size, -df), -df * log1p(0.5 * expm1(-2 * size))))

    return DensityInverse.of(log_density, panels(log_density))


@dataclass(frozen=True)
class StudentT(Quantile):
    """Student's t distribution of `df` degrees of freedom.

    It is within 4·(1 + 1/df)·2^-53 of the value, or of a quartile between the quartiles.
    """

    df: float = number(2 * SMALLEST_SHAPE, LARGEST_SHAPE)
    symmetric: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: ARG002, D102  # as inherited
        w, low = arsinh_t_inverse(self.df)(p, upper=False)
        size, low = np.maximum(-w, 0.0), -low
        near = expm1(np.minimum(size, 1.0), low)
        sine = np.where(size < 1, near + near / (near + 1), exp(size, low) - exp(-size))
        value: Array = 0.5 * self.sine_factor * sine
        return value

    @property
    def sine_factor(self) -> float:  # noqa: D102  # as inherited
        return float(np.sqrt(self.df))

    def logarithm(self, p: Array, upper: bool) -> Pair:  # noqa: ARG002, D102  # as inherited
        w, low = arsinh_t_inverse(self.df)(p, upper=False)
        return np.maximum(-w, 0.0), np.where(w < 0, -low, 0.0)
