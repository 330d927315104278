"""Beta and F values by the host, of arrays of parameters: as `clrng.distributions.transforms.beta_near` says.

As float32 they are the nearest ones. As float64 they are what exactly specified operations make, the same on every
machine: relatively within 2^-53 (64 + 128 s) of the right ones, where a relative change e of the tail probability
changes the value by s e.
"""

from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng.distributions import beta_digits
from clrng.distributions.beta_digits import DOUBLE
from clrng.distributions.on_host import tails
from clrng.distributions.quantiles.elementary import (
    Pair,
    added,
    exp,
    expm1,
    log,
    log1p,
    log1p_pair,
    plus,
    times,
    two_product,
    two_sum,
)
from clrng.distributions.transforms.beta_near import (
    BEYOND,
    CLOSE,
    FEW,
    LARGEST,
    MAX_EXPONENT,
    MAX_GUESSES,
    MOST,
    MOST_ODDS,
    OFF_OF_MOST,
    ROUNDED_BY_HOST,
    SHIFT,
    SMALLEST,
    STIRLING,
    Rule,
    rule,
)

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Function = Callable[[Array], Array]

STIRLING_HERE = (43867 / 244188, -3617 / 122400, *STIRLING)
"""Two terms more than kernels have."""

GUESSED, MADE = beta_digits.Form(28, 6, 14, Decimal(0)), beta_digits.Form(28, 26, 40, Decimal(0))
"""The rules of float64 values: for guesses, and the last one."""

AT_ONCE = 2**14
"""So many float64 values are made at once: what they need is a few megabytes."""

SMALL_ODDS = 2.0**-1000
"""Smaller ones may have lost digits."""


class Nodes(NamedTuple):
    """The nodes of a rule, of an integrand that they see down to the exponential of minus `end`."""

    rule: Rule
    end: float


class Means(NamedTuple):
    """By what values are found: rules and functions."""

    few: Nodes
    most: Nodes
    exp: Function
    log: Function
    expm1: Function
    log1p: Function


@cache
def fast() -> Means:
    """Return what is fast, and not the same on every machine."""
    few, most = (Nodes(rule(count), end) for count, end in (FEW, MOST))
    return Means(few, most, np.exp, np.log, np.expm1, np.log1p)


@cache
def specified() -> Means:
    """Return what is the same on every machine."""
    few, most = (Nodes(_exact_rule(form), float(form.end)) for form in (GUESSED, MADE))
    return Means(few, most, exp, log, expm1, log1p)


def _exact_rule(form: beta_digits.Form) -> Rule:
    """Return a rule by many digits, which does not use the value at 0."""
    with localcontext(Context(beta_digits.FORMS[-1].digits)):
        nodes, weights = zip(*beta_digits.rule(form), strict=True)
    return Rule(tuple(map(float, nodes)), tuple(map(float, weights)), 0.0, 0.0)


class Side(NamedTuple):
    """Parameters exchanged where `upper`, so that x/(1 - x), the `odds`, is not large; and what does not change."""

    a: Array
    b: Array
    tail: Array
    """What I(x; a, b) is to be."""
    other: Array
    """1 less that."""
    odds: Array
    w: Array
    """log(odds) - log(a/b)."""
    upper: Flags
    peak: Array
    """P at x = a/(a + b) is this times the exponential of `log_peak`."""
    log_peak: Array

    def chosen(self, which: Any) -> "Side":
        """Return some of all."""
        fields: Any = (each[which] for each in self)
        return Side(*fields)

    def exchanged(self, where: Flags) -> "Side":
        """Return the other side, where wanted."""

        def either(one: Array, other: Array) -> Array:
            return np.where(where, other, one)

        return self._replace(
            a=either(self.a, self.b), b=either(self.b, self.a), tail=either(self.tail, self.other),
            other=either(self.other, self.tail), odds=either(self.odds, 1 / self.odds), w=either(self.w, -self.w),
            upper=self.upper ^ where,
        )  # fmt: skip


class Found(NamedTuple):
    """What an integral gives at an x."""

    ratio: Array
    """I over P, which is called R."""
    exponent: Array
    """log P, but for the factor `peak`."""
    low: Array
    """What is to be added to that."""
    rounded: Array
    """The size of what the exponent is the sum of."""
    slopes: tuple[Array, Array, Array, Array]
    """The derivatives of log P by w."""

    @property
    def change(self) -> Array:
        """How fast P and the tail change with w, relatively."""
        one, two = self.slopes[:2]
        return abs(one) + np.sqrt(-two) + 1 / self.ratio


