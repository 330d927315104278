"""Gamma, beta, F, Student's t, noncentral, Wald and von Mises distributions, by integration of a density."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from clrng.distributions.parameters import number
from clrng.distributions.quantiles.density_inverse import DensityInverse, LogDensity, panels
from clrng.distributions.quantiles.elementary import (
    LN2_HIGH,
    LN2_LOW,
    PI_HIGH,
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
    sin,
    times,
    two_product,
    two_sum,
)
from clrng.distributions.quantiles.quantile import Quantile, Scaled

NEAR = 0.5
SMALLEST_SHAPE, LARGEST_SHAPE = 2.0**-10, 2.0**40
LARGEST_RATIO = 2.0**40
FAR = 100.0
"""From here on exp w is so large that r·(exp w - 1) + 1 is r·exp w, r >= 2^-41, and 1 + odds·exp w is odds·exp w."""


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
class Gamma(Scaled):
    """The gamma distribution of scale 1; within 4·(1 + 1/shape)·2^-53 relative. Of shape 0 all values are 0."""

    shape: float = number(SMALLEST_SHAPE, LARGEST_SHAPE, or_zero=True, wider=True)

    def scaled_inverse(self) -> tuple[float, DensityInverse] | None:  # noqa: D102  # as inherited
        return (self.shape, log_gamma_inverse(self.shape)) if self.shape else None


@dataclass(frozen=True)
class ChiSquare(Scaled):
    """The chi-square distribution of `df` degrees of freedom; within 4·(1 + 2/df)·2^-53 relative."""

    df: float = number(2 * SMALLEST_SHAPE, LARGEST_SHAPE, wider=True)

    def scaled_inverse(self) -> tuple[float, DensityInverse]:  # noqa: D102  # as inherited
        return self.df, log_gamma_inverse(self.df / 2)


def _log_sum(ratio: Array, w: Array) -> Pair:
    """Return log(1 + ratio·(exp w - 1))."""
    return chosen(w < FAR, log1p_pair(ratio * expm1(np.minimum(w, FAR))), plus(log_pair(ratio), w))


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
        log_sum = _log_sum(ratio, w)
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

    a: float = number(SMALLEST_SHAPE, LARGEST_SHAPE, wider=True)
    b: float = number(SMALLEST_SHAPE, LARGEST_SHAPE, wider=True)
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
class FisherF(Scaled):
    """The F distribution of degrees of freedom; within 4·(1 + 2/min)·2^-53 relative, infinite beyond 2^1024."""

    dfnum: float = number(2 * SMALLEST_SHAPE, LARGEST_SHAPE, wider=True)
    dfden: float = number(2 * SMALLEST_SHAPE, LARGEST_SHAPE, wider=True)

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

    df: float = number(2 * SMALLEST_SHAPE, LARGEST_SHAPE, wider=True)
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


SMALLEST_DF, LARGEST_DF, LARGEST_NONCENTRALITY = 0.125, 2.0**16, 1024.0  # beyond, a series has too many terms
GRID, REFINEMENTS = 64, 2
NARROWEST = 2.0**-6
SCALE_BITS = 600
TERMS_AT_ONCE = 8
HALF = 0.5
LARGE = 128.0
"""From this a + b on, the logarithm of 1 + o is relative to that at the mode: its rounding is multiplied by a + b."""


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


def _beside_mode(
    density_beside: Callable[[float], LogDensity], a: float, nonc: float, start: float, right: Callable[[float], float]
) -> tuple[float, DensityInverse]:
    """Return about the mode m of a noncentral distribution, and the inverse of that of w = log x - log m.

    The density of log x - log m is `density_beside` m; it rises, then falls. m is sought from `start` on; the features
    of the density end at `right` of m.
    """
    low, high = 0.0, float(log(np.array((2 * a + nonc) / a)))
    for _ in range(REFINEMENTS):
        grid: Array = low + (high - low) / GRID * np.arange(GRID + 1, dtype=np.float64)
        best = int(np.argmax(density_beside(start)(grid)[0]))
        low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, GRID)])
    top = start * float(exp(np.array(0.5 * (low + high))))
    log_density = density_beside(top)
    left = float(log(np.array(min(a, 1.0) / max(top, top * nonc, 1.0)))) - 1
    return top, DensityInverse.of(log_density, panels(log_density, (left, right(top)), NARROWEST))


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

    return _beside_mode(density_beside, a, nonc, a, lambda _: FAR)


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
            log_sum = _log_sum(np.array(ratio), sign * w)
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

    def right(top: float) -> float:
        """Return where the last feature of the density ends."""
        return float(log(np.array(max(nonc, 1.0) / min(top, 1.0)))) + 1

    return _beside_mode(density_beside, a, nonc, a / b, right)


@dataclass(frozen=True)
class NoncentralChiSquare(Scaled):
    """The noncentral chi-square distribution; within 64·(1 + 1/df)·2^-53 relative."""

    df: float = number(SMALLEST_DF, LARGEST_DF, wider=True)
    nonc: float = number(0, LARGEST_NONCENTRALITY, wider=True)

    def scaled_inverse(self) -> tuple[float, DensityInverse]:  # noqa: D102  # as inherited
        top, inverse = log_noncentral_inverse(self.df / 2, self.nonc)
        return 2 * top, inverse


@dataclass(frozen=True)
class NoncentralF(Scaled):
    """The noncentral F distribution; within 64·(1 + 1/min(dfnum, dfden))·2^-53 relative, infinite beyond 2^1024."""

    dfnum: float = number(SMALLEST_DF, LARGEST_DF, wider=True)
    dfden: float = number(SMALLEST_DF, LARGEST_DF, wider=True)
    nonc: float = number(0, LARGEST_NONCENTRALITY, wider=True)

    def scaled_inverse(self) -> tuple[float, DensityInverse]:  # noqa: D102  # as inherited
        top, inverse = log_noncentral_odds_inverse(self.dfnum / 2, self.dfden / 2, self.nonc)
        return top * (self.dfden / self.dfnum), inverse


SMALLEST_MEAN, LARGEST_MEAN = 2.0**-40, 2.0**40


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

    mean: float = number(SMALLEST_MEAN, LARGEST_MEAN, wider=True)
    scale: float = number(SMALLEST_MEAN, LARGEST_MEAN, wider=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.limit("scale", self.mean * SMALLEST_MEAN, self.mean * LARGEST_MEAN)

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


TURN_BITS = 1280
"""The bits behind the point of pi when whole turns are taken from an angle: those before it of the largest number of
float64, 1024, those of a result, and as many again, as an angle may be close to whole turns."""


def without_turns(angle: float) -> float:
    """Return the angle from -pi to pi that differs from `angle` by whole turns, rounded once."""
    if abs(angle) <= PI_HIGH:
        return angle
    turn = 2 * _pi(TURN_BITS)
    numerator, denominator = angle.as_integer_ratio()
    scaled = (numerator << TURN_BITS) // denominator
    return ((scaled + turn // 2) % turn - turn // 2) / (1 << TURN_BITS)


def _pi(bits: int) -> int:
    """Return pi in units of 2^-bits, cut off, by Machin's formula with 64 bits more."""

    def inverse_tangent(n: int) -> int:
        """Return arctan(1/n) in units of 2^-(bits + 64)."""
        total, power, k, sign = 0, (1 << bits + 64) // n, 1, 1
        while power:
            total += sign * (power // k)
            power, k, sign = power // n**2, k + 2, -sign
        return total

    return (16 * inverse_tangent(5) - 4 * inverse_tangent(239)) >> 64


@dataclass(frozen=True)
class VonMises(Quantile):
    """The von Mises distribution of mode 0 and concentration `kappa`, on [-pi, pi].

    It is within 8·2^-53 of the value, or of a quartile between the quartiles. Another mode is added to values, which
    are then brought back to [-pi, pi]. Inverted from -pi on, the circle would have its densest and its emptiest part in
    one tail, whose inverse nearly jumps.
    """

    kappa: float = number(0, 10000, wider=True)
    symmetric: ClassVar[bool] = True
    circular: ClassVar[bool] = True

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: ARG002, D102  # as inherited
        return np.maximum(-von_mises_inverse(self.kappa)(p, upper=False)[0], 0.0)
