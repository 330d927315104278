"""Distributions of SciPy and inverse distribution functions of the user: their values, errors and pickles."""

import copy
import pickle
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import clrng
from clrng.distributions.distribution import Continuous
from clrng.distributions.foreign import Cumulated, Inverted, as_distribution
from clrng.distributions.quantiles.tables import inverse_table
from clrng.generators import BitGenerator
from clrng.opencl.devices import describe
from tests.conftest import make_queue
from tests.support.generators import GENERATORS
from tests.support.processes import said
from tests.support.reference_draws import numbers

stats = pytest.importorskip("scipy.stats")

COUNT = 400
KINDS = ("park_miller", "lcg_2^32", "lcg_2^64", "mrg32k3a")

CONTINUOUS: dict[str, Any] = {
    "norm": stats.norm(3, 0.5), "gamma": stats.gamma(2.5), "beta": stats.beta(2, 5), "expon": stats.expon(1),
    "genextreme": stats.genextreme(-0.1), "johnsonsu": stats.johnsonsu(1.5, 2), "weibull_min": stats.weibull_min(1.7),
    "loguniform": stats.loguniform(0.01, 10),
}  # fmt: skip
DISCRETE: dict[str, Any] = {
    "poisson": stats.poisson(3.5), "binom": stats.binom(20, 0.3), "randint": stats.randint(-3, 9),
    "skellam": stats.skellam(4, 6), "boltzmann": stats.boltzmann(0.3, 50), "betabinom": stats.betabinom(30, 2, 3),
    "rv_discrete": stats.rv_discrete(values=([1, 4, 9], [0.25, 0.5, 0.25]))(), "nbinom": stats.nbinom(5, 0.4, loc=10),
}  # fmt: skip


