"""Distributions by name."""

import inspect
import re
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import discrete
from clrng.distributions.distribution import Between, Continuous, Integers
from clrng.distributions.parameters import NEEDED
from clrng.distributions.quantiles import closed_forms, integrated
from tests.support.drawn_cases import CASES, EXAMPLES, Case
from tests.support.reference_draws import Located, Spaced, Whole

INT64 = np.dtype("int64")


def parameters_of(case: Case) -> dict[str, Any]:
    """Return the parameters of the distribution that a case draws from."""
    return case.arguments | ({"dtype": case.dtypes[0]} if case.method == "integers" else {})


def distribution_of(case: Case) -> clrng.Distribution:
    """Return the distribution that a case draws from, of what it must give."""
    law = case.reference
    if isinstance(law, Located):
        return Continuous(law.quantile, law.loc, law.scale)
    if isinstance(law, Whole):
        return Integers(law.low, law.n, np.dtype(case.dtypes[0]))
    return Between(law.low, law.high, law.interval) if isinstance(law, Spaced) else law.discrete


MADE: list[tuple[str, dict[str, Any], clrng.Distribution]] = [
    *((case.method, parameters_of(case), distribution_of(case)) for case in CASES.values() if case.method != "random"),
    ("normal", {}, Continuous(closed_forms.Normal())),
    ("normal", {"scale": 3}, Continuous(closed_forms.Normal(), 0.0, 3.0)),
    ("normal", {"loc": -2.5, "scale": 3}, Continuous(closed_forms.Normal(), -2.5, 3.0)),
    ("lognormal", {}, Continuous(closed_forms.Lognormal(1.0))),
    ("lognormal", {"mean": 0, "sigma": 0.5}, Continuous(closed_forms.Lognormal(0.5))),
    ("logistic", {"loc": 1, "scale": 2}, Continuous(closed_forms.Logistic(), 1.0, 2.0)),
    ("gumbel", {"loc": 1, "scale": 2}, Continuous(closed_forms.Gumbel(), 1.0, 2.0)),
    ("rayleigh", {"scale": 2}, Continuous(closed_forms.Rayleigh(), 0.0, 2.0)),
    ("triangular", {"left": 0, "mode": 1, "right": 5}, Continuous(closed_forms.Triangular(0.0, 1.0, 5.0))),
    ("vonmises", {"mu": 1, "kappa": 2}, Continuous(integrated.VonMises(2.0), 1.0)),
    ("gamma", {"shape": 2, "scale": 3}, Continuous(integrated.Gamma(2.0), 0.0, 3.0)),
    ("noncentral_f", {"dfnum": 3, "dfden": 4, "nonc": 2}, Continuous(integrated.NoncentralF(3.0, 4.0, 2.0))),
    ("uniform", {"interval": "()"}, Between(0.0, 1.0, "()")),
    ("zipf", {"a": 4}, discrete.Zipf(4.0)),
    ("integers", {"low": 6}, Integers(0, 6, INT64)),
    ("integers", {"low": -6, "high": 6, "endpoint": True}, Integers(-6, 13, INT64)),
    ("integers", {"low": 0, "high": 2**64, "dtype": "uint64"}, Integers(0, 2**64, np.dtype("uint64"))),
    ("choice", {"a": 6}, Integers(0, 6, INT64)),
    ("bernoulli", {"p": 0.25}, discrete.Bernoulli(0.25)),
    ("poisson", {}, discrete.Poisson(1.0)),
    ("poisson", {"lam": 100}, discrete.Poisson(100.0)),
    ("hypergeometric", {"ngood": 5, "nbad": 6, "nsample": 7}, discrete.Hypergeometric(5, 6, 7)),
]
"""Names, parameters, and the distributions that they stand for: of every case that is drawn, and others."""

NOT_PARAMETERS = {"self", "size", "out", "method", "replace", "axis", "shuffle"}
"""Arguments of NumPy's methods that say nothing of the distribution, or have one legal value here."""


@pytest.mark.parametrize(("name", "parameters", "expected"), MADE)
def test_a_name_with_parameters_makes_the_distribution(
    name: str, parameters: dict[str, Any], expected: clrng.Distribution
) -> None:
    found = clrng.distribution(name, **parameters)
    assert found == expected
    assert hash(found) == hash(clrng.distribution(name, **parameters))


