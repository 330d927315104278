"""Beta and F values of which every element has parameters of its own, as float32: the nearest to the right ones.

Such a value does not depend on how it was found. Double precision finds it, with an error that is known; where this
leaves open which float32 is the nearest, more nodes decide, and where these do not either, the host in 60 digits. The
largest float32 stands for all beyond it, and 0 for all below the smallest normal number.

Let w be log(x/(1 - x)). The incomplete beta function I(x; a, b) grows by P dw, where P = x^a (1 - x)^b/B(a, b), and

    I(x; a, b) = P/a V(0),   V(k) = 1 + (a + b + k) x/(a + k + 1) V(k + 1),   V(k) = (a + k) R(k)
    R(k) = integral from 0 to infinity of exp(-(a + k) v - (a + b + k) log(1 - x (1 - exp(-v)))) dv.

R(SHIFT) is a sum over nodes: its integrand has no singularity within pi of the line. For small a and b a continued
fraction of V(0)/a takes less work. I is computed of the side where x/(1 - x) is below (a + 1)/(b + 1), by exchanging a
and b, x and 1 - x. From a first guess the tail probability is brought near, of its logarithm as a function of w: by few
nodes, or by few terms in single precision. Then by all of them w is found, by a series.

References
----------
K. J. Berry, P. W. Mielke, G. W. Cran, "Algorithm AS R83: A Remark on Algorithm AS 109: Inverse of the Incomplete Beta
Function Ratio", Applied Statistics 39 (1990), 309-310 (the first guess); A. R. DiDonato, A. H. Morris, "Algorithm 708:
Significant Digit Computation of the Incomplete Beta Function Ratios", ACM Transactions on Mathematical Software 18
(1992), 360-373 (the continued fraction, here without its divisions); M. Abramowitz, I. A. Stegun, Handbook of
Mathematical Functions, 26.2.23 (that of a normal number).
"""

from dataclasses import dataclass
from functools import cache
from math import factorial, pi
from typing import Any, ClassVar, NamedTuple

import numpy as np

from clrng.distributions.quantiles.elementary import LN2_HIGH, LN2_LOW, LOG2_E, SQRT_HALF
from clrng.distributions.transforms.near import NearByElement

SHIFT = 8
"""Terms of the series before the integral."""

FEW, MANY, MOST = (2, 14.0), (10, 32.0), (20, 62.0)
"""How many nodes there are, and where integrands end, exp(-end): for first guesses, most values, and the others."""

FLAT = 8
"""At that end integrands are taken to have a zero of this order, as polynomials have that nodes of Jacobi are made for.
At the other end their value, which is 1, and their slope are known."""

OFF, OFF_OF_FRACTION, OFF_OF_MOST, MOST_ODDS = 2.0**-34, 2.0**-38, 2.0**-48, 16.0
ROUNDED, ROUNDED_BY_HOST = (4.0, 64.0), (2.0, 20.0)
"""With the first or third e, m and a pair c, d, w is off by less than e min(1 + odds, m) + 2^-52 (c + (d + |u|)
R), and of a continued fraction by less than the second e + 2^-52 (c + (d + |u|) R): by half of that as measured. R is
the tail over P, and u what the exponent of P is the sum of. The host is more careful."""

CLOSE = 0.25, 2.0**-7
"""First guesses are so near that a step is less than this, in proportion to that in which P and the tail change; and
the last one less than the second of these."""

FRACTIONS = {"many": (9, 3, 39)}
"""How many terms continued fractions have: at first, further ones at a time, and at most."""

GUESS_TERMS = 7
"""How many they have in single precision, for first guesses."""

NEAR_SUM = 64.0
"""Up to this a + b, V(0)/a is a continued fraction; for larger ones it has too many terms."""

APART = 2.0**-40, 2.0**-44
"""The last two convergents are apart by less than the first of these and, times them, the second. The last one was off
by up to 1.3 times as much, as measured."""