def _gamma(a: Array) -> tuple[Pair, Pair]:
    """Return f and e, for which f exp(e) is Stirling's approximation of Gamma(a), over Gamma(a)."""
    above, above_low = two_sum(a, float(SHIFT))
    factor = np.ones_like(a), np.zeros_like(a)
    for k in range(SHIFT):
        more, more_low = two_sum(a, float(k))
        ratio = more / above
        p, e = two_product(ratio, above)
        factor = times(factor, ratio)
        factor = factor[0], factor[1] + factor[0] * (((more - p) - e + more_low - ratio * above_low) / above)
    part = SHIFT / a
    p, e = two_product(part, a)
    logarithm = plus(log1p_pair(part), ((SHIFT - p) - e) / (a + SHIFT))
    less, less_low = two_sum(a, -0.5)
    exponent = added(times(logarithm, -less), (np.full_like(a, SHIFT), -less_low * logarithm[0]))
    inverse = 1 / above
    return factor, plus(exponent, -np.polyval(np.array(STIRLING_HERE), inverse * inverse) * inverse)


def _started(a: Array, b: Array, lower: Array, upper: Array, means: Means) -> Side:
    """Return a first guess."""
    both = a + b
    (of_a, low_a), (of_b, low_b), (of_both, low_both) = map(_gamma, (a, b, both))
    small_parts = of_a[1] / of_a[0] + of_b[1] / of_b[0] - of_both[1] / of_both[0]
    peak = np.sqrt(a / both * b / (2 * np.pi)) * (of_a[0] * of_b[0] / of_both[0])
    log_peak, low = added(added(low_a, low_b), (-low_both[0], -low_both[1]))
    peak = peak + peak * (small_parts + low)
    w = _normal_guess(a, b, lower, upper, means)
    small = np.minimum(a, b) <= 1
    if small.any():
        given = [each[small] for each in (a, b, lower, upper)]
        w[small] = _guess_of_powers(given, (means.log(peak) + log_peak)[small], means)
    start = Side(a, b, lower, upper, a / b * means.exp(w), w, np.zeros(a.shape, np.bool_), peak, log_peak)
    return start.exchanged(start.odds >= (a + 1) / (b + 1))


def _normal_guess(a: Array, b: Array, lower: Array, upper: Array, means: Means) -> Array:
    """Return w about where I is `lower`, for a and b above 1."""
    root = np.sqrt(-2 * means.log(np.minimum(lower, upper)))
    over = 1 + root * (1.432788 + root * (0.189269 + root * 0.001308))
    normal = root - (2.515517 + root * (0.802853 + root * 0.010328)) / over
    normal = np.where(lower < upper, -normal, normal)
    of_a, of_b, third = 1 / (2 * a - 1), 1 / (2 * b - 1), (normal * normal - 3) / 6
    h = 2 / (of_a + of_b)
    root = np.sqrt(np.maximum(h + third, 0.05 * h))
    guess: Array = 2 * (normal * root / h + (of_b - of_a) * (third + 5 / 6 - 2 / (3 * h)))
    return guess


