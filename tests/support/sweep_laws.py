"""Distribution functions in mpmath of every continuous distribution at every legal parameter, for sweeps.

Closed forms and series where these are quick, else integrals of the density; from the textbooks' formulas.
"""

from collections.abc import Callable
from typing import Any

import mpmath as mp

from tests.support import exact_distributions as exact
from tests.support.exact_distributions import Law
from tests.support.quantile_classes import name_of
from tests.support.tail_integrals import share

LONG = 2000
"""Shapes above need series of many terms."""


def weibull(a: float) -> Law:
    return lambda x, upper: (
        mp.exp(-(x**a)) if upper else -mp.expm1(-(x**a)),
        a * x ** (mp.mpf(a) - 1) * mp.exp(-(x**a)),
    )


def pareto(a: float) -> Law:
    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        line = -a * mp.log1p(x)
        return mp.exp(line) if upper else -mp.expm1(line), a * mp.exp(line) / (1 + x)

    return law


def power(a: float) -> Law:
    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        line = a * mp.log(x)
        return -mp.expm1(line) if upper else mp.exp(line), a * mp.exp(line) / x

    return law


def triangular(left: float, mode: float, right: float) -> Law:
    low, top, high = mp.mpf(left), mp.mpf(mode), mp.mpf(right)
    whole = high - low

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        if x < top or top == high:
            tail, density = (x - low) ** 2 / (whole * (top - low)), 2 * (x - low) / (whole * (top - low))
            return (1 - tail if upper else tail), density
        tail, density = (high - x) ** 2 / (whole * (high - top)), 2 * (high - x) / (whole * (high - top))
        return (tail if upper else 1 - tail), density

    return law


def lognormal(sigma: float) -> Law:
    normal = exact.normal()

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        if sigma == 0:
            return mp.mpf(1) / 2, mp.inf
        tail, density = normal(mp.log(x) / sigma, upper)
        return tail, density / (sigma * x)

    return law


def gamma(shape: float, scale: int = 1) -> Law:
    if shape <= LONG:
        return exact.gamma(shape, scale)
    a = mp.mpf(shape)

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        w = mp.log(x / scale / a)
        tail = share(lambda v: a * (v - mp.expm1(v)), w, upper, scale=1 / mp.sqrt(a))
        return tail, mp.exp(a * mp.log(x / scale) - x / scale - mp.loggamma(a)) / x

    return law