MAX_GUESSES = 24

MAX_EXPONENT = 600.0
"""So large exponents are not raised to powers: 1 more or less makes no difference to these."""

STIRLING = (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
"""log Gamma(z) is Stirling's approximation and 1/z times this polynomial of 1/z^2."""

TERMS = {"few": (6, 3), "many": (11, 7), "most": (14, 11)}
"""Powers of the series of exp up to ln(2)/2, and of artanh up to 0.172, from which on they do not matter."""

SMALLEST, LARGEST = float(np.finfo(np.float32).tiny), float(np.finfo(np.float32).max)

BEYOND = 1e300
"""It stands for larger numbers, which may be infinite."""


@dataclass(frozen=True, eq=False)
class BetaByElement(NearByElement):
    """Beta values whose a are in `each` and b in `trials`, as floats, or with `is_ratio` F values of twice a and b."""

    __hash__ = object.__hash__

    law: ClassVar[str] = "beta"

    is_ratio: bool = False

    @property
    def unsure(self) -> float:  # noqa: D102  # as inherited
        return 2.0**-7


class Rule(NamedTuple):
    """Where from 0 to 1 an integrand is taken, and what its values, and its value and slope at 0, are multiplied by."""

    nodes: tuple[float, ...]
    weights: tuple[float, ...]
    of_value: float
    of_slope: float


@cache
def rule(count: int) -> Rule:
    """Return so many nodes, by the eigenvalues of Jacobi's matrix for the weight u^2 (1 - u)^FLAT."""
    alpha, beta = float(FLAT), 2.0
    k = np.arange(float(count))
    both = 2 * k + alpha + beta
    middle = (beta**2 - alpha**2) / (both * (both + 2))
    k, both = k[1:], both[1:]
    side = 4 * k * (k + alpha) * (k + beta) * (k + alpha + beta) / (both**2 * (both + 1) * (both - 1))
    nodes, vectors = np.linalg.eigh(np.diag(middle) + np.diag(np.sqrt(side), 1) + np.diag(np.sqrt(side), -1))
    u = (nodes + 1) / 2
    rest = (1 - u) ** FLAT
    weights = vectors[0] ** 2 * _integral(2) / (u**2 * rest)
    of_slope = _integral(1) - float(np.sum(weights * u * rest))
    of_value = _integral(0) - float(np.sum(weights * rest)) + FLAT * of_slope
    return Rule(tuple(u.tolist()), tuple(weights.tolist()), of_value, of_slope)


def _integral(power: int) -> float:
    """Return the integral of u^power (1 - u)^FLAT from 0 to 1."""
    return factorial(power) * factorial(FLAT) / factorial(power + FLAT + 1)


@cache
def constants() -> dict[str, Any]:
    """Return what templates are told of these."""
    return {
        "shift": SHIFT, "few": FEW, "many": MANY, "most": MOST,
        "rules": {"few": rule(FEW[0]), "many": rule(MANY[0]), "most": rule(MOST[0])}, "off": OFF,
        "off_of_most": OFF_OF_MOST, "rounded_by": ROUNDED, "most_odds": MOST_ODDS, "close": CLOSE,
        "fractions": FRACTIONS, "guess_terms": GUESS_TERMS, "near_sum": NEAR_SUM, "apart": APART,
        "max_guesses": MAX_GUESSES, "max_exponent": MAX_EXPONENT, "stirling": STIRLING, "smallest": SMALLEST,
        "largest": LARGEST, "beyond": BEYOND, "pi": pi, "log2_e": LOG2_E, "ln2": (LN2_HIGH, LN2_LOW),
        "half_root": int(np.float64(SQRT_HALF).view(np.int64)),
        "exp_terms": [1 / factorial(k) for k in range(2, max(map(max, TERMS.values())))],
        "log_terms": [2 / (2 * k + 1) for k in range(1, max(map(min, TERMS.values())))], "terms": TERMS,
    }  # fmt: skip
