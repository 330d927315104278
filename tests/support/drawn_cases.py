"""Every method of `clrng.Generator` that draws from a distribution, with arguments, and what it must give."""

from dataclasses import dataclass, field
from typing import Any

import pyopencl.array as cla

import clrng
from clrng.distributions import discrete
from clrng.distributions.quantiles import closed_forms, integrated
from clrng.distributions.transforms.uniform import INTERVALS
from tests.support.reference_draws import Angles, Counted, Each, Located, OfShape, Reference, Spaced, Whole

REALS = ("float32", "float64")


@dataclass(frozen=True)
class Case:
    """A call of a method, but for `size`, `dtype` and `out`.

    Attributes
    ----------
    method : str
    arguments : dict
        By keyword, such as JSON can hold.
    reference : Reference
        What it must give.
    dtypes : tuple of str
        Those that are tried, the default first where it is one of them.
    """

    method: str
    arguments: dict[str, Any]
    reference: Reference = field(compare=False)
    dtypes: tuple[str, ...] = REALS

    def draw(self, rng: clrng.Generator, size: Any = None, **options: Any) -> cla.Array:
        """Call the method."""
        drawn: cla.Array = getattr(rng, self.method)(**self.arguments, size=size, **options)
        return drawn


def _integers(low: int, high: int, dtype: str) -> Case:
    return Case("integers", {"low": low, "high": high}, Whole(low, high - low), (dtype,))


CONTINUOUS: dict[str, Case] = {
    "standard_normal": Case("standard_normal", {}, Located(closed_forms.Normal())),
    "normal": Case("normal", {"loc": 1.5, "scale": 2.0}, Located(closed_forms.Normal(), 1.5, 2.0)),
    "normal_0.1_0.3": Case("normal", {"loc": 0.1, "scale": 0.3}, Located(closed_forms.Normal(), 0.1, 0.3)),
    "standard_exponential": Case("standard_exponential", {}, Located(closed_forms.Exponential())),
    "exponential": Case("exponential", {"scale": 0.7}, Located(closed_forms.Exponential(), 0.0, 0.7)),
    "laplace": Case("laplace", {"loc": -1.0, "scale": 3.0}, Located(closed_forms.Laplace(), -1.0, 3.0)),
    "logistic": Case("logistic", {}, Located(closed_forms.Logistic())),
    "gumbel": Case("gumbel", {}, Located(closed_forms.Gumbel())),
    "standard_cauchy": Case("standard_cauchy", {}, Located(closed_forms.Cauchy())),
    "rayleigh": Case("rayleigh", {}, Located(closed_forms.Rayleigh())),
    "weibull": Case("weibull", {"a": 1.5}, Located(closed_forms.Weibull(1.5))),
    "pareto": Case("pareto", {"a": 3.0}, Located(closed_forms.Pareto(3.0))),
    "power": Case("power", {"a": 2.0}, Located(closed_forms.Power(2.0))),
    "triangular": Case(
        "triangular", {"left": 0.0, "mode": 0.3, "right": 1.0}, Located(closed_forms.Triangular(0.0, 0.3, 1.0))
    ),
    "lognormal": Case("lognormal", {"sigma": 0.5}, Located(closed_forms.Lognormal(0.5))),
    "vonmises": Case("vonmises", {"mu": 0.0, "kappa": 4.0}, Angles(integrated.VonMises(4.0))),
    "vonmises_3": Case("vonmises", {"mu": 3.0, "kappa": 0.5}, Angles(integrated.VonMises(0.5), 3.0)),
    "wald": Case("wald", {"mean": 1.0, "scale": 2.0}, Located(integrated.Wald(1.0, 2.0))),
    "standard_gamma": Case("standard_gamma", {"shape": 2.5}, Located(integrated.Gamma(2.5))),
    "gamma_0.5": Case("gamma", {"shape": 0.5, "scale": 3.0}, Located(integrated.Gamma(0.5), 0.0, 3.0)),
    "chisquare": Case("chisquare", {"df": 5.0}, Located(integrated.ChiSquare(5.0))),
    "beta": Case("beta", {"a": 2.0, "b": 5.0}, Located(integrated.Beta(2.0, 5.0))),
    "beta_0.5_0.5": Case("beta", {"a": 0.5, "b": 0.5}, Located(integrated.Beta(0.5, 0.5))),
    "f": Case("f", {"dfnum": 5.0, "dfden": 7.0}, Located(integrated.FisherF(5.0, 7.0))),
    "standard_t": Case("standard_t", {"df": 4.0}, Located(integrated.StudentT(4.0))),
    "noncentral_chisquare": Case(
        "noncentral_chisquare", {"df": 3.0, "nonc": 2.0}, Located(integrated.NoncentralChiSquare(3.0, 2.0))
    ),
    "noncentral_f": Case(
        "noncentral_f", {"dfnum": 3.0, "dfden": 20.0, "nonc": 2.0}, Located(integrated.NoncentralF(3.0, 20.0, 2.0))
    ),
}
"""Continuous distributions by name."""