def test_every_name_is_made_and_has_an_example() -> None:
    assert {name for name, _, _ in MADE} == set(clrng.DISTRIBUTIONS)
    assert set(EXAMPLES) >= set(clrng.DISTRIBUTIONS)


def numpys(name: str) -> dict[str, object]:
    """Return the parameters of NumPy's method of this name, with the text of their defaults."""
    first = str(getattr(np.random.Generator, name).__doc__).strip().splitlines()
    signature = re.match(r"\w+\((.*?)\)$", " ".join(line.strip() for line in first[: first.index("")]))
    assert signature
    parts = (part.strip().partition("=") for part in signature[1].split(","))
    return {key: default or NEEDED for key, _, default in parts if key not in NOT_PARAMETERS}


NUMPYS = [name for name in clrng.DISTRIBUTIONS if name != "bernoulli"]
"""Names of methods."""


def test_only_one_name_is_not_numpys() -> None:
    assert not hasattr(np.random.Generator, "bernoulli")
    assert [name for name in NUMPYS if not hasattr(np.random.Generator, name)] == []


@pytest.mark.parametrize("p", [0.0, 1e-300, 0.3, 0.5, 1.0, np.float32(0.1)])
def test_coin_flips_are_the_numbers_from_a_threshold_on(queue: cl.CommandQueue, p: float) -> None:
    """Of N numbers, each made of two raw values, the last p N are 1, their count rounded up."""
    m = 2**31 - 2
    raw = clrng.ParkMiller(seed=9).sequence(4000).astype(object).reshape(-1, 2) - 1
    ones = ceil(Fraction(float(p)) * m**2)
    right = [int(first * m + second >= m**2 - ones) for first, second in raw]
    rng = clrng.Generator(clrng.ParkMiller(seed=9), queue)
    coin = clrng.distribution("bernoulli", p=p)
    for dtype in ("int64", "uint8"):
        rng.bit_generator = clrng.ParkMiller(seed=9)
        assert_array_equal(rng.sample(coin, 2000, dtype).get(), right)
    last = clrng.LCG(multiplier=1, increment=1, modulus=2**64, seed=2**64 - 2)  # raw values 2^64 - 1 and 0
    assert clrng.Generator(last, queue).sample(coin, 2).get().tolist() == [int(p > 0), int(p == 1)]


@pytest.mark.parametrize("name", NUMPYS)
def test_parameters_and_defaults_are_numpys(name: str) -> None:
    wanted = numpys(name)
    if "dtype" in wanted:
        wanted["dtype"] = "'int64'"
    if name.startswith("standard"):
        wanted.pop("dtype", None)  # that of the values, which `sample` takes
    parameters = clrng.DISTRIBUTIONS[name].parameters
    found = {one.name: NEEDED if one.default is NEEDED else repr(one.default) for one in parameters}
    if name == "uniform":
        assert found.pop("interval") == "'[)'"  # NumPy's, which has no other
    assert list(found.items()) == list(wanted.items())


@pytest.mark.parametrize("name", NUMPYS)
def test_parameters_and_defaults_are_those_of_the_method(name: str) -> None:
    signature = inspect.signature(getattr(clrng.Generator, name)).parameters
    for parameter in clrng.DISTRIBUTIONS[name].parameters:
        default = signature[parameter.name].default
        wanted = NEEDED if default is inspect.Parameter.empty else default
        assert parameter.default == wanted or parameter.name == "dtype"


@pytest.mark.parametrize(("name", "parameters", "expected"), [row for row in MADE if row[0] in NUMPYS])
def test_the_methods_draw_the_same(
    queue: cl.CommandQueue, name: str, parameters: dict[str, Any], expected: clrng.Distribution
) -> None:
    by_method, by_name = (clrng.Generator(clrng.MRG32k3a(seed=7), queue) for _ in range(2))
    assert_array_equal(getattr(by_method, name)(size=100, **parameters).get(), by_name.sample(expected, 100).get())
    assert by_method.bit_generator == by_name.bit_generator


