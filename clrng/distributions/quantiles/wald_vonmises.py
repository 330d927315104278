"""Inverse Gaussian (Wald) and von Mises distributions, by integration of the density."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from clrng.distributions.parameters import number
from clrng.distributions.quantiles.density_inverse import DensityInverse, panels
from clrng.distributions.quantiles.elementary import (
    PI_HIGH,
    Array,
    Pair,
    chosen,
    exp,
    exp_minus_line,
    expm1,
    log,
    plus,
    sin,
    two_product,
)
from clrng.distributions.quantiles.quantile import Quantile

NEAR = 0.5
SMALLEST, LARGEST = 2.0**-40, 2.0**40


@lru_cache(maxsize=64)
def log_wald_inverse(ratio: float) -> tuple[float, DensityInverse]:
    """Return m and the inverse of the distribution of w = log(X/mean) - log m, X inverse Gaussian.

    `ratio` is scale/mean. The logarithm of the density of v = log(X/mean) is -v/2 - ratio·cosh v, up to a constant, and
    largest at v = log m.
    """
    sine = 1 / (2 * ratio)
    steep = sine + float(np.sqrt(1 + sine * sine))
    growing, falling = ratio / (2 * steep), ratio * steep / 2  # falling = growing + 1/2

    def log_density(w: Array) -> Pair:
        close = np.clip(w, -NEAR, NEAR)
        near = -growing * exp_minus_line(close) - falling * exp_minus_line(-close)
        far = plus(two_product(w, -0.5), -growing * expm1(w) - falling * expm1(-w))
        return chosen(np.abs(w) <= NEAR, (near, 0.0), far)

    end = -float(log(np.array(growing)))
    return 1 / steep, DensityInverse.of(log_density, panels(log_density, (0.0, max(end, 0.0))))


@dataclass(frozen=True)
class Wald(Quantile):
    """The Wald or inverse Gaussian distribution; within 8·2^-53 relative."""

    mean: float = number(SMALLEST, LARGEST)
    scale: float = number(SMALLEST, LARGEST)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.limit("scale", self.mean * SMALLEST, self.mean * LARGEST)

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        mode, inverse = log_wald_inverse(self.scale / self.mean)
        return self.mean * mode * exp(*inverse(p, upper))


@lru_cache(maxsize=64)
def von_mises_inverse(kappa: float) -> DensityInverse:
    """Return the inverse of the von Mises distribution of mode 0; its density is exp(-2·kappa·sin²(w/2))."""

    def log_density(w: Array) -> Pair:
        sine = sin(0.5 * w)
        return -2 * kappa * (sine * sine), np.zeros_like(w)

    # Where the mass is above 2^-70, the density changes by a factor of e at most in a panel.
    pieces = int(np.ceil(PI_HIGH * np.sqrt(16 + 100 * kappa)))
    edges: Array = np.arange(-pieces, pieces + 1, dtype=np.float64) * (PI_HIGH / pieces)
    edges[0], edges[-1] = -PI_HIGH, PI_HIGH
    return DensityInverse.of(log_density, edges)


@dataclass(frozen=True)
class VonMises(Quantile):
    """The von Mises distribution of mode 0 and concentration `kappa`, on [-pi, pi].

    It is within 8·2^-53 of the value, or of a quartile between the quartiles. Another mode is added to values, which
    are then brought back to [-pi, pi]. Inverted from -pi on, the circle would have its densest and its emptiest part in
    one tail, whose inverse nearly jumps.
    """

    kappa: float = number(0, 10000)
    symmetric: ClassVar[bool] = True
    circular: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: ARG002, D102  # as inherited
        return np.maximum(-von_mises_inverse(self.kappa)(p, upper=False)[0], 0.0)
