"""Beta and F values by many digits, which decide where double precision leaves open which float32 is the nearest."""

from decimal import Context, Decimal, localcontext
from functools import lru_cache
from math import factorial, isnan, log
from typing import Any, NamedTuple

import numpy as np

from clrng.distributions.masses import bernoulli
from clrng.distributions.transforms.beta_near import NEAR_SUM


class Form(NamedTuple):
    """How a sum over Gauss's nodes is made: as `clrng.distributions.transforms.beta_near` says, with more digits."""

    digits: int
    nodes: int
    end: int
    certain: Decimal
    """The tail is right to this, relatively."""
    shifted: int = 0
    """Stirling's series is used from here on."""
    terms: int = 0
    """It has so many terms."""


SHIFT = 16
BEND = Decimal("0.15")
"""Nodes are u + BEND u^3, but for a factor, with Gauss's nodes u from 0 to 1."""

FORMS = Form(28, 26, 40, Decimal(2) ** -52, 20, 16), Form(60, 60, 70, Decimal(2) ** -84, 48, 24)
"""The second one decides where the first does not. It is taken to be right: in one value of 2^60 it might not be."""

MORE = 5
"""So many digits more are used, beside those of a + b, as what is added up may be large."""

CLOSER = 2**10
"""The last two convergents of a continued fraction are nearer to each other than what is certain, by this factor."""

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")
HALF = Decimal("0.5")
NEWTON = 4


@lru_cache
def rule(form: Form) -> list[tuple[Decimal, Decimal]]:
    """Return nodes from 0 to 1, and their weights; Newton's method makes Gauss's of those in double precision."""
    found = []
    for start in np.polynomial.legendre.leggauss(form.nodes)[0].tolist():
        x = Decimal(start)
        for _ in range(NEWTON):
            before, here = Decimal(1), x
            for k in range(2, form.nodes + 1):
                before, here = here, ((2 * k - 1) * x * here - (k - 1) * before) / k
            slope = form.nodes * (x * here - before) / (x * x - 1)
            x -= here / slope
        u = (x + 1) / 2
        weight = (1 + 3 * BEND * u * u) / ((1 - x * x) * slope * slope)
        found.append(((u + BEND * u**3) / (1 + BEND), weight / (1 + BEND)))
    return found


@lru_cache
def _stirling(terms: int) -> tuple[Decimal, ...]:
    """Return the coefficients of Stirling's series."""
    with localcontext(Context(2 * FORMS[-1].digits)):
        fractions = enumerate(map(bernoulli, range(terms)))
        return tuple(Decimal(above) * factorial(2 * j) / below for j, (above, below) in fractions)


def _log(y: Decimal) -> Decimal:
    """Return the logarithm, from that of floats: ``ln`` takes three times as long."""
    exponent = y.adjusted()
    guess = Decimal(log(y.scaleb(-exponent)) + exponent * log(10))
    rest = y * (-guess).exp() - 1
    return guess + rest * (1 - rest * (HALF - rest / 3))


def _log_gamma(a: Decimal, form: Form) -> tuple[Decimal, Decimal]:
    """Return x and y, for which Gamma(a) is exp(x) sqrt(2 pi) over y."""
    product = Decimal(1)
    while a < form.shifted:
        product *= a
        a += 1
    total = (a - HALF) * _log(a) - a
    power, square = 1 / a, a * a
    for coefficient in _stirling(form.terms):
        total += power * coefficient
        power /= square
    return total, product


def _power(a: Decimal, b: Decimal, odds: Decimal, form: Form) -> tuple[Decimal, Decimal]:
    """Return x and y, for which P is exp(x) y/sqrt(2 pi)."""
    both = a + b
    (of_a, over_a), (of_b, over_b), (of_both, over_both) = (_log_gamma(each, form) for each in (a, b, both))
    return a * _log(odds) - both * _log(1 + odds) - (of_a + of_b - of_both), over_a * over_b / over_both


def _fraction(a: Decimal, b: Decimal, x: Decimal, rest: Decimal, certain: Decimal) -> Decimal:
    """Return I(x; a, b) over P by a continued fraction: see `clrng.distributions.transforms.beta_near`."""
    both, one, more = a + b, a * rest + 1 - b * x, 1 + rest
    before, this = (Decimal(0), Decimal(1)), (a + 1, a * one)
    below_before, n = Decimal(1), 1
    while True:
        below, above, part = a + (2 * n - 1), a + (2 * n + 1), n * (b - n) * x
        term = above * (below * n + part) + (a + n) * below * (more * n + one)
        factor = (a + (n - 1)) * (both + (n - 1)) * part * x * above * below_before
        before, this = this, (term * this[0] + factor * before[0], term * this[1] + factor * before[1])
        if abs(before[0] * this[1] / (before[1] * this[0]) - 1) * CLOSER < certain:
            return this[0] / this[1]
        below_before, n = below, n + 1