HARD: dict[str, Case] = {
    "gamma_0.001": Case("gamma", {"shape": 0.001, "scale": 3.0}, Located(integrated.Gamma(0.001), 0.0, 3.0)),
    "gamma_0.1": Case("standard_gamma", {"shape": 0.1}, Located(integrated.Gamma(0.1))),
    "chisquare_0.01": Case("chisquare", {"df": 0.01}, Located(integrated.ChiSquare(0.01))),
    "beta_0.01_0.01": Case("beta", {"a": 0.01, "b": 0.01}, Located(integrated.Beta(0.01, 0.01))),
    "f_0.5_0.5": Case("f", {"dfnum": 0.5, "dfden": 0.5}, Located(integrated.FisherF(0.5, 0.5))),
    "standard_t_0.2": Case("standard_t", {"df": 0.2}, Located(integrated.StudentT(0.2))),
    "standard_t_0.01": Case("standard_t", {"df": 0.01}, Located(integrated.StudentT(0.01))),
    "lognormal_15": Case("lognormal", {"sigma": 15.0}, Located(closed_forms.Lognormal(15.0))),
    "lognormal_200": Case("lognormal", {"sigma": 200.0}, Located(closed_forms.Lognormal(200.0))),
    "weibull_0.01": Case("weibull", {"a": 0.01}, Located(closed_forms.Weibull(0.01))),
    "pareto_0.05": Case("pareto", {"a": 0.05}, Located(closed_forms.Pareto(0.05))),
    "power_0.02": Case("power", {"a": 0.02}, Located(closed_forms.Power(0.02))),
    "noncentral_chisquare_0.125": Case(
        "noncentral_chisquare", {"df": 0.125, "nonc": 1.0}, Located(integrated.NoncentralChiSquare(0.125, 1.0))
    ),
    "noncentral_f_0.125": Case(
        "noncentral_f",
        {"dfnum": 0.125, "dfden": 0.125, "nonc": 3.0},
        Located(integrated.NoncentralF(0.125, 0.125, 3.0)),
    ),
}
"""Continuous distributions whose values are of very different sizes, most of them made by tables of logarithms."""

BETWEEN: dict[str, Case] = {
    **{
        f"uniform_{interval}": Case(
            "uniform", {"low": -1.0, "high": 2.0, "interval": interval}, Spaced(-1.0, 2.0, interval)
        )
        for interval in INTERVALS
    },
    **{
        f"random_{interval}": Case("random", {"interval": interval}, Spaced(0.0, 1.0, interval))
        for interval in INTERVALS
        if interval != "[)"  # which is not made of a number's place
    },
}
"""Uniform numbers between bounds."""

REAL = {**CONTINUOUS, **BETWEEN}
"""All that gives real numbers."""

P = [0.5, 0.0, 0.125, 0.375]

DISCRETE: dict[str, Case] = {
    "integers_6": Case("integers", {"low": 6}, Whole(0, 6), ("int64", "int8", "uint16", "int32")),
    "integers_2^20": _integers(0, 2**20, "uint32"),
    "integers_10^12": _integers(-(10**12), 10**12 + 39, "int64"),
    "integers_int64": _integers(-(2**63), 2**63, "int64"),
    "integers_uint64": _integers(0, 2**64 - 5, "uint64"),
    "integers_uint8": _integers(0, 256, "uint8"),
    "poisson_3.5": Case("poisson", {"lam": 3.5}, Counted(discrete.Poisson(3.5)), ("int64", "uint8")),
    "poisson_1000": Case("poisson", {"lam": 1000.0}, Counted(discrete.Poisson(1000.0)), ("int64", "uint16")),
    "binomial": Case("binomial", {"n": 20, "p": 0.3}, Counted(discrete.Binomial(20, 0.3)), ("int64", "int8")),
    "negative_binomial": Case(
        "negative_binomial", {"n": 2.5, "p": 0.4}, Counted(discrete.NegativeBinomial(2.5, 0.4)), ("int64", "uint32")
    ),
    "geometric": Case("geometric", {"p": 0.1}, Counted(discrete.Geometric(0.1)), ("int64", "int16")),
    "hypergeometric": Case(
        "hypergeometric",
        {"ngood": 20, "nbad": 30, "nsample": 10},
        Counted(discrete.Hypergeometric(20, 30, 10)),
        ("int64", "uint64"),
    ),
    "choice": Case("choice", {"a": 4, "p": P}, Counted(discrete.Choice(tuple(P))), ("int64", "int32")),
    "logseries": Case("logseries", {"p": 0.5}, Counted(discrete.Logseries(0.5)), ("int64", "uint8")),
    "zipf": Case("zipf", {"a": 5.0}, Counted(discrete.Zipf(5.0)), ("int64", "uint32")),  # a = 4 has 2 million entries
}
"""Discrete distributions by name."""

