"""Distributions by the names, the parameters and the defaults of the methods of NumPy's `Generator`."""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from math import frexp, ldexp
from typing import Any, cast

import numpy as np

from clrng import validation
from clrng.distributions import discrete
from clrng.distributions.distribution import (
    ANY_REAL,
    NO_NEGATIVE,
    Between,
    Continuous,
    Distribution,
    Integers,
    LibraryFloats,
    integers,
)
from clrng.distributions.foreign import Inverted, as_distribution
from clrng.distributions.parameters import NEEDED, Declared, Parameter, Range, integer
from clrng.distributions.quantiles import closed_forms, integrated
from clrng.distributions.quantiles.elementary import exp
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.transforms.transform import Transform
from clrng.distributions.transforms.uniform import LIBRARY_FLOATS

MEAN_OF_LOGARITHMS = Range(-700.0, 700.0)
"""The exponential of these is a float64."""


@dataclass(frozen=True)
class NamedDistribution:
    """A distribution whose parameters are still to be given.

    Its `name` is that of NumPy's method, which all but bernoulli have, and `about` says in a line what it is. `law` is
    the class of its quantile function or thresholds, or its own. `make` takes all parameters by name.
    """

    name: str
    about: str
    law: type[Declared | Distribution]
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
        self.check_names(given)
        return self.make(**{parameter.name: parameter.default for parameter in self.parameters} | given)

    def check_names(self, given: Mapping[str, Any]) -> None:
        """Raise a TypeError if a parameter is missing, or there is none of a name."""
        for name in given:
            if name not in {parameter.name for parameter in self.parameters}:
                raise TypeError(f"{name} is not a parameter of {self.name}, which has {self.signature}")
        for parameter in self.parameters:
            if parameter.default is NEEDED and parameter.name not in given:
                raise TypeError(f"{parameter.name} is needed for {self.name}, whose parameters are {self.signature}")

    @property
    def is_placed(self) -> bool:
        """Whether it has loc, scale or mu, which move and stretch its values."""
        return not {MU, *PLACES.values()}.isdisjoint(self.parameters)

    @property
    def signature(self) -> str:
        """The parameters with their defaults, as text."""
        return ", ".join(map(str, self.parameters)) or "none"


MEAN = Parameter("mean", 0.0, check=MEAN_OF_LOGARITHMS.check)
MU = Parameter("mu", check=ANY_REAL.check)
PLACES = {
    "loc": Parameter("loc", 0.0, check=ANY_REAL.check),
    "scale": Parameter("scale", 1.0, check=NO_NEGATIVE.check),
}


def continuous(name: str, about: str, law: type[Quantile], *places: str) -> NamedDistribution:
    """Return the row of a continuous distribution; `places` are those of loc and scale that are parameters too."""

    def make(**given: Any) -> Distribution:
        placed = {place: given.pop(place) for place in places}
        return Continuous(law(**given), **placed)

    return NamedDistribution(name, about, law, (*law.parameters(), *(PLACES[place] for place in places)), make)


def named(name: str, about: str, law: type[Any], make: Any = None, *first: Parameter) -> NamedDistribution:
    """Return the row of a law that is a distribution itself, or of which `make` makes one, with `first` parameters."""
    return NamedDistribution(name, about, law, (*first, *law.parameters()), make or law)


def _lognormal(mean: float, sigma: float) -> Distribution:
    factor = float(exp(np.array(MEAN_OF_LOGARITHMS.check("mean", mean))))
    return Continuous(closed_forms.Lognormal(sigma), 0.0, factor, ("loc", "exp(mean)"))


def _vonmises(mu: float, kappa: float) -> Distribution:
    return Continuous(integrated.VonMises(kappa), mu, names=("mu", "scale"))


def _triangular(**given: float) -> Distribution:
    law = closed_forms.Triangular(**given)
    doublings = min(frexp(max(abs(law.left), abs(law.right)))[1] - MOST_DOUBLINGS, MOST_DOUBLINGS)
    if doublings <= 0:
        return Continuous(law)
    ends = {name: ldexp(float(end), -doublings) for name, end in vars(law).items()}
    return Continuous(closed_forms.Triangular(**ends), scale=2.0**doublings)


def _choice(a: int, p: Any) -> Distribution:
    count = validation.integer("a", a, 1, 2**63)
    if p is None:
        return integers(0, count)
    if isinstance(p, (list, tuple, np.ndarray)) and np.ndim(p) == 1 and len(p) != count:
        raise ValueError(f"p must be {count} probabilities, one of each element, not {len(p)}")
    return discrete.Choice(cast("Any", p))