def uniform_to(top: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda p: top * p


def drawn_numbers(bits: BitGenerator, n: int, steps: int) -> tuple[list[int], int]:
    """Return the numbers of the next values, and how many numbers there are."""
    return numbers(bits, n, steps), (bits.upper_bound - bits.min_value) ** steps


def right_values(ppf: Any, isf: Any, drawn: list[int], count: int) -> np.ndarray:
    """Return F^-1((X + 1/2) / N) of each X, from the end that is nearer."""
    tails = [float(Fraction(2 * min(x, count - 1 - x) + 1, 2 * count)) for x in drawn]
    upper = np.array([x > count - 1 - x for x in drawn])
    return np.where(upper, isf(np.array(tails)), ppf(np.array(tails)))


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize("kind", KINDS)
def test_continuous_distributions_of_scipy(queue: cl.CommandQueue, kind: str, name: str) -> None:
    """Values are right to 8 halves of a unit in the last place as float32, to what SciPy is right to as float64."""
    frozen, bits = CONTINUOUS[name], GENERATORS[kind]
    floor = max(abs(frozen.ppf(0.25)), abs(frozen.isf(0.25))) / 2 if frozen.ppf(1e-18) < 0 < frozen.isf(1e-18) else 0
    for dtype, tolerance in (("float32", 8 * 2.0**-24), ("float64", 1e-11)):
        if dtype == "float64" and not describe(queue.device).fp64:
            continue
        steps = 1 if dtype == "float32" or bits.upper_bound - bits.min_value > 2**32 else 2
        rng = clrng.Generator(bits.copy(), queue)
        found = rng.sample(frozen, COUNT, dtype).get()
        assert found.dtype == dtype
        assert rng.bit_generator == bits.jumped(COUNT * steps)
        right = right_values(frozen.ppf, frozen.isf, *drawn_numbers(bits, COUNT, steps))
        assert np.max(np.abs(found - right) / np.maximum(np.abs(right), floor)) <= tolerance


@pytest.mark.parametrize("name", DISCRETE)
@pytest.mark.parametrize("kind", KINDS)
def test_discrete_distributions_of_scipy(queue: cl.CommandQueue, kind: str, name: str) -> None:
    """A number X is the least k with X < F(k) N, where F is the float64 of `cdf`, or 1 minus that of `sf` if larger."""
    frozen, bits = DISCRETE[name], GENERATORS[kind]
    rng, steps = clrng.Generator(bits.copy(), queue), 1 if bits.upper_bound - bits.min_value > 2**32 else 2
    found = rng.sample(frozen, 4 * COUNT).get()
    drawn, count = drawn_numbers(bits, 4 * COUNT, steps)
    least = int(frozen.ppf(2.0**-64))
    values = range(least, least + 300)
    below, above = frozen.cdf(np.array(values)), frozen.sf(np.array(values))
    exact = [Fraction(float(f)) if f < s else 1 - Fraction(float(s)) for f, s in zip(below, above, strict=True)]
    thresholds = [ceil(part * count) for part in exact]
    assert_array_equal(found, [values[bisect_right(thresholds, x)] for x in drawn])
    assert rng.bit_generator == bits.jumped(4 * COUNT * steps)
    assert len(set(found.tolist())) > 2


@pytest.mark.parametrize("kind", KINDS)
def test_an_inverse_distribution_function(queue: cl.CommandQueue, kind: str) -> None:
    bits = GENERATORS[kind]
    found = clrng.Generator(bits.copy(), queue).sample(np.sqrt, COUNT).get()
    drawn, count = drawn_numbers(bits, COUNT, 1)
    assert_allclose(found, [((x + 0.5) / count) ** 0.5 for x in drawn], rtol=4 * 2.0**-24)
    streams = clrng.Streams.by_jumps(bits, 3, queue=queue).sample(np.sqrt, 5).get()
    assert_array_equal(streams[:, 0], found[:5])


def test_the_upper_tail_of_a_function_ends_at_the_float_below_1(queue: cl.CommandQueue) -> None:
    largest = clrng.LCG(1, 1, 2**64, 2**64 - 2)  # the next raw value is the last one
    assert clrng.Generator(largest, queue).sample(stats.norm.ppf).get() == np.float32(stats.norm.isf(2.0**-53))


def test_a_distribution_is_looked_at_once(queue: cl.CommandQueue) -> None:
    frozen, asked = stats.gamma(2.5), []

    def ppf(p: np.ndarray) -> np.ndarray:
        asked.append(np.size(p))
        return frozen.ppf(p)

    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    first = rng.sample(ppf, 10)
    before = len(asked)
    assert rng.sample(ppf, 10).dtype == first.dtype
    assert len(asked) == before
    assert as_distribution(frozen) is as_distribution(frozen)
    assert as_distribution(frozen) != as_distribution(stats.gamma(2.5))


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (lambda p: p * np.nan, ValueError, "distribution must give a number for every probability, not nan for "),
        (lambda p: np.where(p < 1e-12, np.nan, p), ValueError, "distribution must give a number for every probability"),
        (lambda _: 1.0, ValueError, r"distribution must give a number .* of the shape \(\d+,\), not array\(1"),
        (lambda p: p[1:], ValueError, "distribution must give a number for every probability"),
        (np.cos, ValueError, "distribution must have an inverse distribution function that never falls"),
        (stats.norm.isf, ValueError, "distribution must have an inverse distribution function that never falls"),
        (stats.norm(scale=-1), ValueError, "distribution must give a number for every probability"),
        (stats.poisson(-1), ValueError, "distribution must have an integer for every probability, not .nan."),
        (stats.poisson(1e14), ValueError, "distribution must have an integer for"),
        (stats.randint(0, 10**8), ValueError, "distribution spreads over more than 4194304 values, from "),
        (stats.zipf(1.5), ValueError, "distribution spreads over more than 4194304 values, from 1 to "),
        ("normal", TypeError, "distribution must be one of clrng, .* not 'normal'"),
        (stats.norm(["a", "b"]), TypeError, "distribution must have real numbers as loc, not array"),
        (stats.norm(0, [1, -1, 1]), ValueError, "(?s:distribution must give .*, as element 1 of scale has it)"),
        (stats.poisson(mu=[1, -1.0, 2]), ValueError, "(?s:distribution must have an .*, as element 1 of mu has it)"),
        (None, TypeError, "distribution must be one of clrng, .* not None"),
        (float, TypeError, "distribution must be one of clrng, .* not the class float"),
        ([0.5, 0.5], TypeError, r"distribution must be one of clrng, .* not \[0.5, 0.5\]"),
        (np.ones(3), TypeError, "distribution must be one of clrng, .* not array"),
        (lambda u: u * 1j, TypeError, "distribution must give real numbers for .* of dtype complex128"),
        (lambda u: u.astype(str), TypeError, "distribution must give real numbers for .* of dtype <U"),
        (lambda u: u.astype(str).astype(object), TypeError, "distribution must give real numbers .* of dtype object"),
        (lambda u: (u * 1j).astype(object), TypeError, "distribution must give real numbers .* of dtype object"),
        (stats.gamma, TypeError, r"distribution must be frozen, such as scipy.stats.gamma\(a\), where a are numbers"),
        (stats.beta, TypeError, r"distribution must be frozen, .* scipy.stats.beta\(a, b\), where a, b are numbers"),
        (stats.poisson, TypeError, r"distribution must be frozen, such as scipy.stats.poisson\(mu\), where mu are"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_from(queue: cl.CommandQueue, value: Any, error: type[Exception], said: str) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    with pytest.raises(error, match=f"^{said}"):
        rng.sample(value, 3)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_quantiles_that_scipy_does_not_find_are_not_asked_for() -> None:
    frozen = pytest.importorskip("scipy.stats").zipf(1.1)  # whose ppf adds up probabilities one by one
    with pytest.raises(ValueError, match="^distribution spreads over more than 4194304 values, from 580 on"):
        clrng.distribution(frozen)


def test_what_a_function_raises_is_raised() -> None:
    def fails(_: Any) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="^mine$"):
        clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0)).sample(fails, 3)


