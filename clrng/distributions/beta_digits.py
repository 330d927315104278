"""Beta and F values by many digits, which decide where double precision leaves open which float32 is the nearest."""

from decimal import Context, Decimal, localcontext
from functools import lru_cache
from math import factorial, isnan
from typing import Any, NamedTuple

import numpy as np

from clrng.distributions.masses import bernoulli


class Form(NamedTuple):
    """How a sum over Gauss's nodes is made: as `clrng.distributions.transforms.beta_near` says, with more digits."""

    digits: int
    nodes: int
    end: int
    certain: Decimal
    """The tail is right to this, relatively."""


SHIFT = 16
BEND = Decimal("0.15")
"""Nodes are u + BEND u^3, but for a factor, with Gauss's nodes u from 0 to 1."""

FORMS = Form(28, 26, 40, Decimal(2) ** -52), Form(60, 60, 70, Decimal(2) ** -84)
"""The second one decides where the first does not. It is taken to be right: in one value of 2^60 it might not be."""

SHIFTED, TERMS = 48, 24
"""Stirling's series, from SHIFTED on, is right to more digits than these with so many terms."""

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


def _log_gamma(a: Decimal) -> Decimal:
    product = Decimal(1)
    while a < SHIFTED:
        product *= a
        a += 1
    total = (a - HALF) * a.ln() - a + (2 * PI).ln() / 2 - product.ln()
    power, square = 1 / a, a * a
    for j in range(TERMS):
        above, below = bernoulli(j)
        total += power * above * factorial(2 * j) / below
        power /= square
    return total


@lru_cache
def _log_beta(a: Decimal, b: Decimal) -> Decimal:
    with localcontext(Context(FORMS[-1].digits + 20)):
        return _log_gamma(a) + _log_gamma(b) - _log_gamma(a + b)


def _log_tail(a: Decimal, b: Decimal, odds: Decimal, form: Form) -> Decimal:
    """Return the logarithm of I(x; a, b), of x/(1 - x) that are not large."""
    both, x, rest = a + b, odds / (1 + odds), 1 / (1 + odds)
    with localcontext(Context(FORMS[-1].digits + 20)):  # what is added up here may be large
        log_power = a * odds.ln() - both * (1 + odds).ln() - _log_beta(a, b)
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
    return log_power + (term / a).ln()


def is_beyond(a: float, b: float, odds: Decimal, part: int, whole: int) -> bool:
    """Return whether a number of the odds x/(1 - x) is above the one at which I(x; a, b) is part/whole."""
    one, other = Decimal(a), Decimal(b)
    for form in FORMS:
        with localcontext(Context(form.digits)):
            if odds < (one + 1) / (other + 1):
                more = _log_tail(one, other, odds, form) - (Decimal(part) / whole).ln()
            else:
                more = (Decimal(whole - part) / whole).ln() - _log_tail(other, one, 1 / odds, form)
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