MOST_DOUBLINGS = 100
"""Triangular distributions of larger ends than 2 to this power have tables of smaller ones, whose values are doubled:
no coefficient is larger than a float32 then. They are doubled so many times at most."""


def _bound(name: str, value: Any) -> int:
    return integer(name, value, -(2**63), 2**64)


INTEGERS = (
    Parameter("low", kind="integer", check=_bound),
    Parameter("high", None, "integer", check=_bound),
    Parameter("dtype", "int64", "dtype"),
    Parameter("endpoint", False, "flag"),
)

ROWS = (
    continuous("standard_normal", "normal, mean 0, standard deviation 1", closed_forms.Normal),
    continuous("normal", "normal (Gaussian), mean loc, standard deviation scale", closed_forms.Normal, "loc", "scale"),
    named("lognormal", "numbers whose logarithm is normal", closed_forms.Lognormal, _lognormal, MEAN),
    continuous("standard_exponential", "exponential, mean 1", closed_forms.Exponential),
    continuous("exponential", "exponential, mean scale", closed_forms.Exponential, "scale"),
    continuous("laplace", "Laplace, double exponential", closed_forms.Laplace, "loc", "scale"),
    continuous("logistic", "logistic", closed_forms.Logistic, "loc", "scale"),
    continuous("gumbel", "Gumbel, of largest values", closed_forms.Gumbel, "loc", "scale"),
    continuous("standard_cauchy", "Cauchy", closed_forms.Cauchy),
    continuous("rayleigh", "Rayleigh, the length of a normal vector in the plane", closed_forms.Rayleigh, "scale"),
    continuous("weibull", "Weibull of shape a", closed_forms.Weibull),
    continuous("pareto", "Pareto of the second kind (Lomax), shape a", closed_forms.Pareto),
    continuous("power", "density a x^(a - 1) on [0, 1]", closed_forms.Power),
    named("triangular", "triangular from left to right", closed_forms.Triangular, _triangular),
    named("vonmises", "von Mises angles, mode mu, concentration kappa", integrated.VonMises, _vonmises, MU),
    continuous("wald", "Wald, inverse Gaussian", integrated.Wald),
    continuous("standard_gamma", "gamma of this shape, scale 1", integrated.Gamma),
    continuous("gamma", "gamma of this shape and scale", integrated.Gamma, "scale"),
    continuous("chisquare", "chi-square, df degrees of freedom", integrated.ChiSquare),
    continuous("beta", "beta of shapes a and b", integrated.Beta),
    continuous("f", "Fisher's F", integrated.FisherF),
    continuous("standard_t", "Student's t, df degrees of freedom", integrated.StudentT),
    continuous("noncentral_chisquare", "noncentral chi-square", integrated.NoncentralChiSquare),
    continuous("noncentral_f", "noncentral F", integrated.NoncentralF),
    named("uniform", "uniform from low to high", Between),
    NamedDistribution(
        "integers",
        "integers from low to high - 1, or to high with endpoint; without high those below low",
        Integers,
        INTEGERS,
        integers,
    ),
    NamedDistribution(
        "choice",
        "integers below a, with probabilities p or as likely as one another",
        discrete.Choice,
        (Parameter("a", kind="integer"), Parameter("p", None, "numbers")),
        _choice,
    ),
    named("bernoulli", "1 with probability p, else 0", discrete.Bernoulli),
    named("poisson", "Poisson, mean lam", discrete.Poisson),
    named("binomial", "successes in n trials", discrete.Binomial),
    named("negative_binomial", "failures before n successes", discrete.NegativeBinomial),
    named("geometric", "trials until one succeeds", discrete.Geometric),
    named("hypergeometric", "good ones among nsample of ngood good and nbad bad ones", discrete.Hypergeometric),
    named("logseries", "logarithmic series", discrete.Logseries),
    named("zipf", "Zipf, exponent a", discrete.Zipf),
)

DISTRIBUTIONS: dict[str, NamedDistribution] = {row.name: row for row in ROWS}
"""The distributions by name, the continuous ones first.

Each has the attributes ``name``, ``about`` and ``parameters``; its call with the parameters by name makes a
`Distribution`. A row that is added is a distribution like the others."""


def name_of(chosen: Distribution) -> str:
    """Return the name of NumPy's method with the same parameters; of others the name of the class."""
    if isinstance(chosen, LibraryFloats):
        return chosen.function
    law: type = type(chosen.quantile if isinstance(chosen, Continuous) else chosen)
    for row in DISTRIBUTIONS.values():
        if row.law is law:
            placed = isinstance(chosen, Continuous) and (chosen.loc, chosen.scale) != (0.0, 1.0)
            return row.name.removeprefix("standard_") if placed else row.name
    return "sample" if law is Inverted else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", law.__name__).lower()