@pytest.mark.parametrize(
    ("name", "parameters", "error", "message"),
    [
        ("gauss", {}, ValueError, "name must be a key of clrng.DISTRIBUTIONS, such as 'normal' or 'wald', not 'gauss'"),
        (7, {}, TypeError, "name must be a key of clrng.DISTRIBUTIONS, not 7"),
        ("gamma", {}, TypeError, "shape is needed for gamma, whose parameters are shape, scale=1.0"),
        ("gamma", {"shape": 1, "rate": 2}, TypeError, "rate is not a parameter of gamma, which has shape, scale=1.0"),
        ("standard_normal", {"size": 5}, TypeError, "size is not a parameter of standard_normal, which has none"),
        ("normal", {"scale": -1}, ValueError, "scale must be a number from 0 to .*, not -1"),
        ("normal", {"loc": float("nan")}, ValueError, "loc must be a number from .*, not nan"),
        ("normal", {"locs": [1, 2]}, TypeError, "locs is not a parameter of normal, which has loc=0.0, scale=1.0"),
        ("gamma", {"scale": [1, 2]}, TypeError, "shape is needed for gamma, whose parameters are shape, scale=1.0"),
        ("vonmises", {"mu": "x", "kappa": 1}, TypeError, "mu must be a number from"),
        ("lognormal", {"mean": 1000}, ValueError, "mean must be a number from -700 to 700, not 1000"),
        ("gamma", {"shape": -1}, ValueError, "shape must be a number from"),
        ("binomial", {"n": 1.5, "p": 0.5}, TypeError, "n must be an integer from 0 to 9223372036854775807, not 1.5"),
        ("binomial", {"n": 5, "p": 1.5}, ValueError, "p must be a number from 0 to 1, not 1.5"),
        ("choice", {"a": 3, "p": [0.5, 0.5]}, ValueError, "p must be 3 probabilities, one of each element, not 2"),
        ("choice", {"a": 2, "p": [0.5, 0.6]}, ValueError, "p must be .* whose sum is 1, and its sum is 1.1"),
        ("choice", {"a": [1, 2]}, TypeError, "a must be an integer from 1"),
        ("integers", {"low": 5, "high": 5}, ValueError, "high must be above 5, which is low, not 5"),
        ("integers", {"low": 0, "high": 300, "dtype": "int8"}, ValueError, "high must be an integer from -128 to 128"),
    ],
)
def test_errors(name: Any, parameters: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        clrng.distribution(name, **parameters)


def test_integers_as_any_dtype_that_holds_them(queue: cl.CommandQueue) -> None:
    die = clrng.distribution("integers", low=1, high=6, endpoint=True)
    assert die.dtypes == ("int64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64")
    expected = clrng.Generator(clrng.ParkMiller(seed=3), queue).integers(1, 7, 1000).get()
    assert set(expected.tolist()) == set(range(1, 7))
    for dtype in die.dtypes:
        found = clrng.Generator(clrng.ParkMiller(seed=3), queue).sample(die, 1000, dtype).get()
        assert found.dtype == dtype
        assert_array_equal(found, expected)
    assert clrng.distribution("integers", low=-1, high=256).dtypes == ("int64", "int16", "int32")
    with pytest.raises(ValueError, match="^dtype must be int64 or int16 or int32, not uint8"):
        clrng.Generator(clrng.ParkMiller(seed=3), queue).sample(
            clrng.distribution("integers", low=-1, high=256), 5, "uint8"
        )


def test_integers_of_generators_that_multiply_in_128_bits(queue: cl.CommandQueue) -> None:
    """Generators of such a modulus have a function for the upper halves of products, and so has the distribution."""
    bits = clrng.LCG(multiplier=437799614237992725, increment=0, modulus=2**61 - 1, seed=5)
    raw, m = bits.sequence(100).tolist(), 2**61 - 2
    found = clrng.Generator(bits, queue).sample(clrng.distribution("integers", low=1000), 100)
    assert found.get().tolist() == [(x - 1) * 1000 // m for x in raw]


def test_only_distributions_are_drawn(queue: cl.CommandQueue) -> None:
    for front_end in (clrng.Generator(clrng.ParkMiller(1), queue), clrng.Streams.by_jumps(clrng.ParkMiller(1), 2)):
        with pytest.raises(TypeError, match="^distribution must be one of clrng, such as .*, not 'normal'"):
            front_end.sample("normal", 5)  # type: ignore[arg-type]


def test_lists_and_arrays_of_a_distribution_are_copied(queue: cl.CommandQueue) -> None:
    locs: Any = [[1.0, 2.0], np.array([1.0, 2.0])]
    for loc in locs:
        law = clrng.distribution("normal", loc=loc)
        before = clrng.Generator(clrng.PCG64(1), queue).sample(law).get()
        loc[0] = 1e6
        assert np.array_equal(clrng.Generator(clrng.PCG64(1), queue).sample(law).get(), before)
        assert law != clrng.distribution("normal", loc=loc)