def _guess_of_powers(given: list[Array], log_peak: Array, means: Means) -> Array:
    """Return w about where I is `lower`, by the first terms of series in x and 1 - x."""
    a, b, lower, upper = given
    log_ratio, both = means.log(a / b), a + b
    log_x = means.log(a / both) + (means.log(lower * a) - log_peak) / a
    log_rest = means.log(b / both) + (means.log(upper * b) - log_peak) / b
    border = means.log((a + 1) / (b + 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        below = np.where(log_x < 0, log_x - means.log(-means.expm1(log_x)), np.inf)
        above = np.where(log_rest < 0, means.log(-means.expm1(log_rest)) - log_rest, -np.inf)
    other = np.zeros(a.shape, np.bool_)
    w = log_ratio - border
    at_border = Side(b, a, upper, lower, means.exp(-border), w, other, means.exp(log_peak), np.zeros_like(a))
    found = _found(at_border, means.few, means)
    reached = at_border.peak * found.ratio * means.exp(found.exponent)
    guess: Array = np.where(upper < reached, np.maximum(above, border), np.minimum(below, border)) - log_ratio
    return guess


def _found(at: Side, by: Nodes, means: Means) -> Found:
    """Return what nodes give."""
    (nodes, weights, of_value, of_slope), end = by
    a, b, both, odds = at.a, at.b, at.a + at.b, at.odds
    x, rest = odds / (1 + odds), 1 / (1 + odds)
    direct = a <= b
    first, w = np.where(direct, a, b), np.where(direct, at.w, -at.w)
    most = np.minimum(w, MAX_EXPONENT)
    outer, outer_low = two_product(first, w)
    inner, inner_low = two_product(both, means.log1p(first / both * means.expm1(most)) + (w - most))
    power, power_low = two_sum(outer, -inner)
    exponent, exponent_low = two_sum(power, at.log_peak)
    # The integral of R(SHIFT).
    above, all_above = a + SHIFT, both + SHIFT
    falling, curve = above * rest - b * x, all_above * (x * rest)
    slope = np.maximum(falling, 0.0)
    bend = (1 - 2 * x) / np.where(x < rest, 3, 5)
    half, square = slope - end * bend, slope * bend + curve / 2
    length = 2 * end / (half + np.sqrt(np.maximum(half * half + 4 * end * square, 0.0)))
    sign, part, line = np.where(direct, -1.0, 1.0), np.where(direct, x, rest), np.where(direct, above, -b)
    total = of_value - of_slope * length * falling
    for node, weight in zip(nodes, weights, strict=True):
        v = length * node
        total = total + weight * means.exp(-line * v - all_above * means.log1p(part * means.expm1(sign * v)))
    upper, lower = above * (total * length), np.ones_like(a)
    for k in range(SHIFT - 1, -1, -1):
        lower = lower * (a + (k + 1))
        upper = lower + (both + k) * x * upper
    change, turn = -both * x * rest, rest - x
    slopes = a * rest - b * x, change, change * turn, change * (turn * turn - 2 * x * rest)
    low = exponent_low + power_low + (outer_low - inner_low)
    return Found(upper / (lower * a), exponent, low, abs(outer) + abs(inner), slopes)


def _guessed(at: Side, found: Found, means: Means) -> Side:
    """Return what is nearer, by three terms of the inverse series of the logarithm of I."""
    ratio, (one, two, _, _) = found.ratio, found.slopes
    missing = means.log(at.tail / (at.peak * ratio)) - found.exponent
    line, less = missing * ratio, one - 1 / ratio
    bent = less * less + two - less / ratio
    step = line * (1 - line * less / 2 + (less * less / 2 - bent / 6) * line * line)
    step = np.where((abs(missing) > 2) | (abs(step - line) > abs(line) / 2), line, step)  # noqa: PLR2004  # far away
    step = np.minimum(step, 2.0)
    return at._replace(odds=at.odds * means.exp(step), w=at.w + step)


def _last(at: Side, found: Found, means: Means) -> tuple[Array, Array]:
    """Return how far w is from where the tail is what it is to be, by five terms of a series, and their size."""
    one, two, three, four = found.slopes
    height = at.peak * means.exp(found.exponent)
    missing = at.tail / (height + height * found.low) - found.ratio
    # The integral of P/P(w) from w on is d + c2 d^2 + c3 d^3 + ..., whose inverse series this is.
    c2, c3, c4 = one / 2, (one * one + two) / 6, (one * (one * one + 3 * two) + three) / 24
    c5 = (one * one * (one * one + 6 * two) + 3 * two * two + 4 * one * three + four) / 120
    square = c2 * c2
    e5 = 6 * c2 * c4 + 3 * c3 * c3 + 14 * square * square - c5 - 21 * square * c3
    e4 = 5 * c2 * c3 - c4 - 5 * c2 * square
    step = missing * (1 + missing * (-c2 + missing * (2 * square - c3 + missing * (e4 + missing * e5))))
    return step, abs(missing) * found.change


def solved(a: Array, b: Array, lower: Array, upper: Array, means: Means) -> tuple[Array, Array, Flags, Array]:
    """Return the odds of the x at which I(x; a, b) is `lower`, and 1 less that is `upper`.

    There are four arrays: the odds, x/(1 - x) or (1 - x)/x; the logarithms of these over a/b or b/a; where they are the
    latter; and relative errors of the odds, which are infinite where nothing was found.
    """
    with np.errstate(all="ignore"):
        at = _started(a, b, lower, upper, means)
        live = np.arange(a.size)
        for _ in range(MAX_GUESSES):
            part = at.chosen(live)
            found = _found(part, means.few, means)
            near = _guessed(part, found, means)
            far = abs(near.w - part.w) * found.change >= CLOSE[0]
            moved = near.exchanged(far & (near.odds >= (near.a + 1) / (near.b + 1)))
            for old, new in zip(at, moved, strict=True):
                old[live] = new
            live = live[far]
            if not live.size:
                break
        found = _found(at, means.most, means)
        step, size = _last(at, found, means)
        off = OFF_OF_MOST * np.minimum(1 + at.odds, MOST_ODDS)
        off += 2.0**-52 * (ROUNDED_BY_HOST[0] + (ROUNDED_BY_HOST[1] + found.rounded) * found.ratio)
        off[~(size < CLOSE[1])] = np.inf
        off[live] = np.inf
        return at.odds * means.exp(step), at.w + step, at.upper, off


def _share(odds: Array, is_upper: Flags) -> Array:
    """Return x of odds x/(1 - x) or, where `is_upper`, (1 - x)/x."""
    inverse = 1 / (1 + odds)
    return np.where(is_upper, inverse, odds * inverse)


def values(
    a: Array, b: Array, found: npt.NDArray[np.uint64], numbers: int, *, is_ratio: bool
) -> tuple[npt.NDArray[np.float32], Flags]:
    """Return values of numbers below so many, and which are sure to be the nearest."""
    least, most = _between(a, b, found, numbers, is_ratio=is_ratio)
    return least, least == most


def _between(
    a: Array, b: Array, found: npt.NDArray[np.uint64], numbers: int, *, is_ratio: bool
) -> list[npt.NDArray[np.float32]]:
    """Return from where to where the nearest values of numbers are."""
    odds, _, is_upper, off = solved(a, b, *tails(found, numbers), fast())
    with np.errstate(all="ignore"):
        if is_ratio:
            made = np.minimum(np.where(is_upper, 1 / odds, odds) * (b / a), BEYOND)
        else:
            made = _share(odds, is_upper)
            off = off * np.where(is_upper, odds, 1.0) / (1 + odds) + 2.0**-51
        return [_nearest(made - sign * made * off) for sign in (1, -1)]


def _nearest(made: Array) -> npt.NDArray[np.float32]:
    """Return the float32 nearest, but 0 below the smallest normal one, and the largest beyond it."""
    kept: Array = np.where(made < SMALLEST, 0.0, np.minimum(made, LARGEST))
    return kept.astype(np.float32)


def exact(
    a: Array, b: Array, found: npt.NDArray[np.uint64], numbers: int, *, is_ratio: bool
) -> npt.NDArray[np.float32]:  # fmt: skip
    """Return values of numbers, of which all are the nearest."""
    made, most = _between(a, b, found, numbers, is_ratio=is_ratio)
    for place in np.flatnonzero(made != most).tolist():
        part, guesses = 2 * int(found[place]) + 1, (float(made[place]), float(most[place]))
        given = float(a[place]), float(b[place]), part, 2 * numbers
        made[place] = beta_digits.nearest(*given, guesses, is_ratio=is_ratio)
    return made


def doubles(a: Array, b: Array, found: npt.NDArray[np.uint64], numbers: int, *, is_ratio: bool) -> Array:
    """Return float64 values of numbers, 0 below the smallest normal one; few are left to digits."""
    made = np.empty(found.shape)
    for begin in range(0, found.size, AT_ONCE):
        here = slice(begin, begin + AT_ONCE)
        with np.errstate(all="ignore"):
            odds, w, is_upper, off = solved(a[here], b[here], *tails(found[here], numbers), specified())
            part = _share(odds, is_upper)
            if is_ratio:
                ratio = np.where(is_upper, 1 / odds, odds) * (b[here] / a[here])
                part = np.where(odds < SMALL_ODDS, exp(np.where(is_upper, -w, w)), ratio)
        part = np.minimum(np.where(part < DOUBLE.smallest, 0.0, part), DOUBLE.largest)
        for place in np.flatnonzero(np.isinf(off)).tolist():
            part[place] = beta_digits.nearest(
                float(a[here][place]), float(b[here][place]), 2 * int(found[here][place]) + 1, 2 * numbers, (0.5, 0.5),
                is_ratio=is_ratio, floats=DOUBLE,
            )  # fmt: skip
        made[here] = part
    return made
