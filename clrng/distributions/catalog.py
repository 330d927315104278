"""Distributions by the names, the parameters and the defaults of the methods of NumPy's `Generator`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from clrng import validation
from clrng.distributions.distribution import (
    Between,
    Continuous,
    Counted,
    Distribution,
    LibraryFloats,
    integers,
)
from clrng.distributions.foreign import as_distribution
from clrng.distributions.quantiles.closed_forms import (
    Cauchy,
    Exponential,
    Gumbel,
    Laplace,
    Logistic,
    Lognormal,
    Normal,
    Pareto,
    Power,
    Rayleigh,
    Triangular,
    Weibull,
)
from clrng.distributions.quantiles.discrete import (
    Bernoulli,
    Binomial,
    Choice,
    Geometric,
    Hypergeometric,
    Logseries,
    NegativeBinomial,
    Poisson,
    Zipf,
)
from clrng.distributions.quantiles.elementary import exp
from clrng.distributions.quantiles.gamma_beta import Beta, ChiSquare, FisherF, Gamma, StudentT
from clrng.distributions.quantiles.noncentral import NoncentralChiSquare, NoncentralF
from clrng.distributions.quantiles.quantile import Quantile, real
from clrng.distributions.quantiles.wald_vonmises import VonMises, Wald
from clrng.distributions.transforms.floats import LIBRARY_FLOATS

Kind = Literal["number", "integer", "numbers", "flag", "dtype", "text"]

NEEDED = object()
"""Stands for the default of a parameter that has none."""

LARGEST_LOGARITHM = 700.0
"""The largest mean of a logarithm; its exponential is a float64."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a distribution.

    Attributes
    ----------
    name : str
        NumPy's.
    default : object
        `NEEDED` where there is none.
    kind : {"number", "integer", "numbers", "flag", "dtype", "text"}
    """

    name: str
    default: Any = NEEDED
    kind: Kind = "number"

    def __str__(self) -> str:
        return self.name if self.default is NEEDED else f"{self.name}={self.default!r}"


@dataclass(frozen=True)
class NamedDistribution:
    """A distribution whose parameters are still to be given.

    Attributes
    ----------
    name : str
        Of NumPy's method, which all but bernoulli have.
    about : str
        What it is, in a line.
    parameters : tuple of Parameter
    make : callable
        Takes all parameters by name, and returns a `Distribution`.
    """

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    make: Callable[..., Distribution]

    def __call__(self, **given: Any) -> Distribution:
        """Return the distribution with these parameters.

        Raises
        ------
        TypeError
            If a parameter is missing, there is none of that name, or it is of the wrong type.
        ValueError
            If a parameter is out of its range.
        """
        for name in given:
            if name not in {parameter.name for parameter in self.parameters}:
                raise TypeError(f"{name} is not a parameter of {self.name}, which has {self.signature}")
        for parameter in self.parameters:
            if parameter.default is NEEDED and parameter.name not in given:
                raise TypeError(f"{parameter.name} is needed for {self.name}, whose parameters are {self.signature}")
        return self.make(**{parameter.name: parameter.default for parameter in self.parameters} | given)

    @property
    def signature(self) -> str:
        """The parameters with their defaults, as text."""
        return ", ".join(map(str, self.parameters)) or "none"


def _continuous(quantile: Callable[..., Quantile], *places: str) -> Callable[..., Distribution]:
    """Return what makes a `Continuous` of parameters; `places` are those of loc and scale that are among them."""

    def make(**given: Any) -> Distribution:
        placed = {name: given.pop(name) for name in places}
        return Continuous(quantile(**given), **placed)

    return make


def _lognormal(mean: float, sigma: float) -> Distribution:
    factor = float(exp(np.array(real("mean", mean, -LARGEST_LOGARITHM, LARGEST_LOGARITHM))))
    return Continuous(Lognormal(sigma), 0.0, factor, ("loc", "exp(mean)"))


def _vonmises(mu: float, kappa: float) -> Distribution:
    return Continuous(VonMises(kappa), mu, names=("mu", "scale"))


def _integers(low: int, high: int | None, dtype: Any, endpoint: bool) -> Distribution:
    return integers(low, high, dtype, endpoint)


def _choice(a: int, p: Any) -> Distribution:
    count = validation.integer("a", a, 1, 2**63)
    if p is None:
        return integers(0, count)
    if isinstance(p, (list, tuple, np.ndarray)) and np.ndim(p) == 1 and len(p) != count:
        raise ValueError(f"p must be {count} probabilities, one of each element, not {len(p)}")
    return Counted(Choice(p))


def _counted(discrete: Callable[..., Any]) -> Callable[..., Distribution]:
    return lambda **given: Counted(discrete(**given))


LOC, SCALE = Parameter("loc", 0.0), Parameter("scale", 1.0)
A, B, DF, P = Parameter("a"), Parameter("b"), Parameter("df"), Parameter("p")
whole = partial(Parameter, kind="integer")

ROWS = (
    ("standard_normal", "normal, mean 0, standard deviation 1", (), _continuous(Normal)),
    ("normal", "normal, mean loc, standard deviation scale", (LOC, SCALE), _continuous(Normal, "loc", "scale")),
    (
        "lognormal",
        "numbers whose logarithm is normal",
        (Parameter("mean", 0.0), Parameter("sigma", 1.0)),
        _lognormal,
    ),
    ("standard_exponential", "exponential, mean 1", (), _continuous(Exponential)),
    ("exponential", "exponential, mean scale", (SCALE,), _continuous(Exponential, "scale")),
    ("laplace", "Laplace, double exponential", (LOC, SCALE), _continuous(Laplace, "loc", "scale")),
    ("logistic", "logistic", (LOC, SCALE), _continuous(Logistic, "loc", "scale")),
    ("gumbel", "Gumbel, of largest values", (LOC, SCALE), _continuous(Gumbel, "loc", "scale")),
    ("standard_cauchy", "Cauchy", (), _continuous(Cauchy)),
    ("rayleigh", "Rayleigh, the length of a normal vector in the plane", (SCALE,), _continuous(Rayleigh, "scale")),
    ("weibull", "Weibull of shape a", (A,), _continuous(Weibull)),
    ("pareto", "Pareto of the second kind (Lomax), shape a", (A,), _continuous(Pareto)),
    ("power", "density a x^(a - 1) on [0, 1]", (A,), _continuous(Power)),
    (
        "triangular",
        "triangular from left to right",
        (Parameter("left"), Parameter("mode"), Parameter("right")),
        _continuous(Triangular),
    ),
    (
        "vonmises",
        "von Mises angles, mode mu, concentration kappa",
        (Parameter("mu"), Parameter("kappa")),
        _vonmises,
    ),
    ("wald", "Wald, inverse Gaussian", (Parameter("mean"), Parameter("scale")), _continuous(Wald)),
    ("standard_gamma", "gamma of this shape, scale 1", (Parameter("shape"),), _continuous(Gamma)),
    ("gamma", "gamma of this shape and scale", (Parameter("shape"), SCALE), _continuous(Gamma, "scale")),
    ("chisquare", "chi-square, df degrees of freedom", (DF,), _continuous(ChiSquare)),
    ("beta", "beta of shapes a and b", (A, B), _continuous(Beta)),
    ("f", "Fisher's F", (Parameter("dfnum"), Parameter("dfden")), _continuous(FisherF)),
    ("standard_t", "Student's t, df degrees of freedom", (DF,), _continuous(StudentT)),
    ("noncentral_chisquare", "noncentral chi-square", (DF, Parameter("nonc")), _continuous(NoncentralChiSquare)),
    (
        "noncentral_f",
        "noncentral F",
        (Parameter("dfnum"), Parameter("dfden"), Parameter("nonc")),
        _continuous(NoncentralF),
    ),
    (
        "uniform",
        "uniform from low to high",
        (Parameter("low", 0.0), Parameter("high", 1.0), Parameter("interval", "[)", "text")),
        Between,
    ),
    (
        "integers",
        "integers from low to high - 1, or to high with endpoint; without high those below low",
        (whole("low"), whole("high", None), Parameter("dtype", "int64", "dtype"), Parameter("endpoint", False, "flag")),
        _integers,
    ),
    (
        "choice",
        "integers below a, with probabilities p or as likely as one another",
        (whole("a"), Parameter("p", None, "numbers")),
        _choice,
    ),
    ("bernoulli", "1 with probability p, else 0", (P,), _counted(Bernoulli)),
    ("poisson", "Poisson, mean lam", (Parameter("lam", 1.0),), _counted(Poisson)),
    ("binomial", "successes in n trials", (whole("n"), P), _counted(Binomial)),
    ("negative_binomial", "failures before n successes", (Parameter("n"), P), _counted(NegativeBinomial)),
    ("geometric", "trials until one succeeds", (P,), _counted(Geometric)),
    (
        "hypergeometric",
        "good ones among nsample of ngood good and nbad bad ones",
        (whole("ngood"), whole("nbad"), whole("nsample")),
        _counted(Hypergeometric),
    ),
    ("logseries", "logarithmic series", (P,), _counted(Logseries)),
    ("zipf", "Zipf, exponent a", (A,), _counted(Zipf)),
)

DISTRIBUTIONS: dict[str, NamedDistribution] = {row[0]: NamedDistribution(*row) for row in ROWS}
"""The distributions by name, the continuous ones first.