def _odds(a: mp.mpf, b: mp.mpf) -> Callable[[mp.mpf, bool], tuple[mp.mpf, mp.mpf]]:
    """Return the tails of X/(1 - X), X of a beta distribution, and the density of its logarithm."""
    ratio, scale, middle = a / (a + b), mp.sqrt(1 / a + 1 / b), mp.log(a / b)
    whole = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)

    def tails(odds: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        density = mp.exp(a * mp.log(odds) - (a + b) * mp.log1p(odds) - whole)
        if max(a, b) > LONG:
            near = lambda w: a * w - (a + b) * mp.log1p(ratio * mp.expm1(w))  # noqa: E731
            return share(near, mp.log(odds) - middle, upper, scale=scale), density
        if odds < 1:  # where 1/(1 + odds) is not exact enough
            below = mp.betainc(a, b, 0, odds / (1 + odds), regularized=True)
            return (1 - below if upper else below), density
        above = mp.betainc(b, a, 0, 1 / (1 + odds), regularized=True)
        return (above if upper else 1 - above), density

    return tails


def beta(a: float, b: float) -> Law:
    odds = _odds(mp.mpf(a), mp.mpf(b))

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        tail, density = odds(x / (1 - x), upper)
        return tail, density / (x * (1 - x))

    return law


def f(dfnum: float, dfden: float) -> Law:
    odds = _odds(mp.mpf(dfnum) / 2, mp.mpf(dfden) / 2)

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        tail, density = odds(x * dfnum / dfden, upper)
        return tail, density / x

    return law


def student_t(df: float) -> Law:
    n, half = mp.mpf(df), mp.mpf(1) / 2

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        shape = mp.exp(mp.loggamma((n + 1) / 2) - mp.loggamma(n / 2)) / mp.sqrt(mp.pi * n)
        density = shape * mp.exp(-(n + 1) / 2 * mp.log1p(x * x / n))
        if df > LONG:
            return share(
                lambda w: -n / 2 * mp.log1p(w * w) - mp.log1p(w * w) / 2, x / mp.sqrt(n), upper, scale=1 / mp.sqrt(n)
            ), density
        size = abs(x)
        if x * x < n:  # the mass between -x and x is exact there
            outside = half - mp.betainc(half, n / 2, 0, x * x / (n + x * x), regularized=True) / 2
        else:
            outside = mp.betainc(n / 2, half, 0, n / (n + size * size), regularized=True) / 2
        return (outside if upper == (x > 0) else 1 - outside), density

    return law


def von_mises(kappa: float) -> Law:
    k = mp.mpf(kappa)

    def log_density(w: mp.mpf) -> mp.mpf:
        return -2 * k * mp.sin(w / 2) ** 2

    whole = 2 * mp.pi * mp.exp(-k) * mp.besseli(0, k)

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        tail = share(log_density, x, upper, scale=1 / mp.sqrt(1 + k), end=mp.pi)
        return tail, mp.exp(log_density(x)) / whole

    return law


def _mixed(
    half: mp.mpf,
    tail: Callable[[int, bool], mp.mpf],
    first: mp.mpf,
    ratio: Callable[[int], mp.mpf],
    a: mp.mpf,
    upper: bool,
) -> tuple[mp.mpf, mp.mpf]:
    """Return the tail of a mixture with Poisson weights of mean `half`, and the sum of weights times (a + j)·terms.

    The tails of members j and j + 1 differ by term j; these begin with `first`, and term j + 1 is `ratio` of j times
    term j. Tails are added up in the direction in which they grow.
    """
    count = int(half + 16 * mp.sqrt(half) + 60)
    weights, terms = [mp.exp(-half)], [first]
    for j in range(count):
        weights.append(weights[-1] * half / (j + 1))
        terms.append(terms[-1] * ratio(j))
    density = mp.fsum(weight * term * (a + j) for j, (weight, term) in enumerate(zip(weights, terms, strict=True)))
    member, total = tail(0 if upper else count, upper), mp.mpf(0)
    for j in range(count + 1) if upper else range(count, -1, -1):
        total += weights[j] * member
        member += terms[j] if upper else terms[j - 1]
    return total, density


def noncentral_chisquare(df: float, nonc: float) -> Law:
    a, half = mp.mpf(df) / 2, mp.mpf(nonc) / 2

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        y = x / 2
        first = mp.exp(a * mp.log(y) - y - mp.loggamma(a + 1))
        tail, density = _mixed(
            half, lambda j, side: gamma(a + j)(y, side)[0], first, lambda j: y / (a + j + 1), a, upper
        )
        return tail, density / x

    return law


def noncentral_f(dfnum: float, dfden: float, nonc: float) -> Law:
    a, b, half = mp.mpf(dfnum) / 2, mp.mpf(dfden) / 2, mp.mpf(nonc) / 2
    whole = mp.loggamma(a + 1) + mp.loggamma(b) - mp.loggamma(a + b)

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        odds = x * dfnum / dfden
        first = mp.exp(a * mp.log(odds) - (a + b) * mp.log1p(odds) - whole)
        tail, density = _mixed(
            half,
            lambda j, side: _odds(a + j, b)(odds, side)[0],
            first,
            lambda j: odds / (1 + odds) * (a + j + b) / (a + j + 1),
            a,
            upper,
        )
        return tail, density / x

    return law


LAWS: dict[str, Callable[..., Law]] = {
    "weibull": weibull,
    "pareto": pareto,
    "power": power,
    "triangular": triangular,
    "lognormal": lognormal,
    "standard_gamma": gamma,
    "chisquare": lambda df: gamma(df / 2, 2),
    "beta": beta,
    "f": f,
    "standard_t": student_t,
    "wald": exact.wald,
    "vonmises": von_mises,
    "noncentral_chisquare": noncentral_chisquare,
    "noncentral_f": noncentral_f,
    "standard_normal": exact.normal,
    "standard_exponential": lambda: weibull(1.0),
    "rayleigh": lambda: (
        lambda x, upper: (
            mp.exp(-x * x / 2) if upper else -mp.expm1(-x * x / 2),
            x * mp.exp(-x * x / 2),
        )
    ),
    "laplace": lambda: (
        lambda x, upper: (
            mp.exp(-abs(x)) / 2 if upper == (x > 0) else 1 - mp.exp(-abs(x)) / 2,
            mp.exp(-abs(x)) / 2,
        )
    ),
    "logistic": lambda: (
        lambda x, upper: (
            1 / (1 + mp.exp(x if upper else -x)),
            1 / (2 + mp.exp(x) + mp.exp(-x)),
        )
    ),
    "gumbel": lambda: (
        lambda x, upper: (
            -mp.expm1(-mp.exp(-x)) if upper else mp.exp(-mp.exp(-x)),
            mp.exp(-x - mp.exp(-x)),
        )
    ),
    "standard_cauchy": lambda: (
        lambda x, upper: (
            mp.atan2(1, x if upper else -x) / mp.pi,
            1 / (mp.pi * (1 + x * x)),
        )
    ),
}
"""The law of each distribution's parameters, by the name of its class."""


def law_of(quantile: Any) -> Law:
    """Return the law of a quantile function of clrng."""
    return LAWS[name_of(quantile)](*(getattr(quantile, each.name) for each in quantile.parameters()))