def _log_tail(a: Decimal, b: Decimal, odds: Decimal, form: Form) -> Decimal:
    """Return the logarithm of I(x; a, b), of x/(1 - x) that are not large."""
    x, rest = odds / (1 + odds), 1 / (1 + odds)
    log_power, factor = _power(a, b, odds, form)
    is_near = a + b <= NEAR_SUM
    ratio = _fraction(a, b, x, rest, form.certain) if is_near else _sum(a, b, x, rest, form)
    return log_power + _log(factor * ratio / (2 * PI).sqrt())


def _sum(a: Decimal, b: Decimal, x: Decimal, rest: Decimal, form: Form) -> Decimal:
    """Return I(x; a, b) over P by a sum over nodes."""
    both = a + b
    above, all_above = a + SHIFT, both + SHIFT
    slope, curve, bend = (
        max(above * rest - b * x, Decimal(0)),
        all_above * x * rest,
        (1 - 2 * x) / (3 if x < rest else 5),
    )
    half = slope - form.end * bend
    length = 2 * form.end / (half + (half * half + 4 * form.end * (slope * bend + curve / 2)).sqrt())
    sign, part, line = (-1, x, above) if a <= b else (1, rest, -b)
    total = Decimal(0)
    for node, weight in rule(form):
        v = length * node
        total += weight * (-line * v - all_above * (1 + part * ((sign * v).exp() - 1)).ln()).exp()
    term = above * total * length
    for k in range(SHIFT - 1, -1, -1):
        term = 1 + (both + k) * x / (a + (k + 1)) * term
    return term / a


def is_beyond(a: float, b: float, odds: Decimal, part: int, whole: int) -> bool:
    """Return whether a number of the odds x/(1 - x) is above the one at which I(x; a, b) is part/whole."""
    one, other = Decimal(a), Decimal(b)
    for form in FORMS:
        with localcontext(Context(form.digits + MORE + max((one + other).adjusted(), 0))):
            if odds < (one + 1) / (other + 1):
                more = _log_tail(one, other, odds, form) - _log(Decimal(part) / whole)
            else:
                more = _log(Decimal(whole - part) / whole) - _log_tail(other, one, 1 / odds, form)
            if abs(more) > form.certain or form is FORMS[-1]:
                return more > 0
    raise AssertionError


class Floats(NamedTuple):
    """Numbers of a dtype and, as integers, their bits, whose order is that of the numbers."""

    kind: Any
    bits: Any

    @property
    def smallest(self) -> float:
        """The smallest normal one."""
        return float(np.finfo(self.kind).tiny)

    @property
    def largest(self) -> float:
        """The largest."""
        return float(np.finfo(self.kind).max)

    def bits_of(self, number: float) -> int:
        """Return the bits of a number."""
        return int(self.kind(number).view(self.bits))

    def number_of(self, bits: int) -> float:
        """Return the number of bits."""
        return float(self.bits(bits).view(self.kind))


SINGLE, DOUBLE = Floats(np.float32, np.uint32), Floats(np.float64, np.uint64)


def nearest(
    a: float, b: float, part: int, whole: int, guesses: tuple[float, float], *, is_ratio: bool, floats: Floats = SINGLE
) -> float:
    """Return the float nearest to the x at which I(x; a, b) is part/whole; or to b/a x/(1 - x).

    It is one of the `guesses` if these are neighbours; else it is sought from the first one on, by its bits. Below the
    smallest normal one it is 0.
    """
    with localcontext(Context(FORMS[-1].digits)):
        factor, largest = (Decimal(a) / Decimal(b), floats.largest) if is_ratio else (Decimal(1), 1.0)

        def is_less(bits: int) -> bool:
            """Return whether the value is less than the number of these bits: it is below the middle before this."""
            lower, upper = (Decimal(floats.number_of(each)) for each in (bits - 1, bits))
            border = (upper if bits == low else (lower + upper) / 2) * factor
            if not is_ratio and border >= 1:
                return True
            return is_beyond(a, b, border if is_ratio else border / (1 - border), part, whole)

        low, end = (floats.bits_of(each) for each in (floats.smallest, largest))
        if low <= (above := floats.bits_of(guesses[1])) == floats.bits_of(guesses[0]) + 1:
            return guesses[0] if is_less(above) else guesses[1]
        at = min(max(floats.bits_of(guesses[0]), low - 1), end) if not isnan(guesses[0]) else low
        step = 1
        if is_less(at) if at >= low else False:
            above = at
            while above - step >= low and is_less(above - step):
                above, step = above - step, 2 * step
            below = max(above - step, low - 1)
        else:
            below = at
            while below + step <= end and not is_less(below + step):
                below, step = below + step, 2 * step
            above = min(below + step, end + 1)
        while above - below > 1:
            middle = (above + below) // 2
            below, above = (below, middle) if is_less(middle) else (middle, above)
        return floats.number_of(below) if below >= low else 0.0
