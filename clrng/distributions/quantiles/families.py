"""Families of distributions of one shape that have surfaces: the logarithms of their values."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from clrng.distributions.quantiles import closed_forms, integrated
from clrng.distributions.quantiles.density_inverse import DensityInverse
from clrng.distributions.quantiles.elementary import Array, Pair, added, expm1, log_pair, plus, times

Logarithm = Callable[[Array, bool], Pair]
"""Called with tail probabilities, and whether they are of the upper side, returns the logarithms of values."""

LEAST = 2.0**-30
"""The share of what is near the median below which w is like 0."""


class Family(NamedTuple):
    """What a surface is made of."""

    logarithm: Callable[[float], Logarithm]
    """By the shape, which may be beyond the largest legal one."""
    of_zero: float | None = 0.0
    """The value of a shape of 0; None where that is no other than the rest."""
    from_zero: int | None = None
    """The exponent of an octave that has all smaller shapes too."""
    fraction_bits: tuple[int, int] = (51, 55)
    """The bits of a logarithm behind the point, at least and at most: fewer for shapes below 1, whose logarithms are
    large."""
    at_most_one: bool = False
    """Whether no value is above 1."""
    symmetric: bool = False
    """Whether there are values of both signs: the logarithms are those of |x|/(1 - 2p), which is no 0 at the median."""
    circular: bool = False
    """Whether values are angles from -pi to pi; with a place added they are brought back to these."""

    splits: Mapping[int, int] = MappingProxyType({})
    """By the exponent of shapes, how many bits more say which part of a cell has its own rows, where this is needed."""

    @property
    def values(self) -> dict[str, Any]:
        """What a kernel has of it."""
        found = {key: value for key, value in self._asdict().items() if key not in {"logarithm", "splits"}}
        return {**found, "split": bool(self.splits)}

    def bits_of(self, octave: int) -> int:
        """Return the bits of a logarithm behind the point where the shape has this exponent."""
        least, most = self.fraction_bits
        return min(max(most + octave, least), most)


def _of(kind: Any, largest: float) -> Callable[[float], Logarithm]:
    """Return the logarithms of distributions of this class; larger shapes count as the largest."""

    def logarithm(shape: float) -> Logarithm:
        found: Logarithm = kind(min(shape, largest)).logarithm
        return found

    return logarithm


class _Lognormal:
    """Logarithms of lognormal distributions, by sigma; fits ask for those of the same probabilities many times."""

    def __init__(self) -> None:
        self._last: tuple[Any, bool, Pair] = None, False, (np.zeros(1), np.zeros(1))

    def __call__(self, sigma: float) -> Logarithm:
        return lambda p, upper: times(self._normal(p, upper), min(sigma, closed_forms.LARGEST_SIGMA))

    def _normal(self, p: Array, upper: bool) -> Pair:
        last = self._last
        if last[0] is not p or last[1] != upper:
            last = self._last = p, upper, closed_forms.normal_inverse()(p, upper)
        return last[2]


def _symmetric(inverse: DensityInverse, near: float, log_size: Callable[[Array, Array], Pair]) -> Logarithm:
    """Return log(|x|/(1 - 2p)) by the inverse of the distribution of w, which is symmetric.

    `log_size` is log x for a pair w > 0. Where w is below `near`, 1 - 2p is taken from it.
    """

    def logarithm(p: Array, upper: bool) -> Pair:  # noqa: ARG001  # sides are alike
        high, low = inverse(p, upper=False)
        w = np.maximum(-high, near * LEAST)
        close, between = w < near, 1 - 2 * p
        between[close] = inverse.within(w[close])
        size, share = log_size(w, np.where(close, 0.0, -low)), log_pair(between)
        return added(size, (-share[0], -share[1]))

    return logarithm


def _wald(ratio: float) -> Logarithm:
    """Return the logarithms of the inverse Gaussian distribution of mean 1."""
    mode, inverse = integrated.log_wald_inverse(min(ratio, integrated.LARGEST_MEAN))
    return lambda p, upper: added(inverse(p, upper), log_pair(np.array(mode)))


def _student(df: float) -> Logarithm:
    df = min(df, integrated.LARGEST_SHAPE)
    half = log_pair(np.array(0.5 * math.sqrt(df)))

    def log_size(w: Array, low: Array) -> Pair:
        """Return log(sqrt(df)·sinh w): that of sqrt(df)/2·(1 - exp(-2w))·exp w."""
        return added(added((w, low), log_pair(-expm1(-2 * w))), half)

    return _symmetric(integrated.arsinh_t_inverse(df), 1 / math.sqrt(max(df, 1.0)), log_size)


def _von_mises(kappa: float) -> Logarithm:
    def log_size(w: Array, low: Array) -> Pair:
        return plus(log_pair(w), low / w)

    inverse = integrated.von_mises_inverse(kappa)
    return _symmetric(inverse, 2 / math.sqrt(max(kappa, 1.0)), log_size)


NARROW = {2: 1, 3: 2, 4: 3}
"""Where von Mises angles come near to pi, they change so much with kappa as with the logarithm of a probability."""

FAMILIES: Mapping[str, Family] = {
    "gamma": Family(_of(integrated.Gamma, integrated.LARGEST_SHAPE)),
    "weibull": Family(_of(closed_forms.Weibull, closed_forms.LARGEST_SHAPE)),
    "pareto": Family(_of(closed_forms.Pareto, closed_forms.LARGEST_SHAPE)),
    "power": Family(_of(closed_forms.Power, closed_forms.LARGEST_SHAPE), at_most_one=True),
    "wald": Family(_wald),
    "student": Family(_student, symmetric=True),
    "vonmises": Family(_von_mises, of_zero=None, from_zero=0, symmetric=True, circular=True, splits=NARROW),
    "lognormal": Family(_Lognormal(), of_zero=1.0, from_zero=0, fraction_bits=(52, 52)),
}
"""By name."""
