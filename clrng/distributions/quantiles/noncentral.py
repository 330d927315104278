"""Noncentral chi-square and F distributions, by integration of the density of the logarithm."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from clrng.distributions.parameters import number
from clrng.distributions.quantiles.density_inverse import DensityInverse, LogDensity, panels
from clrng.distributions.quantiles.elementary import (
    LN2_HIGH,
    LN2_LOW,
    Array,
    Pair,
    added,
    chosen,
    exp,
    expm1,
    log,
    log1p_pair,
    log_pair,
    plus,
    times,
    two_product,
    two_sum,
)
from clrng.distributions.quantiles.quantile import OfLogarithm

SMALLEST_DF, LARGEST_DF, LARGEST_NONCENTRALITY = 0.125, 2.0**16, 1024.0  # beyond, a series has too many terms
GRID, REFINEMENTS = 64, 2
NARROWEST = 2.0**-6
SCALE_BITS = 600
TERMS_AT_ONCE = 8
HALF = 0.5
LARGE = 128.0
"""From this a + b on, the logarithm of 1 + o is relative to that at the mode: its rounding is multiplied by a + b."""

FAR = 100.0
"""From here on exp w is so large that 1 + odds·exp w is odds·exp w."""


def log_series(x: Array, a: float, above: float | None) -> Pair:
    """Return the logarithm of the sum over j of (above)_j / (a)_j · x^j / j! as a pair.

    (a)_j is a (a + 1) ... (a + j - 1). Without `above` its factors are left out. All terms are positive; the sum ends
    where each term left is below 2^-60 of it.
    """
    term, total, scaled = np.ones_like(x), np.ones_like(x), np.zeros_like(x)
    j, rising = 0, True
    while rising:
        for _ in range(TERMS_AT_ONCE):
            term = term * (x * ((1.0 if above is None else above + j) / ((a + j) * (j + 1.0))))
            total = total + term
            j += 1
        rising = bool((term > total * 2.0**-60).any())
        large = total > 2.0**SCALE_BITS
        if large.any():
            shift = np.where(large, -SCALE_BITS, 0)
            term, total = np.ldexp(term, shift), np.ldexp(total, shift)
            scaled = scaled + large
    high, low = plus(log_pair(total), 0.0)
    high, error = two_sum(scaled * SCALE_BITS * LN2_HIGH, high)
    return two_sum(high, error + (low + scaled * SCALE_BITS * LN2_LOW))


def mode(log_density: LogDensity, low: float, high: float) -> float:
    """Return about where a density that rises, then falls is largest between two numbers."""
    for _ in range(REFINEMENTS):
        grid: Array = low + (high - low) / GRID * np.arange(GRID + 1, dtype=np.float64)
        best = int(np.argmax(log_density(grid)[0]))
        low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, GRID)])
    return 0.5 * (low + high)


@lru_cache(maxsize=64)
def log_noncentral_inverse(a: float, nonc: float) -> tuple[float, DensityInverse]:
    """Return m and the inverse of the distribution of w = log(X/2) - log m, X noncentral chi-square of 2·a degrees.

    With y = X/2 the logarithm of its density is a·log y - y + log 0F1(a; nonc·y/2), up to a constant.
    """

    def density_beside(start: float) -> LogDensity:
        def log_density(w: Array) -> Pair:
            y = start * exp(w)
            return added(plus(two_product(w, a), -y), log_series(0.5 * nonc * y, a, None))

        return log_density

    end = float(log(np.array((2 * a + nonc) / a)))
    top = a * float(exp(np.array(mode(density_beside(a), 0.0, end))))
    log_density = density_beside(top)
    left = float(log(np.array(min(a, 1.0) / max(top, top * nonc, 1.0))))
    return top, DensityInverse.of(log_density, panels(log_density, (left - 1, FAR), NARROWEST))


@lru_cache(maxsize=64)
def log_noncentral_odds_inverse(a: float, b: float, nonc: float) -> tuple[float, DensityInverse]:
    """Return m and the inverse of the distribution of w = log(X/Y) - log m, X and Y chi-square of 2·a and 2·b degrees.

    X is noncentral. With o = X/Y the logarithm of the density is a·log o - (a + b)·log(1 + o) + log 1F1(a + b; a;
    nonc/2·o/(1 + o)), up to a constant.
    """
    both, both_low = two_sum(np.array(a), np.array(b))

    def density_beside(start: float) -> LogDensity:
        ratio, sign, first = start / (1 + start), 1.0, a
        if ratio > HALF:
            ratio, sign, first = 1 / (1 + start), -1.0, b

        def log_odds_density(w: Array) -> Pair:
            """As `log_odds_inverse` has it, which is exact where `both` is large: o = m at w = 0."""
            near, far = log1p_pair(ratio * expm1(np.minimum(sign * w, FAR))), plus(log_pair(np.array(ratio)), sign * w)
            log_sum = chosen(sign * w < FAR, near, far)
            outer = added(two_product(sign * w, first), times(log_sum, -both))
            return outer[0], outer[1] - log_sum[0] * both_low

        def log_density(w: Array) -> Pair:
            odds = start * exp(np.minimum(w, FAR))
            one, rest = two_sum(1.0, odds)
            series = log_series(0.5 * nonc * (odds / one), a, float(both))
            if both >= LARGE:
                return added(log_odds_density(w), series)
            high, low = log_pair(one)
            near, far = (high, low + rest / one), plus(log_pair(np.array(start)), w)
            log_sum = chosen(w < FAR, near, far)
            outer = added(two_product(w, a), times(log_sum, -both))
            return added((outer[0], outer[1] - log_sum[0] * both_low), series)

        return log_density

    end = float(log(np.array((2 * a + nonc) / a)))
    top = a / b * float(exp(np.array(mode(density_beside(a / b), 0.0, end))))
    log_density = density_beside(top)
    left = float(log(np.array(min(a, 1.0) / max(top, top * nonc, 1.0))))
    right = float(log(np.array(max(nonc, 1.0) / min(top, 1.0))))
    return top, DensityInverse.of(log_density, panels(log_density, (left - 1, right + 1), NARROWEST))


@dataclass(frozen=True)
class NoncentralChiSquare(OfLogarithm):
    """The noncentral chi-square distribution; within 64·(1 + 1/df)·2^-53 relative."""

    df: float = number(SMALLEST_DF, LARGEST_DF)
    nonc: float = number(0, LARGEST_NONCENTRALITY)

    def scaled_inverse(self) -> tuple[float, DensityInverse]:  # noqa: D102  # as inherited
        top, inverse = log_noncentral_inverse(self.df / 2, self.nonc)
        return 2 * top, inverse


@dataclass(frozen=True)
class NoncentralF(OfLogarithm):
    """The noncentral F distribution; within 64·(1 + 1/min(dfnum, dfden))·2^-53 relative, infinite beyond 2^1024."""

    dfnum: float = number(SMALLEST_DF, LARGEST_DF)
    dfden: float = number(SMALLEST_DF, LARGEST_DF)
    nonc: float = number(0, LARGEST_NONCENTRALITY)

    def scaled_inverse(self) -> tuple[float, DensityInverse]:  # noqa: D102  # as inherited
        top, inverse = log_noncentral_odds_inverse(self.dfnum / 2, self.dfden / 2, self.nonc)
        return top * (self.dfden / self.dfnum), inverse
