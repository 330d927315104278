"""The tail probabilities of statistics.

Both tails are computed, as a generator fails that is too even as well as one that is not even enough; the smaller one
keeps its relative precision. Where a statistic is an integer, the value found counts in both tails.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]

PRECISION = 1e-16
"""Terms of a series that are smaller than this, relative to their sum, are left out."""

TINY = 1e-300
"""What stands for a denominator of 0 in continued fractions."""


class Tails(NamedTuple):
    """The probabilities of a statistic at most and at least as large as the one found."""

    lower: float
    upper: float


def _gamma(a: float, x: float) -> Tails:
    """Return the regularised incomplete gamma functions P(a, x) and Q(a, x), for a > 0 and x >= 0.

    By the series of P where x < a + 1, else by the continued fraction of Q, in the way of Lentz.
    """
    if x <= 0:
        return Tails(0.0, 1.0)
    factor = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > PRECISION * total:
            n += 1
            term *= x / n
            total += term
        lower = min(factor * total, 1.0)
        return Tails(lower, 1 - lower)
    b = x + 1 - a
    c, d = 1 / TINY, 1 / b
    fraction, change, i = d, 0.0, 0
    while abs(change - 1) > PRECISION * 10:
        i += 1
        numerator = i * (a - i)
        b += 2
        d = 1 / (numerator * d + b or TINY)
        c = b + numerator / c or TINY
        change = c * d
        fraction *= change
    upper = min(factor * fraction, 1.0)
    return Tails(1 - upper, upper)


def normal(z: float) -> Tails:
    """Return the tails of a standard normal value."""
    return Tails(math.erfc(-z / math.sqrt(2)) / 2, math.erfc(z / math.sqrt(2)) / 2)


def chi_square(x: float, freedom: int) -> Tails:
    """Return the tails of a value of the chi-square distribution with `freedom` degrees of freedom."""
    return _gamma(freedom / 2, x / 2)


def poisson(count: int, mean: float) -> Tails:
    """Return the tails of a value of the Poisson distribution."""
    return Tails(_gamma(count + 1, mean).upper, _gamma(count, mean).lower if count else 1.0)


def largest(upper: float, values: int) -> Tails:
    """Return the tails of the largest of so many independent `values`; `upper` is its upper tail as a single value."""
    if upper >= 1:
        return Tails(0.0, 1.0)
    power = values * math.log1p(-upper)
    return Tails(math.exp(power), -math.expm1(power))


def largest_of_signs(total: int, signs: int, values: int) -> Tails:
    """Return the tails of the largest absolute value of independent sums, each of `signs` random numbers 1 and -1.

    Sums are nearly normal, and 2 apart: each tail reaches half way to the next sum, as a continuity correction.
    """
    beyond, upon = (math.erfc((total + step) / math.sqrt(2 * signs)) for step in (1, -1))
    return Tails(largest(beyond, values).lower, largest(upon, values).upper)


def table(found: int, probabilities: Reals) -> Tails:
    """Return the tails of an integer statistic with the `probabilities` of 0, 1, 2, ..., all its possible values."""
    return Tails(min(float(probabilities[: found + 1].sum()), 1.0), min(float(probabilities[found:].sum()), 1.0))


def binomial(n: int) -> Reals:
    """Return the probabilities of 0 to n heads of n fair coins."""
    return np.array([math.comb(n, k) / 2**n for k in range(n + 1)])


def pearson(counts: npt.NDArray[np.int64], probabilities: Reals, min_expected: float = 10.0) -> tuple[float, int]:
    """Return Pearson's statistic and its degrees of freedom, for classes whose probabilities add up to 1.

    Neighbouring classes are merged until at least `min_expected` are expected in each.
    """
    expected = probabilities * counts.sum()
    starts, since = [0], 0.0
    for i, value in enumerate(expected):
        if since >= min_expected:
            starts.append(i)
            since = 0.0
        since += value
    if since < min_expected and len(starts) > 1:
        starts.pop()
    seen, wanted = np.add.reduceat(counts, starts), np.add.reduceat(expected, starts)
    return float((np.square(seen - wanted) / wanted).sum()), len(starts) - 1
