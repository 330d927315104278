"""Poisson numbers of which every element of an array has a mean of its own, by an expansion of the inverse of F.

Between integers F is continued as Q(x, lam), the part of the gamma function above lam: F(k) is Q(k + 1, lam). A value
is the integer at or below the x for which this is X/N. An expansion for large means gives x in single precision; how
far it may be off is known, and where no integer is that near, the value is sure (Giles 2016). Of means below `SMALL`
probabilities are added up instead. Of the few elements that are not sure, double precision decides of the one integer
that is near, by the uniform expansion of Temme; and where that is not sure either, the host by exact thresholds. So
values are those of exact thresholds, whatever the errors of single and double precision on a device.

`tests.support.fit_poisson` makes the polynomials.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any, ClassVar

from clrng.distributions.transforms.near import NearByElement

H = (
    3.4814293e-05, -0.00012924868, 0.00017456345, -0.000212013, 0.00052297447, -0.0013425696, 0.0037097111,
    -0.013888166, 0.16666655,
)  # fmt: skip
C = (0.00048450622, -0.001586107, 0.0020214780, -0.0030959439, 0.0084793533, -0.027831601, 0.33333921)
D = (-0.0097869160, 0.01980681, -0.012522524, 0.015149126, -0.019764159)
"""Polynomials in s: x is about lam + lam^1/2 v + v^2 H(s) + C(s) + D(s)/lam, with the normal number v and s its part of
the root of the mean."""

LOW_S, HIGH_S = -1.0, 1.7
"""They are fitted between these."""

CENTRAL = (
    4.043336e-08, 4.8618488e-07, -4.9915761e-06, -6.2189688e-06, 0.00030915422, -0.0017730064, -0.0059081758,
    0.34880266, 2.1233137,
)  # fmt: skip
TAIL = (
    8.3645273e-06, 4.9064605e-05, -0.00014102044, 1.4324378e-05, -2.3240991e-05, 0.00053080887, -0.0013080838,
    0.0017507135, 1.4276503, 5.4302764,
)  # fmt: skip
"""A normal number is 2 u - 1 times a polynomial in t - 2.5 or, from t = 5 on, t^1/2 - 4; t is -ln(4 u (1 - u))."""

LOGARITHM = (-0.10144947, 0.16238482, -0.17245692, 0.19898064, -0.24970119, 0.33335128, -0.50000363, 0.99999994)
"""A polynomial in x that is ln(1 + x)/x, for 1 + x from 2^-1/2 to 2^1/2."""

EXPONENTIAL = (0.0013829421, 0.0083747715, 0.041668358, 0.16666421, 0.49999991, 1.0, 1.0)
"""A polynomial in x that is e^x, for x of at most ln(2)/2 in size."""

FARTHEST = 53.0
"""They hold for normal numbers with squares up to this: u is then far above 2^-45."""

OFF = (2e-5, 6e-7, 6e-3, 5e-2)
"""With a, b, c, d: x is off by less than a + b lam^1/2 (1 + v^2) + (c + d s^2)/lam, by a third of that as measured."""

SMALL, TERMS, SUM_OFF = 10, 48, (5e-6, 0.0)
"""Below so large a mean up to so many probabilities are added up: up to k with errors of a fourth of a + b k."""

LARGEST = 2.0**30
"""Means are below this."""

FEW, MOST_TERMS = 64, 256
"""In double precision, too, probabilities are added up for means below this."""

CERTAIN, PER_TERM, MOST_LOST = 2.0**-42, 2.0**-50, 600
"""A probability in double precision that is further from X/N is on the right side; it is off by a part of this. Where
probabilities are added up, so much is added for each, and for each unit that the logarithm of the first is below 0; up
to so many units."""

ORDERS, DEGREES, FARTHEST_ETA, LOGARITHM_TERMS = 6, 20, 1.0, 20
"""The terms of expansions in double precision, and where they hold."""

MEANS = (
    "float32", "float64", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
)  # fmt: skip
"""The dtypes of means that kernels take."""


def farthest(mean: float) -> float:
    """Return what no number of a mean is above: that is rarer than 2^-64."""
    return mean + 10.0 * sqrt(mean) + 71.0


@dataclass(frozen=True, eq=False)
class PoissonByElement(NearByElement):
    """Poisson numbers whose means are in `each`, of a dtype of `MEANS`: up to `largest`, below `LARGEST`; -0.0 too."""

    __hash__ = object.__hash__

    law: ClassVar[str] = "poisson"


@cache
def temme_exactly() -> list[list[Fraction]]:
    """Return the coefficients of the uniform expansion of Q(a, lam), of each order and, there, of powers of eta.

    Q is erfc(eta (a/2)^1/2)/2 + exp(-a eta^2/2)/(2 pi a)^1/2 (C_0(eta) + C_1(eta)/a + ...), where eta^2/2 is
    mu - ln(1 + mu) and mu is lam/a - 1. C_0 is 1/mu - 1/eta, and eta C_k is C'_(k-1) plus such a multiple of eta/mu
    that both are 0 where eta is (Temme 1979).
    """
    count = DEGREES + 2 * ORDERS
    mu = [Fraction(0), Fraction(1)]  # as a series in eta, from mu mu' = eta (1 + mu)
    for m in range(2, count + 2):
        known = sum(mu[i] * (m - i + 1) * mu[m - i + 1] for i in range(2, m))
        mu.append((mu[m - 1] - known) / (m + 1))
    inverse = [Fraction(1)]  # eta/mu
    for m in range(1, count + 1):
        inverse.append(-sum((mu[i + 1] * inverse[m - i] for i in range(1, m + 1)), Fraction(0)))
    found = [inverse[1:]]
    for _ in range(1, ORDERS):
        slopes = [m * each for m, each in enumerate(found[-1])][1:]
        both = [slope - slopes[0] * each for slope, each in zip(slopes, inverse, strict=False)]
        found.append(both[1:])
    return [row[: DEGREES - 2 * order] for order, row in enumerate(found)]


def temme() -> list[list[float]]:
    """Return the same in double precision."""
    return [[float(each) for each in row] for row in temme_exactly()]


def constants() -> dict[str, Any]:
    """Return what templates are told of these."""
    return {
        "h": H, "c": C, "d": D, "low_s": LOW_S, "high_s": HIGH_S, "central": CENTRAL, "tail": TAIL,
        "logarithm": LOGARITHM, "exponential": EXPONENTIAL, "off": OFF, "farthest": FARTHEST, "small": SMALL,
        "terms": TERMS, "sum_off": SUM_OFF, "few": FEW, "most": MOST_TERMS,
        "certain": CERTAIN, "per_term": PER_TERM, "most_lost": MOST_LOST, "temme": temme(),
        "farthest_eta": FARTHEST_ETA, "logarithm_terms": LOGARITHM_TERMS,
    }  # fmt: skip
