"""Poisson numbers of large means, which the host makes: by an expansion, and where that is close, by exact integers.

F is continued between integers as in `clrng.distributions.transforms.poisson_near`: F(k) is Q(k + 1, lam), and a value
is the integer at or below the x for which Q(x, lam) is X/N. With the normal number v of the same probability, x is

    lam + lam^1/2 v + (v^2 + 2)/6 - lam^-1/2 (v^3 + 2 v)/72 + (3 v^4 + 7 v^2 - 16)/(810 lam) + ...

(Giles 2016). From `EXPANDED` on the next terms are small, and what double precision loses is known. Where an integer
is nearer than that, exact thresholds decide. They are many: so from `SMOOTH` on Q is computed in integers, by the
uniform expansion of Temme. It is off by less than 2^-110, and where that does not decide, thresholds do. From `LEAST`
on they are too many for a table, and the expansion is off by less than 2^-180.
"""

from fractions import Fraction
from functools import cache, lru_cache
from math import isqrt

import numpy as np
import numpy.typing as npt

from clrng.distributions import masses
from clrng.distributions.quantiles.closed_forms import normal_tail
from clrng.distributions.quantiles.quantile import MEDIAN
from clrng.distributions.transforms import poisson_near

Array = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

LEAST = poisson_near.LARGEST
"""Means are this or more: those below it are drawn by the device, or by tables."""

LARGEST = float(2**63 - 1 - 10 * isqrt(2**63 - 1))
"""Values of means up to this, which is NumPy's largest, are far below 2^63."""

EXPANDED = 2.0**14
"""From this mean on there are places by an expansion."""

OFF, OFF_ROOTS, OFF_NEXT = 2.0**-30, 2.0**-46, 2.0**-6
"""With a, b, c: a place is off by less than a + b lam^1/2 (1 + v^2) + c (1 + v^2)^(5/2)/lam^(3/2)."""

FIXED = 400
"""Fractions are in units of 2^-FIXED."""

SMOOTH = 2.0**16
"""From this mean on the uniform expansion decides nearly always, by `CERTAIN` bits of F."""

CERTAIN = 100

CLOSE, NEGLIGIBLE = 4, 200
"""F is 0 or 1, but for less than 2^-170, where (lam - a)/a is 2^-CLOSE or more in size, or e^-NEGLIGIBLE a bound."""


def places(lam: Array, wanted: Array, left: Array) -> tuple[Whole, npt.NDArray[np.bool_]]:
    """Return the smallest k with F(k) above what is `wanted`, and which are sure; `left` is 1 less what is wanted.

    Means are `EXPANDED` or more.
    """
    tail = normal_tail(np.maximum(np.where(wanted < MEDIAN, wanted, left), 2.0**-100))
    v, root, below = np.where(wanted < MEDIAN, -tail, tail), np.sqrt(lam), np.floor(lam)
    square = v * v
    closer = (square + 2) / 6 - v * (square + 2) / (72 * root) + ((3 * square + 7) * square - 16) / (810 * lam)
    place = root * v + ((lam - below) + closer)
    off = OFF + (1 + square) * (OFF_ROOTS * root + OFF_NEXT * (1 + square) * np.sqrt(1 + square) / (lam * root))
    whole = np.floor(place)
    sure = (place - whole > off) & (whole + 1 - place > off) & (wanted > 0)
    return below.astype(np.int64) + whole.astype(np.int64), sure


def is_reached(lam: float, k: int, x: int, numbers: int) -> bool:
    """Return whether X < T(k), for a mean of `LEAST` or more; from `SMOOTH` on it is so if `is_sure` says so."""
    return masses.is_below(x, reached(lam, k), 1 << masses.BITS, numbers)


def is_sure(lam: float, k: int, x: int, numbers: int) -> bool:
    """Return whether T(k - 1) <= X < T(k) for a mean of `SMOOTH` or more, whatever F is within 2^-CERTAIN."""
    one, off = 1 << masses.BITS, 1 << masses.BITS - CERTAIN
    below = k > 0 and masses.is_below(x, min(reached(lam, k - 1) + off, one), one, numbers)
    return not below and masses.is_below(x, max(reached(lam, k) - off, 0), one, numbers)


@lru_cache(maxsize=64)
def reached(lam: float, k: int) -> int:
    """Return F(k) in units of 2^-BITS."""
    (numerator, denominator), a = lam.as_integer_ratio(), k + 1
    above = numerator - a * denominator
    one = 1 << FIXED
    sure = 0 if above > 0 else 1 << masses.BITS
    if abs(above) << CLOSE >= a * denominator:
        return sure
    mu = (above << FIXED) // (a * denominator)
    rest = mu - _log1p(mu)
    half_square = a * rest
    if half_square > NEGLIGIBLE << FIXED:
        return sure
    eta = isqrt(2 * rest << FIXED) * (1 if above > 0 else -1)
    power, root = masses.exponential(-half_square, FIXED), isqrt(half_square << FIXED)
    error = _error_function(half_square, root, power)
    density = (power << FIXED) // isqrt(2 * a * _pi() << FIXED)
    total = (one - error if above > 0 else one + error) // 2 + (density * _correction(eta, a) >> FIXED)
    return min(max(total, 0), one) >> (FIXED - masses.BITS)


def _log1p(mu: int) -> int:
    """Return ln(1 + mu), for a mu below 2^-CLOSE in size."""
    total, power, j = 0, mu, 1
    while power not in (0, -1):
        total += power // j if j % 2 else -(power // j)
        power, j = power * mu >> FIXED, j + 1
    return total


def _error_function(square: int, root: int, power: int) -> int:
    """Return erf of a `root`, of which the `square` and e to the power of minus that are given.

    It is 2 e^(-z^2) z/pi^1/2 times the sum of (2 z^2)^n/(1·3·5···(2n + 1)), whose terms are all positive.
    """
    total, term, odd = 0, 1 << FIXED, 1
    while term:
        total += term
        odd += 2
        term = (2 * term * square >> FIXED) // odd
    return (2 * (root * power >> FIXED) * total) // isqrt(_pi() << FIXED)


def _correction(eta: int, a: int) -> int:
    """Return C_0(eta) + C_1(eta)/a + ..., the sum that the uniform expansion has beside the error function."""
    total = 0
    for row in reversed(_coefficients()):
        inner = 0
        for coefficient in reversed(row):
            inner = (inner * eta >> FIXED) + coefficient
        total = inner + total // a
    return total


@cache
def _coefficients() -> list[list[int]]:
    return [[_fixed(each) for each in row] for row in poisson_near.temme_exactly()]


def _fixed(number: Fraction) -> int:
    return (number.numerator << FIXED) // number.denominator


@cache
def _pi() -> int:
    """Return pi, by the formula of Machin: it is off by less than 2^10 units."""
    return 4 * (4 * _inverse_tangent(5) - _inverse_tangent(239))


def _inverse_tangent(n: int) -> int:
    """Return the inverse tangent of 1/n."""
    total, power, j = 0, (1 << FIXED) // n, 1
    while power:
        total += power // j if j % 4 == 1 else -(power // j)
        power, j = power // (n * n), j + 2
    return total