def test_distributions_that_are_made_before_they_are_drawn(queue: cl.CommandQueue) -> None:
    for value in (stats.gamma(2.5), stats.poisson(3.5), np.sqrt):
        made = clrng.distribution(value)
        assert made is as_distribution(value)
        with pytest.raises(TypeError, match="^scale is not a parameter of .*, which has none left to be given"):
            clrng.distribution(value, scale=2)
        code = clrng.device_code(clrng.ParkMiller, device=queue.device, distributions={"mine": made})
        assert "next_mine(" in code
    for nothing in (None, 7, float, [1], made):
        with pytest.raises(TypeError, match="^name must be a key of clrng.DISTRIBUTIONS, not "):
            clrng.distribution(nothing)


def test_a_digest_is_that_of_the_numbers() -> None:
    one, same, other = (as_distribution(uniform_to(top)) for top in (3.0, 3.0, 3.0 * (1 + 2**-52)))
    assert isinstance(one, Continuous)
    assert isinstance(one.quantile, Inverted)
    shown = repr(one)
    assert one.quantile.digest in shown
    assert len(one.quantile.digest) == 64
    assert shown == repr(same)
    assert shown != repr(other)
    poisson, again, near = (as_distribution(stats.poisson(mean)) for mean in (3.5, 3.5, 3.5 * (1 + 1e-12)))
    assert isinstance(poisson, Cumulated)
    assert f"digest='{poisson.digest}'" in repr(poisson)
    assert repr(poisson) == repr(again)
    assert repr(poisson) != repr(near)


@pytest.mark.parametrize(
    "value", [stats.gamma(2.5), stats.poisson(3.5), uniform_to(2.0)], ids=["gamma", "poisson", "mine"]
)
def test_a_pickle_has_the_numbers_and_not_the_functions(queue: cl.CommandQueue, value: Any) -> None:
    """So they are the same elsewhere; a generator of as many raw values draws them, another one does not."""
    chosen = as_distribution(value)
    first = clrng.Generator(clrng.ParkMiller(seed=1), queue).sample(chosen, 500).get()
    other = pickle.loads(pickle.dumps(chosen))
    assert repr(other) == repr(chosen)
    inverse_table.cache_clear()
    assert_array_equal(clrng.Generator(clrng.ParkMiller(seed=1), queue).sample(other, 500).get(), first)
    again = pickle.loads(pickle.dumps(other))
    assert_array_equal(clrng.Generator(clrng.ParkMiller(seed=1), queue).sample(again, 500).get(), first)
    rng = clrng.Generator(clrng.LCG(3, 0, 101, 5), queue)
    with pytest.raises(ValueError, match="^distribution was unpickled, with the numbers made before and without the"):
        rng.sample(other, 3)
    assert rng.bit_generator == clrng.LCG(3, 0, 101, 5)


@pytest.mark.parametrize("value", [stats.gamma(1.25), stats.poisson(1.25)], ids=["gamma", "poisson"])
def test_a_distribution_without_numbers_is_not_pickled(value: Any) -> None:
    with pytest.raises(TypeError, match="^distribution must be drawn from before it is pickled"):
        pickle.dumps(as_distribution(value))


def test_scipy_is_not_imported_with_the_package() -> None:
    code = "import sys; sys.modules['scipy'] = None; import clrng; clrng.distribution('gamma', shape=2.5)"
    assert said("-c", code) == ""


@pytest.mark.parametrize("value", [stats.poisson(3.5), stats.gamma(2.5), np.sqrt])
def test_copies_have_the_functions(value: Any) -> None:
    distribution = as_distribution(value)
    assert copy.copy(distribution) == distribution
    assert copy.deepcopy(distribution) == distribution