def like(name: str) -> Distribution:
    """Return a distribution with the dtypes of those of this name and, but for `integers`, the steps of a value."""
    law = DISTRIBUTIONS[name].law
    if issubclass(law, (discrete.Discrete, Integers)):
        return discrete.Bernoulli(0.5)
    if law is Between:
        return Between()
    return by_name("standard_normal" if issubclass(law, closed_forms.Normal) else "standard_exponential")


def takes_arrays(name: str, parameters: Mapping[str, Any]) -> bool:
    """Return whether `name` is a distribution of which all these parameters are single numbers."""
    if name not in DISTRIBUTIONS or name == "choice":
        return False
    kinds = {each.name: each.kind for each in DISTRIBUTIONS[name].parameters}
    return all(kinds.get(key) in {"number", "integer"} for key in parameters)


@dataclass(frozen=True, eq=False)
class OfArrays(Distribution):
    """A distribution by name of which some parameters are arrays; a call says to which shape they are broadcast."""

    name: str
    parameters: Mapping[str, Any]

    def __post_init__(self) -> None:
        DISTRIBUTIONS[self.name].check_names(self.parameters)
        copied = {
            key: deepcopy(value) if isinstance(value, (np.ndarray, list, tuple)) else value
            for key, value in self.parameters.items()
        }
        object.__setattr__(self, "parameters", copied)

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return like(self.name).dtypes

    @property
    def only_places(self) -> bool:
        """Whether only loc, scale and mu, which move and stretch values, are arrays."""
        places = {each.name for each in (MU, *PLACES.values()) if each in DISTRIBUTIONS[self.name].parameters}
        return all(key in places for key, value in self.parameters.items() if is_array(value))

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: ARG002, D102
        raise TypeError(f"distribution must have parameters that are numbers here, not arrays such as those of {self}")

    def __str__(self) -> str:
        given = ", ".join(f"{key}={validation.shown(value)}" for key, value in self.parameters.items())
        return f"{self.name}({given})"


def is_array(value: Any) -> bool:
    """Return whether `value` is a sequence but no text, an array of any kind that has an axis, or one of NumPy."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return True
    try:
        return validation.is_sequence(value) or bool(getattr(value, "shape", ()))
    except Exception:  # noqa: BLE001  # whatever somebody's class raises
        return False


def by_name(name: Any, /, **parameters: Any) -> Distribution:
    """Return a distribution by its name, of parameters that are numbers."""
    if isinstance(name, str) and name in LIBRARY_FLOATS:
        for given in parameters:
            raise TypeError(f"{given} is not a parameter of {name}, which has none")
        return LibraryFloats(name)
    titles = {row.name: row.about for row in DISTRIBUTIONS.values()} | dict.fromkeys(LIBRARY_FLOATS, "")
    return DISTRIBUTIONS[validation.key("name", name, titles, "a key of clrng.DISTRIBUTIONS")](**parameters)


def distribution(name: Any, /, **parameters: Any) -> Distribution:
    """Return a distribution by the name of NumPy's method, or bernoulli, for `Generator.sample` and `Streams.sample`.

    Parameters
    ----------
    name : str, frozen distribution of scipy.stats, or callable
        A key of `clrng.DISTRIBUTIONS`; or ``"random_sample"`` or ``"generate_canonical"``, without parameters, for
        uniform numbers in [0, 1) as NumPy's `RandomState` and Python's `random`, or C++, make them of raw values of 32
        or 64 bits. A callable is an inverse distribution function, of an array of probabilities.
    **parameters
        Those of NumPy's method, with its names and defaults: numbers, or arrays that `sample` broadcasts to the shape
        of its result. `integers` takes `dtype` too. A distribution of SciPy and a callable take none.

    Returns
    -------
    Distribution
        Frozen and hashable: two of the same name and parameters are equal, but one with arrays, which are copied, only
        to itself. So is one of SciPy or of a callable. Its numbers depend on the library that computes them: its repr
        shows a digest of them, and a pickle has the tables that were made before.

    Raises
    ------
    TypeError
        If `name` is none of these, a parameter is missing, there is none of that name, or it is of the wrong type.
    ValueError
        If there is no such distribution or a parameter is out of its range; or if the functions of SciPy or the
        callable give no numbers, or an inverse that decreases.

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
    arrays = {key: value for key, value in parameters.items() if is_array(value)}
    if arrays and isinstance(name, str) and takes_arrays(name, arrays):
        return OfArrays(name, parameters)
    return by_name(name, **parameters)