Each has the attributes ``name``, ``about`` and ``parameters``; its call with the parameters by name makes a
`Distribution`."""


def distribution(name: Any, /, **parameters: Any) -> Distribution:
    """Return a distribution by the name of NumPy's method, or bernoulli, for `Generator.sample` and `Streams.sample`.

    Parameters
    ----------
    name : str, frozen distribution of scipy.stats, or callable
        A key of `clrng.DISTRIBUTIONS`; or ``"random_sample"`` or ``"generate_canonical"``, without parameters, for
        uniform numbers in [0, 1) as NumPy's `RandomState` and Python's `random`, or C++, make them of raw values of 32
        or 64 bits. A callable is an inverse distribution function, of an array of probabilities.
    **parameters
        Those of NumPy's method, with its names and defaults: numbers, not arrays. That of `integers` takes `dtype`
        too. One of SciPy, and a callable, take none.

    Returns
    -------
    Distribution
        Frozen and hashable: two of the same name and parameters are equal. One of SciPy or of a callable is equal only
        to itself; its numbers depend on the library that computes them, of which its repr shows a digest, and a pickle
        has those that were made before.

    Raises
    ------
    TypeError
        If `name` is none of these, a parameter is missing, there is none of that name, or it is of the wrong type.
    ValueError
        If there is no such distribution or a parameter is out of its range; or if the functions of SciPy or the
        callable give no numbers, or an inverse that falls.

    Examples
    --------
    >>> import clrng
    >>> die = clrng.distribution("integers", low=1, high=6, endpoint=True)
    >>> clrng.Generator(clrng.ParkMiller(seed=1)).sample(die, 5).get().tolist()
    [1, 1, 5, 3, 4]
    """
    if not isinstance(name, (str, type)) and (callable(name) or hasattr(name, "ppf")):
        for given in parameters:
            raise TypeError(f"{given} is not a parameter of {validation.shown(name)}, which has none left to be given")
        return as_distribution(name)
    if isinstance(name, str) and name in LIBRARY_FLOATS:
        for given in parameters:
            raise TypeError(f"{given} is not a parameter of {name}, which has none")
        return LibraryFloats(name)
    return DISTRIBUTIONS[validation.choice("name", name, DISTRIBUTIONS)](**parameters)