CASES = {**REAL, **DISCRETE}

MEANS = [
    0.0,
    1e-30,
    1e-6,
    *(i / 8 for i in range(1, 20)),
    *(1.75**i for i in range(2, 26)),
    *(10.0 * i for i in range(1, 19)),
]
COUNTS = [0, 1, 2, 5, 20, 100, 1000, 10_000]
SHARES = [0.0, 2.0**-40, 0.1, 0.25, 0.5, 0.7, 0.999, 1.0]
SHAPES = [0.002, 0.1, 0.5, 1.0, 2.5, 9.0, 77.0, 1000.0]
CHANCES = [2.0**-10, 0.01, 0.1, 0.25, 0.5, 0.7, 0.999, 1.0]
SUCCESSES = [0.5, 1.0, 2.5, 3.0, 7.0, 20.0, 100.0, 0.125]
GOOD, BAD, SAMPLED = [20, 1, 1000, 5, 7, 30, 0, 500], [30, 9, 2000, 0, 8, 5, 12, 500], [10, 3, 700, 4, 15, 1, 6, 999]
LOWS = [0, -5, -(10**12), 100, -(2**40), 7, 2**62, -1]
HIGHS = [6, 5, 10**12 + 39, 356, 2**40, 8, 2**63, 2**33]
LOCS, SCALES = [0.0, 1.5, -1000.0, 0.1, 1e-3, -7.0, 1e6, 3.0], [1.0, 2.0, 0.3, 0.1, 1e-6, 0.0, 1e6, 77.0]


def _each(method: str, make: Any, dtypes: tuple[str, ...], **arrays: list[Any]) -> Case:
    """Return the case of a method whose parameters are all arrays, with the reference that `make` makes of each."""
    return Case(method, arrays, Each(tuple(map(make, *arrays.values()))), dtypes)


def _whole(low: int, high: int) -> Whole:
    return Whole(low, high - low)


def _counted(law: Any) -> Any:
    return lambda *parameters: Counted(law(*parameters))


BY_ELEMENT: dict[str, Case] = {
    "poisson_of_means": _each("poisson", _counted(discrete.Poisson), ("int64", "int32"), lam=MEANS),
    "binomial_of_counts": _each("binomial", _counted(discrete.Binomial), ("int64", "uint16"), n=COUNTS, p=SHARES),
    "gamma_of_shapes": _each("standard_gamma", lambda shape: OfShape("gamma", shape), REALS, shape=SHAPES),
    "geometric_of_chances": _each("geometric", _counted(discrete.Geometric), ("int64", "uint16"), p=CHANCES),
    "negative_binomial_of_counts": _each(
        "negative_binomial", _counted(discrete.NegativeBinomial), ("int64", "int32"), n=SUCCESSES, p=CHANCES
    ),
    "hypergeometric_of_balls": _each(
        "hypergeometric", _counted(discrete.Hypergeometric), ("int64", "uint16"), ngood=GOOD, nbad=BAD, nsample=SAMPLED
    ),
    "integers_of_bounds": _each("integers", _whole, ("int64",), low=LOWS, high=HIGHS),
    "normal_of_locs": _each(
        "normal", lambda loc, scale: Located(closed_forms.Normal(), loc, scale), REALS, loc=LOCS, scale=SCALES
    ),
    "exponential_of_scales": _each(
        "exponential", lambda scale: Located(closed_forms.Exponential(), 0.0, scale), REALS, scale=SCALES
    ),
    "uniform_of_bounds": _each(
        "uniform",
        lambda low, high: Spaced(low, high, "[)"),
        REALS,
        low=[0.0, -1.0, 5.0, -1e30, 1.0, -7.5, 1e-30, -3.0],
        high=[1.0, 2.0, 5.5, 1e30, 1.0 + 2.0**-20, 0.0, 1.0, 1e-3],
    ),
}
"""Methods with arrays of parameters, all of one length, for rows of so many values."""

EXAMPLES: dict[str, dict[str, Any]] = {case.method: case.arguments for case in reversed(CASES.values())} | {
    "bernoulli": {"p": 0.3},
    "choice": {"a": 3, "p": [0.5, 0.125, 0.375]},
    "integers": {"low": -3, "high": 97},
    "uniform": {"low": -1, "high": 2, "interval": "[]"},
}
"""Parameters of every distribution by name: those of its first case, but for some that show more."""
